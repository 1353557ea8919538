import { queryWords } from "../../base/text/text.js";
import { moduleOf } from "../scratchpad/module-of.js";
import { isConfigFile } from "../scratchpad/config-files.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { commonSteps, type CommonSteps, type PastStep } from "./common-steps.js";
import { evidenceOf } from "./action-evidence.js";
import { textOf } from "./past-data.js";
import { listSteps, type RecipeStep } from "./recipe-steps.js";
import type { Draft, History, PastSighting, Sighting, Signal } from "./signal.js";
import { findTask } from "./find-task.js";
import { isTestFile } from "./touched-files.js";
import { code, codes } from "./wording.js";

/**
 * A way of working in several steps that leads to success and comes back: a command that few sessions run between edits,
 * or edits in the same places each time. It must not see the loop of every day (edit, test, edit, test), nor commands
 * that some sessions happen to share while they do different things.
 */
export const toolSequence: Signal = {
  name: "tool-sequence",
  wording: { by: "command", optional: ["task"], terms: ["edit", "run", "tool", "check", "other"] },
  diagnostic: 0.7,
  crossSession: 0.8,
  falsePositives: 0.3,
  promotesTo: ["workflow_recipe"],
  sessions: 3,
  detect,
  compose,
};

const reach = 8;
const maxOfAKind = 30;

// What sessions have in common can only be seen when they are side by side. So a sighting is about one step that a recipe
// would be known by, and holds the steps around it; `compose` takes what is common to them.
function detect(pad: Scratchpad): Sighting[] {
  const isGivenUp = givenUpIn(pad);
  // What was tried in vain beside them is no part of it, and must not take it along.
  const steps = listSteps(pad).flatMap((step) => {
    const actions = step.actions.filter(({ order }) => !isGivenUp(order));
    return actions.length > 0 ? [{ ...step, actions }] : [];
  });
  const hasEndedWell = pad.end?.outcome === "success";
  const byTool = new Map<string, Sighting>();
  const byTurn = new Map<string, Sighting>();
  for (const [index, step] of steps.entries()) {
    const from = Math.max(0, index - reach);
    if (step.kind === "tool") {
      const last = lastCheck(steps, index) ?? (hasEndedWell ? Math.min(steps.length - 1, index + reach) : undefined);
      if (last !== undefined) add(byTool, step.key, from, index, last);
    } else if (step.kind === "check" && steps[index + 1]?.kind !== "check") {
      const before = steps.slice(from, index);
      if (before.some(({ kind }) => kind === "tool")) continue;
      const edits = before.flatMap(({ kind }, offset) => (kind === "edit" ? [from + offset] : []));
      for (const [subject, at] of listTurns(steps, edits)) add(byTurn, subject, from, at, index);
    }
  }
  return [...byTool.values(), ...byTurn.values()];

  function add(sightings: Map<string, Sighting>, subject: string, from: number, at: number, to: number): void {
    if (sightings.has(subject) || sightings.size >= maxOfAKind) return;
    const used = steps.slice(from, to + 1);
    const actions = used.map((step) => step.actions[0]).filter((action) => action !== undefined);
    const asked = findTask(pad, steps[at]?.actions[0]?.order ?? 0);
    sightings.set(subject, {
      signal: "tool-sequence",
      subject,
      orders: [...(asked ? [asked.order] : []), ...actions.map(({ order }) => order)].filter(
        (order) => !isGivenUp(order),
      ),
      data: {
        steps: used.map(({ key, kind, what }) => ({ key, kind, what })),
        at: at - from,
        task: asked?.text ?? "",
      },
      evidence: evidenceOf(actions),
    });
  }
}

/** Tells of an order whether it lies in an attempt that was given up. */
function givenUpIn(pad: Scratchpad): (order: number) => boolean {
  const abandoned = pad.attempts().filter(({ fate }) => fate === "abandoned");
  return (order) => abandoned.some(({ first, last }) => order >= first && order <= last);
}

/** The last check that passed within reach of a step. */
function lastCheck(steps: readonly RecipeStep[], index: number): number | undefined {
  for (let last = Math.min(steps.length - 1, index + reach); last > index; last--) {
    if (steps[last]?.kind === "check") return last;
  }
  return undefined;
}

