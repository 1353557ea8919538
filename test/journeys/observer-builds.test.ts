import { describe, expect, it, vi } from "vitest";
import type { TacitMemory } from "../../src/index.js";
import { Store } from "../../src/storage/storage.js";
import { toldSession, type ToldSession } from "../support/told-session.js";
import { watchedProject, type WatchedProject } from "../support/watched-project.js";

const fact = "the limit of `field` is 64 KB, not 64 MB.";

describe("a build of more than five subtasks", () => {
  it("[O14] leads to memories as each of them succeeds, before it is over", async () => {
    const memory = await watchedProject().open();
    const build = building(memory, toldSession("b1").starts({ subtasks: 7 }));

    await build.tell((s) => subtask(s, 1), 1);
    const afterFirst = await memory.list({ status: "any" });
    await build.tell((s) => subtask(s, 2), 2);
    const afterSecond = await memory.list({ status: "any" });

    expect(afterFirst).toMatchObject([{ type: "work_unit_outcome", sessionId: "b1" }]);
    expect(afterSecond).toHaveLength(2);
    expect(await memory.sessions.list()).toMatchObject([{ sessionId: "b1", outcome: "running" }]);
  });

  it("[O14] is known by its units where nobody said how many there are; a short one waits for its end", async () => {
    const memory = await watchedProject().open();
    const build = building(memory, toldSession("b1").starts());
    for (const count of [1, 2, 3, 4, 5]) await build.tell((s) => subtask(s, count));
    await memory.sessions.acute("b1");
    await new Promise((wake) => setTimeout(wake, 200));
    const short = await memory.list({ status: "any" });

    await build.tell((s) => subtask(s, 6), 6);

    expect(short).toEqual([]);
    expect(await memory.list({ status: "any" })).toHaveLength(6);
  });

  it.each([
    ["pass, it comes into force", "success", true],
    ["fail, it is forgotten", "failure", false],
    ["are never made, because it is given up, it is forgotten", "abandoned", false],
  ] as const)("[O14] lets wait what it infers with confidence: where its checks %s", async (_, outcome, isKept) => {
    const project = watchedProject();
    const memory = await project.open();
    const build = building(memory, toldSession("b1").starts({ subtasks: 6 }));
    await build.tell((s) => subtask(corrects(s), 1), 2);
    const [waiting] = await memory.list({ status: "waiting" });

    await build.tell((s) => s.qa(isKept).ends(outcome));
    await memory.finishSession("b1");

    expect(waiting).toMatchObject({
      type: "gotcha",
      trustFlags: [],
      review: { state: "pending", reason: expect.stringMatching(/waits for the build's checks/) as string },
    });
    const [gotcha] = await memory.list({ status: isKept ? "active" : "forgotten", types: ["gotcha"] });
    expect(gotcha?.id).toBe(waiting?.id);
    expect(gotcha?.confidence).toBe(waiting?.confidence);
    const row = (await rowsOf(project, "memories")).find(({ id }) => id === waiting?.id);
    expect(row?.["forgotten_reason"]).toBe(isKept ? null : "unproved");
    expect((await memory.history(waiting?.id ?? ""))[0]?.verb).toBe(isKept ? "settled" : "forgotten");
    // What was told by somebody else than the observer stays.
    expect(await memory.list({ types: ["work_unit_outcome"] })).toHaveLength(1);
  });

  it("[O14] that failed proves nothing against it: the next session that shows it leads to it", async () => {
    const project = watchedProject();
    const memory = await project.open();
    const build = building(memory, toldSession("b1").starts({ subtasks: 6 }));
    await build.tell((s) => subtask(corrects(s), 1), 2);
    await build.tell((s) => s.ends("failure"));
    await memory.finishSession("b1");

    const { learned } = await project.learn(corrects(toldSession("b2").starts()).ends());

    expect(learned).toMatchObject([{ type: "gotcha", status: "active", provenanceSessionIds: ["b2"] }]);
    expect(await memory.review.evidence(learned[0]?.id ?? "")).toMatchObject([{ sessions: [{ sessionId: "b2" }] }]);
  });

  it("[O14] does not trust what came from outside more than any other, whatever its checks say", async () => {
    const memory = await watchedProject().open();
    const build = building(memory, toldSession("b1").starts({ subtasks: 6 }));
    await build.tell((s) => s.uses("WebFetch", { url: "https://example.com/a" }, "A page."));
    await build.tell((s) => subtask(corrects(s), 1), 2);
    await build.tell((s) => s.qa(true).ends());
    await memory.finishSession("b1");

    expect(await memory.list({ status: "waiting", types: ["gotcha"] })).toMatchObject([{ trustFlags: ["tainted"] }]);
  });

  it("[O14] is counted once and leads to no more than any build, though it was looked at after every subtask", async () => {
    const project = watchedProject();
    const memory = await project.open();
    const build = building(memory, toldSession("b1").starts({ subtasks: 30 }));
    for (let count = 1; count <= 24; count += 1) await build.tell((s) => subtask(s, count), Math.min(count, 20));
    await build.tell((s) => s.ends());
    await memory.finishSession("b1");

    expect(await memory.list({ status: "any" })).toHaveLength(20);
    expect(await memory.sessions.list()).toMatchObject([{ outcome: "success", toolCalls: 24 }]);
    expect(await rowsOf(project, "observer_files")).toMatchObject([{ path: "src/cart.ts", accesses: 24, sessions: 1 }]);
  });

  it("[O14] that ends right after its last subtask is finished and not running any more", async () => {
    const project = watchedProject();
    const memory = await project.open();
    const session = toldSession("b1").starts({ subtasks: 6 });
    for (let count = 1; count <= 6; count += 1) subtask(session, count);
    for (const event of session.ends().events) memory.observe(event);
    await memory.close();

    const next = await project.open();
    expect(await next.sessions.list()).toMatchObject([{ sessionId: "b1", outcome: "success", toolCalls: 6 }]);
    expect(await rowsOf(project, "observer_files")).toMatchObject([{ sessions: 1, accesses: 6 }]);
    expect(await next.list()).toHaveLength(6);
  });
});

describe("what is kept of a session", () => {
  /** Two files, one of them known, a check that fails first, steps and tokens. */
  function plain(id: string, at?: number): ToldSession {
    return toldSession(id, at)
      .starts({ type: "build", plannedSteps: 3 })
      .reads("src/cart.ts")
      .steps(1000, 50)
      .edits("src/tax.ts", "0.2", "0.3")
      .steps(1200, 60)
      .qa(false)
      .qa(true);
  }

  it("[O16] are its figures", async () => {
    const project = watchedProject();
    await project.learn(plain("s1", day(1)).ends());
    const { session } = await project.learn(plain("s2", day(2)).reads("src/stock.ts").ends());

    expect(session).toEqual({
      sessionId: "s2",
      type: "build",
      agent: "builder",
      outcome: "success",
      startedAt: new Date(day(2) + 1000).toISOString(),
      endedAt: new Date(day(2) + 12_000).toISOString(),
      events: 12,
      toolCalls: 3,
      files: 3,
      rereads: 1,
      stepsPlanned: 3,
      stepsDone: 2,
      inputTokens: 2200,
      outputTokens: 110,
      qaFirstPass: false,
      deadEndsReentered: 0,
    });
    const memory = await project.open();
    expect((await memory.sessions.list()).map(({ sessionId }) => sessionId)).toEqual(["s2", "s1"]);
    expect(await memory.sessions.list({ limit: 1 })).toEqual([session]);
  });

  it("[O16] are the dead ends that it entered again, and what it read from outside", async () => {
    const project = watchedProject();
    await project.learn(givesUp(toldSession("s1", day(1)).starts()).ends());

    const { session } = await project.learn(
      givesUp(toldSession("s2", day(2)).starts().uses("WebFetch", { url: "https://example.com/a" }, "A page.")).ends(),
    );

    expect(session).toMatchObject({ deadEndsReentered: 1, outside: { from: "web", what: "example.com" } });
  });

  it("[O16] is counted once when it is replayed again, and when two want to finish it at once", async () => {
    const project = watchedProject();
    const lines = transcript(project.root, "t1");
    const [one, two] = [await project.open(), await project.open()];
    const replays = [await one.sessions.replay(stream(lines)), await two.sessions.replay(stream(lines))];
    for (const event of plain("s1", day(1)).ends().events.slice(0, -1)) one.observe(event);
    await new Promise((wake) => setTimeout(wake, 120));

    await Promise.all([one.finishSession("s1"), two.finishSession("s1")]);

    expect(replays.map(({ sessions }) => sessions.map(({ isRepeated = false }) => isRepeated))).toEqual([
      [false],
      [true],
    ]);
    expect((await two.sessions.list()).map(({ sessionId, toolCalls }) => [sessionId, toolCalls])).toEqual([
      ["s1", 2],
      ["t1", 1],
    ]);
    expect(await rowsOf(project, "observer_files")).toMatchObject([
      { path: "src/cart.ts", accesses: 2, sessions: 2 },
      { path: "src/tax.ts", accesses: 1, edits: 1, sessions: 1 },
    ]);
    expect(await rowsOf(project, "observer_modules")).toMatchObject([{ module: "src", sessions: 2 }]);
  });

  it("[O16] is one session when it is taken up again after its end", async () => {
    const project = watchedProject();
    await project.learn(failsOnce(plain("s1", day(1))).ends());
    await project.learn(failsOnce(plain("s1", day(1) + 3_600_000).reads("test/cart.test.ts")).ends());

    const memory = await project.open();
    expect(await memory.sessions.list()).toMatchObject([
      {
        sessionId: "s1",
        toolCalls: 9,
        files: 3,
        inputTokens: 4400,
        qaFirstPass: false,
        startedAt: new Date(day(1) + 1000).toISOString(),
      },
    ]);
    expect(await rowsOf(project, "observer_files")).toMatchObject([
      { path: "src/cart.ts", accesses: 2, sessions: 1 },
      { path: "src/tax.ts", accesses: 2, edits: 2, sessions: 1 },
      { path: "test/cart.test.ts", accesses: 1, sessions: 1 },
    ]);
    expect(await rowsOf(project, "observer_co_access")).toMatchObject([
      { file_a: "src/cart.ts", file_b: "src/tax.ts", sessions: 1, weight: 1 },
      ...(await rowsOf(project, "observer_co_access")).slice(1).map(() => ({ sessions: 1 })),
    ]);
    expect(await rowsOf(project, "observer_errors")).toMatchObject([{ occurrences: 2, sessions: 1 }]);
    expect(await rowsOf(project, "observer_modules")).toMatchObject([
      { module: "src", sessions: 1 },
      { module: "test", sessions: 1 },
    ]);
  });

  it("[O16] is one session when a long build goes on after its end", async () => {
    const project = watchedProject();
    const memory = await project.open();
    const first = building(memory, toldSession("b1", day(1)).starts({ subtasks: 6 }));
    await first.tell((s) => subtask(s, 1).ends());
    await memory.finishSession("b1");
    const second = building(memory, toldSession("b1", day(2)).starts({ subtasks: 6 }));
    await second.tell((s) => subtask(s, 2), 2);
    await second.tell((s) => subtask(s, 3), 3);
    await second.tell((s) => s.ends());
    await memory.finishSession("b1");

    expect(await memory.sessions.list()).toMatchObject([{ outcome: "success", toolCalls: 3 }]);
    expect(await rowsOf(project, "observer_files")).toMatchObject([{ accesses: 3, sessions: 1 }]);
    expect(await memory.list()).toHaveLength(3);
  });
});

interface Building {
  /** Hands over what comes next, and waits until so many memories are there: they are made in the background. */
  tell(more: (session: ToldSession) => ToldSession, memories?: number): Promise<void>;
}

function building(memory: TacitMemory, session: ToldSession): Building {
  let told = 0;
  return {
    async tell(more, memories = 0) {
      more(session);
      for (const event of session.events.slice(told)) memory.observe(event);
      told = session.events.length;
      await vi.waitFor(
        async () => expect((await memory.list({ status: "any" })).length).toBeGreaterThanOrEqual(memories),
        {
          timeout: 10_000,
        },
      );
    },
  };
}

function subtask(session: ToldSession, count: number): ToldSession {
  return session
    .unit(`Part ${count}`, "started")
    .edits("src/cart.ts", "[]", `[${count}]`)
    .unit(`Part ${count}`, "succeeded", `The basket of kind${count} has a list of its own`);
}

function corrects(session: ToldSession): ToldSession {
  return session.reads("src/cart.ts").says(`Correction: ${fact}`);
}

function givesUp(session: ToldSession): ToldSession {
  return session
    .prompts("Make it faster.")
    .says("Let me use a WeakMap.")
    .edits("src/stock.ts", "a", "b")
    .runs("npm test", "TypeError: Invalid value used as weak map key\n    at src/stock.ts:1:1", true)
    .says("This approach does not work, let me revert it.")
    .edits("src/stock.ts", "b", "a")
    .edits("src/stock.ts", "a", "c")
    .runs("npm test", "Tests  14 passed (14)");
}

function failsOnce(session: ToldSession): ToldSession {
  return session
    .runs("npm run migrate", "Error: connection pool of the ledger is exhausted\n    at src/stock.ts:1:1", true)
    .runs("npm run migrate", "Done.");
}

function day(number: number): number {
  return Date.parse("2026-11-02T09:00:00Z") + number * 86_400_000;
}

function transcript(root: string, sessionId: string): string[] {
  const common = { sessionId, cwd: root, version: "2.1.0", isSidechain: false, timestamp: "2026-10-01T09:00:00.000Z" };
  const use = { type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: `${root}/src/cart.ts` } };
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "export {};" };
  return [
    { ...common, uuid: "1", type: "user", message: { role: "user", content: "Look at it." } },
    { ...common, uuid: "2", type: "assistant", message: { id: "m1", role: "assistant", content: [use] } },
    { ...common, uuid: "3", type: "user", message: { role: "user", content: [result] } },
  ].map((line) => JSON.stringify(line));
}

async function* stream(lines: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

async function rowsOf(project: WatchedProject, table: string): Promise<Record<string, unknown>[]> {
  const store = new Store({ db: project.db, timeoutMs: 2000 });
  try {
    return await store.read((reader) => reader.rows(`SELECT * FROM ${table} ORDER BY 2, 3`));
  } finally {
    await store.close();
  }
}
