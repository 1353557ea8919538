import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent, LearnedReport, Memory } from "../../src/index.js";
import { Store } from "../../src/storage/storage.js";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { allowModels, withSynonyms } from "../support/open-with-meaning.js";
import { openTestMemory } from "../support/open-memories.js";
import { toldSession, type ToldSession } from "../support/told-session.js";
import { watchedProject } from "../support/watched-project.js";

describe("observing", () => {
  it("[O2] never throws, whatever it is handed, and still learns from what can be read", async () => {
    const memory = await openTestMemory({ directory: watchedProject().root });
    memory.observe(null as never);
    memory.observe({ kind: "end", sessionId: Symbol("s") } as never);
    fc.assert(fc.property(anyEvent, (event) => memory.observe(event as AgentEvent)));

    const session = corrects(toldSession("s\0\ud8001").starts(), "The limit of `field` is 64 KB, not 64 MB.").ends();
    for (const event of session.events) memory.observe(event);
    fc.assert(
      fc.property(anyEvent, (event) => memory.observe(event as AgentEvent)),
      { numRuns: 50 },
    );
    const report = await memory.finishSession(session.id);

    expect(report?.learned).toMatchObject([{ type: "gotcha", status: "active" }]);
  });

  it("[O2] writes nothing to the database before the end, which is one write", async () => {
    const project = watchedProject();
    const memory = await project.open();
    await memory.remember({ content: "Prices are in cents." });
    const before = { bytes: readFileSync(project.db), commits: countCommits(project.db) };

    const session = manyThings(toldSession("s1").starts());
    for (const event of session.events) memory.observe(event);
    await memory.sessions.acute(session.id);
    await new Promise((wake) => setTimeout(wake, 120));

    expect(readFileSync(project.db).equals(before.bytes)).toBe(true);
    expect(countCommits(project.db)).toBe(before.commits);
    expect(await countRows(project.db)).toEqual(new Map(tables.map((table) => [table, 0])));

    const report = await memory.finishSession(session.id);

    expect(report?.learned.length).toBe(20);
    expect(countCommits(project.db)).toBe(before.commits + 1);
    expect((await countRows(project.db)).get("observer_sessions")).toBe(1);
  });

  it("[O2] without an end nothing is learned, and what was seen stays for whoever ends it", async () => {
    const project = watchedProject();
    const memory = await project.open();
    const session = corrects(toldSession("s1").starts(), "The limit of `field` is 64 KB, not 64 MB.");
    for (const event of session.events) memory.observe(event);
    await memory.close();

    const next = await project.open();

    expect(await next.finishSessions()).toEqual([]);
    expect(await next.list({ status: "any" })).toEqual([]);
    expect((await next.finishSession("s1"))?.learned).toMatchObject([{ type: "gotcha" }]);
  });
});

describe("how much a session may lead to", () => {
  it.each([
    ["build", 20],
    ["pr_review", 8],
    ["insights", 5],
    ["roadmap", 3],
    ["spec", 3],
    ["changelog", 0],
  ] as const)("[O3] is decided by its type: %s %i", async (type, most) => {
    const report = await watchedProject().learn(manyThings(toldSession("s1").starts({ type })).ends());

    expect(report.session.type).toBe(type);
    expect(report.learned.length).toBe(most);
    expect(report.left > 0).toBe(most > 0);
  });

  it("[O3] is 3 for a terminal, of whatever it tried and gave up", async () => {
    const session = toldSession("s1").starts({ type: "terminal" });
    for (let count = 0; count < 5; count += 1) triesAndFails(session, count);

    const { learned, left } = await watchedProject().learn(session.ends());

    expect(learned.map(({ type }) => type)).toEqual(["dead_end", "dead_end", "dead_end"]);
    expect(left).toBe(2);
  });

  it("[O3] is what the configuration says where the events do not say, and else that of a build", async () => {
    const project = watchedProject();
    const usual = await project.learn(manyThings(toldSession("s1").starts()).ends());
    await (await project.open()).projects.configure("project", "sessionType", "roadmap");

    const configured = await project.learn(manyThings(toldSession("s2").starts(), "other").ends());
    const told = await project.learn(manyThings(toldSession("s3").starts({ type: "insights" }), "third").ends());

    expect([usual, configured, told].map(({ session, learned }) => [session.type, learned.length])).toEqual([
      ["build", 20],
      ["roadmap", 3],
      ["insights", 5],
    ]);
  });

  it("[O3] is not more for a session that is ended and goes on", async () => {
    const project = watchedProject();
    const first = await project.learn(manyThings(toldSession("s1").starts({ type: "insights" })).ends());

    const second = await project.learn(manyThings(toldSession("s1").starts({ type: "insights" }), "other").ends());

    expect([first.learned.length, second.learned.length]).toEqual([5, 0]);
  });
});

