import { describe, expect, it } from "vitest";
import { deadEnd } from "../../src/memory/type-registry/memory-data.js";
import type { AgentSession } from "../../bench/agent-session.mjs";
import {
  looksAround,
  observedProject,
  wrapsUp,
  type ObservedProject,
  type Recalled,
} from "../support/observed-project.js";

const green = { text: " Test Files  2 passed (2)\n      Tests  14 passed (14)", tookMs: 5000 };

/** A run of vitest with one failing test. */
function red(error: string, at = "src/billing/rates.ts:4:9") {
  const text = ` FAIL  test/price.test.ts > prices\n${error}\n ❯ ${at}\n\n      Tests  1 failed | 13 passed (14)`;
  return { text, failed: true, tookMs: 5000 };
}

/** What a memory rests on, one line each. */
function seenFor(memory: Recalled | undefined): string[] {
  return (memory?.evidence ?? []).flatMap(({ sessions }) =>
    sessions.flatMap(({ seen }) => seen.map(({ did, said }) => (said === undefined ? did : `${did}: ${said}`))),
  );
}

describe("an agent that corrects itself", () => {
  /** Logins are repaired; the agent says `correction` when it has found out. */
  function repairsLogin(project: ObservedProject, correction: string): AgentSession {
    const session = looksAround(project.session("Some customers cannot log in. Find out why."), 0);
    session.reads("src/auth/login.ts", project.shown("src/auth/login.ts")).reads("src/auth/token.ts");
    session.edits("src/auth/token.ts", "text.trim()", `Buffer.from(text, "base64").toString()`);
    session.runs("npm test", red("AssertionError: expected 'a?b' to be 'a_b'", "src/auth/token.ts:1:40"));
    session.reads("src/auth/token.ts").says(correction);
    session.edits("src/auth/token.ts", `"base64"`, `"base64url"`).runs("npm test", green);
    return wrapsUp(session, 1);
  }

  it("[O1] about a thing it names: one session is enough", async () => {
    const project = observedProject();

    await project.learn(
      repairsLogin(project, "I was wrong about the token format. The token is actually base64url, not base64."),
    );
    const [found, ...others] = await project.recallAnew("How is the token of a login encoded?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "gotcha",
      status: "active",
      source: "observer_inferred",
      content:
        "The token is base64url, not base64; an agent first got the token format wrong. It came up in `src/auth/token.ts`.",
      relatedFiles: ["src/auth/token.ts"],
      relatedModules: ["src/auth"],
      data: { actual: "The token is base64url, not base64", topic: "the token format" },
      provenanceSessionIds: ["session-1"],
    });
    expect(found?.evidence).toMatchObject([{ signal: "self-correction", sessions: [{ sessionId: "session-1" }] }]);
    expect(seenFor(found)).toEqual(
      expect.arrayContaining([
        "read src/auth/token.ts",
        expect.stringMatching(/^said: I was wrong about the token format\./),
      ]),
    );
  });

  it("[O1] and says what it had believed: that is told as well", async () => {
    const project = observedProject();

    await project.learn(
      repairsLogin(
        project,
        "I initially thought that sessions live for an hour, but `lifeMinutes` is 30 and nothing renews it.",
      ),
    );
    const [found] = await project.recallAnew("How long does a session live?");

    expect(found).toMatchObject({
      type: "gotcha",
      content: expect.stringMatching(
        /^`lifeMinutes` is 30 and nothing renews it\. .*easily.* that sessions live for an hour\./,
      ),
      data: { actual: "`lifeMinutes` is 30 and nothing renews it", believed: "sessions live for an hour" },
    });
  });

  it("[O1] only in passing: nothing is learned from comments, plans, waiting and a test that was red before it was green", async () => {
    const project = observedProject();
    const session = looksAround(project.session("Some customers cannot log in. Find out why."), 2);
    session.says("Wait for the server to start.").runs("npm run dev &", { text: "ready in 200 ms" });
    session.reads("src/auth/login.ts").says("Actually, let me read the token first.").reads("src/auth/token.ts");
    session.says("Let me reconsider the order. I was wrong, sorry.");
    session.edits("src/auth/token.ts", "text.trim()", "text.trimEnd()");
    session.runs("npm test", red("TypeError: text.trimEnd is not a function", "src/auth/token.ts:1:40"));
    session.says("The test fails because `text` is undefined there.");
    session.edits("src/auth/token.ts", "text.trimEnd()", '(text ?? "").trim()').runs("npm test", green);
    session
      .says("Actually, that works.")
      .says("Wait, is `login` async? No.")
      .says("Actually, the tests are passing now.");

    await project.learn(wrapsUp(session, 0));

    expect(await project.allSayings()).toEqual([]);
  });
});

