// What becomes of sessions: whose they are, when they are learned from, and what happens to those that cannot be.
import { mkdirSync, readdirSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { agentSession } from "../../bench/agent-session.mjs";
import { openMemory, type OpenOptions, type TacitMemory } from "../../src/index.js";
import { observeOnce } from "../../src/hook/observe-once.js";
import { ownSessions } from "../../src/observer/processes/agents-above.js";
import { currentProcess } from "../../src/observer/processes/process-identity.js";
import { Store } from "../../src/storage/storage.js";
import { commitFiles, git, gitRepository } from "../support/git-repository.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { toldSession, type ToldSession } from "../support/told-session.js";

const gotcha = { type: "gotcha", content: "Retries are limited to five." } as const;

it("[O8] what a hook noted of a session counts for one that is watched here too", async () => {
  const { open, note } = newHome();
  const memory = await open();
  await note(fetching("s"));
  memory.observe({ sessionId: "s", kind: "prompt", text: "Go on." });

  expect(await memory.remember({ ...gotcha, sessionId: "s" })).toMatchObject({ status: "waiting" });
});

it("[O8] what another process is about to learn from counts for the session that goes on", async () => {
  const { open, note, spools, sessions } = newHome();
  await note(fetching("s"));
  const [name = ""] = spools();
  const { pid, started } = currentProcess();
  renameSync(join(sessions, name), join(sessions, `${name}.finishing-${pid}-${started}-${Date.now()}-0`));
  await note(toldSession("s").prompts("Go on."));

  expect(await (await open()).remember({ ...gotcha, sessionId: "s" })).toMatchObject({ status: "waiting" });
});

it("[O8] a session whose notes have no more room is trusted less, not more", async () => {
  const { open, note, spools, sessions } = newHome();
  await note(toldSession("s").starts().reads("src/a.ts"));
  truncateSync(join(sessions, spools()[0] ?? "", "main.jsonl"), 60.5 * 1024 * 1024);
  await note(fetching("s"));
  await note(corrects(toldSession("s"), 1).ends());
  const memory = await open();

  const doubted = await memory.remember({ ...gotcha, sessionId: "s" });
  const [report] = await memory.finishSessions();

  expect(doubted).toMatchObject({ status: "waiting" });
  expect(report?.session.outside).toMatchObject({ from: "web" });
});

it("[O8] where notes cannot be read, what their session tells waits", async () => {
  const { open, note, spools, sessions } = newHome();
  await note(toldSession("s").starts().reads("src/a.ts"));
  mkdirSync(join(sessions, spools()[0] ?? "", "agent-0123456789abcdef.jsonl"));

  expect(await (await open()).remember({ ...gotcha, sessionId: "s" })).toMatchObject({ status: "waiting" });
});

it.each([10.5, 1e20, 2 ** 53, Number.MAX_VALUE])(
  "[O9] a session that says it used %d tokens is learned from",
  async (tokens) => {
    const { open, note } = newHome();
    await note(
      corrects(toldSession("s").starts({ plannedSteps: tokens }), 1)
        .steps(tokens, tokens)
        .ends(),
    );
    const memory = await open();

    const reports = await memory.finishSessions();
    await note(corrects(toldSession("s").starts(), 2).steps(tokens, tokens).ends());
    const more = await memory.finishSessions();

    expect([...reports, ...more].map(({ learned }) => learned.length)).toEqual([1, 1]);
    expect((await memory.sessions.list())[0]?.inputTokens).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  },
);

it("[O9] a session that cannot be learned from keeps nobody from an answer, and no other session from being learned from", async () => {
  const { open, note, spools, sessions } = newHome();
  await note(corrects(toldSession("bad").starts(), 1).ends());
  mkdirSync(join(sessions, spools()[0] ?? "", "agent-0123456789abcdef.jsonl"));
  const found: string[][] = [];
  for (const round of [2, 3, 4]) {
    await note(corrects(toldSession(`good ${round}`).starts(), round).ends());
    const memory = await open();
    found.push((await memory.list()).map(({ content }) => content));
    await memory.close();
  }
  const memory = await open();
  const { checks } = await memory.store.diagnose();

  expect(found.map((contents) => contents.length)).toEqual([1, 2, 3]);
  expect(spools()).toEqual([expect.stringMatching(/\.failed-/)]);
  expect(checks.find(({ name }) => name === "sessions")).toMatchObject({
    status: "warning",
    message: expect.stringContaining("1 could not be learned from, three times, and was set aside"),
  });
  // Mended by hand, it can be asked for.
  rmSync(join(sessions, spools()[0] ?? "", "agent-0123456789abcdef.jsonl"), { recursive: true });
  expect((await memory.finishSession("bad"))?.learned.length).toBe(1);
  expect(spools()).toEqual([]);
});

it("a session that was noted for one project is not learned from for another", async () => {
  const { open, note } = newHome();
  await note(corrects(toldSession("s").starts(), 1).ends(), { project: "alpha" });

  const [beta, alpha] = [await open({ project: "beta" }), await open({ project: "alpha" })];

  expect(await beta.list()).toEqual([]);
  // Who asks waits 300 ms at most, which is little on a busy machine.
  await expect.poll(async () => (await alpha.list()).length, { timeout: 20_000 }).toBe(1);
  expect(await beta.list()).toEqual([]);
});

it("a transcript can be replayed into several projects of a store, into each once", async () => {
  const { open, root } = newHome();
  const session = agentSession({ id: "s", root, at: Date.parse("2026-11-02T09:00:00Z"), prompt: "Look." });
  session.reads("src/a.ts").says("I was wrong: limit 1 is set in src/b.ts, not in src/a.ts.");
  const learned = [];
  for (const project of ["alpha", "beta", "beta"]) {
    const memory = await open({ project, directory: root });
    const { sessions } = await memory.sessions.replay(session.stream());
    learned.push(sessions.map(({ isRepeated = false }) => isRepeated));
    await memory.close();
  }

  expect(learned).toEqual([[false], [false], [true]]);
});

it("the transcript of a session that is being noted is left out, so that it counts once", async () => {
  const { open, note, root } = newHome();
  const claude = temporaryFolder();
  setVariable("CLAUDE_CONFIG_DIR", claude);
  const session = agentSession({ id: "s", root, at: Date.parse("2026-11-02T09:00:00Z"), prompt: "Look." });
  session.reads("src/a.ts").reads("src/b.ts");
  const folder = join(claude, "projects", root.replaceAll(/[^a-zA-Z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "s.jsonl"), session.lines().join(""));
  const memory = await open();
  expect((await memory.sessions.transcripts()).length).toBe(1);
  await note(toldSession("s").starts().reads("src/a.ts").reads("src/b.ts"));

  const transcripts = await memory.sessions.transcripts();
  const replayed = await memory.sessions.replay(session.stream());
  await memory.finishSession("s");

  expect(transcripts).toEqual([]);
  expect(replayed).toMatchObject({ sessions: [], running: ["s"] });
  expect((await memory.sessions.list()).map(({ toolCalls }) => toolCalls)).toEqual([2]);
});

it("where memory is switched off nothing is noted or learned from, and what was noted stays", async () => {
  const { open, note, home, spools } = newHome();
  await note(corrects(toldSession("before").starts(), 1).ends());
  writeFileSync(join(home, "tacit.config.json"), JSON.stringify({ enabled: false }));
  const memory = await open();
  for (const event of corrects(toldSession("s").starts(), 2).ends().events) memory.observe(event);

  const reports = [await memory.finishSession("s"), await memory.finishSession("before")];
  await memory.list();
  const sessions = await memory.sessions.list();
  await memory.close();

  expect([...reports, ...sessions]).toEqual([undefined, undefined]);
  expect(spools().length).toBe(1);
});

it("[TR14] where memory is switched off, a process that stays still says that it is an agent, which nobody watches", async ({
  skip,
}) => {
  skip(process.platform !== "linux", "only Linux tells where a process comes from");
  const { open, home, db } = newHome();
  writeFileSync(join(home, "tacit.config.json"), JSON.stringify({ enabled: false }));
  const memory = await open();

  for (const event of corrects(toldSession("s").starts(), 1).events) memory.observe(event);
  await expect.poll(() => ownSessions({ home, db })).toHaveLength(1);
  const during = ownSessions({ home, db });
  await memory.close();

  expect(during).toMatchObject([{ sessionId: "s", isUnwatched: true }]);
  expect(readdirSync(home)).not.toContain("sessions");
  expect(ownSessions({ home, db })).toMatchObject([{ isUnwatched: true, overAt: expect.any(Number) }]);
});

it("a session that could not be finished because the store was locked can be finished right after", async () => {
  const { open, note, db } = newHome();
  const memory = await open({ timeoutMs: 50 });
  await memory.remember(gotcha);
  await note(corrects(toldSession("s").starts(), 1).ends());
  const unlock = await lock(db);

  await expect(memory.finishSession("s")).rejects.toMatchObject({ code: "store-locked" });
  await expect(memory.finishSessions()).resolves.toEqual([]);
  await unlock();

  expect((await memory.finishSession("s"))?.learned.length).toBe(1);
});

it("what was noted in a work tree that is gone goes after a month", async () => {
  const { open, note, spools, sessions } = newHome();
  const gone = gitRepository();
  await note(toldSession("gone").starts().reads("src/a.ts"), { directory: gone });
  await note(toldSession("there").starts().reads("src/a.ts"), { directory: gitRepository() });
  const age = (days: number) => {
    const then = new Date(Date.now() - days * 86_400_000);
    for (const name of spools()) utimesSync(join(sessions, name, "main.jsonl"), then, then);
  };
  rmSync(gone, { recursive: true });
  age(29);
  await (await open()).list();
  const before = spools().length;
  age(31);
  await (await open()).list();

  expect([before, spools().length]).toEqual([2, 1]);
});

it("purging a project removes what was noted of its sessions in every work tree, and purging all of it the rest", async () => {
  const { open, note, root, spools } = newHome();
  const memory = await open();
  await memory.remember(gotcha);
  const tree = join(temporaryFolder(), "tree");
  git(root, "worktree", "add", "--quiet", tree);
  await note(toldSession("here").starts().reads("src/a.ts"));
  await note(toldSession("beside").starts().reads("src/a.ts"), { directory: tree });
  await note(toldSession("elsewhere").starts().reads("src/a.ts"), { directory: gitRepository() });
  await note(toldSession("stored elsewhere").starts().reads("src/a.ts"), { db: join(temporaryFolder(), "other.db") });

  await memory.purge({ project: true });
  const left = spools().length;
  await memory.purge({ all: true });

  expect([left, spools().length]).toEqual([2, 1]);
});

it("a session that the disk does not take is learned from while it is at hand, and the user is told", async () => {
  const { open, sessions } = newHome();
  writeFileSync(sessions, "");
  const memory = await open();
  for (const event of corrects(toldSession("s").starts(), 1).events) memory.observe(event);

  const report = await memory.finishSession("s");

  expect(report?.learned.length).toBe(1);
  expect(await memory.store.notices()).toEqual([expect.stringContaining("the disk refuses it")]);
});

it("whoever asks waits for no more than a little of a long backlog; the next one goes on with it", async () => {
  const { open, note, spools } = newHome();
  const count = 12;
  for (let session = 0; session < count; session++) {
    const told = toldSession(`s${session}`).starts();
    for (let step = 0; step < 1500; step++) told.reads(`src/${step % 200}.ts`);
    await note(told.ends());
  }
  const memory = await open();
  await memory.list();
  await memory.close();
  const left = spools().length;
  const next = await open();
  await next.list();
  await next.close();

  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(count);
  expect(spools().length).toBeLessThan(left);
});

it("[O13] a model is asked about many sessions by the first finish that may ask one", async () => {
  const { open } = newHome();
  let asked = 0;
  const languageModel = {
    modelId: "fake",
    lastProblem: undefined,
    generate: async ({ purpose }: { purpose?: string }) => {
      if (purpose === "synthesize") asked += 1;
      return "[]";
    },
  };
  const memory = await open({ languageModel });
  const learn = async (id: string, isQuick: boolean) => {
    for (const event of toldSession(id).starts().reads("src/a.ts").reads("src/b.ts").events) memory.observe(event);
    await memory.finishSession(id, { isQuick });
  };
  for (const id of ["1", "2", "3", "4"]) await learn(id, false);
  const before = asked;
  await learn("5", true);
  const quick = asked;
  await learn("6", false);

  expect([before, quick]).toEqual([0, 0]);
  expect(asked).toBeGreaterThan(0);
});

function newHome() {
  const home = temporaryFolder();
  setVariable("TACIT_HOME", home);
  const root = gitRepository();
  commitFiles(root, { "src/a.ts": "export {};\n", "src/b.ts": "export {};\n" });
  const sessions = join(home, "sessions");
  const open = async (options: OpenOptions = {}): Promise<TacitMemory> => {
    const memory = await openMemory({ directory: root, embedder: null, ...options });
    onTestFinished(() => memory.close());
    return memory;
  };
  return {
    home,
    root,
    sessions,
    db: join(home, "memory.db"),
    open,
    /** As hooks do, each in a process of its own. */
    note: ({ events }: ToldSession, options: Parameters<typeof observeOnce>[1] = {}) =>
      observeOnce(events, { directory: root, ...options }),
    spools: () => readdirSync(sessions),
  };
}

function setVariable(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

function fetching(id: string): ToldSession {
  return toldSession(id).uses("WebFetch", { url: "https://example.com" }, "text");
}

/** What an agent sees to be wrong is learned from the first session that says it. */
function corrects(session: ToldSession, which: number): ToldSession {
  return session.reads("src/a.ts").says(`I was wrong: limit ${which} is set in src/b.ts, not in src/a.ts.`);
}

/** Holds the store's lock until the function that it gives back is called. */
async function lock(db: string): Promise<() => Promise<void>> {
  const store = new Store({ db, timeoutMs: 1000 });
  let unlock = () => {};
  let held: Promise<unknown> = Promise.resolve();
  await new Promise<void>((locked) => {
    held = store.write(async () => {
      locked();
      await new Promise<void>((done) => (unlock = done));
    });
  });
  return async () => {
    unlock();
    await held;
    await store.close();
  };
}
