import { type Caller, callerOf } from "../base/actor.js";
import { bindConcepts } from "../code-memory/concepts/bind-concepts.js";
import { refuseAgent } from "../memory/change/change.js";
import type { ReviseOptions } from "../memory/edit/edit.js";
import type { Memory, MemoryChanges, MemoryInput, NamedMemory, RememberedMemory } from "../memory/memory.js";
import type { BindOptions } from "../memory/write/write.js";
import { judgeChange, judgeTexts, refuseAsAgent, refuseTainted, withSession } from "./judge-caller.js";
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
  const said = Array.isArray(inputs) ? inputs.map((input) => unpinned(caller, withSession(caller, input))) : inputs;
  return remember(parts.context, said, { ...options, ...(await judgeTexts(parts, said)) });
}

export async function reviseMemory(
  parts: Parts,
  reference: string,
  changes: MemoryChanges,
  options?: ReviseOptions,
): Promise<NamedMemory> {
  refuseAsAgent(options);
  if (changes?.pinned !== undefined) refuseAgent(parts.context, `tacit pin ${reference}`);
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
  const caller = callerOf(parts.context.actor);
  const said = unpinned(caller, withSession(caller, input));
  return supersede(parts.context, reference, said, { ...options, ...(await judgeChange(parts, said)) });
}

/** What never fades is for a person to choose: an agent's wish is left out, as the source that it claims is. */
function unpinned(caller: Caller, input: MemoryInput): MemoryInput {
  if (caller.kind !== "agent" || Object(input) !== input || input.pinned === undefined) return input;
  const { pinned: _, ...rest } = input;
  return rest;
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
  const bound = bindConcepts({
    context,
    here,
    takeUp: catchUp,
    remember: async (input) => rememberAll(parts, [input]),
  });
  const before = bound.verbs;
  const verbs: typeof bound.verbs = {
    ...bound.verbs,
    stateConcept: async (id, statement) => {
      // Where it holds is stated at once; a text waits for a person.
      if (statement?.places !== undefined)
        await refuseTainted(parts, id, [...wordsOf(id), ...placeWords(id, statement.places)]);
      return before.stateConcept(id, statement);
    },
    unstateConcept: async (id, options) => {
      await refuseTainted(parts, id, [...wordsOf(id), "--remove", ...placeWords(id, options?.places)]);
      return before.unstateConcept(id, options);
    },
  };
  return { ...bound, verbs };
}

/** `pattern:retry` as the command line names it. A caller may hand over anything; what does not fit is refused by the room. */
function wordsOf(id: unknown): string[] {
  const [kind = "", ...name] = String(id).split(":");
  return [kind, name.join(":")];
}

function placeWords(id: unknown, places: unknown): unknown[] {
  const flag = String(id).startsWith("decision:") ? "--about" : "--applies-to";
  return Array.isArray(places) ? places.flatMap((place: unknown) => [flag, place]) : [];
}
