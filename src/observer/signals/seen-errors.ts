import { oncePerPad } from "../scratchpad/once-per-pad.js";
import { findReverts } from "../scratchpad/reverts.js";
import type { Action, Scratchpad, SpokenSaying } from "../scratchpad/session-view.js";
import { hasFailed, hasPassed } from "./action-evidence.js";
import { projectFiles } from "../scratchpad/project-files.js";
import { code, codes, shorten } from "./wording.js";

/** An error of a session, as the project's statistics of errors keep it. */
export interface SeenError {
  /** Of an error without a message it stands for its command and exit code, which is all that tells it from others. */
  fingerprint: string;
  tool: string;
  /** Empty where the output had no line of a known shape. */
  message: string;
  file?: string;
  occurrences: number;
  /** What was done between its last occurrence and the same command without it; absent: it was not resolved. */
  resolvedHow?: string;
  orders: number[];
}

/** How an error went away. */
export interface Fix {
  /** Of the project, edited. */
  files: string[];
  /** Those of them that the session had changed itself before the error came, and the one that the error points to. */
  ownFiles: string[];
  /** Commands that were run, among them the failed one where it was given another form. */
  commands: string[];
  causes: SpokenSaying[];
  actions: Action[];
  /** What was looked at and run from its last occurrence on, to find it out. */
  looks: Action[];
  /** The run that no longer showed the error. */
  retry: Action;
}

export interface SolvedError extends SeenError {
  /** Where it occurred, oldest first; `at` is the index of the last among all actions. */
  actions: Action[];
  at: number;
  fix?: Fix;
}

/** Every error of a session with what was done about it, in the order of their first occurrence. */
export const findErrors: (pad: Scratchpad) => readonly SolvedError[] = oncePerPad((pad) => {
  const errors = new Map<string, SolvedError>();
  for (const [index, action] of pad.actions.entries()) {
    const { error } = action;
    // A search that finds nothing is no error.
    if (!error || !hasFailed(action) || action.does === "search") continue;
    const { fingerprint } = error;
    const seen = errors.get(fingerprint) ?? {
      fingerprint,
      tool: action.command?.name ?? action.tool,
      message: error.message,
      occurrences: 0,
      orders: [],
      actions: [],
      at: index,
    };
    seen.at = index;
    seen.occurrences++;
    seen.orders.push(action.order);
    seen.actions.push(action);
    if (error.file !== undefined) seen.file ??= error.file;
    errors.set(fingerprint, seen);
  }
  const runs = groupByName(pad.actions);
  // What only takes back an earlier edit, a print for debugging for example, has mended nothing.
  const reverts = new Set(errors.size === 0 ? [] : findReverts(pad.actions).map(({ revert }) => revert));
  for (const seen of errors.values()) {
    const fix = findFix(pad, seen, runs, reverts);
    if (!fix) continue;
    seen.fix = fix;
    seen.resolvedHow = wordingOf(fix);
    seen.orders.push(...fix.actions.map(({ order }) => order), ...fix.causes.map(({ order }) => order));
    seen.orders.push(fix.retry.order);
  }
  return [...errors.values()];
});

/** By what a later action is recognised as the same again. */
function nameOf({ command, tool }: Action): string {
  return command?.name ?? tool;
}

/** The indexes of the actions of each name. */
function groupByName(actions: readonly Action[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, action] of actions.entries()) {
    const group = groups.get(nameOf(action));
    if (group) group.push(index);
    else groups.set(nameOf(action), [index]);
  }
  return groups;
}

// What comes later is other work. It also keeps a session of nothing but failures from taking the square of its length.
const maxBetween = 150;
const maxRetries = 15;

/**
 * What was done after the last occurrence until the same was run again without the error, where a run passes in the end.
 * Undefined where nothing was done: a test that fails and passes by itself tells nothing about its error.
 */
