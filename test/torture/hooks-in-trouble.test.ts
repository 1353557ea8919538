// Hooks of every kind while something is wrong for long, and the processes that learn from ended sessions meanwhile.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hookInputs, stageHooks, type HookRun, type HookStage } from "../../bench/hook-stage.mjs";
import { troubles, type Entered, type Trouble } from "../../bench/hook-troubles.mjs";
import { isFull, onlyFull, report } from "./scale.js";

// A second is promised; the machine may be busy with other tests.
const lateMs = 3000;
const orphanMs = 30_000;
const lockedMs = isFull ? 60_000 : 2000;

let stage: HookStage;

beforeAll(async () => {
  stage = await stageHooks({ memories: 200, noted: 50, others: 5 });
});
afterAll(() => stage.remove());

it.each(
  [
    "another process has the database for itself",
    "another process has the database for itself, with a rollback journal",
  ].map((name) => [name, troubleOf(name)] as const),
)("no hook waits while %s for a minute, and all that was noted is learned from afterwards", async (name, trouble) => {
  const home = await stage.openHome(name.length.toString());
  const inputs = hookInputs(home.root);
  const entered = (await trouble.enter(home)) as Entered;

  const runs: HookRun[] = [];
  const end = performance.now() + lockedMs;
  for (let round = 0; performance.now() < end; round++) {
    for (const input of Object.values(inputs)) runs.push(await home.run(input(`s${round}`)));
    // One in which something was done.
    runs.push(await home.run(inputs["SessionEnd"]?.(`r-s${round}`) ?? ""));
  }
  const rounds = runs.length / (Object.keys(inputs).length + 1);
  await expect.poll(() => countSpools(home.home, "r-s")).toBe(rounds);
  await entered.leave?.();
  await nothingRuns();
  // The next session that begins sees to those that ended.
  await home.run(inputs["SessionStart"]?.("next") ?? "");
  await nothingRuns();

  expect(runs.filter(({ code, stdout, stderr }) => code !== 0 || stdout !== "" || stderr !== "")).toEqual([]);
  expect(Math.max(...runs.map(({ ms }) => ms))).toBeLessThan(lateMs);
  expect(countSpools(home.home, "r-s")).toBe(0);
  report(`${name}: ${runs.length} hooks, the slowest ${Math.round(Math.max(...runs.map(({ ms }) => ms)))} ms`);
});

describe("hooks of every kind", () => {
  it.for(troubles.map((trouble) => [trouble.name, trouble] as const))(
    "go on while %s, and no process is left behind",
    async ([name, trouble], { skip }) => {
      skip(!isFull, onlyFull);
      const home = await stage.openHome(`every-${troubles.indexOf(trouble)}`);
      const entered = await trouble.enter(home);
      const given = entered.reason === undefined ? entered : skip(entered.reason);
      const { input: change = (text: string) => text, leave, ...options } = given;

      const runs: HookRun[] = [];
      for (const input of Object.values(hookInputs(home.root))) runs.push(await home.run(change(input("s")), options));
      const begun = performance.now();
      await nothingRuns();
      const endedMs = performance.now() - begun;
      await leave?.();

      expect(runs.filter(({ code, stdout }) => code !== 0 || (trouble.isSilent && stdout !== ""))).toEqual([]);
      expect(Math.max(...runs.map(({ ms }) => ms))).toBeLessThan(lateMs);
      report(
        `${name}: the slowest ${Math.round(Math.max(...runs.map(({ ms }) => ms)))} ms, the last process after ${Math.round(endedMs)}`,
      );
    },
  );
});

function troubleOf(name: string): Trouble {
  const found = troubles.find((trouble) => trouble.name === name);
  if (!found) throw new Error(`There is no trouble "${name}".`);
  return found;
}

/** Those of sessions whose ids begin so; undefined where one was claimed in between. */
function countSpools(home: string, beginning: string): number | undefined {
  const spools = readdirSync(join(home, "sessions")).map((name) => join(home, "sessions", name, "main.jsonl"));
  try {
    return spools.filter((path) => readFileSync(path, "utf8").includes(`"sessionId":"${beginning}`)).length;
  } catch {
    return undefined;
  }
}

async function nothingRuns(): Promise<void> {
  await expect.poll(() => stage.finishers(), { timeout: orphanMs, interval: 100 }).toEqual([]);
}
