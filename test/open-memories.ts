import { onTestFinished } from "vitest";
import { openMemory, type OpenOptions, type TacitMemory } from "../src/index.js";

/** A memory of the running test's own, in memory unless a file is named, closed when the test ends. */
export async function openTestMemory(
  options: Omit<OpenOptions, "project"> & { project?: string | undefined } = {},
): Promise<TacitMemory> {
  const { project, ...rest } = { project: "test", ...options };
  const memory = await openMemory({ db: ":memory:", ...rest, ...(project !== undefined && { project }) });
  onTestFinished(() => memory.close());
  return memory;
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
