import type { Json } from "../../base/base.js";
import type { WorkUnit } from "../../memory/memory.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf, hasFailed, timeOf } from "./action-evidence.js";
import { listFinishedUnits, type FinishedUnit } from "../scratchpad/finished-units.js";
import { namedFiles } from "./named-files.js";
import { newestText, textsOf } from "./past-data.js";
import { numbersOf } from "./past-numbers.js";
import { isProjectFile, projectFiles } from "../scratchpad/project-files.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { code, sentence, shorten } from "./wording.js";

const maxFiles = 10;

/**
 * How a piece of work ended: what came of it, in which files, in how many steps. One that was only begun, one of which
 * nothing is to be told (no summary, nothing edited), and sessions that have no such pieces show nothing.
 */
export const workUnit: Signal = {
  name: "work-unit",
  wording: { by: "agent" },
  diagnostic: 0.8,
  crossSession: 0.5,
  falsePositives: 0.25,
  promotesTo: ["work_unit_outcome"],
  sessions: 1,
  detect,
  compose,
};

function detect(pad: Scratchpad): Sighting[] {
  // One that failed and was done again ended as it ended last.
  const byKey = new Map(listFinishedUnits(pad).map((unit) => [unit.key, unit]));
  if (byKey.size === 0) return [];
  const takenBack = listTakenBack(pad);
  return [...byKey.values()].flatMap((unit) => sightingOf(unit, takenBack) ?? []);
}

/** Files that were only edited in attempts that were given up. */
export function listTakenBack(pad: Scratchpad): ReadonlySet<string> {
  const attempts = pad.attempts();
  const kept = new Set(attempts.filter(({ fate }) => fate !== "abandoned").flatMap(({ files }) => files));
  const abandoned = attempts.filter(({ fate }) => fate === "abandoned").flatMap(({ files }) => files);
  return new Set(abandoned.filter((file) => !kept.has(file)));
}

function sightingOf(done: FinishedUnit, takenBack: ReadonlySet<string>): Sighting | undefined {
  const { unit, key, started, finished, plannedSteps, doneSteps, actions } = done;
  const edits = actions.filter((action) => action.does === "edit" && !hasFailed(action));
  const files = [...new Set(edits.flatMap(projectFiles))].filter((file) => !takenBack.has(file));
  const summary = finished.summary?.trim();
  if (!summary && files.length === 0) return undefined;
  const hasWorked = finished.state === "succeeded";
  const error = hasWorked ? undefined : actions.findLast(hasFailed)?.error?.message;
  return {
    signal: "work-unit",
    subject: `${key} ${finished.state}`,
    // Not its edits: what an attempt that was given up did is no part of what came of it.
    orders: [...(started ? [started.order] : []), finished.order],
    data: {
      label: unit.label,
      unit: { methodology: unit.methodology, hierarchy: [...unit.hierarchy], label: unit.label },
      succeeded: hasWorked,
      files: files.slice(0, maxFiles),
      steps: doneSteps,
      ...(plannedSteps !== undefined && { planned: plannedSteps }),
      ...(summary && { summary: shorten(summary, 300) }),
      ...(error && { error }),
    },
    evidence: [
      ...(started ? [{ at: timeOf(started.at), did: `began ${shorten(unit.label, 120)}` }] : []),
      ...evidenceOf(edits).slice(0, 8),
      { at: timeOf(finished.at), did: hasWorked ? "finished it" : "could not finish it" },
    ],
  };
}

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const latest = sightings.at(-1);
  const label = newestText(sightings, "label");
  if (!latest || !label) return undefined;
  const hasWorked = latest.data.succeeded === true;
  const [summary, error] = ["summary", "error"].map((name) => newestText([latest], name));
  const files = textsOf(latest, "files").filter(isProjectFile);
  const [done] = numbersOf([latest], "steps");
  const [planned] = numbersOf([latest], "planned");
  const steps = planned && done ? `, in ${done} steps where ${planned} were planned` : "";
  const verb = hasWorked ? "It changed" : "It had changed";
  const unit = unitOf(latest.data.unit);
  return {
    type: "work_unit_outcome",
    content: [
      sentence(`“${shorten(label, 120)}” ${hasWorked ? "is done" : "failed"}${summary ? `: ${summary}` : ""}`),
      error && !summary?.includes(error) && `The last error was ${code(error)}.`,
      files.length > 0 && `${verb} ${namedFiles(files)}${steps}.`,
    ]
      .filter(Boolean)
      .join(" "),
    data: {
      outcome: hasWorked ? "success" : "failure",
      files,
      ...(done !== undefined && { stepsDone: done }),
      ...(planned !== undefined && { stepsPlanned: planned }),
    },
    relatedFiles: files,
    ...(unit && { workUnit: unit }),
  };
}

/** A piece of work as data holds it. */
export function unitOf(value: Json | undefined): WorkUnit | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { methodology, hierarchy, label } = value;
  const isWhole = typeof methodology === "string" && typeof label === "string" && Array.isArray(hierarchy);
  return isWhole ? { methodology, label, hierarchy: hierarchy.filter((part) => typeof part === "string") } : undefined;
}