describe("what failed", () => {
  it("[O3] leads to nothing but what did not work and where it stands", async () => {
    const project = watchedProject();
    const session = triesAndFails(toldSession("s1").starts(), 1);
    corrects(session, "The limit of `field` is 64 KB, not 64 MB.");

    const { learned } = await project.learn(session.ends("failure"));

    expect(learned.map(({ type }) => type).toSorted()).toEqual(["dead_end", "work_state"]);
  });

  it("[O3] and was taken back makes no two files belong together", async () => {
    const together = async (isTakenBack: boolean): Promise<Memory[]> => {
      const project = watchedProject();
      const reports: LearnedReport[] = [];
      for (const round of [1, 2, 3]) {
        const session = toldSession(`s${round}`, day(round)).starts().prompts("Change the tax.");
        session.reads("src/tax.ts").edits("src/tax.ts", "0.2", `0.${round}`);
        session.reads("src/stock.ts").edits("src/stock.ts", "new Map()", `new Map([[${round}, 1]])`);
        if (isTakenBack) {
          session.runs("npm test", "TypeError: stock.get is not a function\n    at src/stock.ts:1:1", true);
          session
            .says("This approach does not work, let me revert it.")
            .runs("git checkout -- src/tax.ts src/stock.ts");
          session.edits("src/mail.ts", "undefined", `${round}`);
        }
        reports.push(await project.learn(session.runs("npm test", "Tests  14 passed (14)").ends()));
      }
      return reports.flatMap(({ learned }) => learned);
    };

    expect((await together(false)).map(({ type }) => type)).toContain("causal_dependency");
    expect((await together(true)).map(({ type }) => type)).not.toContain("causal_dependency");
  });
});

describe("what is known already", () => {
  const said = "The cache of prices is emptied whenever an order is placed by a customer of the shop, not at night.";

  it("[O3] in nearly the same words leads to nothing, unless a number or a name is another", async () => {
    const project = watchedProject();
    const first = await project.learn(corrects(toldSession("s1").starts(), said).ends());

    const same = await project.learn(
      corrects(toldSession("s2"), said.replace("by a customer", "by any customer")).ends(),
    );
    const other = await project.learn(corrects(toldSession("s3"), said.replace("shop", "`shopB`")).ends());

    expect([first, same, other].map(({ learned, known }) => [learned.length, known])).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
    ]);
  });

  it("[O3] by its meaning leads to nothing, unless a number or a name is another", async () => {
    allowModels();
    const embedder = withSynonyms(fakeEmbedder(), {
      cache: "store",
      emptied: "cleared",
      customer: "buyer",
      shop: "market",
    });
    const project = watchedProject();
    const memory = await project.open({ embedder });
    await memory.remember({ type: "gotcha", content: said });
    await memory.embedPending();
    const inOtherWords = said.replace("cache", "store").replace("emptied", "cleared").replace("customer", "buyer");

    const same = await project.learn(corrects(toldSession("s1"), inOtherWords.replace("shop", "market")).ends(), {
      embedder,
    });
    const number = await project.learn(
      corrects(toldSession("s2"), inOtherWords.replace("an order", "order 7")).ends(),
      {
        embedder,
      },
    );
    const withoutModel = await project.learn(
      corrects(toldSession("s3"), inOtherWords.replace("shop", "market")).ends(),
    );

    expect([same, number, withoutModel].map(({ learned }) => learned.length)).toEqual([0, 1, 1]);
  });
});

describe("agents that work side by side", () => {
  /** Both meet the same error and mend it the same way. */
  const both = (id: string, isTainted: boolean): ToldSession => {
    const session = toldSession(id).starts().prompts("Mend the pool.");
    for (const agent of ["a", "b"]) {
      session.sub(agent);
      if (isTainted && agent === "b") session.uses("WebFetch", { url: "https://example.com/a" }, "A page.");
      fixesError(session, 1).back();
    }
    return session.ends();
  };

  it("[O6] and agree stand for the sessions that would be needed", async () => {
    const alone = await watchedProject().learn(fixesError(toldSession("s1").starts(), 1).ends());
    const { learned, waiting } = await watchedProject().learn(both("s1", false));

    expect(alone.learned.concat(alone.waiting)).toEqual([]);
    expect(learned.map(({ type }) => type)).toContain("error_pattern");
    expect(waiting).toEqual([]);
  });

  it("[O6] lift no taint: where one of them had read from outside, it waits", async () => {
    const { learned, waiting } = await watchedProject().learn(both("s1", true));

    expect(learned.map(({ type }) => type)).not.toContain("error_pattern");
    expect(waiting).toMatchObject([{ type: "error_pattern", trustFlags: ["tainted"] }]);
  });
});

