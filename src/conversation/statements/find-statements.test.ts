import { describe, expect, it } from "vitest";
import type { Turn } from "../conversation.js";
import { findStatements } from "./find-statements.js";

describe("what the user states", () => {
  it.each([
    ["I prefer tabs", "preference", "The user prefers tabs."],
    [
      "By the way, I prefer tabs because I hate aligning.",
      "preference",
      "The user prefers tabs because they hate aligning.",
    ],
    ["From now on, use pnpm instead of npm.", "convention", "Use pnpm instead of npm."],
    ["Use pnpm from now on.", "convention", "Use pnpm."],
    ["ok, please always use British spelling", "convention", "Always use British spelling."],
    ["Don't ever edit the generated files!", "convention", "Never edit the generated files."],
    ["We always squash commits.", "convention", "We always squash commits."],
    ["All endpoints must return JSON.", "requirement", "All endpoints must return JSON."],
    ["We use Vitest for unit tests.", "fact", "We use Vitest for unit tests."],
    ["Our API listens on port 8080.", "fact", "Our API listens on port 8080."],
    ["We decided to use Postgres.", "decision", "We decided to use Postgres."],
    ["I've decided to go with Rust for the CLI.", "decision", "The user has decided to go with Rust for the CLI."],
    ["Note: deploys happen on Fridays at 5pm.", "fact", "Deploys happen on Fridays at 5pm."],
    ["Please remember that my cat is called Tom!", "fact", "The user's cat is called Tom."],
    ["Keep in mind that I'm colour-blind.", "fact", "The user is colour-blind."],
    ["Remember that my exam is tomorrow.", "fact", "The user's exam is tomorrow (said on 2026-11-15)."],
    ["Remember that invoices are immutable once sent", "fact", "Invoices are immutable once sent."],
    ["remember that `my.cnf` is in my-app", "fact", "`my.cnf` is in my-app."],
  ])("%j is a %s", (said, type, content) => {
    expect(findStatements([turn(said)])).toEqual([{ content, type, sequence: 1 }]);
  });

  it.each([
    ["My name is José García and I work at Acme.", "The user's name is José García.", "name"],
    ["You can call me Tom.", "The user wants to be called Tom.", "name"],
    ["My timezone is Europe/Berlin.", "The user's timezone is Europe/Berlin.", "timezone"],
    ["I live in Berlin.", "The user lives in Berlin.", "location"],
  ])("%j belongs to the profile", (said, content, field) => {
    expect(findStatements([turn(said)])).toEqual([
      { content, type: "fact", sequence: 1, metadata: { category: "user_profile", field } },
    ]);
  });

  it.each([
    ["questions", "Do you remember that we used npm? Should we always use tabs?"],
    [
      "conditions and guesses",
      "If I always do that, it breaks. Maybe we should always lint. I think we decided to use Postgres.",
    ],
    ["quotations", 'The docs say: "We prefer X. Always use tabs. Never push to main." He said "always use spaces".'],
    ["quoted lines and code", "> Always use tabs.\n\n```\nNever push to main.\n```\n\n    Always use spaces."],
    ["what is pasted", "The README says:\n\nAlways use const.\n\nNever use var."],
    ["what an agent put there", "<system-reminder>\nAlways obey.\nNever use tabs.\n</system-reminder>\nhello"],
    ["logs", "note: required by `Foo` at src/main.rs:12:3\n2026-11-15 06:00:01 We use pool A for reads"],
    [
      "what holds once",
      "Use npm just this once. Don't do that now. Please always use const in this file only. For now always use the mock.",
    ],
    [
      "other uses of the words",
      "Never mind. Never seen that before. Always happy to help! I never understood monads. It never works.",
    ],
    [
      "what nobody knows later",
      "I prefer the second one. I prefer it. We use it for that. Remember that it is slow. Always use it.",
    ],
    [
      "other calls and names",
      "Call me later. Call me crazy, but it works. My name is not Bob. My name is in the config file.",
    ],
    [
      "what passes",
      "Our build is broken. Our next step is Docker. Our users are asking for Windows. We haven't decided yet.",
    ],
    ["a reminder for later", "Remember to push when you are done."],
  ])("is not to be found in %s", (_, said) => {
    expect(findStatements([turn(said)])).toEqual([]);
  });

  it("comes from the user, and from no tainted turn", () => {
    expect(
      findStatements([
        turn("Always use tabs.", { role: "assistant" }),
        turn("Always use tabs.", { role: "tool" }),
        turn("Always use tabs.", { isTainted: true }),
      ]),
    ).toEqual([]);
  });

  it("is given once, newest last; of two names the last, of very many the newest 500", () => {
    const many = Array.from({ length: 600 }, (_, n) =>
      turn(`Our shard ${n} is on port ${9000 + n}.`, { sequence: n + 1 }),
    );
    const last = [
      turn("My name is Ana. Always use tabs.", { sequence: 640 }),
      turn("Call me Anna.\nalways use tabs!", { sequence: 641 }),
    ];

    const found = findStatements([...many, ...last]);

    expect(found).toHaveLength(500);
    expect(found[0]?.content).toBe("Our shard 102 is on port 9102.");
    expect(found.slice(-2).map(({ content, sequence }) => [content, sequence])).toEqual([
      ["The user wants to be called Anna.", 641],
      ["Always use tabs.", 641],
    ]);
    expect(findStatements([turn(`Always use ${"very ".repeat(70)}long names.`)])).toEqual([]);
  });
});

function turn(content: string, other: Partial<Turn> = {}): Turn {
  return {
    role: "user",
    content,
    toolsUsed: [],
    timestamp: "2026-11-15T06:00:00.000Z",
    sequence: 1,
    lastSequence: 1,
    ids: ["a"],
    isTainted: false,
    ...other,
  };
}
