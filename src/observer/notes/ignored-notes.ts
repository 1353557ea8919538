import { posix } from "node:path";
import type { Ignoring } from "../../project/ignore/ignore.js";
import type { Call, Note, Result, UntrustedSource } from "../observer.js";
import { commandLine } from "./call-of.js";
import { linesRun, namesIgnored } from "./ignored-commands.js";
import { pathsIn, withoutPaths } from "./ignored-paths.js";
import { takenByGit } from "../tools/taken-by-git.js";
import type { PathBase } from "../tools/related-path.js";

/** Takes out of notes what is ignored. Of a call it leaves that there was one, and whether it brought untrusted words. */
export interface IgnoredNotes {
  /** Whether a call names what is ignored, by a path or as a command. Its result is judged by the same id. */
  judge: (id: string, call: Call, asked: { input: unknown; place: PathBase }) => boolean;
  /** A note without what is ignored; undefined where nothing is left of it. */
  strip: (note: Note) => Note | undefined;
}

// Far more than are ever under way at once.
const maxCalls = 500;

/** What an ignored call is said to have shown: that it did must stay known, and what it was must not. */
export const somethingIgnored = "something ignored";

export function openIgnoredNotes(ignoring: Ignoring, root: string): IgnoredNotes {
  const judged = new Map<string, boolean>();
  // An adapter tells of a commit together with the call that made it.
  let isLastIgnored = false;
  const isIgnored = (path: string) => ignoring.path(path) !== undefined;
  const place = { root };
  const clean = (text: string) => withoutPaths(text, place, isIgnored);
  return {
    judge: (id, call, asked) => {
      const is = isIgnoredCall(call, asked, ignoring);
      judged.delete(id);
      judged.set(id, is);
      isLastIgnored = is;
      const [oldest] = judged.keys();
      if (judged.size > maxCalls && oldest !== undefined) judged.delete(oldest);
      return is;
    },
    strip: (note) => {
      switch (note.kind) {
        case "call":
          return judged.get(note.call) === true ? bareCall(note) : note;
        case "result":
          isLastIgnored = judged.get(note.call) === true;
          return isLastIgnored ? bareResult(note) : withoutIgnored(note, isIgnored, place);
        case "prompt":
          return { ...note, text: clean(note.text) };
        case "said": {
          const sayings = note.sayings.filter(({ text }) => clean(text) === text);
          return sayings.length === 0 && !note.cites ? undefined : { ...note, sayings };
        }
        case "commit":
          if (isLastIgnored) return undefined;
          return {
            ...note,
            message: clean(note.message),
            files: note.files.filter((file) => !isIgnored(file)),
          };
        case "qa":
          return { ...note, issues: note.issues.filter((issue) => !isAbout(issue, isIgnored, clean)) };
        case "unit":
          return note.summary === undefined ? note : { ...note, summary: clean(note.summary) };
        case "start":
        case "subagent":
          return note.task === undefined ? note : { ...note, task: clean(note.task) };
        case "end":
          return note.reason === undefined ? note : { ...note, reason: clean(note.reason) };
        case "step":
        case "remember":
        case "injected":
        case "compacted":
        default:
          // Counts, marks and places of Tacit's own.
          return note;
      }
    },
  };
}

function isIgnoredCall(call: Call, { input, place }: { input: unknown; place: PathBase }, ignoring: Ignoring): boolean {
  const isIgnored = (path: string) => ignoring.path(path) !== undefined;
  const { files = [], shows = [], copies = [], makes = [], search, command } = call;
  const named = [...files, ...shows, ...copies, ...makes, ...(command?.restores ?? []), ...(command?.targets ?? [])];
  if (named.some(isIgnored)) return true;
  // A search is told by its folder and a pattern of names behind it.
  if (search && [search.where, search.by === "name" ? search.pattern : undefined].some((at) => at && isIgnored(at))) {
    return true;
  }
  const fields = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  const line = command && commandLine(fields);
  if (line !== undefined) {
    return ignoring.command(linesRun(line, place)) || namesIgnored(line, place, ignoring);
  }
  // Of tools that are known it is known which of their fields are paths.
  if (call.does !== "other" && call.does !== "fetch") return false;
  return textsIn(fields).some((text) => pathsIn(text, place).some(isIgnored));
}

