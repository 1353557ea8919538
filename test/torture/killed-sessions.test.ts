// Sessions are killed at any moment, and so is whoever finishes them. The next one who comes by finishes them, once.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { agentSession } from "../../bench/agent-session.mjs";
import type { TacitMemory } from "../../src/index.js";
import { built, compiled } from "../support/child-process.js";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { askDatabase, runProgram, startProgram, temporaryFolder, wait, type RunningProgram } from "./programs.js";
import { isFull, report } from "./scale.js";
import { randomFrom } from "./sentence.mjs";

type AgentEvent = Parameters<TacitMemory["observe"]>[0];

const [rounds, hookRounds, finishers] = isFull ? [80, 24, 6] : [6, 2, 3];
// 50 ms are promised. A machine with two cores that runs other tests gives a process its turn later.
const graceMs = 1000;

it("[O7] kill -9 in the middle of a session loses nothing that was there for a moment, and it is finished once", async () => {
  const place = makePlace(rounds);
  const random = randomFrom(7);
  let [deaths, notes] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const events = eventsOf(place, round);
    const program = observe(place, events, 10);
    await program.heard((line) => line["ready"] === true);
    await wait(random() * 10 * events.length);
    program.kill();
    const killedAt = Date.now();
    const { signal } = await program.ended;
    if (signal === "SIGKILL") deaths += 1;

    const left = readSpools(place).find(({ sessionId }) => sessionId === `session-${round}`);
    const safe = program.lines.filter(({ at }) => Number(at) < killedAt - graceMs).map(({ observed }) => observed);
    const calls = events.slice(0, safe.length).filter(({ kind }) => kind === "call").length;
    const known = left ?? (program.lines.some(isEnd) ? whole(events) : nothing);
    expect(known.calls).toBeGreaterThanOrEqual(calls);
    notes += known.calls;
    await comeBy(place, round);
    await expectOnce(place, round, known);
  }

  report(`killed sessions: ${deaths} of ${rounds} in the middle, ${notes} calls left behind and taken in`);
  expect(deaths).toBeGreaterThan(0);
  await expectSound(place);
});

it("[O7] kill -9 while a session is being finished, and while that is being made good, counts it once", async () => {
  const place = makePlace(rounds);
  const random = randomFrom(11);
  const moments = { unclaimed: 0, claimed: 0, done: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const events = eventsOf(place, round);
    const program = observe(place, events, 0);
    await program.heard(isEnd);
    // At any time after the end has reached the disk, or right after somebody has taken the spool in hand.
    await until(() => readSpools(place).some(({ hasEnded, isClaimed }) => hasEnded && (round % 2 === 0 || isClaimed)));
    await wait(random() * (round % 2 === 0 ? 120 : 25));
    program.kill();
    await program.ended;
    const [left] = readSpools(place);
    moments[left === undefined ? "done" : left.isClaimed ? "claimed" : "unclaimed"] += 1;
    expect(left ?? whole(events)).toMatchObject(whole(events));

    if (round % 3 === 0) {
      const next = startProgram("finishing-program.mjs", place);
      await next.heard((line) => line["begun"] === true);
      await wait(random() * 60);
      next.kill();
      await next.ended;
    }
    await comeBy(place, round);
    await expectOnce(place, round, whole(events));
  }

  report(`killed at the end: ${JSON.stringify(moments)} of ${rounds}`);
  expect(moments.claimed).toBeGreaterThan(0);
  await expectSound(place);
});

it("[O7] kill -9 while the spool of a finished session is removed does not count it again", async () => {
  const orders = (isFull ? [0, 1, 2] : [1]).flatMap((diesAfter) =>
    [false, true].map((reversed) => ({ diesAfter, reversed })),
  );
  const place = makePlace(orders.length);
  for (const [round, order] of orders.entries()) {
    const events = eventsOf(place, round);
    await spool(place, events);
    expect(spoolFiles(place).map(({ name }) => name)).toHaveLength(2);
    const program = startProgram("finishing-program.mjs", { ...place, ...order });
    expect(await program.ended).toMatchObject({ signal: "SIGKILL" });

    await comeBy(place, round);

    await expectOnce(place, round, whole(events));
  }
  await expectSound(place);
});

