import { callerOf } from "../base/actor.js";
import { bindConcepts } from "../code-memory/concepts/bind-concepts.js";
import type { ReviseOptions } from "../memory/edit/edit.js";
import type { Memory, MemoryChanges, MemoryInput, NamedMemory, RememberedMemory } from "../memory/memory.js";
import type { BindOptions } from "../memory/write/write.js";
import { judgeChange, judgeTexts, refuseAsAgent, withSession } from "./judge-caller.js";
import type { Parts } from "./parts.js";

/** Stores what the caller says, all of it or nothing, as far as the caller is trusted. */
export async function rememberAll(
  parts: Pick<Parts, "context" | "trust">,
  inputs: MemoryInput[],
  options: BindOptions = {},
): Promise<RememberedMemory[]> {
  refuseAsAgent(options);
  const { remember } = await import("../memory/remember/remember.js");
  const caller = callerOf(parts.context.actor);
  const said = Array.isArray(inputs) ? inputs.map((input) => withSession(caller, input)) : inputs;
  return remember(parts.context, said, { ...options, ...(await judgeTexts(parts, said)) });
}

export async function reviseMemory(
  parts: Parts,
  reference: string,
  changes: MemoryChanges,
  options?: ReviseOptions,
): Promise<NamedMemory> {
  refuseAsAgent(options);
  const { revise } = await import("../memory/edit/edit.js");
  return revise(parts.context, reference, changes, { ...options, ...(await judgeChange(parts, changes)) });
}

export async function supersedeMemory(
  parts: Parts,
  reference: string,
  input: MemoryInput,
  options?: BindOptions,
): Promise<RememberedMemory> {
  refuseAsAgent(options);
  const { supersede } = await import("../memory/remember/remember.js");
  const said = withSession(callerOf(parts.context.actor), input);
  return supersede(parts.context, reference, said, { ...options, ...(await judgeChange(parts, said)) });
}

/** A turn that is stored in several memories is forgotten as one. */
export async function forgetMemories(parts: Parts, references: string[]): Promise<Memory[]> {
  const { forget } = await import("../memory/retention/retention.js");
  const wholes: string[][] = [];
  for (const reference of Array.isArray(references) ? references : []) {
    wholes.push([reference, ...(await listOtherParts(parts, reference, { forgotten: false }))]);
  }
  const judged = await judgeChange(parts);
  // What is no list is refused there.
  return forget(parts.context, Array.isArray(references) ? wholes : references, judged);
}

/** The other memories that a turn is stored in. */
export async function listOtherParts(
  { context }: Parts,
  reference: string,
  which: { forgotten: boolean },
): Promise<string[]> {
  return (await import("../conversation/turns/turns.js")).listOtherParts(context, reference, which);
}

/** Patterns and decisions, and what the caller states of them. */
export function conceptsOf(parts: Parts): ReturnType<typeof bindConcepts> {
  const { context, here, catchUp } = parts;
  return bindConcepts({ context, here, takeUp: catchUp, remember: async (input) => rememberAll(parts, [input]) });
}
