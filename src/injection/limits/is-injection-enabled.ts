import { MemoryError } from "../../base/memory-error.js";
import type { Settings } from "../../config/config.js";
import { injectionModes, type InjectOptions, type Moment } from "../injection.js";

/** Whether the configuration and the mode want something to be told, at a point or to a role of a build. */
export function isInjectionEnabled(
  { enabled, autoInject }: Pick<Settings, "enabled" | "autoInject">,
  { mode = "full" }: InjectOptions,
  point?: Moment["point"],
): boolean {
  // What is told is noted, so that it is told once; where nothing may be noted, nothing is told.
  if (!enabled || !autoInject || mode === "none") return false;
  return mode === "full" || point === undefined || point === "session-start" || point === "prompt";
}

/** Refuses options that are none: with a mode or a floor that nobody knows, everything would be told. */
export function checkOptions({ mode = "full", ...numbers }: InjectOptions): void {
  refuseUnless(injectionModes.includes(mode), "mode", `one of ${injectionModes.join(", ")}`);
  const { minConfidence, maxMemories, minScore, budgetTokens, deadlineMs } = numbers;
  for (const [name, value] of Object.entries({ minConfidence, maxMemories, minScore, budgetTokens, deadlineMs })) {
    refuseUnless(value === undefined || (typeof value === "number" && value >= 0), name, "a number from 0");
  }
}

/** Refuses a moment that is none, in words of ours. */
export function checkMoment(moment: Moment): void {
  const { point, files, prompt, touched, searches, reads } = (moment ?? {}) as Partial<Record<string, unknown>>;
  refuseUnless(points.includes(point as Moment["point"]), "point", `one of ${points.join(", ")}`);
  refuseUnless(point !== "prompt" || typeof prompt === "string", "prompt", "a text");
  for (const [name, value] of Object.entries({ files, touched, searches, reads })) {
    const isNeeded = point === "file-read" && name === "files";
    refuseUnless((value === undefined && !isNeeded) || areTexts(value), name, "a list of texts");
  }
}

const points: readonly Moment["point"][] = ["session-start", "prompt", "file-read", "step"];

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function refuseUnless(fits: boolean, name: string, what: string): void {
  if (!fits) throw new MemoryError("invalid-input", `${name} of an injection must be ${what}.`, `Give ${what}.`);
}
