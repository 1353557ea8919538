import type { MemoryContext } from "../../memory/change/change.js";
import { MemoryError } from "../../base/memory-error.js";
import { isUnverified } from "../../memory/record/record.js";
import { list } from "../../memory/read/read.js";
import type { Memory, MemoryInput, RememberedMemory, WorkUnit } from "../../memory/memory.js";
import { remember, supersede } from "../../memory/remember/remember.js";
import { revise } from "../../memory/edit/edit.js";
import { wholeState } from "../../methodology/format-work-state.js";
import type { MethodologyPlugin, WorkState } from "../../methodology/methodology.js";
import { unitKey } from "../../observer/scratchpad/scratchpad.js";
import { isEligible } from "../eligibility/is-eligible.js";
import { quoteText } from "../quote/quote-text.js";

/** Which piece of work: a unit of a methodology, or what is done on a branch. */
export interface WorkPlace {
  workUnit?: WorkUnit;
  /** Default: the one that is checked out. */
  branch?: string;
}

export interface WorkStateInput extends WorkPlace {
  /** What is done, what is left: whatever the methodology's `extractWorkState` gives, or a program. */
  state: WorkState;
  /** One of `Methodologies`, whose methods never throw: it says how the state reads. */
  methodology: MethodologyPlugin;
  sessionId?: string;
  files?: readonly string[];
}

// Whoever leaves the work says where it stands. With the usual floor of 0.55 and a half-life of seven days it is told for
// five and a half days; with the usual 0.8 it would not outlast a long weekend.
const confidence = 0.95;

/**
 * Keeps where unfinished work stands. It takes the place of what was kept of the same unit before, or, without a unit, of the
 * same branch. Undefined where the state says nothing. With a `doubt`, why it is not to be trusted, it waits for a person;
 * where it is `unverified`, why nobody can vouch for it, it is kept so. In both cases the older one stays in force.
 */
export async function saveWorkState(
  context: MemoryContext,
  { state, methodology, workUnit, branch, sessionId, files = [] }: WorkStateInput,
  trust: Trust = {},
): Promise<RememberedMemory | undefined> {
  const content = methodology.formatWorkStateContext(state).trim();
  if (content === "") return undefined;
  const input: MemoryInput = {
    type: "work_state",
    content,
    data: wholeState(state),
    confidence,
    scope: workUnit ? "work_unit" : "global",
    relatedFiles: [...files],
    tags: [],
    methodology: methodology.id,
    ...(workUnit && { workUnit }),
    ...(branch !== undefined && { branch }),
    ...(sessionId !== undefined && { sessionId }),
  };
  const place = { workUnit, branch: branch ?? (await context.folder()).branch };
  const [old, ...older] = await listReplaceable(context, place, trust);
  const saved = old ? await replace(context, old, input, { trust, place }) : await keep(context, input, trust);
  if (trust.doubt === undefined) await close(context, older);
  return saved;
}

interface Trust {
  doubt?: string | undefined;
  unverified?: string | undefined;
}

/** What is kept of the same work; for what nobody can vouch for only what is no better. */
async function listReplaceable(context: MemoryContext, place: Place, { doubt, unverified }: Trust): Promise<Memory[]> {
  const open = await listOpen(context, place);
  return doubt === undefined && unverified !== undefined ? open.filter(isUnverified) : open;
}

async function keep(
  context: MemoryContext,
  input: MemoryInput,
  { doubt, unverified }: Trust,
): Promise<RememberedMemory> {
  const [saved] = await remember(context, [input], {
    doubts: [doubt],
    ...(unverified !== undefined && { unverified }),
  });
  return saved as RememberedMemory;
}

/** Puts it in the place of the older one, or of that which another process has just put there. */
async function replace(
  context: MemoryContext,
  old: Memory,
  input: MemoryInput,
  { trust, place }: { trust: Trust; place: Place },
): Promise<RememberedMemory> {
  try {
    return await supersede(context, old.id, input, trust);
  } catch (error) {
    const [now] = await listReplaceable(context, place, trust);
    if (!(error instanceof MemoryError) || now?.id === old.id) throw error;
    return now ? supersede(context, now.id, input, trust) : keep(context, input, trust);
  }
}

/** Unfinished work, as it was left. */
export interface UnfinishedWork {
  memory: Memory;
  state: WorkState;
  /** To be put into a user message as it is: a quoted block. */
  text: string;
}

/**
 * Where unfinished work stands: of a unit, or the newest on a branch. Nothing where it was finished, where it may not be told,
 * or where it is not sure enough any more: what nobody took up for a week has mostly been overtaken.
 */
export async function findWorkState(
  context: MemoryContext,
  { workUnit, branch }: WorkPlace,
  { methodology, minConfidence }: { methodology: MethodologyPlugin; minConfidence?: number },
): Promise<UnfinishedWork | undefined> {
  const floor = minConfidence ?? (await context.settings()).injectionConfidence;
  const place = { workUnit, branch: branch ?? (await context.folder()).branch };
  const open = await listOpen(context, place, { alsoOfUnits: true });
  const memory = saidBeforeSeen(open.filter((one) => isEligible(one, { minConfidence: floor, ...place })));
  if (!memory) return undefined;
  const state = memory.data ?? {};
  const formatted = isSeen(memory) ? "" : methodology.formatWorkStateContext(state).trim();
  return { memory, state, text: quoteText("session-start", formatted || memory.content) };
}

/** The newest; but what a session said of its work before it ended goes before what was seen of it at its end. */
function saidBeforeSeen(states: readonly Memory[]): Memory | undefined {
  const [newest] = states;
  if (!newest || !isSeen(newest)) return newest;
  return (
    states.find((one) => !isSeen(one) && one.sessionId !== undefined && one.sessionId === newest.sessionId) ?? newest
  );
}

function isSeen({ source }: Memory): boolean {
  return source === "observer_inferred";
}

/** The work is finished: nothing of it comes back. Gives what was kept of it. */
export async function closeWorkState(context: MemoryContext, { workUnit, branch }: WorkPlace): Promise<Memory[]> {
  return close(context, await listOpen(context, { workUnit, branch: branch ?? (await context.folder()).branch }));
}

async function close(context: MemoryContext, open: readonly Memory[]): Promise<Memory[]> {
  const closed: Memory[] = [];
  for (const { id } of open) closed.push(await revise(context, id, { expiresAt: context.now().toISOString() }));
  return closed;
}

interface Place {
  workUnit: WorkUnit | undefined;
  branch: string | undefined;
}

// After three half-lives it has faded.
const readDays = 21;

/** What is in force of this piece of work, the newest first. On a branch, units count for whoever looks what there is. */
async function listOpen(
  context: MemoryContext,
  { workUnit, branch }: Place,
  { alsoOfUnits = false }: { alsoOfUnits?: boolean } = {},
): Promise<Memory[]> {
  const since = new Date(context.now().getTime() - readDays * 86_400_000).toISOString();
  const all = await list(context, { types: ["work_state"], since });
  return all.filter((memory) =>
    workUnit
      ? memory.workUnit !== undefined && unitKey(memory.workUnit) === unitKey(workUnit)
      : memory.branch === branch && (alsoOfUnits || memory.workUnit === undefined),
  );
}