/** By two files of different folders that were edited one after the other: where the second of them was. */
function listTurns(steps: readonly RecipeStep[], edits: readonly number[]): Map<string, number> {
  const turns = new Map<string, number>();
  for (const [index, later] of edits.entries()) {
    for (const earlier of edits.slice(0, index)) {
      const [a, b] = [steps[earlier]?.what[0], steps[later]?.what[0]];
      if (a === undefined || b === undefined || isTestFile(a) || isTestFile(b) || folderOf(a) === folderOf(b)) continue;
      turns.set(`edit ${a} → edit ${b}`, later);
    }
  }
  return turns;
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/") + 1);
}

const leastSteps = 4;
// The rest may be checks, which every session runs between whatever else it does.
const leastOwnSteps = 3;
// Of the sessions that came by the same step, and for a recipe of edits alone of those that had the files.
const leastShare = 0.6;

function compose(_subject: string, sightings: readonly PastSighting[], history: History): Draft | undefined {
  // Which of the steps belong to it is only told by sessions, and not by two agents of one.
  if (sightings.length < toolSequence.sessions) return undefined;
  const found = commonSteps(sightings, toolSequence.sessions);
  if (!found || found.supporting.length / sightings.length < leastShare || !isRecipe(found, history)) return undefined;
  const { steps, supporting } = found;
  const newest = supporting.at(-1)?.at ?? "";
  const words = commonWords(supporting);
  // Edits alone are a way of doing something only where it can be said of what.
  if (words.length === 0 && !steps.some(({ kind }) => kind === "tool")) return undefined;
  const edited = [...new Set(steps.flatMap(({ files }) => files))];
  const modules = [...new Set(edited.map(moduleOf))].filter((module) => module !== ".");
  const taskPattern = words.length > 0 ? words.join(" ") : `change in ${modules[0] ?? edited[0] ?? "the project"}`;
  const told = steps.map(describe);
  return {
    type: "workflow_recipe",
    content: `For “${taskPattern}”: ${told.slice(0, -1).join(", ")}, then ${told.at(-1)}.`,
    data: {
      taskPattern,
      steps: steps.map((step, order) => ({
        order: order + 1,
        description: describe(step),
        ...(step.files[0] !== undefined && { canonicalFile: step.files[0] }),
      })),
      ...(!Number.isNaN(Date.parse(newest)) && { lastValidatedAt: new Date(newest).toISOString() }),
      successCount: supporting.length,
    },
    relatedFiles: edited,
    relatedModules: modules,
  };
}

/** More than the loop of every day: a command of its own with an edit, or edits that go to the same places each time. */
function isRecipe({ steps, supporting }: CommonSteps, history: History): boolean {
  const own = steps.filter(({ kind }) => kind !== "check");
  const edits = steps.filter(({ kind }) => kind === "edit");
  if (steps.length < leastSteps || own.length < leastOwnSteps || edits.length === 0) return false;
  if (steps.some(({ kind }) => kind === "tool")) return true;
  const fixed = edits
    .flatMap(({ files, isFixed }) => (isFixed ? files : []))
    .filter((file) => !isTestFile(file) && !isConfigFile(file))
    .filter((file) => supporting.length / Math.max(1, history.sessionsOfFile(file)) >= leastShare);
  return new Set(fixed.map(folderOf)).size >= 2;
}

function describe({ kind, files, isFixed, command }: PastStep): string {
  if (kind !== "edit") return `run ${code(command)}`;
  return isFixed ? `edit ${codes(files)}` : `edit a file like ${codes(files)}`;
}

const maxWords = 6;
const courtesy = /^(?:please|kindly|thanks|thank|help|hi|hello)$/i;

/** The words that what was asked for has in common, in the order of the newest. */
function commonWords(sightings: readonly PastSighting[]): string[] {
  const tasks = sightings.map((sighting) => queryWords(textOf(sighting, "task") ?? "").words);
  const others = tasks.slice(0, -1).map((words) => new Set(words.map(({ token }) => token)));
  const common = (tasks.at(-1) ?? []).filter(
    ({ text, token }) => !courtesy.test(text) && others.every((tokens) => tokens.has(token)),
  );
  return common.slice(0, maxWords).map(({ text }) => text.toLowerCase());
}
