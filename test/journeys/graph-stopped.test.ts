import { mkdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Store } from "../../src/storage/storage.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("an indexing that does not come to its end", () => {
  it("[G4] [G7] still lets memories follow when it was stopped among many moved files", async () => {
    const directory = projectOf(200);
    const memory = await openTestMemory({ directory });
    await memory.index();
    const { id } = await memory.remember({ content: "Careful with `task7`.", relatedFiles: ["old/f7.ts"] });
    renameSync(join(directory, "old"), join(directory, "new"));
    const stopping = new AbortController();

    const first = await memory.index({ signal: stopping.signal, onProgress: () => stopping.abort() });
    const second = await memory.index();

    expect(first.isStopped).toBe(true);
    expect(second.moves.files).toContainEqual({ from: "old/f7.ts", to: "new/f7.ts" });
    expect((await memory.get(id))?.relatedFiles).toEqual(["new/f7.ts"]);
  });

  it("links memories to symbols when it was stopped before that", async () => {
    const directory = projectOf(200);
    const memory = await openTestMemory({ directory });
    const { id } = await memory.remember({ content: "Careful with `task7`.", relatedFiles: ["old/f7.ts"] });
    const stopping = new AbortController();

    await memory.index({
      signal: stopping.signal,
      onProgress: ({ stage }) => {
        if (stage === "linking") stopping.abort();
      },
    });
    await memory.index();

    expect((await memory.get(id))?.relations).toContainEqual(
      expect.objectContaining({ kind: "documents", file: "old/f7.ts#task7" }),
    );
  });
});

describe("a question about the code", () => {
  it("does not wait for somebody who writes, where nothing has changed", async () => {
    const directory = projectOf(3);
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db, directory });
    await memory.index();
    const other = new Store({ db, timeoutMs: 1000 });
    onTestFinished(() => other.close());
    let letGo = (): void => undefined;
    const held = other.write(async () => new Promise<void>((resolve) => (letGo = resolve)));
    await wait(200);

    const { target, notes } = await memory.impact("old/f1.ts#task1");
    letGo();
    await held;

    expect(target).toHaveLength(1);
    expect(notes).toEqual([]);
  });

  it("says so instead of linking everything anew by the way when the settings of modules have changed", async () => {
    const directory = projectOf(100);
    const memory = await openTestMemory({ directory });
    await memory.index();
    writeFileSync(join(directory, "tsconfig.json"), '{ "compilerOptions": { "paths": { "@/*": ["./old/*"] } } }');

    const { notes } = await memory.impact("old/f1.ts");
    await memory.index();

    expect(notes).toEqual([expect.stringContaining("tacit index")]);
    expect((await memory.impact("old/f1.ts")).notes).toEqual([]);
  });
});

function projectOf(files: number): string {
  const directory = realpathSync(temporaryFolder());
  mkdirSync(join(directory, "old"));
  for (let n = 0; n < files; n += 1) {
    writeFileSync(
      join(directory, "old", `f${n}.ts`),
      `export function task${n}(): number {\n  return ${n} * ${n} + ${n};\n}\n`,
    );
  }
  return directory;
}