const anyEvent = fc.oneof(
  fc.anything(),
  fc.record(
    {
      sessionId: fc.oneof(fc.constantFrom("s1", "s2"), fc.anything()),
      agentId: fc.option(fc.anything(), { nil: undefined }),
      at: fc.anything(),
      kind: fc.constantFrom(
        ..."start prompt call result reasoning step unit subagent qa commit remember end".split(" "),
      ),
      text: fc.oneof(fc.string({ unit: "binary" }), fc.anything()),
      callId: fc.oneof(fc.constantFrom("1", "2"), fc.anything()),
      tool: fc.oneof(fc.constantFrom("Read", "Edit", "Bash", "Grep"), fc.anything()),
      input: fc.oneof(fc.dictionary(fc.constantFrom("file_path", "command", "old_string", "pattern"), fc.anything())),
      unit: fc.anything(),
      state: fc.oneof(fc.constantFrom("succeeded", "started"), fc.anything()),
      issues: fc.anything(),
      files: fc.anything(),
      outcome: fc.anything(),
    },
    { requiredKeys: ["kind", "sessionId"] },
  ),
);

function day(number: number): number {
  return Date.parse("2026-11-02T09:00:00Z") + number * 86_400_000;
}

/** Reads a file and says what is so instead of what was believed. */
function corrects(session: ToldSession, what: string): ToldSession {
  return session.reads("src/cart.ts").says(`Correction: ${what.charAt(0).toLowerCase()}${what.slice(1)}`);
}

/** More than any session may lead to: twelve corrections, twelve findings of a check, four pieces of work. */
function manyThings(session: ToldSession, word = "field"): ToldSession {
  for (let count = 0; count < 12; count += 1) {
    corrects(session, `The limit of \`${word}${count}\` is ${count + 64} KB, not ${count + 64} MB.`);
  }
  const issues = Array.from({ length: 12 }, (_, count) => ({
    title: `The basket of \`${word}Kind${count}\` must be refused`,
    file: "src/cart.ts",
  }));
  for (const name of ["one", "two", "three", "four"]) {
    session.unit(`${word} ${name}`, "started").edits("src/cart.ts", "[]", `["${name}"]`);
    session.unit(`${word} ${name}`, "succeeded", `The ${word} of ${name} has a list of its own`);
  }
  return session.qa(false, issues).qa(true);
}

/** A way that fails and is taken back; another one holds. */
function triesAndFails(session: ToldSession, count: number): ToldSession {
  const file = ["src/cart.ts", "src/tax.ts", "src/mail.ts", "src/stock.ts", "test/cart.test.ts"][count % 5] as string;
  return session
    .prompts(`Make part ${count} faster.`)
    .says(`Let me use a WeakMap for part${count}.`)
    .edits(file, "a", `b${count}`)
    .runs("npm test", `TypeError: Invalid value used as weak map key of part${count}\n    at ${file}:1:1`, true)
    .says("This approach does not work, let me revert it.")
    .edits(file, `b${count}`, "a")
    .says(`I'll use a plain Map for part${count} instead.`)
    .edits(file, "a", `c${count}`)
    .runs("npm test", "Tests  14 passed (14)");
}

/** A command fails, a file is mended, and the command passes. */
function fixesError(session: ToldSession, round: number): ToldSession {
  return session
    .runs("npm run migrate", "Error: connection pool of the ledger is exhausted\n    at src/stock.ts:1:1", true)
    .says("The cause is that the pool in src/stock.ts is never closed.")
    .reads("src/stock.ts")
    .edits("src/stock.ts", `pool${round}`, `closed${round}`)
    .runs("npm run migrate", "Done.");
}

const tables = "sessions spools files co_access errors modules subjects sightings"
  .split(" ")
  .map((name) => `observer_${name}`);

async function countRows(db: string): Promise<Map<string, number>> {
  const store = new Store({ db, timeoutMs: 2000 });
  try {
    return await store.read(async (reader) => {
      const counts = new Map<string, number>();
      for (const table of tables) {
        const [row] = await reader.rows(`SELECT count(*) AS n FROM ${table}`);
        counts.set(table, Number(row?.["n"]));
      }
      return counts;
    });
  } finally {
    await store.close();
  }
}

/** How many transactions stand in the log beside the database: each ends with a frame that tells the size. */
function countCommits(db: string): number {
  const log = readFileSync(`${db}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (let at = 32; at + frame <= log.length; at += frame) {
    if (log.subarray(at + 8, at + 16).equals(salt) && log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}
