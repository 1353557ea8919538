// A process is killed in every state of a session. The next one finishes the session, as if nothing had happened.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { observeOnce } from "../../src/hook/observe-once.js";
import { openMemory, type AgentEvent, type Moment } from "../../src/index.js";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { type Known, readKnown } from "../support/session-runtimes.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { toldSession } from "../support/told-session.js";
import { askDatabase, startProgram } from "../torture/programs.js";

const moment: Moment = { point: "file-read", sessionId: "s1", files: ["src/tax.ts"] };

/** Where learning from a session can be cut short. */
const endings = [
  "before finishing",
  "after finishing",
  "within the transaction",
  "before the commit",
  "after the commit",
  "before gone",
  "before the removal",
  "finished",
];

describe("[O21] kill -9 of a process that stays", () => {
  it("before anything was noted leaves nothing", async () => {
    const place = await newPlace();

    await killed(place, { does: "stay", dieAt: "opened" });

    expect(await finishedBy(place)).toEqual([]);
    expect(await readKnown(place)).toEqual(await knownAfter(place.directory, []));
  });

  it.each([
    ["while it notes", "noted"],
    ["while it tells, before that is noted", "before the note of injected"],
    ["while it tells, after that is noted", "after the note of injected"],
    ["when it has told", "told"],
  ])("%s: all that it had noted is learned from", async (_, dieAt) => {
    const place = await newPlace();
    const events = workIn(place.directory).events;

    const { lines } = await killed(place, { does: "stay", events, moment, dieAt });

    expect(lines).toContainEqual({ noted: events.length });
    expect(await finishedBy(place)).toEqual(["s1"]);
    expect(await finishedBy(place)).toEqual([]);
    expect(await readKnown(place)).toEqual(
      await knownAfter(place.directory, events, { isTold: dieAt !== "noted" && !dieAt.startsWith("before") }),
    );
    await expectOnce(place);
  });

  it.each(endings)("while it finishes, %s: the session is learned from once", async (dieAt) => {
    const place = await newPlace();
    const events = workIn(place.directory).ends().events;

    await killed(place, { does: "stay", events, dieAt });
    await finishedBy(place);

    expect(await finishedBy(place)).toEqual([]);
    expect(await readKnown(place)).toEqual(await knownAfter(place.directory, events));
    await expectOnce(place);
  });
});

describe("[O21] kill -9 of a hook", () => {
  it.each([
    ["open", 0, "before the note of call"],
    ["open", 0, "after the note of call"],
    ["noting", 4, "before the note of call"],
    ["noting", 4, "after the note of call"],
  ])("in the state %s, with %i events before it, costs its own event at most: %s", async (_, before, dieAt) => {
    const place = await newPlace();
    const all = workIn(place.directory).ends().events;
    const events = before === 0 ? all.filter(({ kind }) => kind !== "start" && kind !== "prompt") : all;
    const doomed = events.findIndex(({ kind }, index) => kind === "call" && index >= before);

    for (const event of events.slice(0, doomed)) await observeOnce([event], place);
    await killed(place, { does: "note", events: [events[doomed]], dieAt });
    for (const event of events.slice(doomed + 1)) await observeOnce([event], place);

    expect(await finishedBy(place)).toEqual(["s1"]);
    const known = await readKnown(place);
    const { memories } = await knownAfter(place.directory, events);
    const noted = dieAt.startsWith("before") ? events.toSpliced(doomed, 1) : events;
    expect(known).toEqual({ ...(await knownAfter(place.directory, noted)), memories });
    await expectOnce(place);
  });

  it.each(["before the note of injected", "after the note of injected"])(
    "while it tells, %s: the session goes on and is learned from once",
    async (dieAt) => {
      const place = await newPlace();
      const events = workIn(place.directory).ends().events;

      for (const event of events.slice(0, -1)) await observeOnce([event], place);
      await killed(place, { does: "inject", moment, dieAt });
      for (const event of events.slice(-1)) await observeOnce([event], place);

      expect(await finishedBy(place)).toEqual(["s1"]);
      const isTold = dieAt.startsWith("after");
      expect(await readKnown(place)).toEqual(await knownAfter(place.directory, events, { isTold }));
      await expectOnce(place);
    },
  );

  it.each(["opened", ...endings])("'s finisher, %s: the session is learned from once", async (dieAt) => {
    const place = await newPlace();
    const events = workIn(place.directory).ends().events;

    for (const event of events) await observeOnce([event], place);
    await killed(place, { does: "finish", dieAt });
    await finishedBy(place);

    expect(await finishedBy(place)).toEqual([]);
    expect(await readKnown(place)).toEqual(await knownAfter(place.directory, events));
    await expectOnce(place);
  });
});

