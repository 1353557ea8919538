import { describe, expect, it } from "vitest";
import type { Settings } from "../config/config.js";
import { openBackgroundConsolidation } from "./background-consolidation.js";
import type { ConsolidateOptions } from "./consolidation/consolidate.js";

const memoryWindow = 10;

describe("background consolidation", () => {
  it("begins only where more is unarchived than memoryWindow", async () => {
    const short = backgroundWith({ unarchived: memoryWindow });
    const long = backgroundWith({ unarchived: memoryWindow + 1 });

    short.background.start("s1", {});
    long.background.start("s1", { model: "mine" });
    await Promise.all([short.background.close(), long.background.close()]);

    expect(short.asked).toEqual([]);
    expect(long.asked).toMatchObject([{ sessionId: "s1", options: { reason: "overflow", model: "mine" } }]);
  });

  it("does one at a time for a session, and once more for all that was asked for meanwhile", async () => {
    const { background, asked, finish } = backgroundWith({ unarchived: 11 });

    background.start("s1", {});
    background.start("s1", {});
    background.start("s1", {});
    background.start("s2", {});
    await until(() => asked.length === 2);
    expect(asked.map(({ sessionId }) => sessionId)).toEqual(["s1", "s2"]);

    finish();
    await until(() => asked.length === 3);
    finish();
    await background.settled("s1");
    expect(asked.map(({ sessionId }) => sessionId)).toEqual(["s1", "s2", "s1"]);
  });

  it("keeps going after a consolidation that failed", async () => {
    const { background, asked, finish } = backgroundWith({ unarchived: 11 });

    background.start("s1", {});
    await until(() => asked.length === 1);
    finish(new Error("no room on the disk"));
    await background.settled("s1");
    background.start("s1", {});
    await until(() => asked.length === 2);
    finish();
    await background.close();

    expect(asked.map(({ sessionId }) => sessionId)).toEqual(["s1", "s1"]);
  });

  it("stops what is under way when it is closed and does not begin again", async () => {
    const { background, asked } = backgroundWith({ unarchived: 11 });

    background.start("s1", {});
    background.start("s1", {});
    await until(() => asked.length === 1);
    await background.close();

    expect(asked).toHaveLength(1);
    expect(asked[0]?.options.signal?.aborted).toBe(true);
  });
});

/** Consolidations that end when the test says so, or when they are stopped. */
function backgroundWith({ unarchived }: { unarchived: number }) {
  const asked: { sessionId: string; options: ConsolidateOptions }[] = [];
  let endings: ((problem?: Error) => void)[] = [];
  const consolidate = (sessionId: string, options: ConsolidateOptions) => {
    asked.push({ sessionId, options });
    return new Promise<void>((resolve, reject) => {
      endings.push((problem) => (problem ? reject(problem) : resolve()));
      options.signal?.addEventListener("abort", () => reject(new Error("stopped")));
    });
  };
  const settings = async () => ({ memoryWindow }) as Settings;
  const background = openBackgroundConsolidation({ settings }, async () => unarchived, consolidate, { patienceMs: 20 });
  const finish = (problem?: Error): void => {
    const due = endings;
    endings = [];
    for (const end of due) end(problem);
  };
  return { background, asked, finish };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}