it("[O7] what a process left that was killed before it had written a line is removed", async () => {
  const place = makePlace(1);
  const folders = ["0", "1", "2"].map((sign) => join(place.home, "sessions", sign.repeat(32)));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  for (const folder of folders.slice(1)) writeFileSync(join(folder, `writer-${2 ** 22 + 1}-1`), "");
  for (const folder of folders.slice(2)) writeFileSync(join(folder, "main.jsonl"), '{"spool":"a","sess');

  await comeBy(place, 0);

  expect(leftIn(place)).toEqual([]);
});

it("[O7] a hook that is killed costs its own event at most, and the session is finished once", async () => {
  const place = makePlace(hookRounds);
  const random = randomFrom(13);
  let ends = 0;
  for (let round = 0; round < hookRounds; round += 1) {
    const hooks = hooksOf(place, round);
    // Every second time it is the one that ends the session.
    const doomed = round % 2 === 0 ? Math.floor(random() * (hooks.length - 1)) : hooks.length - 1;
    for (const [index, input] of hooks.entries()) {
      await runHook(place, input, index === doomed ? random() * (index === hooks.length - 1 ? 400 : 100) : undefined);
    }
    const [left] = readSpools(place);
    if (left && !left.hasEnded) letPass(place);
    else ends += 1;

    const all: Left = { ...nothing, calls: 3, uses: 2 };
    const known = left ?? all;
    // Each call is told before and after it, so that one killed hook costs none.
    expect(known).toMatchObject(all);
    await comeBy(place, round);
    await expectOnce(place, round, known);
  }
  report(`killed hooks: ${hookRounds} sessions, ${ends} of them ended by a hook`);
  await expectSound(place);
});

it("[O7] several processes that finish the same sessions at once finish each of them once", async () => {
  const place = makePlace(finishers * 2);
  const ids = Array.from({ length: finishers * 2 }, (_, round) => round);
  for (const round of ids) await spool(place, eventsOf(place, round));
  const programs = Array.from({ length: finishers }, () =>
    startProgram("finishing-program.mjs", { ...place, waits: true }),
  );
  await Promise.all(programs.map((program) => program.heard((line) => line["ready"] === true)));

  for (const program of programs) program.tell();
  await Promise.all(programs.map(({ ended }) => ended));

  const lines = programs.flatMap((program) => program.lines);
  expect(lines.filter((line) => "error" in line)).toEqual([]);
  const finished = lines.flatMap((line) => (line["finished"] as string[] | undefined) ?? []);
  expect(finished.toSorted()).toEqual(ids.map((round) => `session-${round}`).toSorted());
  for (const round of ids) await expectOnce(place, round, whole(eventsOf(place, round)));
  await expectSound(place);
});

interface Place {
  home: string;
  db: string;
  directory: string;
}

function makePlace(modules: number): Place {
  const directory = gitRepository();
  const names = Array.from({ length: modules }, (_, n) => [`src/m${n}/a.ts`, `src/m${n}/b.ts`]).flat();
  commitFiles(directory, Object.fromEntries(names.map((name) => [name, "export {};\n"])));
  const home = temporaryFolder();
  vi.stubEnv("TACIT_HOME", home);
  vi.stubEnv("TACIT_EMBEDDING", "none");
  onTestFinished(() => void vi.unstubAllEnvs());
  return { home, db: join(home, "memory.db"), directory };
}

