import { disarmLine } from "../../hygiene/quote-data.js";
import type { Memory } from "../../memory/memory.js";
import { isProjectFile } from "../../observer/scratchpad/scratchpad.js";
import { liesIn } from "../active-files/find-active-files.js";
import type { ActiveFiles } from "../active-files/active-files-queries.js";

const longestConstraint = 300;
const maxScope = 20;
const maxSteps = 20;

/** What must not be tried again, a line each: for a plan. It is text that sessions have led to, and steers no agent. */
export function constraintsFrom(deadEnds: readonly Memory[]): string[] {
  return [...new Set(deadEnds.map(constraintOf))];
}

function constraintOf({ content, data = {} }: Memory): string {
  const [tried, why, instead] = ["approachTried", "whyItFailed", "alternativeUsed"].map((name) => textIn(data[name]));
  if (!tried || !why) return shorten(disarmLine(content), longestConstraint);
  const parts = [`Not again: ${tried}`, `It failed: ${why}`, ...(instead ? [`What worked: ${instead}`] : [])];
  return parts.map((part) => shorten(sentence(disarmLine(part)), longestConstraint)).join(" ");
}

/**
 * The files that will have to change too, by what is known to hang together: those behind a file in play, or behind its module
 * where no file is known. What is in play already is not among them.
 */
export function scopeFrom(dependencies: readonly Memory[], { modules, files }: ActiveFiles): string[] {
  const isIn = (place: string) =>
    files.length > 0
      ? files.some((file) => file === place || file.startsWith(`${place}/`))
      : modules.some((module) => liesIn(place, module));
  const coupled = dependencies.flatMap(({ data = {}, relatedFiles }) => {
    const { changed, affected } = data;
    if (typeof changed === "string" && typeof affected === "string") return isIn(changed) ? [affected] : [];
    return relatedFiles.some(isIn) ? relatedFiles : [];
  });
  const added = coupled.filter((file) => isProjectFile(file) && !files.includes(file) && disarmLine(file) === file);
  return [...new Set(added)].slice(0, maxScope);
}

/** A way of doing something that has worked before. */
export interface Recipe {
  /** Of the memory. */
  id: string;
  task: string;
  steps: string[];
}

/** The recipe in a memory; undefined where it has no steps. */
export function recipeFrom({ id, data = {} }: Memory): Recipe | undefined {
  const { taskPattern, steps } = data;
  if (typeof taskPattern !== "string" || !Array.isArray(steps)) return undefined;
  const told = steps
    .flatMap((step) => (typeof step === "object" && step !== null && !Array.isArray(step) ? [step] : []))
    .toSorted((a, b) => Number(a["order"] ?? 0) - Number(b["order"] ?? 0))
    .map(({ description }) => shorten(disarmLine(textIn(description)), longestConstraint))
    .filter((step) => step !== "");
  return told.length > 0 ? { id, task: disarmLine(taskPattern), steps: told.slice(0, maxSteps) } : undefined;
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function sentence(text: string): string {
  return /[.!?…]["”’)]?$/.test(text) ? text : `${text}.`;
}

function shorten(text: string, length: number): string {
  const letters = Array.from(text);
  return letters.length <= length
    ? text
    : `${letters
        .slice(0, length - 1)
        .join("")
        .trimEnd()}…`;
}
