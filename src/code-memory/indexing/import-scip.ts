import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { MemoryError } from "../../base/memory-error.js";
import type { IndexReport } from "../code-memory.js";
import type { Tree } from "../../codegraph/codegraph.js";
import type { Indexed } from "../../codegraph/indexing/indexing.js";
import { countPrecise, importIndex, readIndex } from "../../codegraph/scip/scip.js";
import type { Store } from "../../storage/storage.js";

/** The bytes of a SCIP index, which may be given as they are. What is none is refused before anything is done. */
export async function readScipFile(scip: string | Uint8Array): Promise<Uint8Array> {
  if (scip instanceof Uint8Array) {
    readIndex(scip);
    return scip;
  }
  const bytes = await readBytes(scip);
  try {
    readIndex(bytes);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    throw new MemoryError(error.code, `${scip}: ${error.message}`, error.hint, error);
  }
  return bytes;
}

async function readBytes(scip: string): Promise<Uint8Array> {
  if (typeof scip !== "string" || scip === "") {
    throw new MemoryError(
      "invalid-input",
      "scip takes the path of a file, or its bytes.",
      'For example: "index.scip".',
    );
  }
  try {
    return await readFile(resolve(scip));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "There is no such file" : `It cannot be read (${code})`;
    throw new MemoryError(
      "invalid-input",
      `${why}: ${scip}`,
      "An indexer writes it, for example: npx @sourcegraph/scip-typescript index",
      error,
    );
  }
}

export interface ImportedScip extends Pick<Indexed, "linked" | "isStopped"> {
  report: NonNullable<IndexReport["scip"]>;
}

/** Takes in an index of a tree that was just brought into step with its files, and links what it speaks of. */
export async function importScip(
  store: Store,
  tree: Tree,
  bytes: Uint8Array,
  again: () => Promise<Indexed>,
): Promise<ImportedScip> {
  const taken = await importIndex(store, tree, bytes);
  const { linked, isStopped } = await again();
  const edges = await store.read(async (reader) => countPrecise(reader, tree));
  return { report: { ...taken, edges }, linked, isStopped };
}
