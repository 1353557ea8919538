// Whoever converses, compacts and consolidates is killed at any moment. The old state is there or the new one, and no turn is
// lost; the next one who comes by finds both files in step and waits for nobody.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { library, startProgram, temporaryFolder, wait, type RunningProgram, type Said } from "./programs.js";
import { isFull, onlyFull, report, scale } from "./scale.js";
import { compareFiles, TalkLedger } from "./talk-ledger.js";

const project = "talks";
// A lease is for 16 s and more, and a lock of a folder for 60; starting up takes a second on a busy machine.
const keptWaitingMs = 8000;
const killsPerHome = 25;
const lanes = 2;

it("[Z7] loses no turn, and leaves no marker without its archive, when its processes are killed at random", async () => {
  const begun = Date.now();
  let acknowledged = 0;
  let kills = 0;
  let planned = 0;
  let slowest = 0;

  const lane = async (): Promise<void> => {
    while (planned < scale.conversationKills) {
      const ofHome = Math.min(killsPerHome, Math.ceil(scale.conversationKills / lanes));
      planned += ofHome;
      const [home, ledger] = [homeWith({ memoryWindow: 8 }), new TalkLedger()];
      for (let life = 0; life < ofHome; life += 1) {
        const program = await begin(home, ledger, life, { waits: true });
        slowest = Math.max(slowest, Number((await ready(program))["ms"]));
        // What the one before left behind has been brought into step by now.
        expect(await compareFiles(home, project, { noted: "all" })).toEqual([]);
        program.tell();
        await wait(Math.random() * 400);
        program.kill();
        await program.ended;
        kills += 1;

        expect(ledger.errors).toEqual([]);
        expect(await ledger.compare(home)).toEqual([]);
        expect(await compareFiles(home, project, { noted: "some" })).toEqual([]);
      }
      const last = await begin(home, ledger, ofHome, { rounds: 10, acts: ["new"] });
      await last.ended;
      expect(last.lines.at(-1)).toMatchObject({ closed: true });
      expect(await ledger.compare(home)).toEqual([]);
      expect(await compareFiles(home, project, { noted: "all" })).toEqual([]);
      acknowledged += ledger.acknowledged;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));

  report(
    `killed conversations: ${kills} kills, ${acknowledged} turns acknowledged, 0 lost, ` +
      `the next was ready after at most ${slowest} ms, ${Date.now() - begun} ms`,
  );
  expect(kills).toBeGreaterThanOrEqual(scale.conversationKills);
  expect(acknowledged).toBeGreaterThan(2 * scale.conversationKills);
  expect(slowest).toBeLessThan(keptWaitingMs);
});

it("[Z7] is as before or as afterwards at every statement and every change of a file", async () => {
  const [home, copies] = [homeWith({ memoryWindow: 100 }), temporaryFolder()];
  const program = await begin(home, new TalkLedger(), 0, { ...everyPoint, points: { copies } });
  await program.ended;
  expect(program.lines.at(-1)).toMatchObject({ closed: true });
  const { count, copied } = (program.lines.at(-1) as Said)["points"] as { count: number; copied: number };
  const outcomes = new Set<string>();

  for (let point = 1; point <= copied; point += 1) {
    const copy = join(copies, String(point));
    const { what, heard } = JSON.parse(readFileSync(`${copy}.json`, "utf8")) as { what: string; heard: Said[] };
    const ledger = new TalkLedger();
    heard.forEach((line) => ledger.hear(line));

    expect({ what, wrong: await ledger.compare(copy) }).toEqual({ what, wrong: [] });
    expect({ what, wrong: await compareFiles(copy, project, { noted: "some" }) }).toEqual({ what, wrong: [] });
    const waited = await comeBy(copy);
    expect(waited).toBeLessThan(keptWaitingMs);
    expect({ what, wrong: await ledger.compare(copy) }).toEqual({ what, wrong: [] });
    expect({ what, wrong: await compareFiles(copy, project, { noted: "all" }) }).toEqual({ what, wrong: [] });
    outcomes.add(what);
  }

  report(`killed conversations: ${count} points, ${copied} states of the disk, 0 lost`);
  expect(copied).toBeGreaterThan(20);
  for (const change of ["after a write", "after linkSync", "after renameSync", "after writeSync"]) {
    expect(outcomes).toContain(change);
  }
});

it("[Z7] killed at every statement and every change of a file, goes on as if nothing had been", async ({ skip }) => {
  skip(!isFull, onlyFull);
  let dieAt = 0;
  let isThrough = false;
  const lane = async (): Promise<void> => {
    while (!isThrough) {
      dieAt += 1;
      isThrough = (await dieAndGoOn(dieAt)) || isThrough;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));

  report(`killed conversations: at each of ${dieAt} points, 0 lost`);
  expect(dieAt).toBeGreaterThan(200);
});

/** True where it was through before it came to that point. */
async function dieAndGoOn(dieAt: number): Promise<boolean> {
  const [home, ledger] = [homeWith({ memoryWindow: 100 }), new TalkLedger()];
  const program = await begin(home, ledger, 0, { ...everyPoint, points: { dieAt } });
  await program.ended;
  expect({ dieAt, wrong: await ledger.compare(home) }).toEqual({ dieAt, wrong: [] });

  const next = await begin(home, ledger, 1, { rounds: 2, acts: ["model", "new"] });
  await next.ended;
  expect(next.lines.at(-1)).toMatchObject({ closed: true });
  expect({ dieAt, wrong: await ledger.compare(home) }).toEqual({ dieAt, wrong: [] });
  expect({ dieAt, wrong: await compareFiles(home, project, { noted: "all" }) }).toEqual({ dieAt, wrong: [] });
  return program.lines.some((line) => line["closed"] === true);
}

// Each act once after it has something to do, and the last with what is left.
const everyPoint = {
  sessions: ["one"],
  seed: 7,
  rounds: 6,
  overflows: false,
  acts: ["none", "compact", "rules", "model", "none", "new"],
};

async function begin(home: string, ledger: TalkLedger, life: number, settings: object): Promise<RunningProgram> {
  const sessions = ["one", "two", "three"];
  const seed = isFull ? Math.floor(Math.random() * 2 ** 31) : life;
  return startProgram(
    "conversation-program.mjs",
    { home, project, sessions, life: `life${life}`, seed, ...settings },
    { onLine: (line) => ledger.hear(line) },
  );
}

async function ready(program: RunningProgram): Promise<Said> {
  return program.heard((line) => line["ready"] === true);
}

function homeWith(settings: object): string {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  writeFileSync(join(home, "tacit.config.json"), JSON.stringify({ keepCount: 2, maxMemorySize: 100_000, ...settings }));
  return home;
}

/** The next process, as far as it matters here: one that consolidates what is left; tells how many milliseconds it took. */
async function comeBy(home: string): Promise<number> {
  const before = process.env["TACIT_HOME"];
  process.env["TACIT_HOME"] = home;
  const begun = performance.now();
  try {
    const { openMemory } = await library();
    const memory = await openMemory({ project, embedder: null });
    const talk = memory.conversation("one", { keepCount: 2 });
    await talk.consolidate();
    await memory.conversations.memoryFile();
    const { lastSequence = 0, consolidatedTo = 0, markers = [] } = (await talk.state()) ?? {};
    expect([consolidatedTo, markers.at(-1)?.last ?? 0]).toEqual([lastSequence, lastSequence]);
    await memory.close();
  } finally {
    if (before === undefined) delete process.env["TACIT_HOME"];
    else process.env["TACIT_HOME"] = before;
  }
  return performance.now() - begun;
}
