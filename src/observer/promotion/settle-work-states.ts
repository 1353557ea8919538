import type { MemoryWriter } from "../../memory/change/change.js";
import { noteChanges } from "../../memory/history/history.js";
import { listByKeys, type KeyedMemory } from "../../memory/read/read.js";
import type { RememberedMemory } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import { insertRelation } from "../../memory/relations/relations.js";
import { replaceMemory, writeFields } from "../../memory/write/write.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { verdictOf } from "../scratchpad/verdicts.js";
import { listEdited, stateAbout } from "../signals/work-state.js";
import { listWorkStates } from "./work-state-queries.js";

interface EndedSession {
  pads: readonly Scratchpad[];
  isSuccess: boolean;
  branch?: string;
  /** The state that it leaves behind itself. */
  left?: RememberedMemory | undefined;
  now: Date;
}

/**
 * Of the states of one piece of work, or of one branch, the last one holds: it takes the place of those before it, at once or,
 * where it waits for a person, when it is accepted. Where the work was brought to its end they hold no more: the piece of
 * work succeeded, or a session of the branch that succeeded edited a file of the state or passed the check that had failed.
 */
export async function settleWorkStates(writer: MemoryWriter, project: Project, session: EndedSession): Promise<void> {
  const { left, now } = session;
  const states = await listByKeys(writer, project, await listWorkStates(writer, project), now);
  if (states.length === 0) return;
  const own = left && states.find(({ record }) => record.id === left.id);
  // What still stands so is news: it fades from now on.
  if (own && left.merged) await writeFields(writer, project, own.key, { lastAccessedAt: now.toISOString() }, now);
  const isDone = doneBy(session);
  for (const state of states) {
    if (state === own) continue;
    if (own && aboutOf(own) === aboutOf(state)) await replace(writer, project, state, own, session);
    else if (isDone(state)) await close(writer, project, state, now);
  }
}

async function replace(
  writer: MemoryWriter,
  project: Project,
  old: KeyedMemory,
  own: KeyedMemory,
  { left, now }: EndedSession,
): Promise<void> {
  if (left?.status !== "active") {
    return insertRelation(writer, project, own.key, {
      kind: "supersedes",
      memory: old.record.id,
      confidence: 1,
      automatic: false,
    });
  }
  await noteChanges(writer, project, { verb: "superseded", keys: [old.key, own.key], now }, async () =>
    replaceMemory(writer, project, old, own, now),
  );
}

async function close(writer: MemoryWriter, project: Project, { key }: KeyedMemory, now: Date): Promise<void> {
  await noteChanges(writer, project, { verb: "settled", keys: [key], now }, async () =>
    writeFields(writer, project, key, { expiresAt: now.toISOString() }, now),
  );
}

function doneBy({ pads, isSuccess, branch }: EndedSession): (state: KeyedMemory) => boolean {
  const units = new Map(pads.flatMap((pad) => pad.units.map((unit) => [stateAbout({ unit }), unit.state] as const)));
  const edited = new Set(listEdited(pads));
  const passed = new Set(
    pads.flatMap(({ actions }) =>
      actions.flatMap((action) => (verdictOf(action) === "passed" ? (action.command?.name ?? []) : [])),
    ),
  );
  const here = stateAbout({ branch });
  return (state) => {
    const about = aboutOf(state);
    if (units.get(about) === "succeeded") return true;
    if (!isSuccess || about !== here) return false;
    const check = state.record.data?.["check"];
    return (
      state.record.relatedFiles.some((file) => edited.has(file)) || (typeof check === "string" && passed.has(check))
    );
  };
}

function aboutOf({ record }: KeyedMemory): string {
  const about = record.data?.["about"];
  return typeof about === "string" ? about : "";
}
