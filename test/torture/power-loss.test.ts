// Every write and fsync of a day is recorded, and replayed up to some point as a disk may hold it that lost power there: what was
// not synced is there or not, sector by sector. What Tacit had acknowledged by then must be there all the same.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { Disk, readDiskLog, type DiskModel, type DiskRecord } from "./disk-log.js";
import { runProgram, temporaryFolder } from "./programs.js";
import { isFull, onlyFull, report, scale } from "./scale.js";

const seed = Number(process.env["TACIT_SEED"] ?? 1);
const dist = new URL("../../dist/", import.meta.url).href;
const build = new URL("../../build/", import.meta.url).href;

describe("A loss of power", () => {
  beforeEach(({ skip }) => {
    // Recording a day takes half a minute.
    skip(!isFull, onlyFull);
    skip(process.platform !== "linux", "it is recorded by LD_PRELOAD, which is Linux's");
    skip(spawnSync("cc", ["--version"]).status !== 0, "there is no C compiler");
  });

  describe.each([true, false])("where it is the first day: %s", (isFirstDay) => {
    it("[S20] [S21] takes nothing that was acknowledged, and leaves no file torn", async () => {
      const recording = await record(isFirstDay);
      for (const model of ["ordered", "strict"] as const) {
        const points = scale.powerLosses / 4;

        const problems = await replay(recording, { model, points });

        report(`${points} losses of power, ${model}, first day ${isFirstDay}: ${JSON.stringify(countKinds(problems))}`);
        // The first of each kind, with where it happened.
        expect(problems.filter(({ kind }, index) => problems.findIndex((one) => one.kind === kind) === index)).toEqual(
          [],
        );
      }
      // Controls: the same recording with some fsyncs taken for nothing. What they are there for must be seen to go wrong.
      const points = scale.powerLossesOfControl;
      const noLog = await replay(recording, { model: "ordered", points, ignores: (path) => path.endsWith("-wal") });
      const noFolder = await replay(recording, { model: "strict", points, ignores: (_, isFolder) => isFolder });

      report(`controls, ${points} each: ${JSON.stringify([countKinds(noLog), countKinds(noFolder)])}`);
      expect(countKinds(noLog)["a memory is lost"]).toBeGreaterThan(0);
      expect(countKinds(noFolder)).toMatchObject({ "a file is gone": expect.any(Number) });
    });
  });
});

interface Recording {
  root: string;
  records: DiskRecord[];
}

interface Problem {
  point: number;
  kind: string;
  detail: string;
}

async function record(isFirstDay: boolean): Promise<Recording> {
  const folder = realpathSync(temporaryFolder());
  const [root, log, recorder] = [join(folder, "root"), join(folder, "log"), join(folder, "record-writes.so")];
  const source = fileURLToPath(new URL("record-writes.c", import.meta.url));
  const compiled = spawnSync("cc", ["-O2", "-shared", "-fPIC", "-o", recorder, source], { encoding: "utf8" });
  if (compiled.status !== 0) throw new Error(compiled.stderr);
  mkdirSync(root);
  // It has to be there when the program is started.
  const exports = Object.entries({ ...environment(root), RECORD_ROOT: root, RECORD_LOG: log, LD_PRELOAD: recorder });
  const under = `${exports.map(([name, value]) => `export ${name}='${value}'`).join("; ")}; exec "$@"`;
  await runProgram("power-loss-work.mjs", { root, dist, isFirstDay }, { under });
  return { root, records: readDiskLog(log) };
}

function environment(root: string): Record<string, string> {
  return { HOME: root, TACIT_HOME: join(root, ".tacit"), TACIT_EMBEDDING: "none" };
}

interface Ack {
  kind: string;
}

async function replay(
  { root, records }: Recording,
  options: { model: DiskModel; points: number; ignores?: (path: string, isFolder: boolean) => boolean },
): Promise<Problem[]> {
  const random = randomFrom(seed);
  const disk = new Disk(root, { ...options, random });
  const check = openCheck(root);
  const isAck = ({ a }: DiskRecord) => a.toString() === join(root, "acks.log");
  const acksOf = (some: DiskRecord[]) =>
    some
      .filter((one) => one.type === "W" && isAck(one))
      .flatMap(({ b }) => b.toString().trim().split("\n"))
      .map((line) => JSON.parse(line) as Ack);
  const begin = records.findIndex((one) => one.type === "W" && isAck(one) && one.b.includes('"begin"'));
  const problems: Problem[] = [];
  let at = 0;
  for (const point of choosePoints(records, begin, isAck, options.points, random)) {
    for (; at < point; at += 1) {
      const one = records[at];
      if (one && !isAck(one)) disk.step(one);
      if (at === begin) disk.syncAll();
    }
    disk.crash();
    const found = await check({ acks: acksOf(records.slice(0, point)), later: acksOf(records.slice(point)) });
    problems.push(...found.map((problem) => ({ point, ...problem })));
  }
  return problems;
}

/** Half of them just after an acknowledgement, when most can be lost; the others anywhere. */
function choosePoints(
  records: DiskRecord[],
  begin: number,
  isAck: (one: DiskRecord) => boolean,
  count: number,
  random: () => number,
): number[] {
  const afterAck = records.flatMap((one, index) => (index > begin && isAck(one) ? [index + 1] : []));
  const pick = (most: number) => Math.floor(random() * most);
  const chosen = new Set<number>();
  while (chosen.size < count) {
    chosen.add(
      random() < 0.5 ? (afterAck[pick(afterAck.length)] ?? begin + 1) : begin + 1 + pick(records.length - begin),
    );
  }
  return [...chosen].toSorted((a, b) => a - b);
}

/** A program that opens what is left, again and again; a new one where it has died of it. */
function openCheck(root: string): (question: object) => Promise<Omit<Problem, "point">[]> {
  const program = fileURLToPath(new URL("power-loss-check.mjs", import.meta.url));
  const start = () => {
    const child = spawn(process.execPath, [program, JSON.stringify({ root, dist, build })], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...environment(root) },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const death = once(child, "exit").then(([code, signal]) => [
      { kind: "the check died", detail: `${code ?? signal}` },
    ]);
    return { child, death, lines: createInterface({ input: child.stdout }) };
  };
  let running: ReturnType<typeof start> | undefined;
  return async (question) => {
    running ??= start();
    const { child, death, lines } = running;
    const answer = once(lines, "line").then(([line]) => JSON.parse(String(line)) as Omit<Problem, "point">[]);
    child.stdin.write(`${JSON.stringify(question)}\n`);
    const found = await Promise.race([answer, death]);
    if (child.exitCode !== null || child.signalCode !== null) running = undefined;
    return found;
  };
}

function countKinds(problems: Problem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of problems) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Xorshift: the same points each time, and others with another TACIT_SEED. */
function randomFrom(first: number): () => number {
  let state = (first * 2_654_435_761) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}