function findFix(
  pad: Scratchpad,
  { actions, at }: SolvedError,
  runs: Map<string, number[]>,
  reverts: ReadonlySet<Action>,
): Fix | undefined {
  const last = actions.at(-1);
  const all = last && runs.get(nameOf(last));
  if (!all) return undefined;
  const next = firstAfter(all, (index) => index > at);
  const retries = all.slice(next, next + maxRetries).filter((index) => isSame(pad.actions[index], last));
  const retry = pad.actions[retries[0] ?? -1];
  if (!retry || (retries[0] ?? 0) - at > maxBetween) return undefined;
  if (!retries.some((index) => hasPassed(pad.actions[index] as Action))) return undefined;
  const between = pad.actions.slice(at + 1, retries[0]);
  const edits = between.filter((action) => action.does === "edit" && hasPassed(action) && !reverts.has(action));
  const remedies = between.filter(isRemedy);
  const isReformed = edits.length + remedies.length === 0 && hasPassed(retry) && isOtherForm(retry, last);
  const commands = [...new Set([...remedies, ...(isReformed ? [retry] : [])].map(coreOf))];
  const files = [...new Set(edits.flatMap(projectFiles))];
  if (files.length + commands.length === 0) return undefined;
  const said = firstAfter(pad.sayings, ({ order }) => order > last.order);
  const causes = pad.sayings
    .slice(said, said + maxBetween)
    .filter(({ is, order }) => is === "cause" && order < retry.order)
    .slice(-2);
  const own = new Set(actions.flatMap(({ error }) => error?.file ?? []));
  for (const action of pad.actions.slice(Math.max(0, at - maxBetween), at)) {
    if (action.does === "edit") for (const file of projectFiles(action)) own.add(file);
  }
  const ownFiles = files.filter((file) => own.has(file));
  const looks = between.filter(({ does }) => does !== "edit");
  return { files, ownFiles, commands, causes, actions: [...edits, ...remedies], looks, retry };
}

/** The first index of a sorted list from which on a condition holds; its length where it never does. */
function firstAfter<Item>(list: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether a later action is the same again: the same file for a tool, the same or more tests for a command. */
function isSame(later: Action | undefined, failed: Action): boolean {
  if (!later || later.does !== failed.does) return false;
  if (!failed.command || !later.command) return failed.files?.[0] === later.files?.[0];
  const targets = later.command.targets ?? [];
  if (targets.length === 0)
    return isRepeatable(failed) || coreOf(later) === coreOf(failed) || isOtherForm(later, failed);
  const asked = failed.command.targets ?? [];
  if (asked.length > 0) return asked.every((target) => targets.includes(target));
  return failed.error?.file !== undefined && targets.includes(failed.error.file);
}

/** A command whose name alone says what it does; `node` and `python` can do anything. */
function isRepeatable({ command }: Action): boolean {
  return command !== undefined && ["test", "build", "check", "install"].includes(command.purpose);
}

/** The same beginning with other options or settings: `npm install` and `npm install --legacy-peer-deps`. */
function isOtherForm(later: Action, failed: Action): boolean {
  const [words, before] = [coreOf(later).split(" "), coreOf(failed).split(" ")];
  return before.length > 1 && words.length > before.length && before.every((word) => words.includes(word));
}

/** A command without what only concerns its output: pipes, redirections, the folder it starts in. */
function coreOf({ command }: Action): string {
  return bareLine(command?.line ?? "");
}

function bareLine(line: string): string {
  const single = line.replace(/^\s*cd\s+\S+\s*&&\s*/, "");
  const end = single.search(/\s(?:\d?>|\||2>&1)/);
  return shorten(end === -1 ? single : single.slice(0, end), 160);
}

/** A command between that can have helped: one that changes something, and is not just another look. */
function isRemedy(action: Action): boolean {
  const { command } = action;
  if (!command || !hasPassed(action)) return false;
  return ["install", "build", "other"].includes(command.purpose) || /^git (?:submodule|lfs)/.test(command.name);
}

function wordingOf({ files, commands, causes }: Fix): string {
  const parts = [
    files.length > 0 && `edited ${codes(files.slice(0, 3))}${files.length > 3 ? ` and ${files.length - 3} more` : ""}`,
    commands.length > 0 &&
      `ran ${commands
        .slice(0, 2)
        .map((line) => code(line))
        .join(" and ")}`,
    causes.length > 0 && `said: ${causes[0]?.text}`,
  ];
  return shorten(parts.filter((part) => part !== false).join("; "), 400);
}
