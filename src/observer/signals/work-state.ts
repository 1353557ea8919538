import type { OrderedNote, Scratchpad } from "../scratchpad/session-view.js";
import { isVerification, verdictOf } from "../scratchpad/verdicts.js";
import { evidenceOf, hasPassed, timeOf } from "./action-evidence.js";
import { unitKey } from "../scratchpad/finished-units.js";
import { namedFiles } from "./named-files.js";
import { newestText, textsOf } from "./past-data.js";
import { isProjectFile, projectFiles } from "../scratchpad/project-files.js";
import type { SignalContext, Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { findTask } from "./find-task.js";
import { code, sentence, shorten } from "./wording.js";
import { listTakenBack, unitOf } from "./work-unit.js";

const maxFiles = 6;
const longest = 600;

/**
 * A session ends and its work does not: it failed or was given up, a piece of work was begun and not ended, or the last check
 * failed. Where things stand is worth knowing for whoever goes on. Sessions in which nothing was edited and no piece of work
 * was begun show nothing, and neither does one that goes on.
 */
export const workState: Signal = {
  name: "work-state",
  wording: { by: "agent" },
  diagnostic: 0.85,
  crossSession: 0.8,
  falsePositives: 0.15,
  promotesTo: ["work_state"],
  sessions: 1,
  detect,
  compose,
};

/** By this, states of the same work are found again. */
export const stateTag = "unfinished";

/** What a state is about: a piece of work, or else the branch. The same for all sessions that work on it. */
export function stateAbout({
  unit,
  branch,
}: {
  unit?: OrderedNote<"unit"> | undefined;
  branch?: string | undefined;
}): string {
  if (unit) return `unit ${unitKey(unit.unit)}`;
  return branch === undefined ? "no branch" : `branch ${branch}`;
}

/** Files that were edited and not taken back, of all agents of a session, those edited last first. */
export function listEdited(pads: readonly Scratchpad[]): string[] {
  const edits = pads
    .flatMap((pad) => {
      const takenBack = listTakenBack(pad);
      const passed = pad.actions.filter((action) => action.does === "edit" && hasPassed(action));
      return passed.flatMap((action) =>
        projectFiles(action).map((file) => ({ file, at: action.at, isKept: !takenBack.has(file) })),
      );
    })
    .filter(({ isKept }) => isKept);
  return [...new Set(edits.toSorted((a, b) => b.at - a.at).map(({ file }) => file))];
}

function detect(pad: Scratchpad, { pads, outcome, branch }: SignalContext): Sighting[] {
  if (pad.agentId !== undefined || outcome === undefined || outcome === "running") return [];
  const unit = findUnit(pad);
  const check = findRedCheck(pad);
  const files = listEdited(pads);
  const isUnfinished = outcome !== "success" || unit?.state === "started" || check !== undefined;
  if (!isUnfinished || (files.length === 0 && unit === undefined)) return [];
  const last = lastOrder(pad);
  const task = unit ? undefined : findTask(pad, last);
  const plan = pad.sayings.findLast(({ is, text }) => is === "plan" && !text.includes("[redacted:"));
  const edits = pad.actions.filter((action) => action.does === "edit" && hasPassed(action)).slice(-5);
  const about = stateAbout({ unit, branch });
  return [
    {
      signal: "work-state",
      // Each session leaves its own; which one still holds is decided when it is written.
      subject: `${about} ${timeOf(pad.start?.at ?? pad.actions[0]?.at ?? 0)}`,
      // What came from outside at any time may stand behind how things stand at the end.
      orders: [last],
      data: {
        about,
        ...(unit && { unit: { ...unit.unit, hierarchy: [...unit.unit.hierarchy] } }),
        ...(task && { task: task.text }),
        ...(branch !== undefined && { branch: shorten(branch, 100) }),
        files: files.slice(0, maxFiles),
        ...(check?.command && { check: check.command.name }),
        ...(check?.error?.message && { error: check.error.message }),
        ...(plan && { plan: shorten(plan.text, 200) }),
      },
      evidence: evidenceOf([...edits, ...(check ? [check] : [])], plan ? [plan] : []),
    },
  ];
}

/** The piece of work that was not brought to its end: the last one that was begun or that failed. */
function findUnit({ units }: Scratchpad): OrderedNote<"unit"> | undefined {
  const latest = new Map(units.map((note) => [unitKey(note.unit), note]));
  return [...latest.values()].findLast(({ state }) => state !== "succeeded");
}

/** The last check, where it failed and no quality report passed after it. */
function findRedCheck({ actions, qa }: Scratchpad) {
  const last = actions.findLast((action) => isVerification(action) && verdictOf(action) !== undefined);
  if (!last || verdictOf(last) !== "failed") return undefined;
  return qa.some(({ passed, order }) => passed && order > last.order) ? undefined : last;
}

function lastOrder({ actions, sayings, prompts, units, qa, commits, remembered, subagents, end }: Scratchpad): number {
  const lists = [actions, sayings, prompts, units, qa, commits, remembered, subagents];
  return Math.max(0, end?.order ?? 0, ...lists.map((list) => list.at(-1)?.order ?? 0));
}

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const latest = sightings.at(-1);
  if (!latest) return undefined;
  const [about, task, branch, check, error, plan] = ["about", "task", "branch", "check", "error", "plan"].map((name) =>
    newestText([latest], name),
  );
  const unit = unitOf(latest.data["unit"]);
  const files = textsOf(latest, "files").filter(isProjectFile);
  const what = unit ? `Work on “${shorten(unit.label, 120)}”` : task ? `The work on "${task}"` : "Work";
  const parts = [
    `${what} was left unfinished${branch === undefined ? "" : ` on branch ${code(branch, 60)}`}.`,
    check && `${code(check, 60)} still failed${error ? ` with ${code(error, 160)}` : ""}.`,
    files.length > 0 && `Edited last: ${namedFiles(files)}.`,
    plan && sentence(`The last plan was: "${plan}"`),
  ];
  return {
    type: "work_state",
    content: withinLength(parts.filter((part) => typeof part === "string" && part !== "") as string[]),
    data: {
      about: about ?? "",
      files,
      ...(check !== undefined && { check }),
      ...(error !== undefined && { error }),
      ...(plan !== undefined && { plan }),
    },
    relatedFiles: files,
    tags: [stateTag],
    // What was seen is certain; with 0.71 and a half-life of a week it would not be told after a long weekend.
    confidenceOffset: 0.1,
    ...(unit && { workUnit: unit, scope: "work_unit" }),
  };
}

/** Whole sentences, as many as there is room for; long paths may leave out what comes later. */
function withinLength(sentences: readonly string[]): string {
  let text = "";
  for (const one of sentences) if (text.length + one.length < longest) text = text === "" ? one : `${text} ${one}`;
  return text;
}