describe("a way that was tried and given up", () => {
  const plan = "Let me use structuredClone to copy the rates into a cache.";

  function begins(project: ObservedProject): AgentSession {
    const session = looksAround(project.session("Make the rates survive a restart. It should be quick."), 1);
    session.reads("src/billing/rates.ts").reads("src/billing/price.ts").says(plan);
    session.edits("src/billing/rates.ts", "=> 1.2", "=> structuredClone(table)[_id]");
    session.runs("npm test", red("DataCloneError: () => 1.2 could not be cloned."));
    return session.runs("git status --short", { text: " M src/billing/rates.ts" });
  }

  it("[O1] is a dead end: what was tried, why it failed, what worked instead", async () => {
    const project = observedProject();
    const session = begins(project).reads("src/billing/rates.ts");
    session.edits("src/billing/rates.ts", "structuredClone(table)[_id]", "structuredClone({ ...table })[_id]");
    session.runs("npm test", red("DataCloneError: () => 1.2 could not be cloned."));
    session.says("This approach won't work, because the table holds functions and those cannot be cloned.");
    session.runs("git checkout -- src/billing/rates.ts", { text: "Updated 1 path from the index" });
    session.says("I'll write the rates into the ledger as plain numbers instead.").reads("src/billing/ledger.ts");
    session.edits("src/billing/ledger.ts", "string[] = []", "number[] = [1.2]").runs("npm test", green);

    await project.learn(wrapsUp(session, 1));
    const [found, ...others] = await project.recallAnew("Can I cache the rates with structuredClone?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "dead_end",
      status: "active",
      relatedFiles: ["src/billing/rates.ts", "src/billing/ledger.ts"],
      data: {
        approachTried: plan,
        whyItFailed: expect.stringContaining("could not be cloned"),
        alternativeUsed: "Write the rates into the ledger as plain numbers.",
        taskContext: "Make the rates survive a restart",
      },
    });
    expect(deadEnd.safeParse(found?.data).success).toBe(true);
    expect(found?.content).toMatch(
      /^For "Make the rates survive a restart", do not try to use structuredClone to copy the rates into a cache: it failed with `DataCloneError: .*`\. /,
    );
    expect(found?.content).toContain("What worked instead: write the rates into the ledger as plain numbers.");
    const shown = await project.tacit("show", found?.id ?? "", "--evidence");
    for (const part of [
      "dead-end",
      "git checkout -- src/billing/rates.ts",
      "edited src/billing/ledger.ts",
      "won't work",
    ]) {
      expect(shown).toContain(part);
    }
  });

  it("[O1] is none, when it was only mended until it worked and a line for debugging was taken out again", async () => {
    const project = observedProject();
    const session = begins(project).reads("src/billing/rates.ts");
    session.edits("src/billing/price.ts", "100 *", "console.log(id) as never || 100 *");
    session.runs("npm test", red("DataCloneError: () => 1.2 could not be cloned."));
    session.edits("src/billing/price.ts", "console.log(id) as never || 100 *", "100 *");
    session.edits("src/billing/rates.ts", "structuredClone(table)[_id]", "structuredClone(numbersOf(table))[_id]");
    session.runs("npm test", green);

    await project.learn(wrapsUp(session, 1));

    expect(await project.allSayings()).toEqual([]);
  });
});