interface Place {
  db: string;
  directory: string;
}

const trap = { content: "The rate is a factor.", type: "gotcha", relatedFiles: ["src/tax.ts"], confidence: 0.9 };

async function newPlace(directory = newProject()): Promise<Place> {
  const place = { db: join(temporaryFolder(), "memory.db"), directory };
  const memory = await openMemory({ ...place, embedder: null });
  await memory.remember(trap);
  await memory.close();
  return place;
}

function newProject(): string {
  const root = gitRepository();
  commitFiles(root, { "src/tax.ts": "export const rate = 1.2;\n", "src/cart.ts": "export {};\n" });
  return root;
}

/** A session of two agents in which one thing is learned and one is done. */
function workIn(root: string) {
  const file = join(root, "src/tax.ts");
  const session = toldSession("s1", Date.now() - 3_600_000)
    .starts()
    .prompts("Books are taxed less now.");
  session.reads(file).sub("helper").reads(join(root, "src/cart.ts")).back();
  session.says("I was wrong about `rateOf`. The rate of `rateOf` is given in percent.");
  session.unit("tax", "started").edits(file, "1.2", "1.1").runs("npm test", "Tests  12 passed (12)");
  return withCallsTold(session.unit("tax", "succeeded", "Books are taxed less."));
}

/** Hooks tell a call before and after it, so that one which is killed costs none. */
function withCallsTold(session: ReturnType<typeof toldSession>) {
  const withCalls = (events: readonly AgentEvent[]) =>
    events.map((event) => {
      const call = events.find((one) => one.kind === "call" && event.kind === "result" && one.callId === event.callId);
      return call?.kind === "call" ? { ...event, input: call.input } : event;
    });
  return {
    get events() {
      return withCalls(session.events);
    },
    ends: () => withCallsTold(session.ends()),
  };
}

/** Runs a process that must be killed where it is told to. */
async function killed(place: Place, settings: { does: string; dieAt: string; events?: unknown; moment?: Moment }) {
  const program = startProgram("dying-process.mjs", { ...place, ...settings });
  const { signal, stderr } = await program.ended;
  expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  return program;
}

/** What the next process learns from. */
async function finishedBy(place: Place): Promise<string[]> {
  const memory = await openMemory({ ...place, embedder: null });
  const reports = await memory.finishSessions();
  await memory.close();
  return reports.filter(({ isRepeated }) => !isRepeated).map(({ sessionId }) => sessionId);
}

/** What is known after the same in a process that nobody disturbs. */
async function knownAfter(root: string, events: readonly AgentEvent[], { isTold = false } = {}): Promise<Known> {
  const place = await newPlace(root);
  const memory = await openMemory({ ...place, embedder: null });
  const isEnd = events.at(-1)?.kind === "end";
  for (const event of isEnd ? events.slice(0, -1) : events) memory.observe(event);
  if (isTold) await memory.inject(moment, { deadlineMs: 30_000 });
  for (const event of isEnd ? events.slice(-1) : []) memory.observe(event);
  await memory.finishSession("s1");
  await memory.close();
  return readKnown(place);
}

/** Each part of the session, and each memory, is there once. */
async function expectOnce({ db }: Place): Promise<void> {
  const [counts] = await askDatabase(
    db,
    `SELECT (SELECT count(*) FROM observer_spools) AS parts, (SELECT count(*) FROM observer_sessions) AS sessions,
       (SELECT count(*) - count(DISTINCT content) FROM memories) AS twice`,
  );
  expect(counts).toEqual({ parts: 1, sessions: 1, twice: 0 });
  expect(await askDatabase(db, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
}
