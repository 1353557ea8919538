import type { Caller } from "../base/actor.js";
import { bindConcepts } from "../code-memory/concepts/bind-concepts.js";
import type { ReviseOptions } from "../memory/edit/edit.js";
import type { Memory, MemoryChanges, MemoryInput, NamedMemory, RememberedMemory } from "../memory/memory.js";
import type { BindOptions } from "../memory/write/write.js";
import { judgeChange, judgeTexts, withSession } from "./judge-caller.js";
import { forChange, type Parts } from "./parts.js";

/** Stores what a caller says, all of it or nothing, as far as the caller is trusted. */
export async function rememberAs(
  parts: Parts,
  caller: Caller,
  inputs: MemoryInput[],
  options: BindOptions = {},
): Promise<RememberedMemory[]> {
  const { context, contradictions, followUps } = parts;
  const { remember, rememberAsAgent } = await forChange(parts, import("../memory/remember/remember.js"));
  const asAgent = caller.kind === "agent";
  const said = Array.isArray(inputs) ? inputs.map((input) => withSession(caller, input)) : inputs;
  const judged = await judgeTexts(parts, caller, said);
  const attached = await conceptsOf(parts, caller).attach(said, { asAgent, doubts: judged.doubts });
  const store = asAgent ? rememberAsAgent : remember;
  const stored = await followUps.stored(store(context, attached, { ...options, ...judged }));
  contradictions.judge(stored);
  return stored;
}

export async function reviseAs(
  parts: Parts,
  caller: Caller,
  reference: string,
  changes: MemoryChanges,
  options?: ReviseOptions,
): Promise<NamedMemory> {
  const { revise } = await forChange(parts, import("../memory/edit/edit.js"));
  const judged = await judgeChange(parts, caller, changes);
  const asAgent = caller.kind === "agent";
  return parts.followUps.rewritten(revise(parts.context, reference, changes, { ...options, ...judged, asAgent }));
}

export async function supersedeAs(
  parts: Parts,
  caller: Caller,
  reference: string,
  input: MemoryInput,
  options?: BindOptions,
): Promise<RememberedMemory> {
  const { supersede } = await forChange(parts, import("../memory/remember/remember.js"));
  const said = withSession(caller, input);
  const judged = await judgeChange(parts, caller, said);
  const asAgent = caller.kind === "agent";
  return parts.followUps.rewritten(supersede(parts.context, reference, said, { ...options, ...judged, asAgent }));
}

/** A turn that is stored in several memories is forgotten as one. */
export async function forgetAs(parts: Parts, caller: Caller, references: string[]): Promise<Memory[]> {
  const { forget } = await forChange(parts, import("../memory/retention/retention.js"));
  const wholes: string[][] = [];
  for (const reference of Array.isArray(references) ? references : []) {
    wholes.push([reference, ...(await listOtherParts(parts, reference, { forgotten: false }))]);
  }
  const judged = await judgeChange(parts, caller);
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

/** Patterns and decisions, and what a caller states of them. */
export function conceptsOf(parts: Parts, caller: Caller): ReturnType<typeof bindConcepts> {
  const { context, here, catchUp } = parts;
  return bindConcepts({
    context,
    here,
    takeUp: catchUp,
    remember: async (input) => rememberAs(parts, caller, [input]),
  });
}
