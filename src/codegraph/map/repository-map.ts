/**
 * map: what a repository consists of, on a page: its files with the lines that define what is most central in them, for a
 * prompt, for files in play, or for where work goes on.
 *
 * It refuses to sum up: every line is one of the code.
 */
import type { CountTokens } from "../../base/tokens/tokens.js";
import type { Store } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { chooseSymbols } from "./choose-symbols.js";
import { drawMap, type DrawnMap } from "./draw-map.js";
import { listRecentFiles } from "./list-recent-files.js";

export interface MapOptions {
  budgetTokens: number;
  countTokens: CountTokens;
  /** Files in play, from the root. */
  files?: readonly string[];
  prompt?: string;
}

// A map without what changed lately is better than none.
const gitMs = 2000;

/**
 * The map of a tree: as many of its most central definitions as take so many tokens, grouped by file.
 *
 * @example
 * const { text } = await repositoryMap(store, tree, { budgetTokens: 1000, countTokens, prompt: "retry failed writes" });
 */
export async function repositoryMap(
  store: Pick<Store, "snapshot">,
  tree: Tree,
  { budgetTokens, countTokens, files, prompt }: MapOptions,
): Promise<DrawnMap> {
  const recent = await listRecentFiles(tree.root, { timeoutMs: gitMs });
  const subject = { recent, ...(files && { files }), ...(prompt !== undefined && { prompt }) };
  const symbols = await store.snapshot((reader) => chooseSymbols(reader, tree, subject));
  return drawMap(tree.root, symbols, { budgetTokens, countTokens });
}
