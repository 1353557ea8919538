import { MemoryError } from "../base/memory-error.js";
import type { Impact, ImpactOptions } from "../codegraph/ask/ask.js";
import type { TreeState } from "../codegraph/tree/tree.js";
import type { Reader } from "../storage/storage.js";
import type { CodeImpact } from "./code-memory.js";
import { openImpactConcepts } from "./concepts/impact-concepts.js";
import { listLinkedMemories } from "./links/list-linked-memories.js";
import type { CurrentTree } from "./tree/current-tree.js";

/** Whose code is asked about. */
export interface AskedCode {
  tree: CurrentTree;
  now: () => Date;
  /** Takes in a few changed files first; gives what a reader should know. */
  catchUp: () => Promise<string[]>;
}

// The nearest of them: a file that everything imports has more dependents than anybody reads.
const maxAskedFor = 2000;

/** What depends on a file, a folder, a symbol, a pattern or a decision, with the memories about it. */
export async function readImpact(code: AskedCode, target: string, options?: ImpactOptions): Promise<CodeImpact> {
  const { impact } = await import("../codegraph/ask/ask.js");
  return walk(code, target, options?.depth ?? 3, async (reader, tree, wanted) => impact(reader, tree, wanted, options));
}

/** What it needs itself. */
export async function readDependencies(code: AskedCode, target: string, options?: ImpactOptions): Promise<CodeImpact> {
  const { dependencies } = await import("../codegraph/ask/ask.js");
  return walk(code, target, options?.depth ?? 1, async (reader, tree, wanted) =>
    dependencies(reader, tree, wanted, options),
  );
}

async function walk(
  { tree: own, now, catchUp }: AskedCode,
  target: string,
  depth: number,
  find: (reader: Reader, tree: TreeState, target: string | string[]) => Promise<Impact>,
): Promise<CodeImpact> {
  refuseNoText(target);
  const notes = await catchUp();
  const [wanted = ""] = own.fromRoot([target]);
  return own.ask(async (reader, tree, project) => {
    const concepts = await openImpactConcepts(reader, project, wanted, now());
    const found = await find(reader, tree, concepts.places ?? wanted);
    const nodes = [...found.target, ...found.dependents.map(({ node }) => node)];
    const linked = await listLinkedMemories(reader, project, nodes.slice(0, maxAskedFor), now());
    return {
      ...found,
      ...(await concepts.join(found.target, linked)),
      mayGoOn: found.dependents.some((dependent) => dependent.depth === depth),
      notes,
    };
  });
}

function refuseNoText(target: string): void {
  if (typeof target === "string" && target.trim() !== "") return;
  throw new MemoryError(
    "invalid-input",
    "What to look at is not named.",
    "Name a file, a folder or a symbol: src/store.ts#Store.read.",
  );
}
