import { conceptId, conceptKinds, parseConceptId } from "./base/concept-id.js";
import { findMemory } from "./memory/get-memory.js";
import type { MemoryInput } from "./memory/memory.js";
import { readProject, type ProjectStore } from "./memory/project-store.js";

export interface HangOptions {
  asAgent: boolean;
  /** For each input why it is not to be trusted yet, if so. */
  doubts?: (string | undefined)[] | undefined;
}

/**
 * The same inputs, hung on the patterns and decisions that they belong to: `pattern:retry` among their files is a node. What
 * is doubted gets no name, and what an agent calls by the name of another memory of that pattern takes none: both
 * hang on the node of the name instead. What does not fit is left for `remember` to refuse.
 */
export async function hangOnConcepts(
  from: ProjectStore,
  inputs: MemoryInput[],
  { asAgent, doubts = [] }: HangOptions,
): Promise<MemoryInput[]> {
  if (!Array.isArray(inputs)) return inputs;
  const hung: MemoryInput[] = [];
  for (const [at, input] of inputs.entries()) {
    const named = withNodes(input);
    const node = nodeByName(input);
    if (node === undefined) hung.push(named);
    else if (doubts[at] !== undefined) hung.push(on(named, node));
    else hung.push(asAgent && (await isTaken(from, input)) ? withoutName(on(named, node)) : named);
  }
  return hung;
}

/** A relation to a pattern or a decision leads to its one id, however it was written. */
export function toConcept<Stated extends { file?: string }>(stated: Stated): Stated {
  const known = typeof stated?.file === "string" ? parseConceptId(stated.file) : undefined;
  return known ? { ...stated, file: known.id } : stated;
}

function withNodes(input: MemoryInput): MemoryInput {
  const { relatedFiles: files = [], graphNodes: nodes = [] } = Object(input) as Partial<MemoryInput>;
  if (!Array.isArray(files) || !Array.isArray(nodes) || ![...files, ...nodes].some(isConcept)) return input;
  const named = [...nodes, ...files.filter(isConcept)].map((node) =>
    isConcept(node) ? parseConceptId(node)?.id : node,
  );
  return {
    ...input,
    relatedFiles: files.filter((file) => !isConcept(file)),
    graphNodes: [...new Set(named)] as string[],
  };
}

function isConcept(node: unknown): boolean {
  return typeof node === "string" && parseConceptId(node) !== undefined;
}

/** The pattern or the decision that a memory of this type is by its name. */
function nodeByName(input: MemoryInput): string | undefined {
  const { type, name } = Object(input) as Partial<MemoryInput>;
  const kind = conceptKinds.find((one) => one === type);
  return kind && typeof name === "string" ? conceptId(kind, name) : undefined;
}

function on(input: MemoryInput, node: string): MemoryInput {
  return { ...input, graphNodes: [...new Set([...(input.graphNodes ?? []), node])] };
}

/** The same text again is no other memory. */
async function isTaken(from: ProjectStore, { name, type, content }: MemoryInput): Promise<boolean> {
  const holder = await readProject(from, undefined, (reader, project) =>
    findMemory(reader, project, name ?? "", from.now()),
  );
  return holder !== undefined && holder.record.type === type && holder.record.content !== content;
}

function withoutName({ name: _name, ...input }: MemoryInput): MemoryInput {
  return input;
}