/** A session of two agents in a module of its own, in which one thing is learned and one is done. */
function eventsOf({ directory }: Place, round: number): AgentEvent[] {
  const sessionId = `session-${round}`;
  const unit = { methodology: "plan", hierarchy: [`part ${round}`], label: `Part ${round}` };
  let count = 0;
  const call = (tool: string, input: Record<string, unknown>, text: string, agentId?: string): AgentEvent[] => {
    const callId = `call-${(count += 1)}`;
    const whose = { sessionId, callId, ...(agentId !== undefined && { agentId }) };
    return [
      { ...whose, kind: "call", tool, input },
      { ...whose, kind: "result", text },
    ];
  };
  const file = (name: string) => join(directory, `src/m${round}/${name}`);
  const edit = (n: number) => ({ file_path: file("a.ts"), old_string: `old ${n}`, new_string: `new ${n}` });
  return [
    { sessionId, kind: "start", agent: "test", directory },
    { sessionId, kind: "prompt", text: `Mend part ${round}.` },
    { sessionId, kind: "unit", unit, state: "started" },
    ...call("Read", { file_path: file("a.ts") }, "export {};\n"),
    { sessionId, kind: "subagent", state: "started", childId: "helper" },
    ...call("Read", { file_path: file("b.ts") }, "export {};\n", "helper"),
    ...call("Read", { file_path: file("a.ts") }, "export {};\n", "helper"),
    { sessionId, kind: "subagent", state: "ended", childId: "helper" },
    ...[1, 2, 3].flatMap((n) => call("Edit", edit(n), "The file has been updated.")),
    {
      sessionId,
      kind: "reasoning",
      text: `I was wrong about \`job${round}\`. The timeout of \`job${round}\` is given in seconds.`,
    },
    ...call("Bash", { command: "npm test" }, "Tests  12 passed (12)"),
    { sessionId, kind: "unit", unit, state: "succeeded", summary: `Part ${round} is mended.` },
    { sessionId, kind: "end", outcome: "success" },
  ];
}

function observe({ db, directory }: Place, events: AgentEvent[], pauseMs: number): RunningProgram {
  return startProgram("observing-program.mjs", { db, directory, events, pauseMs });
}

/** As processes do that note events and end. */
async function spool(place: Place, events: AgentEvent[]): Promise<void> {
  const { observeOnce } = (await import(
    compiled("hook/observe-once.js")
  )) as typeof import("../../src/hook/observe-once.js");
  await observeOnce(events, place);
}

function isEnd(line: Record<string, unknown>): boolean {
  return line["kind"] === "end";
}

/** What a session leaves behind when it is over, as far as it is counted. */
interface Left {
  calls: number;
  /** How often the module's first file was used. */
  uses: number;
  isBegun: boolean;
  isCorrected: boolean;
  isDone: boolean;
}

const nothing: Left = { calls: 0, uses: 0, isBegun: false, isCorrected: false, isDone: false };

function whole(events: readonly AgentEvent[]): Left {
  const calls = events.filter((event) => event.kind === "call");
  const uses = calls.filter(({ input }) => String(input["file_path"]).endsWith("a.ts")).length;
  return { calls: calls.length, uses, isBegun: true, isCorrected: true, isDone: true };
}

interface LeftSpool extends Left {
  sessionId: string;
  isClaimed: boolean;
  hasEnded: boolean;
}

/** What lies on the disk of sessions, read without the help of what is tested. */
function readSpools(place: Place): LeftSpool[] {
  const all = spoolFiles(place);
  return [...new Set(all.map(({ path }) => path))].flatMap((path) => {
    const lines = all
      .filter((file) => file.path === path && file.name.endsWith(".jsonl"))
      .flatMap(({ text }) => text.split("\n").flatMap((line) => parse(line)));
    const header = lines.find((line) => "spool" in line);
    if (!header) return [];
    // A hook after a tool tells the call once more.
    const calls = [
      ...new Map(lines.filter(({ kind }) => kind === "call").map((note) => [note["call"], note])).values(),
    ];
    const isOf = (kind: string, text: string) =>
      lines.some((line) => line["kind"] === kind && JSON.stringify(line).includes(text));
    return [
      {
        sessionId: String(header["sessionId"]),
        isClaimed: path.includes(".finishing-"),
        hasEnded: lines.some(({ kind }) => kind === "end"),
        calls: calls.length,
        uses: calls.filter(({ files: used }) => String(used).endsWith("a.ts")).length,
        isBegun: isOf("unit", '"started"'),
        isCorrected: isOf("said", '"correction"'),
        isDone: isOf("unit", '"succeeded"'),
      },
    ];
  });
}

function spoolFiles({ home }: Pick<Place, "home">): { path: string; name: string; text: string }[] {
  const sessions = join(home, "sessions");
  if (!existsSync(sessions)) return [];
  try {
    const files = readdirSync(sessions, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => ({
      path: parentPath,
      name,
      text: readFileSync(join(parentPath, name), "utf8"),
    }));
  } catch {
    // It got another name while it was looked at.
    return spoolFiles({ home });
  }
}

