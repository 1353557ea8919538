import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Role, Turn } from "../conversation.js";
import { summariseTurns } from "./summarise-turns.js";

const work = [
  turn("user", "Hi! The login page redirects twice after the token was refreshed. Can you find out why and fix it?"),
  turn("assistant", "Let me look at the code.\n\n```ts\nconst secretOfCode = 1;\n```", ["Read", "Grep"]),
  turn("tool", "1\texport const noiseOfTool = 1"),
  turn(
    "assistant",
    "The redirect is fired in src/auth/session.ts and in src/router/guard.ts. I'll remove the one in session.ts.",
    ["Edit"],
  ),
  turn("user", "No, don't remove that one. The guard is the wrong place."),
  turn(
    "tool",
    "FAIL src/router/guard.test.ts\nTypeError: Cannot read properties of undefined\n    at guard (src/router/guard.ts:14:9)",
  ),
  turn("assistant", "It failed because `to` is undefined in the mock. Fixed by passing a full route.", [
    "Edit",
    "Bash",
    "Bash",
  ]),
  turn("user", "Great. We decided to use Playwright for e2e tests. From now on always use pnpm."),
  turn("assistant", "Noted! TODO: switch the job in ci.yml to pnpm."),
  turn("user", "Thanks! No, don't remove that one."),
];

describe("a summary without a model", () => {
  it("tells what was asked, corrected, broken, mended, decided, stated and left open, word by word and in order", () => {
    const { text } = summariseTurns(work);

    expect(text).toBe(
      [
        "About: The login page redirects twice after the token was refreshed. Can you find out why and fix it?",
        "- assistant: The redirect is fired in src/auth/session.ts and in src/router/guard.ts.",
        "- user (corrected): No, don't remove that one. The guard is the wrong place.",
        "- tool (error): TypeError: Cannot read properties of undefined",
        "- assistant (fix): It failed because `to` is undefined in the mock. Fixed by passing a full route.",
        "- user (decided): We decided to use Playwright for e2e tests.",
        "- user (stated): From now on always use pnpm.",
        "- assistant (open): TODO: switch the job in ci.yml to pnpm.",
        "Files: src/auth/session.ts, src/router/guard.ts, ci.yml.",
        "Tools: Read, Grep, Edit × 2, Bash × 2.",
        "10 messages, 2026-11-15 06:00 UTC.",
      ].join("\n"),
    );
  });

  it("names the files, and a few words for a name", () => {
    const { words, files } = summariseTurns(work);

    expect(files).toEqual(["src/auth/session.ts", "src/router/guard.ts", "ci.yml"]);
    expect(words).toHaveLength(4);
    expect(words).toEqual(expect.arrayContaining(["session", "login"]));
  });

  it("keeps names, numbers, dates and plans of everyday talk rather than courtesies", () => {
    const { text } = summariseTurns([
      turn("user", "Hey Kim! Good to see you! How have you been?"),
      turn("assistant", "Great, thanks! I moved to Lisbon in March with my sister Ines. It's so nice."),
      turn("user", "Wow, that's awesome! Congrats! I'm so happy for you."),
      turn("assistant", "Thank you so much! We're planning to open a bakery next summer."),
      turn("user", "Sounds amazing! My daughter starts school on 4 September."),
      turn("assistant", "That's great! Talk to you soon!"),
    ]);

    expect(text).toContain("assistant: I moved to Lisbon in March with my sister Ines.");
    expect(text).toContain("We're planning to open a bakery next summer.");
    expect(text).toContain("My daughter starts school on 4 September.");
    expect(text).not.toMatch(/How have you been|Congrats|Talk to you soon|Sounds amazing/);
  });

  it("does not break other scripts", () => {
    const { text, words } = summariseTurns([
      turn("user", "请修复登录页面的错误。我们决定使用PostgreSQL数据库。端口是5433！"),
      turn("assistant", "Die Größe wird jetzt geprüft. Wir verwenden ab heute überall UTC."),
    ]);

    expect(text).toContain("我们决定使用PostgreSQL数据库。");
    expect(text).toContain("user: 端口是5433！");
    expect(text).toContain("Wir verwenden ab heute überall UTC.");
    expect(words.every((word) => /^[a-z0-9]+$/.test(word))).toBe(true);
  });

  it("stays within 6,000 characters and repeats nothing, and takes 2,000 turns at once", () => {
    const long = Array.from({ length: 2000 }, (_, n) => {
      const { role, content, toolsUsed } = work[n % work.length] as Turn;
      return turn(role, `${content} Part ${n} of src/part-${n % 60}.ts was moved to module ${n % 13}.`, toolsUsed);
    });
    const start = performance.now();

    const { text, words, files } = summariseTurns(long);

    // Measured 2026-11: 50 to 65 ms.
    expect(performance.now() - start).toBeLessThan(2000);
    expect(text.length).toBeLessThanOrEqual(6000);
    expect(text.length).toBeGreaterThan(4000);
    expect(text.split("No, don't remove that one.")).toHaveLength(2);
    expect(words).toHaveLength(4);
    expect(files).toHaveLength(50);
  });

  it("takes any text", () => {
    const contents = fc.oneof(
      fc.string({ unit: "binary", maxLength: 100 }),
      fc.string({
        unit: fc.constantFrom("Error: ", "\n", "a/", ".ts", "```", "No, ", "we decided ", "。", "\uD83D", "- "),
        maxLength: 100,
      }),
    );

    fc.assert(
      fc.property(fc.array(contents, { maxLength: 6 }), (texts) => {
        const { text } = summariseTurns(texts.map((content, n) => turn(n % 2 === 0 ? "user" : "assistant", content)));

        expect(Buffer.from(text).toString()).toBe(text);
        expect(text.length).toBeLessThan(2500);
      }),
      { numRuns: 100 },
    );
  });
});

function turn(role: Role, content: string, toolsUsed: string[] = []): Turn {
  return {
    role,
    content,
    toolsUsed,
    timestamp: "2026-11-15T06:00:00.000Z",
    sequence: 1,
    lastSequence: 1,
    ids: ["a"],
    isTainted: false,
  };
}
