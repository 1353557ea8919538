import type { Code } from "../code-memory/code-memory.js";
import type { Check } from "./check.js";

/** How the index of the code stands. That there is none is nothing bad: recall goes without. */
export async function checkCode(code: Code): Promise<Check> {
  const name = "code";
  const state = await code.state();
  if (!state) return { name, status: "ok", message: "not indexed; tacit init learns it" };
  const { commit, branch, files, symbols, edges, chunks, unresolved, waiting, outdated, precise, extractor } = state;
  const where = commit === undefined ? "" : ` at ${commit.slice(0, 8)}${branch === undefined ? "" : ` (${branch})`}`;
  const counts = `${files} files${where}, ${symbols} symbols, ${edges} edges, ${chunks} chunks, ${unresolved} uses unresolved${precise === 0 ? "" : `, ${precise} files with a precise index`}`;
  const message = `${counts}; read by version ${extractor}, ${state.indexedAt.slice(0, 16).replace("T", " ")}`;
  if (!state.isComplete) {
    return { name, status: "warning", message: `not complete yet: ${message}`, hint: "tacit index goes on with it." };
  }
  if (outdated > 0) {
    const hint = "tacit index reads them anew.";
    return { name, status: "warning", message: `${outdated} files were read by another version: ${message}`, hint };
  }
  if (waiting > 0) {
    const hint = "tacit index finds them.";
    return { name, status: "warning", message: `the edges of ${waiting} files are missing: ${message}`, hint };
  }
  return { name, status: "ok", message };
}
