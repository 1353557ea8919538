import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { built, ended, runProgram, startProgram } from "../../test/support/child-process.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";

describe("a process that awaits embedPending()", () => {
  it("[V8] goes on to its end where the background pauses between two portions", async () => {
    const child = runProgram(`${memoryAt(":memory:")}
      const wait = setTimeout(() => {}, 30_000);
      const secondCall = new Promise((called) => (onCall = (count) => count === 2 && called()));
      await memory.rememberMany(texts);
      // The second call completes a portion; by the next turn of the event loop the background pauses.
      await secondCall;
      await new Promise(setImmediate);
      clearTimeout(wait);
      console.log(JSON.stringify(await memory.embedPending()));
      await memory.close();
    `);

    const output = await text(child.stdout as Readable);

    expect({ code: await ended(child), output }).toEqual({
      code: 0,
      output: '{"embedded":48,"pending":0,"refused":0}\n',
    });
  });

  it("[V8] goes on to its end while another process embeds the same memories", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const other = await startProgram(`${memoryAt(db)}
      onCall = (count) => {
        if (count === 1) console.log("embedding");
        return new Promise((answered) => setTimeout(answered, 20));
      };
      await memory.rememberMany(texts);
      await memory.embedPending();
      await memory.close();
    `);
    const child = runProgram(`${memoryAt(db)}
      await memory.remember({ content: "one more" });
      await new Promise((scheduled) => setTimeout(scheduled, 260));
      const { pending } = await memory.embedPending();
      console.log(pending);
      await memory.close();
    `);

    const output = await text(child.stdout as Readable);

    expect({ code: await ended(child), other: await ended(other), output }).toEqual({
      code: 0,
      other: 0,
      output: "0\n",
    });
  });

  it("[V8] ends by itself when nobody awaits anything, though memories wait to be embedded", async () => {
    const child = runProgram(`${memoryAt(":memory:")}
      await memory.rememberMany(texts);
      console.log("remembered");
    `);

    expect({ output: await text(child.stdout as Readable), code: await ended(child) }).toEqual({
      output: "remembered\n",
      code: 0,
    });
  });
});

/** The beginning of a program: a memory whose model tells of each call, and more texts than are embedded at once. */
function memoryAt(db: string): string {
  return `
    import { openMemory } from ${JSON.stringify(built("index.js"))};
    let onCall = () => {};
    let calls = 0;
    const embed = async (given) => {
      await onCall((calls += 1));
      return given.map(() => Float32Array.of(1, 0));
    };
    const texts = Array.from({ length: 80 }, (_, number) => ({ content: "memory " + number }));
    const memory = await openMemory({
      db: ${JSON.stringify(db)},
      project: "shop",
      embedder: { modelId: "test:constant:2", dimensions: 2, embed },
    });
  `;
}
