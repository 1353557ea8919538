import { rmdirSync } from "node:fs";
import { agents } from "./agents/agents.js";
import type { Agent, AgentId, Target } from "./agents/agent.js";
import { hashOf, readConfigFile, refused, removeConfigFile, replaceConfigFile, whyNotWritable } from "./config-file.js";
import { isEmptyDocument, takePart } from "./document.js";
import { getAgent, problemOf, type Problem } from "./install.js";
import { changeJournal, readJournal, type JournalEntry } from "./journal.js";
import type { Place } from "./place.js";
import { revertEdits } from "./text-edit.js";

/** What came of untying one agent, or what would. */
export interface Untied {
  agent: AgentId;
  title: string;
  state: "untied" | "nothing" | "failed";
  files: UntiedFile[];
  notes: string[];
  problem?: Problem;
}

export interface UntiedFile {
  file: string;
  /**
   * `restored`: byte for byte as it was before. `taken-out`: others have changed it since, so only ours went. `removed`: Tacit
   * had made it. `already-gone`: nothing of ours was in it any more. `gone`: the file itself is not there any more.
   */
  how: "restored" | "taken-out" | "removed" | "already-gone" | "gone";
  /** What the file said; never to be shown whole. */
  before?: string;
  after?: string;
}

/**
 * Unties these agents, or all that are tied. A file that is as Tacit left it gets back the bytes it had, folders and files
 * that Tacit made go; of a file that others have changed only our part goes. Where the journal is lost, what is recognisably
 * ours goes. What cannot be written is told in the answer and does not hold up the others.
 */
export function uninstall(
  names: readonly string[] | undefined,
  place: Place,
  { dryRun = false }: { dryRun?: boolean } = {},
): Untied[] {
  const wanted = names ? [...new Set(names.map(getAgent))] : agents;
  const journal = readJournal(place.tacitHome);
  const untied = wanted.map((agent) => untieAgent(agent, place, journal, dryRun));
  return names ? untied : untied.filter(({ state, notes }) => state !== "nothing" || notes.length > 0);
}

function untieAgent(agent: Agent, place: Place, journal: JournalEntry[], dryRun: boolean): Untied {
  const result: Untied = { agent: agent.id, title: agent.title, state: "nothing", files: [], notes: [] };
  const tie = agent.findOtherTie?.(place);
  if (tie) result.notes.push(`Connected by ${tie.how}, which is not Tacit's to take away: ${tie.undo}`);
  const targets = agent.targets(place);
  const entries = journal.filter((entry) => entry.agent === agent.id);
  const unknown = targets.filter(({ file }) => entries.every((entry) => entry.file !== file));
  const works = [
    ...entries.map((entry) => ({
      file: entry.file,
      plan: () =>
        planUndo(
          entry,
          targets.find(({ name }) => name === entry.target),
        ),
      entry,
    })),
    ...unknown.map((target) => ({ file: target.file, plan: () => planTaking(target), entry: undefined })),
  ];
  for (const { file, plan, entry } of works) {
    try {
      const planned = untieFile(file, plan, dryRun);
      if (entry && !dryRun) forget(entry, place);
      if (!planned) continue;
      result.files.push(planned);
      result.state = result.problem ? "failed" : "untied";
    } catch (error) {
      result.state = "failed";
      result.problem ??= problemOf(error);
    }
  }
  return result;
}

const mostAttempts = 5;

function untieFile(file: string, plan: () => UntiedFile | undefined, dryRun: boolean): UntiedFile | undefined {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const planned = plan();
    if (!planned || planned.before === undefined || planned.before === planned.after) return planned;
    const why = whyNotWritable(file);
    if (why !== undefined) throw refused(file, why);
    if (dryRun) return planned;
    if (planned.after === undefined) {
      removeConfigFile(file, planned.before);
      return planned;
    }
    if (replaceConfigFile(file, planned.before, planned.after)) return planned;
  }
  throw refused(file, "is being written by somebody else all the time");
}

function planUndo(entry: JournalEntry, target: Target | undefined): UntiedFile | undefined {
  const { file, steps, isMade } = entry;
  const before = readConfigFile(file);
  if (before === undefined) return isMade && steps.length === 1 ? undefined : { file, how: "gone" };
  // Noted, and never written.
  if (hashOf(before) === steps[0]?.before) return undefined;
  const restored = restore(before, entry);
  if (restored !== undefined) {
    return isMade ? { file, how: "removed", before } : { file, how: "restored", before, after: restored };
  }
  if (!target) return { file, how: "already-gone" };
  const put = new Set(steps.flatMap((step) => step.put).map(String));
  const ours = { ...target, file, parts: target.parts.filter(({ at }) => put.has(String(at))) };
  return planTaking(ours, entry) ?? { file, how: "already-gone" };
}

/** The text as it was before the first step; undefined where others have changed it at any time since. */
function restore(text: string, { steps }: JournalEntry): string | undefined {
  let now = text;
  let index = steps.findLastIndex(({ after }) => after === hashOf(text));
  for (; index >= 0; index -= 1) {
    const step = steps[index];
    const earlier = step && revertEdits(now, step.edits);
    if (earlier === undefined || (step?.before !== null && hashOf(earlier) !== step?.before)) return undefined;
    now = earlier;
    if (index === 0) return now;
    if (steps[index - 1]?.after !== step?.before) return undefined;
  }
  return undefined;
}

/** Takes out what is ours, and nothing else; undefined where nothing is. */
function planTaking({ file, syntax, parts }: Target, entry?: JournalEntry): UntiedFile | undefined {
  const before = readConfigFile(file);
  if (before === undefined || !before.includes("tacit")) return undefined;
  const made = entry ? entry.steps.flatMap((step) => step.made) : undefined;
  const replaced = entry ? entry.steps.flatMap((step) => step.replaced) : [];
  let after = before;
  for (const part of parts) {
    const old = replaced.find(({ at }) => String(at) === String(part.at));
    // Without a journal, what is empty once ours is out was most likely made for it, and says nothing in any case.
    const holders = made ?? part.at.map((_, index) => part.at.slice(0, index + 1));
    after = takePart(syntax, file, after, part, { made: holders, replaced: old?.text }) ?? after;
  }
  if (after === before) return undefined;
  const isOursAlone = entry?.isMade === true && isEmptyDocument(syntax, file, after);
  return isOursAlone ? { file, how: "removed", before } : { file, how: "taken-out", before, after };
}

/** What was made for it goes where it is empty, and the entry with it. */
function forget(entry: JournalEntry, { tacitHome }: Place): void {
  for (const folder of entry.folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody has put something in, or removed it.
    }
  }
  changeJournal(tacitHome, (entries) => entries.filter(({ file }) => file !== entry.file));
}
