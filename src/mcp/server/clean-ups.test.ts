import { expect, it, onTestFinished, vi } from "vitest";
import { openMemory } from "../../index.js";
import { openCleanUps } from "./clean-ups.js";
import type { CallContext } from "../tools/tool.js";

it("[A10] cleans up the memory of the latest call, soon and every hour, and opens none before there is one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const memory = await openMemory({ db: ":memory:", project: "p", embedder: null });
  onTestFinished(() => memory.close());
  const opened: string[] = [];
  const contextOf = (directory: string): CallContext => ({
    directory,
    memory: async () => (opened.push(directory), memory),
  });
  const cleanUps = openCleanUps({});

  vi.advanceTimersByTime(10_000);
  expect(opened).toEqual([]);
  cleanUps.follow(contextOf("one"));
  cleanUps.follow(contextOf("other"));
  vi.advanceTimersByTime(10_000);
  expect(opened).toEqual(["other"]);
  vi.advanceTimersByTime(3_600_000);
  expect(opened).toEqual(["other", "other"]);
  cleanUps.close();
  vi.advanceTimersByTime(3_600_000);
  expect(opened).toHaveLength(2);
});
