import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { built, ended, runProgram } from "../../test/support/child-process.js";
import { openTestMemory } from "../../test/support/open-memories.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";

describe("the history of a memory", () => {
  it("[L8] numbers the changes of several processes without a gap and without a number twice", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });
    const { id } = await memory.remember({ content: "changed by many" });
    const [writers, changesEach] = [3, 15];

    const codes = await Promise.all(
      Array.from({ length: writers }, (_, n) => ended(runProgram(editor(db, id, n, changesEach)))),
    );

    expect(codes).toEqual([0, 0, 0]);
    const told = await memory.history(id);
    expect(told.map(({ number }) => number)).toEqual(
      Array.from({ length: writers * changesEach + 1 }, (_, n) => 46 - n),
    );
    // Each change began where the one before it ended.
    const edits = told.slice(0, -1).toReversed();
    expect(edits.slice(1).map(({ fields }) => fields["tags"]?.before)).toEqual(
      edits.slice(0, -1).map(({ fields }) => fields["tags"]?.after),
    );
  });
});

/** A program that changes a memory so many times. */
function editor(db: string, id: string, writer: number, times: number): string {
  return `
    import { openMemory } from ${JSON.stringify(built("index.js"))};
    const memory = await openMemory({ db: ${JSON.stringify(db)}, project: "test" });
    for (let n = 0; n < ${times}; n += 1) await memory.revise(${JSON.stringify(id)}, { tags: ["${writer}-" + n] });
    await memory.close();
  `;
}