/** A cut line says nothing. */
function parse(line: string): Record<string, unknown>[] {
  try {
    return [JSON.parse(line) as Record<string, unknown>];
  } catch {
    return [];
  }
}

/** Looks as often as it can, but not for ever: what it waits for may have come and gone. */
async function until(isSo: () => boolean): Promise<void> {
  for (const begun = Date.now(); Date.now() - begun < 2000 && !isSo();) await wait(1);
}

/** The next one: a program that asks for something, or a person at the command line. */
async function comeBy(place: Place, round: number): Promise<void> {
  if (round % 2 === 0) await runProgram("finishing-program.mjs", { ...place, asks: `job${round}` });
  else await run(place, ["list", "--status", "any", "--db", place.db], "");
}

async function expectOnce(place: Place, round: number, left: Left): Promise<void> {
  const { sessions, files, memories } = await countsOf(place, round);
  expect({ round, sessions }).toEqual({
    round,
    sessions: left.calls > 0 || left.isBegun ? [{ tool_calls: left.calls, spools: 1 }] : [],
  });
  expect({ round, files }).toEqual({ round, files: left.uses === 0 ? [] : [{ sessions: 1, accesses: left.uses }] });
  expect(memories.filter((content) => content.includes("seconds"))).toHaveLength(left.isCorrected ? 1 : 0);
  expect(memories.filter((content) => content.includes("is mended"))).toHaveLength(left.isDone ? 1 : 0);
  expect(leftIn(place), JSON.stringify(spoolFiles(place))).toEqual([]);
}

function leftIn({ home }: Place): string[] {
  return existsSync(join(home, "sessions")) ? readdirSync(join(home, "sessions")) : [];
}

async function countsOf({ db }: Place, round: number) {
  const ask = (sql: string) => askDatabase(db, sql).catch(() => []);
  const memories = await ask(`SELECT content FROM memories WHERE content LIKE '%\`job${round}\`%'
    OR content LIKE '%Part ${round} is%'`);
  return {
    sessions:
      await ask(`SELECT tool_calls, (SELECT count(*) FROM observer_spools WHERE session_number = number) AS spools
      FROM observer_sessions WHERE session_id = 'session-${round}'`),
    files: await ask(`SELECT sessions, accesses FROM observer_files WHERE path = 'src/m${round}/a.ts'`),
    memories: memories.map(({ content }) => String(content)),
  };
}

async function expectSound({ db }: Place): Promise<void> {
  expect(await askDatabase(db, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(await askDatabase(db, "PRAGMA foreign_key_check")).toEqual([]);
  const twice = "SELECT content FROM memories WHERE forgotten_at IS NULL GROUP BY content HAVING count(*) > 1";
  expect(await askDatabase(db, twice)).toEqual([]);
}

function hooksOf({ directory }: Place, round: number): Record<string, unknown>[] {
  const session = agentSession({ id: `session-${round}`, root: directory, at: Date.now() });
  session.reads(`src/m${round}/a.ts`).edits(`src/m${round}/a.ts`, "old", "new").runs("npm test", { text: "ok" });
  return session.hooks().map(({ at: _at, ...input }) => input);
}

/** A hook's process; killed after so many milliseconds where that is given. */
async function runHook(place: Place, input: object, killAfterMs?: number): Promise<void> {
  await run(place, ["observe", "--db", place.db], JSON.stringify(input), killAfterMs);
}

async function run({ directory }: Place, args: string[], input: string, killAfterMs?: number): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(built("cli/main.js")), ...args], {
    cwd: directory,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  child.stdin.on("error", () => undefined).end(input);
  if (killAfterMs !== undefined) {
    await wait(killAfterMs);
    child.kill("SIGKILL");
  }
  await ended;
}

/** Half an hour goes by in which no hook is heard of. */
function letPass({ home }: Place): void {
  const then = Date.now() / 1000 - 31 * 60;
  const files = readdirSync(join(home, "sessions"), { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of files) utimesSync(join(parentPath, name), then, then);
}
