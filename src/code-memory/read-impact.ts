import { parseNodeId } from "../base/ids/ids.js";
import { MemoryError } from "../base/memory-error.js";
import type { Impact, ImpactOptions } from "../codegraph/ask/ask.js";
import type { TreeState } from "../codegraph/tree/tree.js";
import type { Ignoring } from "../project/ignore/ignore.js";
import type { Reader } from "../storage/storage.js";
import type { CodeImpact } from "./code-memory.js";
import { openImpactConcepts } from "./concepts/impact-concepts.js";
import { listLinkedMemories } from "./links/list-linked-memories.js";
import type { CurrentTree } from "./tree/current-tree.js";

/** Whose code is asked about. */
export interface AskedCode {
  tree: CurrentTree;
  now: () => Date;
  ignoring: () => Promise<Ignoring>;
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
  { tree: own, now, catchUp, ignoring }: AskedCode,
  target: string,
  depth: number,
  find: (reader: Reader, tree: TreeState, target: string | string[]) => Promise<Impact>,
): Promise<CodeImpact> {
  refuseNoText(target);
  const notes = await catchUp();
  const [wanted = ""] = own.fromRoot([target]);
  refuseIgnored(wanted, await ignoring());
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

/** An index that does not know a file would say that there is none. */
function refuseIgnored(target: string, ignoring: Ignoring): void {
  const { file } = parseNodeId(target.trim());
  const by = /[./\\]/.test(file) ? ignoring.path(file.replace(/^(?:\.\/)+/, "")) : undefined;
  if (by === undefined) return;
  throw new MemoryError(
    "node-not-found",
    `${file} is ignored by ${by}: it is not in the index.`,
    by === ".tacitignore"
      ? "Take its line out of .tacitignore to have it indexed."
      : "tacit config get ignore shows it.",
  );
}

function refuseNoText(target: string): void {
  if (typeof target === "string" && target.trim() !== "") return;
  throw new MemoryError(
    "invalid-input",
    "What to look at is not named.",
    "Name a file, a folder or a symbol: src/store.ts#Store.read.",
  );
}
