import { rmdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { MemoryError } from "../base/memory-error.js";
import { agents } from "./agents/known-agents.js";
import type { Agent, AgentId, Target } from "./agents/agent.js";
import {
  hashOf,
  readConfigFile,
  refused,
  removeConfigFile,
  replaceConfigFile,
  sweepUnfinished,
  whyNotWritable,
} from "./config-files/config-file.js";
import { isEmptyDocument, isSameBeside, lenient, removePart } from "./config-files/document.js";
import { getAgent, problemOf, type Problem } from "./plan-install.js";
import { changeJournal, readJournal, type JournalEntry } from "./journal.js";
import { isOursUnreadable } from "./list-connections.js";
import type { Machine } from "./agents/machine.js";
import { revertEdits } from "./config-files/text-edit.js";

/** What came of disconnecting one agent, or what would. */
export interface Disconnected {
  agent: AgentId;
  title: string;
  state: "disconnected" | "nothing" | "failed";
  files: DisconnectedFile[];
  notes: string[];
  problem?: Problem;
}

export interface DisconnectedFile {
  file: string;
  /**
   * `restored`: byte for byte as it was before. `taken-out`: only ours went, because others have changed the file since, or
   * because it is not known how it was before. `removed`: Tacit had made it. `already-gone`: nothing of ours was in it any
   * more. `gone`: the file itself is not there any more.
   */
  how: "restored" | "taken-out" | "removed" | "already-gone" | "gone";
  /** What the file said; never to be shown whole. */
  before?: string;
  after?: string;
}

/**
 * Disconnects these agents, or all that are connected. A file that is as Tacit left it gets back the bytes it had, folders and
 * files that Tacit made go; of a file that others have changed only our part goes. Where the journal is lost, what is
 * recognisably ours goes. What cannot be written is told in the answer and does not hold up the others.
 */
export function uninstall(
  names: readonly string[] | undefined,
  place: Machine,
  { dryRun = false }: { dryRun?: boolean } = {},
): Disconnected[] {
  const wanted = names ? [...new Set(names.map(getAgent))] : agents;
  const journal = readJournal(place.tacitHome);
  const disconnected = wanted.map((agent) => disconnectAgent(agent, place, journal, dryRun));
  return names ? disconnected : disconnected.filter(({ state, notes }) => state !== "nothing" || notes.length > 0);
}

function disconnectAgent(agent: Agent, place: Machine, journal: JournalEntry[], dryRun: boolean): Disconnected {
  const result: Disconnected = { agent: agent.id, title: agent.title, state: "nothing", files: [], notes: [] };
  const other = agent.findOtherConnection?.(place);
  if (other) result.notes.push(`Connected by ${other.how}, which is not Tacit's to take away: ${other.undo}`);
  const targets = agent.targets(place);
  const entries = journal.filter((entry) => entry.agent === agent.id);
  const unknown = targets.filter(({ file }) => entries.every((entry) => entry.file !== file));
  const works = [
    ...entries.map((entry) => ({ file: entry.file, plan: () => planUndo(entry, targets, place), entry })),
    ...unknown.map((target) => ({ file: target.file, plan: () => planTaking(target), entry: undefined })),
  ];
  for (const { file, plan, entry } of works) {
    try {
      if (!dryRun) sweepUnfinished(file);
      const planned = disconnectFile(file, plan, dryRun);
      if (entry && !dryRun) forget(entry, place);
      if (!planned) continue;
      result.files.push(planned);
      result.state = result.problem ? "failed" : "disconnected";
    } catch (error) {
      const problem = problemOf(error);
      // What nobody can read, and we never wrote to, is not our affair.
      if (!entry && !isOursUnreadable(file)) continue;
      result.state = "failed";
      result.problem ??= problem;
    }
  }
  return result;
}

const maxAttempts = 5;

function disconnectFile(
  file: string,
  plan: () => DisconnectedFile | undefined,
  dryRun: boolean,
): DisconnectedFile | undefined {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
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

function planUndo(entry: JournalEntry, targets: Target[], place: Machine): DisconnectedFile | undefined {
  const { file, steps, isMade } = entry;
  const target = ownTarget(entry, targets, place);
  const before = readConfigFile(file);
  if (before === undefined) return isMade && steps.length === 1 ? undefined : { file, how: "gone" };
  const [first] = steps;
  // Noted, and never written.
  if (first?.isFresh && hashOf(before) === first.before) return undefined;
  const restored = restore(before, entry);
  // What was noted is never reason to change what the rest of the file says.
  if (restored === undefined || !isSameBeside(lenient(target.syntax), file, before, restored, target.parts)) {
    return planTaking(target, entry) ?? { file, how: "already-gone" };
  }
  if (isMade) return { file, how: "removed", before };
  if (first?.isFresh) return { file, how: "restored", before, after: restored };
  // It came over an older installation, of whose journal nothing is known: that goes as well.
  return { file, how: "taken-out", before, after: takeParts(target, restored) };
}

/** The target that an entry is about. It may have moved since, but is still called as that agent's file is. */
function ownTarget({ agent, target, file }: JournalEntry, targets: Target[], { path }: Machine): Target {
  const own = targets.find(({ name }) => name === target);
  const names = own ? [path.basename(own.file), ...(own.otherNames ?? [])] : [];
  if (own && names.includes(path.basename(file))) return { ...own, file };
  throw new MemoryError(
    "config-invalid",
    `${file} is none of ${agent}'s files, and yet noted in installed.json in Tacit's folder.`,
    "Nothing was changed there. Move installed.json away: what is recognisably Tacit's can then still be taken out.",
  );
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
function planTaking(target: Target, entry?: JournalEntry): DisconnectedFile | undefined {
  const { file, syntax } = target;
  const before = readConfigFile(file);
  if (before === undefined) return undefined;
  const after = takeParts(target, before, entry);
  if (after === before) return undefined;
  const isOursAlone = entry?.isMade === true && isEmptyDocument(syntax, file, after);
  return isOursAlone ? { file, how: "removed", before } : { file, how: "taken-out", before, after };
}

function takeParts({ file, syntax, parts }: Target, text: string, entry?: JournalEntry): string {
  const steps = entry?.steps ?? [];
  const put = new Set(steps.flatMap((step) => step.put).map(String));
  const isKnown = steps[0]?.isFresh === true;
  const ours = parts.filter(({ at }) => !isKnown || put.has(String(at)));
  return ours.reduce((now, part) => {
    // What we put there is ours even where nothing beside it says so any more.
    const isOurs = (found: unknown, document: unknown) =>
      part.isOurs(found, document) || (put.has(String(part.at)) && isDeepStrictEqual(found, part.value));
    const old = steps.flatMap((step) => step.replaced).find(({ at }) => String(at) === String(part.at));
    // Without a journal, what is empty once ours is out was most likely made for it, and says nothing in any case.
    const holders = part.at.map((_, index) => part.at.slice(0, index + 1));
    const made = isKnown ? steps.flatMap((step) => step.made) : holders;
    const blanks = steps.flatMap((step) => step.blanks);
    return removePart(syntax, file, now, { ...part, isOurs }, { made, blanks, replaced: old?.text }) ?? now;
  }, text);
}

/** What was made for it goes where it is empty, and the entry with it. */
function forget({ file, folders }: JournalEntry, { tacitHome, path }: Machine): void {
  for (const folder of folders.filter((each) => file.startsWith(each + path.sep)).toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody has put something in, or removed it.
    }
  }
  changeJournal(tacitHome, (entries) => entries.filter((each) => each.file !== file));
}
