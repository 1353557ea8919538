import { inject, onTestFinished } from "vitest";
import { openMemory, type OpenOptions, type TacitMemory } from "../../src/index.js";
import { startServer } from "../remote/start-server.js";

/**
 * A memory of the running test's own, closed when the test ends: in memory unless a file is named, and in
 * `npm run test:remote` on a server of its own.
 */
export async function openTestMemory(
  options: Omit<OpenOptions, "project"> & { project?: string | undefined } = {},
): Promise<TacitMemory> {
  const { project, db = await emptyDatabase(), ...rest } = { project: "test", ...options };
  const memory = await openMemory({ db, ...rest, ...(project !== undefined && { project }) });
  onTestFinished(() => memory.close());
  return memory;
}

async function emptyDatabase(): Promise<string> {
  return inject("sqld") ? (await startServer()).url : ":memory:";
}

/** A clock that stands still until it is moved. */
export function movableClock(start: string): {
  now: () => Date;
  moveTo(time: string): void;
  addDays(days: number): void;
} {
  let time = new Date(start);
  return {
    now: () => time,
    moveTo: (to) => (time = new Date(to)),
    addDays: (days) => (time = new Date(time.getTime() + days * 86_400_000)),
  };
}
