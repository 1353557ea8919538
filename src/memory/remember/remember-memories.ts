import { MemoryError } from "../../base/memory-error.js";
import { asUnverified, asTainted } from "./distrust.js";
import type { MemoryInput, RememberedMemory } from "../memory.js";
import type { BindOptions } from "../write/names.js";
import { prepareMemories } from "../prepare/prepare-memory.js";
import { refuseWhenDisabled } from "../../project/project.js";
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
 * Keeps memories, all of them or none, and answers in input order. The same text of the same type is merged into the
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
  await refuseWhenDisabled(context);
  const { maxEntries } = await context.settings();
  // Before the transaction: cleaning takes longer than writing, and others wait while we hold the lock.
  const prepared = await prepareMemories(context, inputs);
  await loadContradictions();
  const { doubts = [], unverified, ...binding } = options;
  const told = prepared.map((memory, index) => {
    const doubt = doubts[index];
    if (doubt !== undefined) return asTainted(memory, doubt);
    return unverified === undefined ? memory : asUnverified(memory, unverified);
  });

  return changeMemories(context, async (writer, project) =>
    storeMemories(writer, project, told, context.now(), { ...binding, maxEntries }),
  );
}

/**
 * The same for what an agent says, whatever it says of itself: it is no person, and takes no name away from the memory that
 * holds it.
 */
export async function rememberAsAgent(
  context: MemoryContext,
  inputs: MemoryInput[],
  options: RememberOptions = {},
): Promise<RememberedMemory[]> {
  refuseRebinding(options);
  const said = Array.isArray(inputs)
    ? inputs.map((input) => (Object(input) === input ? { ...input, source: "agent_explicit" as const } : input))
    : inputs;
  return remember(context, said, options);
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
