import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { writeChunks } from "../../src/codegraph/chunks/chunk-queries.js";
import { chunksOf } from "../../src/codegraph/chunks/chunks-of.js";
import type { Tree } from "../../src/codegraph/codegraph.js";
import type { OutlinePart } from "../../src/codegraph/facts/facts.js";
import { ensureTree } from "../../src/codegraph/tree/tree-queries.js";
import type { Row } from "../../src/storage/storage.js";
import { Store } from "../../src/storage/storage.js";
import { temporaryFolder } from "./temporary-folder.js";

export interface ChunkTree {
  store: Store;
  tree: Tree;
  now: () => Date;
  /** Writes files into the folder, or takes them away where there is no text, and keeps their chunks unless told not to. */
  put(files: Record<string, string | undefined>, options?: { isIndexed?: boolean; outline?: OutlineOf }): Promise<void>;
  rows(sql: string): Promise<Row[]>;
}

type OutlineOf = (path: string, source: string) => readonly OutlinePart[] | undefined;

/** A work tree of the running test's own with its chunks, in a store of its own or in that of another tree. */
export async function chunkTree(files: Record<string, string> = {}, beside?: ChunkTree): Promise<ChunkTree> {
  const store = beside?.store ?? new Store({ db: ":memory:", timeoutMs: 5000 });
  if (!beside) onTestFinished(() => store.close());
  const root = realpathSync(temporaryFolder());
  const tree = await store.write(async (writer) => {
    await writer.run(
      "INSERT INTO projects (number, id, name, created_at) VALUES (1, 'test', 'test', '') ON CONFLICT DO NOTHING",
    );
    return ensureTree(writer, 1, root, noon);
  });
  const made: ChunkTree = {
    store,
    tree,
    now: () => noon,
    put: async (changed, { isIndexed = true, outline = () => undefined } = {}) => {
      for (const [path, source] of Object.entries(changed)) {
        const file = join(root, path);
        mkdirSync(dirname(file), { recursive: true });
        if (source === undefined) rmSync(file);
        else writeFileSync(file, source);
      }
      if (isIndexed) await index(made, changed, outline);
    },
    rows: async (sql) => (await store.read((reader) => reader.rows(sql))).map((row) => ({ ...row })),
  };
  await made.put(files);
  return made;
}

const noon = new Date("2026-11-15T12:00:00.000Z");

async function index(
  { store, tree }: ChunkTree,
  files: Record<string, string | undefined>,
  outline: OutlineOf,
): Promise<void> {
  const cut = await Promise.all(
    Object.entries(files).map(async ([path, source = ""]) => ({
      path,
      chunks: await chunksOf(path, source, outline(path, source)),
    })),
  );
  await store.write(async (writer) => {
    await writer.run(
      `INSERT INTO code_files (tree_number, path, hash, extractor, size, modified_ms, read_ms, state, surface, is_linked)
       SELECT :tree, value, '', '', 0, 0, 0, 'text', '', 1 FROM json_each(:paths) WHERE true ON CONFLICT DO NOTHING`,
      { tree: tree.number, paths: JSON.stringify(cut.map(({ path }) => path)) },
    );
    const numbers = new Map(
      (await writer.rows("SELECT path, number FROM code_files WHERE tree_number = :tree", { tree: tree.number })).map(
        (row) => [String(row["path"]), Number(row["number"])],
      ),
    );
    await writeChunks(
      writer,
      tree,
      cut.map(({ path, chunks }) => ({ number: numbers.get(path) ?? 0, chunks })),
    );
  });
}
