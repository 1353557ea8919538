import { neutralise } from "../hygiene/neutralise.js";
import type { WorkState } from "./methodology.js";

// About 500 model tokens: work state is one thing among several that a session begins with.
const maxLetters = 2000;

const headings: readonly (readonly [key: string, heading: string])[] = [
  ["done", "Done"],
  ["left", "Left to do"],
  ["blocked", "Blocked"],
];

/**
 * Where work stands, as text: what is done, what is left, what is blocked, then whatever else the state says. Empty for a
 * state that says nothing. A state is what some process has written, so anything may be in it.
 */
export function formatWorkState(state: WorkState): string {
  const known = new Set(headings.map(([key]) => key));
  const others = Object.keys(state).filter((key) => !known.has(key));
  const parts = [...headings, ...others.map((key) => [key, oneLine(key)] as const)].flatMap(([key, heading]) => {
    const value = Object.hasOwn(state, key) ? state[key] : undefined;
    const entries = (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== "");
    if (entries.length === 0) return [];
    if (!Array.isArray(value)) return [`${heading}: ${entries.join("")}`];
    return [`${heading}:\n${entries.map((entry) => `- ${entry}`).join("\n")}`];
  });
  const text = parts.join("\n");
  return text.length <= maxLetters ? text : `${Array.from(text.slice(0, maxLetters)).slice(0, -1).join("")}…`;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return oneLine(typeof value === "string" ? value : JSON.stringify(value));
}

function oneLine(text: string): string {
  return neutralise(wholeText(text).replace(/\s+/g, " ").trim());
}

/** The state in whole characters: half of one, or a NUL, is refused by hygiene and would take all of the state with it. */
export function wholeState(state: WorkState): WorkState {
  return JSON.parse(JSON.stringify(state), (_key, value: unknown) => {
    if (typeof value === "string") return wholeText(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wholeText(key), inner as unknown]));
  }) as WorkState;
}

export function wholeText(text: string): string {
  return text.replaceAll(/[\0\p{Surrogate}]/gu, "\u{fffd}");
}
