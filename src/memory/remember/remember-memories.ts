import type { Actor } from "../../base/actor.js";
import { MemoryError } from "../../base/memory-error.js";
import { asUnverified, asTainted, onConcept } from "./distrust.js";
import { conceptOfName } from "../prepare/concept-nodes.js";
import { findMemory } from "../read/get-memory.js";
import type { MemoryInput, RememberedMemory } from "../memory.js";
import type { BindOptions } from "../write/names.js";
import { prepareMemories, type PreparedMemory } from "../prepare/prepare-memory.js";
import { type Project, refuseWhenDisabled } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import { changeMemories } from "../change/change-memories.js";
import type { MemoryContext } from "../change/memory-context.js";
import { storeMemories, loadContradictions } from "./store-memories.js";

export interface RememberOptions extends BindOptions {
  /** For each input why it is not to be trusted yet, if so: it comes from outside the project, and waits for a person. */
  doubts?: (string | undefined)[];
  /** Why nobody can vouch for the others: they come back when asked for, and are told to nobody who did not ask. */
  unverified?: string;
}

/**
 * Keeps memories, all of them or none, and answers in input order. What an agent says is its word, whatever the input says of
 * the source, and takes no name away from the memory that holds it. The same text of the same type is merged into the
 * older memory, which gains the tags, files and session of the newer; `merged` tells the caller. What is said unverified adds
 * nothing to what is known, and becomes what somebody trusted says of it who says the same. Where the configuration
 * allows so many memories and no more, those least worth keeping are forgotten; `evicted` of the last one tells which.
 */
export async function remember(
  context: MemoryContext,
  inputs: MemoryInput[],
  options: RememberOptions = {},
): Promise<RememberedMemory[]> {
  if (!Array.isArray(inputs)) {
    throw new MemoryError("invalid-input", "rememberMany() takes a list.", "For one memory there is remember().");
  }
  if (inputs.length === 0) return [];
  const isAgent = context.actor.kind === "agent";
  if (isAgent) refuseRebinding(options);
  await refuseWhenDisabled(context);
  const { maxEntries } = await context.settings();
  // Before the transaction: cleaning takes longer than writing, and others wait while we hold the lock.
  const prepared = await prepareMemories(
    context,
    inputs.map((input) => saidBy(context.actor, input)),
  );
  await loadContradictions();
  const { doubts = [], unverified, ...binding } = options;
  const told = prepared.map((memory, index) => {
    const doubt = doubts[index];
    if (doubt !== undefined) return asTainted(memory, doubt);
    return unverified === undefined ? memory : asUnverified(memory, unverified);
  });

  return changeMemories(context, async (writer, project) => {
    const named = isAgent ? await withoutTakenNames(writer, project, told, context.now()) : told;
    return storeMemories(writer, project, named, context.now(), { ...binding, maxEntries });
  });
}

/** The input with its source: whatever an agent says of itself, it is no person; and a person teaches, unless they say otherwise. */
export function saidBy({ kind }: Actor, input: MemoryInput): MemoryInput {
  if (Object(input) !== input) return input;
  if (kind === "agent") return { ...input, source: "agent_explicit" };
  return kind === "person" && input.source === undefined ? { ...input, source: "user_taught" } : input;
}

/**
 * What an agent calls by the name of another memory of the same pattern or decision gets no name, and stays with it all the
 * same. The same text again is no other memory.
 */
async function withoutTakenNames(
  reader: Reader,
  project: Project,
  memories: PreparedMemory[],
  now: Date,
): Promise<PreparedMemory[]> {
  const named: PreparedMemory[] = [];
  for (const memory of memories) {
    const isConcept = conceptOfName(memory.type, memory.name) !== undefined;
    const holder = isConcept ? await findMemory(reader, project, memory.name ?? "", now) : undefined;
    const isTaken = holder?.record.type === memory.type && holder.record.content !== memory.content;
    named.push(isTaken ? { ...onConcept(memory), name: null } : memory);
  }
  return named;
}

/** An agent takes no name away. */
export function refuseRebinding({ rebind }: BindOptions): void {
  if (rebind !== true) return;
  throw new MemoryError(
    "invalid-input",
    "An agent may not take a name away from the memory that holds it.",
    "Choose another name; a person can move it: tacit rename REF NAME --rebind",
  );
}
