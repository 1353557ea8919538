import { estimateTokens, loadTokenCounter } from "../../base/tokens/tokens.js";
import { MemoryError } from "../../base/memory-error.js";
import type { Code, RepositoryMap, RepositoryMapOptions } from "../code-memory.js";
import { listPresent, type TreeState } from "../../codegraph/tree/tree.js";
import { findStoredMap, mapHeading, storeMap } from "../../codegraph/session-map/session-map.js";
import { repositoryMap } from "../../codegraph/map/map.js";
import { quoteData } from "../../hygiene/quote-data.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import type { ProjectContext } from "../../project/project.js";
import { openCurrentTree } from "../tree/current-tree.js";

/** Whose code is mapped. */
export interface MapSource {
  context: ProjectContext;
  here: FolderIdentity | undefined;
  code: Code;
}

// For a prompt, twice as much shows five files in a hundred more, and seven symbols (bench/repository-map.mjs, 2026-11).
const usualTokens = 1000;
const maxTokens = 100_000;

/** The map of the code for what was asked. Refuses before the first indexing. */
export async function drawRepositoryMap(
  { context, here, code }: MapSource,
  options: RepositoryMapOptions = {},
): Promise<RepositoryMap> {
  const { tokens: budgetTokens = usualTokens, files, prompt } = options;
  checkOptions(options);
  const notes = await code.notes();
  const own = openCurrentTree(context, here);
  const tree = await own.ask(async (_reader, found) => found);
  const inPlay = files && own.fromRoot(files);
  const known = await context.store.read(async (reader) => listPresent(reader, [tree], inPlay ?? []));
  const unknown = inPlay?.filter((file) => !known.has(file)) ?? [];
  if (unknown.length > 0) notes.push(`Not in the index, and left out: ${unknown.join(", ")}.`);
  const map = await repositoryMap(context.store, tree, {
    budgetTokens,
    countTokens: await loadTokenCounter(),
    ...(inPlay && { files: inPlay }),
    ...(prompt !== undefined && { prompt }),
  });
  return { ...map, notes };
}

/**
 * Draws the map that sessions begin with anew, where one is wanted and the code has changed since; first takes in what has
 * changed, unless that was just done. What the store refuses is passed over: whoever indexes, or ends a session, did not ask
 * for a map.
 */
export async function storeSessionMap(
  { context, here, code }: MapSource,
  { isIndexed }: { isIndexed: boolean },
): Promise<void> {
  try {
    const { sessionMapTokens: budgetTokens } = await context.settings();
    const own = openCurrentTree(context, here);
    if (budgetTokens === 0 || !(await context.store.read(own.find)).tree) return;
    if (!isIndexed) await code.notes();
    const { tree, kept } = await own.ask(async (reader, found) => ({
      tree: found,
      kept: await findStoredMap(reader, found),
    }));
    if (tree.completedAt === undefined) return;
    if (kept?.writes === tree.writes && kept.budgetTokens === budgetTokens) return;
    await drawAndKeep(context, tree, budgetTokens);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** As long as it is told: quoted, with its heading, and estimated, since a hook has no time to count. */
async function drawAndKeep({ store, now }: ProjectContext, tree: TreeState, budgetTokens: number): Promise<void> {
  const madeAt = now().toISOString();
  const countTokens = (text: string) => estimateTokens(quoteData(text));
  const room = budgetTokens - countTokens(mapHeading(madeAt));
  const { text } = await repositoryMap(store, tree, { budgetTokens: room, countTokens });
  await store.write((writer) => storeMap(writer, tree, { text, budgetTokens, writes: tree.writes, madeAt }));
}

function checkOptions({ tokens = usualTokens, files = [], prompt = "" }: RepositoryMapOptions): void {
  const hint = 'For example: memory.code.map({ tokens: 1000, files: ["src/a.ts"], prompt: "retry failed writes" }).';
  if (!Number.isSafeInteger(tokens) || tokens < 1 || tokens > maxTokens) {
    throw new MemoryError("invalid-input", `tokens must be a whole number from 1 to ${maxTokens}.`, hint);
  }
  if (!Array.isArray(files) || files.some((file) => typeof file !== "string")) {
    throw new MemoryError("invalid-input", "files must be a list of paths.", hint);
  }
  if (typeof prompt !== "string") throw new MemoryError("invalid-input", "prompt must be a text.", hint);
}