const longestText = 2000;
const maxTexts = 200;

function textsIn(value: unknown, depth = 0, texts: string[] = []): string[] {
  if (texts.length >= maxTexts || depth > 4) return texts;
  if (typeof value === "string") texts.push(value.slice(0, longestText));
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) textsIn(inner, depth + 1, texts);
  return texts;
}

type CallNote = Extract<Note, { kind: "call" }>;
type ResultNote = Extract<Note, { kind: "result" }>;

/** Nobody can judge later where the words of something came from that is not named, so they count as untrusted. */
function bareCall(note: CallNote): Note {
  const { at, call, tool, does, late, outside, remembers, vouches, merges } = note;
  const taken = namesOthers(note) ? { from: "others" as const, what: "" } : undefined;
  const shows = outside ?? (isJudgedLater(note) ? { from: "file" as const, what: "" } : taken);
  return {
    kind: "call",
    at,
    call,
    tool,
    does,
    ...(late && { late }),
    ...(shows && { outside: unnamed(shows) }),
    ...(remembers !== undefined && { remembers }),
    ...(vouches && { vouches }),
    ...(merges && { merges }),
  };
}

/** Whether git was to show or take over another branch, of which nobody can ask later whose it is. A pull stands in git's log. */
function namesOthers({ command }: CallNote): boolean {
  const call = { ...(command && { command }) };
  return takenByGit(call, () => true).some(({ verb, target }) => target !== "" || verb === "am");
}

/** Whether what it showed are files, of which it is known at the end alone whose they are. */
function isJudgedLater({ does, files, shows, copies, search }: CallNote): boolean {
  return does !== "edit" && [files, shows, copies, search].some((shown) => shown !== undefined);
}

function bareResult({ at, call, failed, pending, bytes, durationMs, outside, instructions }: ResultNote): Note {
  const source = outside ?? (instructions ? { from: "instruction" as const, what: "" } : undefined);
  return {
    kind: "result",
    at,
    call,
    bytes,
    ...(failed !== undefined && { failed }),
    ...(pending && { pending }),
    ...(durationMs !== undefined && { durationMs }),
    ...(source && { outside: unnamed(source) }),
  };
}

function unnamed({ from }: UntrustedSource): UntrustedSource {
  return { from, what: somethingIgnored };
}

/** A result of something else may still show paths, and lead to them. */
function withoutIgnored(note: ResultNote, isIgnored: (path: string) => boolean, place: PathBase): Note {
  const { error, names, imports, outside, ...rest } = note;
  const shown = names?.filter((name) => !isIgnored(name)) ?? [];
  const imported = imports?.filter((name) => !isIgnoredImport(name, isIgnored)) ?? [];
  const isHidden = error !== undefined && pointsTo(error, isIgnored, place);
  const isNamed = outside !== undefined && pathsIn(outside.what, place).some(isIgnored);
  return {
    ...rest,
    ...(error && !isHidden && { error }),
    ...(shown.length > 0 && { names: shown }),
    ...(imported.length > 0 && { imports: imported }),
    ...(outside && { outside: isNamed ? unnamed(outside) : outside }),
  };
}

function pointsTo(error: NonNullable<Result["error"]>, isIgnored: (path: string) => boolean, place: PathBase): boolean {
  return (error.file !== undefined && isIgnored(error.file)) || pathsIn(error.message, place).some(isIgnored);
}

/** An import is written without its ending, and from a folder that is not noted with it. */
function isIgnoredImport(name: string, isIgnored: (path: string) => boolean): boolean {
  const path = posix.normalize(name.replace(/^(?:\.\.?\/)+/, ""));
  return path !== "." && isIgnored(path);
}

function isAbout(
  issue: Extract<Note, { kind: "qa" }>["issues"][number],
  isIgnored: (path: string) => boolean,
  clean: (text: string) => string,
): boolean {
  if (issue.file !== undefined && isIgnored(issue.file)) return true;
  return [issue.title, issue.description, issue.fix].some((text) => text !== undefined && clean(text) !== text);
}
