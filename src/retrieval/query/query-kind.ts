import type { QueryKind } from "../retrieval.js";

// What a person copies out of code: camelCase, snake_case, a path, a file, a call. Not GitHub, macOS, read/write or e.g.
const identifier =
  /(?<!\p{L})\p{Ll}{2,}\p{Lu}\p{Ll}|\p{L}_\p{L}|[\p{L}\p{N}_-]\/[\p{L}\p{N}_-]+[/.]\p{L}|\p{L}{2}\.\p{L}{1,5}(?!\p{L})|\p{L}\(\)/u;

// The tools that ask how code hangs together, by whatever prefix an agent knows them.
const structuralTool = /impact|dependenc|dependent|caller|reference|callgraph|call_graph/i;

/** What a query is taken for: it decides how much words, meaning and code count. */
export function queryKindOf(query: string, recentTools: readonly string[] = []): QueryKind {
  if (identifier.test(query)) return "identifier";
  return recentTools.some((tool) => structuralTool.test(tool)) ? "structural" : "semantic";
}

/**
 * How much each path counts. Half and half for semantic questions: the best of 0.3 to 0.7 on LoCoMo (R@10) and within
 * 0.005 of the best on Cranfield (nDCG@10). The others lean as their kind does; no corpus here has such questions.
 */
export const pathWeights: Record<QueryKind, { words: number; meaning: number; code: number }> = {
  semantic: { words: 0.4, meaning: 0.4, code: 0.2 },
  identifier: { words: 0.55, meaning: 0.2, code: 0.25 },
  structural: { words: 0.25, meaning: 0.25, code: 0.5 },
};
