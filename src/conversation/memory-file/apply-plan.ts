import { changeStore, type MemoryContext, type MemoryWriter } from "../../memory/change/change.js";
import { MemoryError } from "../../base/memory-error.js";
import { findMemory } from "../../memory/read/read.js";
import { forgetRows } from "../../memory/retention/retention.js";
import { noteChanges } from "../../memory/history/history.js";
import type { Memory, MemoryInput } from "../../memory/memory.js";
import { prepareMemories, type PreparedMemory } from "../../memory/prepare/prepare.js";
import { ensureProject, type Project, type ProjectContext, userProject } from "../../project/project.js";
import { asTainted, asUnverified, loadContradictions, storeMemories } from "../../memory/remember/remember.js";
import { changedFields } from "../../memory/edit/edit.js";
import { writeFields } from "../../memory/write/write.js";
import type { Plan, Revision } from "./compare-plan.js";
import type { HeldLine } from "./render-memory-file.js";
import { userStore } from "./shown-memories.js";
import type { Line } from "./line.js";

/** What was done, and what could not be. */
export interface Applied {
  added: number;
  revised: number;
  forgotten: number;
  /** The ids of the memories that are new or say something else. */
  changed: string[];
  refused: (HeldLine & { error: MemoryError })[];
}

/** Who else than a person has written into a file. */
export type OtherWriter = { kind: "agent" } | { kind: "git"; by?: string };

/**
 * Does what a person's file asks for, by the rules of the memory room, in one transaction. What is refused is told. Where an
 * agent may have written it, nobody vouches for it; what came with somebody's commit waits for a review. Neither writes into the
 * project `user`, which every project of its user is told: what stands there as true everywhere is kept in this project.
 */
export async function applyPlan(context: MemoryContext, plan: Plan, writer?: OtherWriter): Promise<Applied> {
  const applied: Applied = { added: 0, revised: 0, forgotten: 0, changed: [], refused: [] };
  if (writer && "id" in context.project && context.project.id === userProject) return applied;
  const own = writer ? { ...plan, remember: plan.remember.map((line) => ({ ...line, isEverywhere: false })) } : plan;
  const sides: [ProjectContext, boolean][] = [
    [context, false],
    [userStore(context), true],
  ];
  const parts: Part[] = [];
  for (const [of, isEverywhere] of sides) {
    const part = await prepare(of, own, isEverywhere, applied);
    parts.push(writer ? { ...part, steps: part.steps.map((step) => unvouched(step, writer)) } : part);
  }
  const due = parts.filter(({ steps, gone }) => steps.length + gone.length > 0);
  if (due.length === 0) return applied;
  await loadContradictions();
  await changeStore(context, async (memories) => {
    for (const part of due) {
      const project = await ensureProject(memories, part.of.project, context.now());
      await applyPart(memories, project, part, context.now(), applied);
    }
  });
  return applied;
}

function unvouched({ prepared, ...step }: Step, writer: OtherWriter): Step {
  const said = { ...prepared, source: "agent_explicit" as const };
  return {
    ...step,
    prepared:
      writer.kind === "agent"
        ? asUnverified(said, "An agent wrote it into MEMORY.md.")
        : asTainted(said, cameBy(writer.by)),
  };
}

function cameBy(author: string | undefined): string {
  return author === undefined
    ? "It came with MEMORY.md, and git did not say whose it is."
    : `It came with MEMORY.md in a commit by ${author}.`;
}

/** What concerns one project. */
interface Part {
  of: ProjectContext;
  maxEntries: number | null;
  gone: Memory[];
  steps: Step[];
}

interface Step {
  prepared: PreparedMemory;
  revision?: Revision;
}

/** Before the transaction: cleaning takes longer than writing, and others wait while we hold the lock. */
async function prepare(of: ProjectContext, plan: Plan, isEverywhere: boolean, { refused }: Applied): Promise<Part> {
  const steps: Step[] = [];
  const add = async (statement: Line, input: MemoryInput, revision?: Revision): Promise<void> => {
    try {
      const [prepared] = await prepareMemories(of, [input]);
      steps.push({ prepared: prepared as PreparedMemory, ...(revision && { revision }) });
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      refused.push({ statement, error, ...(revision && { memory: revision.memory }) });
    }
  };
  for (const revision of plan.revise.filter(({ statement }) => statement.isEverywhere === isEverywhere)) {
    const { statement, memory } = revision;
    await add(statement, { ...inputOf(statement), type: statement.type ?? memory.type }, revision);
  }
  for (const statement of plan.remember.filter((one) => one.isEverywhere === isEverywhere)) {
    await add(statement, inputOf(statement));
  }
  const gone = plan.forget.filter((one) => one.isEverywhere === isEverywhere).map(({ memory }) => memory);
  return { of, maxEntries: steps.length > 0 ? (await of.settings()).maxEntries : null, gone, steps };
}

/** A line that a person wrote. */
function inputOf({ text, type = "note", tags }: Line): MemoryInput {
  return { content: text, type, tags, source: "user_taught" };
}

async function applyPart(
  writer: MemoryWriter,
  project: Project,
  { gone, steps, maxEntries }: Part,
  now: Date,
  applied: Applied,
): Promise<void> {
  const doomed: number[] = [];
  for (const { id, content } of gone) {
    const found = await findMemory(writer, project, id, now);
    if (found?.memory.status === "active" && found.memory.content === content) doomed.push(found.key);
  }
  applied.forgotten += (await forgetRows(writer, project, doomed, now)).length;

  const said: PreparedMemory[] = [];
  for (const { prepared, revision } of steps) {
    const revised = revision && (await reviseRow(writer, project, revision, prepared, now));
    if (revised === undefined) said.push(prepared);
    else if (revised) {
      applied.revised += 1;
      applied.changed.push(revised.id);
    }
  }
  const kept = said.length > 0 ? await storeMemories(writer, project, said, now, { maxEntries }) : [];
  applied.added += kept.filter(({ merged }) => !merged).length;
  applied.changed.push(...kept.map(({ id }) => id));
}

/** Undefined where the memory is no longer in force; false where it says so already. */
async function reviseRow(
  writer: MemoryWriter,
  project: Project,
  { memory: { id }, changes }: Revision,
  prepared: PreparedMemory,
  now: Date,
): Promise<Memory | false | undefined> {
  const found = await findMemory(writer, project, id, now);
  if (found?.memory.status !== "active") return undefined;
  const isSaid = found.memory.content === prepared.content && found.memory.type === prepared.type;
  if (isSaid) return false;
  return noteChanges(writer, project, { verb: "edited", keys: [found.key], now }, async () => {
    const fields = changedFields(found.memory, changes, prepared);
    return (await writeFields(writer, project, found.key, fields, now)).memory;
  });
}
