import { shortId } from "../../base/ids/ids.js";
import type { Json } from "../../base/base.js";
import { type Action, isVerification, type Scratchpad, verdictOf } from "../../observer/scratchpad/scratchpad.js";
import type { RecordedMemory } from "./injection-queries.js";

/** `cited`: the agent named it. `followed`: it did what the memory is about. */
export type Use = "cited" | "followed";

/**
 * What an agent made of a memory that it was told, by what the same agent did afterwards; undefined where neither was seen,
 * and in every doubt.
 *
 * - Any memory is cited where the agent names its short id: in what it says, in a command, in a commit.
 * - A gotcha, an error pattern or a dead end is followed where its error is known, one of its files was edited, the command
 *   that used to fail (or, where that is not known, a test, build or check) passed after the last such edit, and the error
 *   did not come back; where commands had helped, also where one of them was run and the error did not come back after it. A
 *   dead end must not have been entered: nothing that was tried in its files was given up.
 * - A causal dependency is followed where one of its files was edited and another one, not opened before, was opened.
 * - A module insight, a prefetch pattern or a recipe is followed where one of its files, not opened before, was opened, and
 *   what it says where to find was not searched for again.
 * - Of other types nobody can tell from deeds.
 */
export function useOf(told: { order: number }, memory: RecordedMemory, pad: Scratchpad): Use | undefined {
  if (isCited(told, memory, pad)) return "cited";
  return ways.get(memory.type)?.(told, memory, pad) ? "followed" : undefined;
}

type Way = typeof isHeeded;

const ways = new Map<string, Way>([
  ["gotcha", isHeeded],
  ["error_pattern", isHeeded],
  ["dead_end", isHeeded],
  ["causal_dependency", isMinded],
  ["module_insight", isOpened],
  ["prefetch_pattern", isOpened],
  ["workflow_recipe", isOpened],
]);

function isCited({ order }: { order: number }, { id }: RecordedMemory, pad: Scratchpad): boolean {
  const short = shortId(id);
  return (
    pad.cited.some((one) => one.order > order && one.shortId === short) ||
    pad.actions.some((action) => action.order > order && isAbout(action.command?.line ?? "", short)) ||
    pad.commits.some((commit) => commit.order > order && commit.message.includes(`#${short}`))
  );
}

/** A command that names a memory, unless it is to be rid of it. */
function isAbout(line: string, short: string): boolean {
  return line.includes(short) && !/\b(?:forget|purge|flag|reject|supersede)\b/.test(line);
}

function isHeeded({ order }: { order: number }, memory: RecordedMemory, pad: Scratchpad): boolean {
  const { relatedFiles, data, type } = memory;
  const isItsError = errorOf(memory);
  if (!isItsError) return false;
  const after = pad.actions.filter((action) => action.order > order);
  const lastError = after.findLast((action) => verdictOf(action) === "failed" && isItsError(action));
  if (type !== "dead_end" && hasRun(after, textsOf(data["fixedBy"]), lastError?.order ?? order)) return true;
  if (lastError) return false;
  const isEntered = pad
    .attempts()
    .some(({ first, fate, files }) => first > order && fate === "abandoned" && overlap(files, relatedFiles));
  const edit = after.findLast((action) => isEdit(action) && overlap(action.files, relatedFiles));
  if (!edit || (type === "dead_end" && isEntered)) return false;
  const [command] = textsOf(data["command"]);
  const isProof = (action: Action) =>
    command === undefined ? isVerification(action) : action.command?.name === command;
  return after.some((action) => action.order > edit.order && isProof(action) && verdictOf(action) === "passed");
}

/** Recognises the error that a memory is about; undefined where none is known. */
function errorOf({ subjects, data }: RecordedMemory): ((action: Action) => boolean) | undefined {
  const marks = subjects.flatMap(({ signal, subject }) => {
    if (signal === "error-retry") return [subject];
    const mark =
      signal === "dead-end" || subject.startsWith("error: ") ? /: ([\da-f]{16})$/.exec(subject)?.[1] : undefined;
    return mark === undefined ? [] : [mark];
  });
  const messages = textsOf(data["error"]);
  if (marks.length + messages.length === 0) return undefined;
  return ({ error }) => error !== undefined && (marks.includes(error.fingerprint) || messages.includes(error.message));
}

function hasRun(actions: readonly Action[], commands: readonly string[], after: number): boolean {
  return actions.some(
    (action) =>
      action.order > after &&
      verdictOf(action) === "passed" &&
      commands.some((command) => action.command?.line.includes(command)),
  );
}

function isMinded({ order }: { order: number }, { relatedFiles }: RecordedMemory, pad: Scratchpad): boolean {
  const opened = openedFirst(pad, order).filter((file) => relatedFiles.includes(file));
  const edited = pad.actions.filter(isEdit).flatMap(({ files = [] }) => files);
  return opened.some((file) => edited.some((other) => other !== file && relatedFiles.includes(other)));
}

function isOpened({ order }: { order: number }, memory: RecordedMemory, pad: Scratchpad): boolean {
  const { relatedFiles, data } = memory;
  const [lookedFor] = textsOf(data["lookedFor"]);
  const isSearchedAgain =
    lookedFor !== undefined &&
    pad.actions.some((action) => action.order > order && action.search?.pattern.includes(lookedFor));
  const named = [data["alwaysReadFiles"], data["frequentlyReadFiles"]].flatMap(textsOf);
  return !isSearchedAgain && overlap(openedFirst(pad, order), [...relatedFiles, ...named]);
}

/** Files that an agent opened after a moment and not before. */
function openedFirst({ actions }: Scratchpad, order: number): string[] {
  const opening = actions.filter(
    (action) => (action.does === "read" || isEdit(action)) && verdictOf(action) === "passed",
  );
  const before = new Set(opening.filter((action) => action.order <= order).flatMap(({ files = [] }) => files));
  const after = opening.filter((action) => action.order > order).flatMap(({ files = [] }) => files);
  return after.filter((file) => !before.has(file));
}

function isEdit(action: Action): boolean {
  return action.does === "edit" && verdictOf(action) === "passed";
}

function overlap(files: readonly string[] = [], others: readonly string[]): boolean {
  return files.some((file) => others.includes(file));
}

function textsOf(value: Json | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string" && one !== "") as string[];
}
