import { conceptId, conceptKinds, parseConceptId } from "../../base/ids/ids.js";
import { cleanText } from "../../hygiene/hygiene.js";
import { findMemory } from "../../memory/read/read.js";
import type { MemoryInput } from "../../memory/memory.js";
import { readProject, type ProjectContext } from "../../project/project.js";

export interface AttachOptions {
  asAgent: boolean;
  /** For each input why it is not to be trusted yet, if so. */
  doubts?: (string | undefined)[] | undefined;
}

/**
 * The same inputs, hung on the patterns and decisions that they belong to: `pattern:retry` among their files is a node. What
 * is doubted gets no name, and what an agent calls by the name of another memory of that pattern takes none: both
 * hang on the node of the name instead. What does not fit is left for `remember` to refuse.
 */
export async function attachToConcepts(
  context: ProjectContext,
  inputs: MemoryInput[],
  { asAgent, doubts = [] }: AttachOptions,
): Promise<MemoryInput[]> {
  if (!Array.isArray(inputs)) return inputs;
  const hung: MemoryInput[] = [];
  for (const [at, input] of inputs.entries()) {
    const named = await withNodes(input);
    const node = await nodeByName(input);
    if (node === undefined) hung.push(named);
    else if (doubts[at] !== undefined) hung.push(on(named, node));
    else hung.push(asAgent && (await isTaken(context, input)) ? withoutName(on(named, node)) : named);
  }
  return hung;
}

/** A relation to a pattern or a decision leads to its one id, however it was written. */
export async function toConcept<Stated extends { file?: string }>(stated: Stated): Promise<Stated> {
  const id = await findConcept(stated?.file);
  return id === undefined ? stated : { ...stated, file: id };
}

async function withNodes(input: MemoryInput): Promise<MemoryInput> {
  const { relatedFiles: files = [], graphNodes: nodes = [] } = Object(input) as Partial<MemoryInput>;
  if (!Array.isArray(files) || !Array.isArray(nodes)) return input;
  const known = new Map<unknown, string>();
  for (const node of [...files, ...nodes]) {
    const id = await findConcept(node);
    if (id !== undefined) known.set(node, id);
  }
  if (known.size === 0) return input;
  const named = [...nodes, ...files.filter((file) => known.has(file))].map((node) => known.get(node) ?? node);
  return { ...input, relatedFiles: files.filter((file) => !known.has(file)), graphNodes: [...new Set(named)] };
}

/** The id of the pattern or the decision that somebody names. */
async function findConcept(named: unknown): Promise<string | undefined> {
  const known = typeof named === "string" ? parseConceptId(named) : undefined;
  return known && !(await holdsSecret(named as string)) ? known.id : undefined;
}

/** Small letters would hide some from whoever looks for them before a memory is kept; as it was written, it is redacted there. */
async function holdsSecret(text: string): Promise<boolean> {
  return (await cleanText(text, "node")).flags.includes("secret-redacted");
}

/** The pattern or the decision that a memory of this type is by its name. */
async function nodeByName(input: MemoryInput): Promise<string | undefined> {
  const { type, name } = Object(input) as Partial<MemoryInput>;
  const kind = conceptKinds.find((one) => one === type);
  const id = kind && typeof name === "string" ? conceptId(kind, name) : undefined;
  return id !== undefined && !(await holdsSecret(name as string)) ? id : undefined;
}

function on(input: MemoryInput, node: string): MemoryInput {
  return { ...input, graphNodes: [...new Set([...(input.graphNodes ?? []), node])] };
}

/** The same text again is no other memory. */
async function isTaken(context: ProjectContext, { name, type, content }: MemoryInput): Promise<boolean> {
  const holder = await readProject(context, undefined, (reader, project) =>
    findMemory(reader, project, name ?? "", context.now()),
  );
  return holder !== undefined && holder.record.type === type && holder.record.content !== content;
}

function withoutName({ name: _name, ...input }: MemoryInput): MemoryInput {
  return input;
}
