import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TacitMemory } from "../../src/index.js";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { readGraph } from "../support/read-graph.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { askDatabase } from "../torture/programs.js";

const code = {
  "src/store.ts": "export function read() {}\n",
  "packages/shop/.tacit/hook.ts": 'import { read } from "../../../src/store.js";\nread();\n',
};

describe("what Tacit keeps in a work tree", () => {
  it("[G44] is no code: neither file nor chunk, module, map or impact", async () => {
    const root = gitRepository();
    const memory = await openTestMemory({ directory: root, project: undefined });
    await shareMemory(memory);
    commitFiles(root, code);

    const { files } = await memory.index();

    expect(readdirSync(join(root, ".tacit", "memories"))).not.toEqual([]);
    expect(files).toBe(1);
    expect((await readGraph(memory)).nodes.map(({ id }) => id)).toEqual(["src/store.ts", "src/store.ts#read"]);
    expect(await everythingToldOf(memory)).not.toContain(".tacit");
    await expect(memory.impact(".tacit")).rejects.toMatchObject({
      code: "node-not-found",
    });
  });

  // More than a question brings up to date by itself: an answer must not hold what should never have been in.
  it.each([1, 80])(
    "[G44] goes with the next question where an earlier version has indexed it: %i files",
    async (count) => {
      const root = gitRepository();
      const db = join(temporaryFolder(), "memory.db");
      const memory = await openTestMemory({ db, directory: root });
      const shared = Array.from({ length: count }, (_, n) => [
        `shared/m${n}.md`,
        `Prices are kept in cents, says ${n}.\n`,
      ]);
      commitFiles(root, { ...code, ...Object.fromEntries(shared) });
      await memory.index();
      await moveToOwnFolder(root, db);

      const before = await askDatabase(db, "SELECT count(*) AS count FROM code_files WHERE path LIKE '.tacit/%'");
      const { dependents, notes } = await memory.impact("src/store.ts#read");
      const after = await askDatabase(db, "SELECT path FROM code_files");

      expect(before).toEqual([{ count }]);
      expect({ dependents, notes }).toEqual({ dependents: [], notes: [] });
      expect(after).toEqual([{ path: "src/store.ts" }]);
      expect(await everythingToldOf(memory)).not.toContain(".tacit");
    },
  );
});

async function shareMemory(memory: TacitMemory): Promise<void> {
  await memory.remember({ content: "Prices are kept in cents.", visibility: "project" });
  await memory.exchange.share();
}

/** As if these files had been in the folder of shared memories when they were indexed. */
async function moveToOwnFolder(root: string, db: string): Promise<void> {
  mkdirSync(join(root, ".tacit"));
  renameSync(join(root, "shared"), join(root, ".tacit", "memories"));
  rmSync(join(root, "shared"), { recursive: true, force: true });
  expect(existsSync(join(root, ".tacit", "memories", "m0.md"))).toBe(true);
  await askDatabase(db, "UPDATE code_files SET path = replace(path, 'shared/', '.tacit/memories/')");
}

async function everythingToldOf(memory: TacitMemory): Promise<string> {
  const { hits } = await memory.recallCode("prices cents read store", { limit: 50 });
  const { text } = await memory.code.map();
  return JSON.stringify([hits, text, await memory.code.modules(), await memory.code.state()]);
}
