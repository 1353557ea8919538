import type { Command } from "../observer.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { hasPassed } from "./action-evidence.js";
import { listEdits } from "./touched-files.js";
import { typedLine } from "./typed-line.js";

/** A step of a way of working, in a form that is the same in every session. */
export interface RecipeStep {
  /** `edit src/api/*.ts`, `run npm run gen`. */
  key: string;
  /** The files that were edited, or the command as it was typed. */
  what: string[];
  /** A `check` tells whether it worked; a `tool` does something that not every session does. */
  kind: "edit" | "tool" | "check" | "other";
  actions: Action[];
}

const maxFiles = 4;

/** What a session changed and ran with success, in its order; the same step several times in a row is one. */
export function listSteps(pad: Scratchpad): RecipeStep[] {
  const steps: RecipeStep[] = [];
  const edits = listEdits(pad);
  const abandoned = pad.attempts().filter(({ fate }) => fate === "abandoned");
  for (const action of pad.actions) {
    // What was given up is no part of a way that leads to success, and does not make what lies around it wrong.
    if (abandoned.some(({ first, last }) => action.order >= first && action.order <= last)) continue;
    for (const file of edits.get(action) ?? [])
      add({ key: `edit ${kindOfFile(file)}`, what: [file], kind: "edit" }, action);
    if (action.does !== "run" || !action.command || !hasPassed(action)) continue;
    const run = runOf(action.command);
    if (run) add(run, action);
  }
  return steps;

  function add(step: Omit<RecipeStep, "actions">, action: Action): void {
    const last = steps.at(-1);
    if (last?.key !== step.key) {
      steps.push({ ...step, actions: [action] });
      return;
    }
    if (last.actions.at(-1) !== action) last.actions.push(action);
    for (const file of step.what) {
      if (last.what.length < maxFiles && !last.what.includes(file)) last.what.push(file);
    }
  }
}

/** Files like it: those of its folder with its ending. */
function kindOfFile(file: string): string {
  const cut = file.lastIndexOf("/") + 1;
  const dot = file.indexOf(".", cut + 1);
  return dot === -1 ? file : `${file.slice(0, cut)}*${file.slice(dot)}`;
}

function runOf(command: Command): Omit<RecipeStep, "actions"> | undefined {
  const { purpose } = command;
  const name = nameOf(command);
  if (name === undefined || purpose === "look" || purpose === "version-control" || purpose === "network")
    return undefined;
  if (idle.test(name) || stays.test(name)) return undefined;
  const isCheck = purpose === "test" || purpose === "check" || purpose === "build";
  const kind = isTool(command, name) ? "tool" : isCheck ? "check" : "other";
  return { key: `run ${name}`, what: [typedLine(command) || name], kind };
}

const longestName = 60;
const idle =
  /^(?:cd|echo|printf|sleep|true|test|mkdir|cp|mv|rm|ln|touch|chmod|kill|pkill|export|source|which|pwd|date|env|tacit)\b/;
// What runs until it is stopped is surroundings, not a step.
const stays = /[\s:](?:dev|start|serve|server|watch|preview)$/;

function isTool({ purpose }: Command, name: string): boolean {
  if (purpose === "build")
    return !/(?:^|[\s/])(?:build|compile|tsc|make|package|bundle|webpack|rollup|esbuild)$/.test(name);
  return purpose === "other" && !/(?:^|[\s:/])(?:format|fmt|prettier|oxfmt|gofmt|black|lint|fix)\b/.test(name);
}

/** What a command is called; undefined for an interpreter alone, which may do anything. */
function nameOf({ name }: Command): string | undefined {
  if (/^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|bash|sh|zsh|npx|uvx)$/.test(name)) return undefined;
  return name === "" || name.length > longestName || /[`\p{C}]/u.test(name) ? undefined : name;
}