describe("a file whose changes have to be taken back", () => {
  const error = "TypeError: client.query is not a function";

  /** The client of the database is to change; the tests do not let it, and all is left as it was. */
  function triesClient(project: ObservedProject, round: number): AgentSession {
    const asked = ["Pool the connections of the database.", "Let queries time out."][round] as string;
    const session = looksAround(project.session(asked), round).reads("src/db/client.ts").reads("src/db/orders.ts");
    const [before, after] = ["{ query:", round === 0 ? "{ pool: 4, run:" : "{ timeoutMs: 100, ask:"];
    session.edits("src/db/client.ts", before, after);
    session.runs("npm test", red(error, "src/db/orders.ts:2:37"));
    session.searches("client\\.query", ["src/db/orders.ts", "src/db/users.ts"]);
    if (round === 0) session.runs("git checkout -- src/db/client.ts", { text: "Updated 1 path from the index" });
    else session.edits("src/db/client.ts", after, before);
    session.runs("npm test", green);
    return wrapsUp(session.says("Everybody asks the client directly, so I left it as it was."), round);
  }

  it("[O1] in two sessions: from then on one is told to be careful", async () => {
    const project = observedProject();
    await project.learn(triesClient(project, 0));
    expect(await project.allSayings()).toEqual([]);

    await project.learn(triesClient(project, 1));
    const [found, ...others] = await project.recallAnew("I want to change src/db/client.ts.");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "gotcha",
      status: "active",
      content:
        `Changes in \`src/db/client.ts\` had to be taken back more than once, because \`npm test\` failed with \`${error}\`. ` +
        "Run `npm test` right after the first change there.",
      relatedFiles: ["src/db/client.ts"],
      data: { file: "src/db/client.ts", command: "npm test", error },
      provenanceSessionIds: ["session-1", "session-2"],
    });
    expect(found?.evidence).toMatchObject([{ signal: "backtrack", sessions: [{}, {}] }]);
    expect(seenFor(found)).toEqual([
      "edited src/db/client.ts",
      `ran \`npm test\`, which failed: ${error}`,
      "ran `git checkout -- src/db/client.ts`",
      "edited src/db/client.ts",
      `ran \`npm test\`, which failed: ${error}`,
      "edited src/db/client.ts",
    ]);
  });

  it("[O1] without harm done by them: nothing is learned from second thoughts and from looking for a cause", async () => {
    const project = observedProject();
    const file = "src/db/client.ts";
    for (const round of [0, 1]) {
      const thinksAgain = looksAround(project.session(`Pool the connections, part ${round}.`), round + 2);
      thinksAgain.runs("npm run lint", { text: "Error: no config for eslint", failed: true }).reads(file);
      thinksAgain.edits(file, "{ query:", `{ pool: ${round}, query:`).runs("npm test", green);
      thinksAgain.says("The driver pools already.").edits(file, `{ pool: ${round}, query:`, "{ query:");
      const looks = looksAround(project.session(`The test of the orders fails, number ${round}.`), round + 4);
      looks.runs("npm test", red(error, "src/db/orders.ts:2:37")).reads(file);
      looks.edits(file, "{ query:", `{ seen: console.log(${round}), query:`);
      looks.runs("npm test", red(error, "src/db/orders.ts:2:37"));
      looks.edits(file, `{ seen: console.log(${round}), query:`, "{ query:").reads("src/db/orders.ts");
      looks.edits(["src/db/orders.ts", "src/db/users.ts"][round] as string, "client", "bound");
      await project.learn(wrapsUp(thinksAgain, 1), wrapsUp(looks.runs("npm test", green), 1));
    }

    expect(await project.allSayings()).toEqual([]);
  });
});
