// What earlier designs of such a memory got wrong, each once, so that it stays right here.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { built, ended, runProgram } from "../support/child-process.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("Tacit", () => {
  it("[X8] loses nothing when several processes write and forget at once", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const writers = [1, 2, 3].map((writer) =>
      runProgram(`
        import { openMemory } from ${JSON.stringify(built("index.js"))};
        const memory = await openMemory({ db: ${JSON.stringify(db)}, project: "test" });
        for (let n = 0; n < 20; n += 1) {
          await memory.remember({ content: "writer ${writer} says " + n, name: "w${writer}-" + n });
          if (n % 4 === 3) await memory.forget("w${writer}-" + (n - 1));
        }
        await memory.close();
      `),
    );

    const codes = await Promise.all(writers.map(ended));
    const memory = await openTestMemory({ db });

    expect(codes).toEqual([0, 0, 0]);
    const names = [1, 2, 3].flatMap((writer) =>
      Array.from({ length: 20 }, (_, n) => n).flatMap((n) => (n % 4 === 2 ? [] : [`w${writer}-${n}`])),
    );
    expect(new Set((await memory.list()).map(({ name }) => name))).toEqual(new Set(names));
    expect(await memory.list({ status: "forgotten" })).toHaveLength(15);
    expect((await memory.store.diagnose()).ok).toBe(true);
  });
});
