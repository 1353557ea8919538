import { asksForMerge, isMergingTool } from "../tools/asks-for-merge.js";
import { browserDeed, deedOf, isOwnWork } from "../tools/tool-deeds.js";
import { asksTacit } from "../untrusted-sources/asks-tacit.js";
import { commandSource } from "../untrusted-sources/command-source.js";
import { untrustedSourceOf } from "../untrusted-sources/untrusted-source-of.js";
import { wholeRunsOf, runsOf, type Run } from "../tools/command-runs.js";
import { deedOfCommand } from "../tools/deed-of-command.js";
import { editMarks } from "../tools/edit-marks.js";
import { memoryMark, unknownMark } from "./memory-mark.js";
import type { Call } from "../observer.js";
import { patchFiles } from "../tools/patch-files.js";
import { plainLine } from "../../base/input/input.js";
import { absolutePath, relatedPath, type PathBase } from "../tools/related-path.js";
import { commandOf } from "../tools/command-of.js";
import { plainWords } from "../tools/shell-program.js";
import { shownFiles } from "../tools/shown-files.js";

/** What an agent asked of a tool. */
interface Asked {
  tool: string;
  input: Record<string, unknown>;
  does?: Call["does"] | undefined;
  /** The adapter knows it to be Tacit's own. */
  own?: boolean | undefined;
}

const maxFiles = 100;

/** A call as notes hold it, whatever the agent's tools and their inputs are called. */
export function callOf({ tool: name, input, does: told, own }: Asked, place: PathBase): Call {
  const tool = plainLine(name, 100);
  const named = told ?? deedOf(tool, input);
  // Whatever a tool that orders the agent's own work is called: what it is given to run is judged as that.
  const isRunning = named === "other" && isOwnWork(tool) && tool !== "SlashCommand" && commandLine(input) !== undefined;
  const does = isRunning ? "run" : named;
  const call: Call = { ...madeCall(tool, does, input, place), ...(own && { own: true }) };
  // Who says that a tool reads a file vouches for it.
  const isVouchedFor = told !== undefined && told !== "fetch" && told !== "other" && call.files !== undefined;
  const outside = call.outside ?? untrustedSourceOf(call, place.root);
  return outside === undefined || (isVouchedFor && outside.from === "mcp" && !tool.startsWith("mcp__"))
    ? call
    : { ...call, outside };
}

function madeCall(tool: string, does: Call["does"], input: Record<string, unknown>, from: PathBase): Call {
  const given = does === "run" ? commandLine(input) : undefined;
  // There it shows a file, in other shells what a name stands for.
  const line = /powershell|pwsh/i.test(tool) ? given?.replace(/(^|[;|&({]\s{0,9})type(?=\s)/gim, "$1cat") : given;
  const place = line === undefined ? from : workplaceOf(input, from);
  if (line?.trimStart().startsWith("*** Begin Patch")) return edited(tool, { patch: line }, place);
  if (line !== undefined && line.trim() !== "") return ran(tool, line, place, isSentOff(input));
  const remembers = remembering(tool, input);
  const url = does === "fetch" || does === "other" ? urlOf(textOf(input, ["url", "uri", "href", "link"])) : undefined;
  const on = does === "fetch" || does === "other" ? workedOn(tool, input) : "";
  const shared: Call = {
    tool,
    does,
    ...(url !== undefined && { url }),
    ...(on !== "" && { on }),
    ...(remembers !== undefined && { remembers }),
    ...(mayAct.has(does) && isMergingTool(tool, input) && { merges: true as const }),
  };
  if (does === "edit") return { ...edited(tool, input, place), ...shared };
  if (does === "search") return { ...shared, ...searched(tool, input, place) };
  if (does === "fetch") return shared;
  return { ...shared, ...filesOf(input, place) };
}

const mayAct: ReadonlySet<Call["does"]> = new Set(["run", "fetch", "other"]);

/** Whether a command is to go on in the background, as Claude Code, Gemini CLI and Cursor call it. */
function isSentOff(input: Record<string, unknown>): boolean {
  return ["run_in_background", "is_background", "background", "runInBackground"].some((name) => input[name] === true);
}

function ran(tool: string, line: string, place: PathBase, isInBackground: boolean): Call {
  const runs = runsOf(line, place);
  const isPosing = posesAsPerson(line, runs);
  const remembers = isPosing ? unknownMark : runs.map(rememberedBy).find((mark) => mark !== undefined);
  const deed = deedOfCommand(runs);
  // The whole line: what comes from outside may stand behind what a note keeps of it.
  const { shows: shown = [], copies, makes, unclear: open } = shownFiles(wholeRunsOf(line, place));
  const source = commandSource(line, place);
  const started = source.lines.map((own) => shownFiles(wholeRunsOf(own.line, own.place)));
  // What find puts in there, it lists itself.
  const startedShow = started.flatMap((own) => own.shows ?? []).filter((path) => !/\{[/.]*\}/.test(path));
  const shows = [...new Set([...shown, ...startedShow])];
  const unclear = open ?? started.map((own) => own.unclear).find((word) => word !== undefined);
  const outside = source.outside ?? (unclear === undefined ? undefined : { from: "command" as const, what: unclear });
  const isLook = deed.does === "read" || deed.does === "search";
  const others = isLook ? shows.filter((path) => !deed.files?.includes(path)) : shows;
  return {
    tool,
    ...deed,
    ...(others.length > 0 && { shows: others }),
    ...(copies && !isLook && { copies }),
    ...(makes && !isLook && { makes }),
    ...(source.runs.length > 0 && { runs: source.runs }),
    ...(source.ruledBy.length > 0 && { ruledBy: source.ruledBy }),
    ...(source.builds.length > 0 && { builds: source.builds }),
    ...(outside && { outside }),
    ...(asksTacit(line) && { asksTacit: true as const }),
    command: { ...commandOf(line, runs), ...(isInBackground && { background: true }) },
    ...(remembers !== undefined && { remembers }),
    ...((isPosing || runs.some(isVouching)) && { vouches: true }),
    ...(asksForMerge(line) && { merges: true as const }),
  };
}

/** Where a tool was told to run: its relative paths begin there. */
export function workplaceOf(input: Record<string, unknown>, place: PathBase): PathBase {
  const folder = textOf(input, workplaceNames);
  return folder === undefined ? place : { root: place.root, directory: absolutePath(folder, place) };
}

const workplaceNames =
  "workdir cwd Cwd directory dir working_directory workingDirectory working_dir workingDir dir_path".split(" ");

/** The command line of a tool that runs one: a text, or its words. */
export function commandLine(input: Record<string, unknown>): string | undefined {
  const command = input["command"] ?? input["cmd"] ?? input["commandLine"] ?? input["CommandLine"] ?? input["script"];
  if (typeof command === "string") return command;
  if (!Array.isArray(command)) return undefined;
  const words = command.slice(0, 200).filter((word): word is string => typeof word === "string");
  if (words[0] === "apply_patch") return words[1];
  const inner =
    /^(?:\S*\/)?(?:ba|z|da)?sh$/.test(words[0] ?? "") && /^-[a-z]*c$/.test(words[1] ?? "") ? words[2] : undefined;
  return inner ?? words.map((word) => (/[^\w@%+=:,./-]/.test(word) ? `'${word.replaceAll("'", "")}'` : word)).join(" ");
}

const patchNames = ["patch", "patchText", "patch_text", "diff", "input"];
const pathNames =
  "file_path filePath notebook_path notebookPath path filename fileName file target_file targetFile absolute_path relative_workspace_path uri".split(
    " ",
  );

function edited(tool: string, input: Record<string, unknown>, place: PathBase): Call {
  const edit = editMarks(input);
  const patch = textOf(input, patchNames) ?? "";
  const makes = [...patch.slice(0, 200_000).matchAll(added)]
    .slice(0, maxFiles)
    .map(([, agent, unified]) => relatedPath(agent ?? unified, place))
    .filter((path) => path !== undefined);
  return { tool, does: "edit", ...filesOf(input, place), ...(makes.length > 0 && { makes }), ...(edit && { edit }) };
}

const added = /^\*\*\* Add File: (.{1,500})$|^--- \/dev\/null\r?\n\+\+\+ (?:b\/)?([^\t\r\n]{1,500})/gm;

function filesOf(input: Record<string, unknown>, place: PathBase): { files?: string[] } {
  const paths: unknown[] = pathNames.map((name) => input[name]);
  for (const name of ["paths", "files", "file_paths", "filePaths", "edits", "changes"]) {
    const list = input[name];
    if (Array.isArray(list)) for (const item of list.slice(0, maxFiles)) paths.push(pathOfItem(item));
  }
  const patch = textOf(input, patchNames);
  if (patch !== undefined) paths.push(...patchFiles(patch).slice(0, maxFiles));
  const files = new Set<string>();
  for (const path of paths) {
    const related = typeof path === "string" ? relatedPath(path, place) : undefined;
    if (related !== undefined && related !== ".") files.add(related);
  }
  return files.size > 0 ? { files: [...files].slice(0, maxFiles) } : {};
}

function pathOfItem(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  return textOf(item as Record<string, unknown>, pathNames);
}

const patternNames =
  "pattern query regex search searchTerm search_term term text q glob glob_pattern globPattern file_pattern name".split(
    " ",
  );

function searched(tool: string, input: Record<string, unknown>, place: PathBase): Pick<Call, "search" | "files"> {
  const pattern = plainLine(textOf(input, patternNames), 200);
  // Asked about a place in a file, as a language server is.
  const file = pattern === "" ? relatedPath(textOf(input, ["filePath", "file_path"]), place) : undefined;
  if (pattern === "") return file === undefined ? {} : { files: [file] };
  const folder = textOf(input, ["path", "directory", "dir", "folder", "cwd", "target_directory"]);
  const within = folder === undefined ? undefined : relatedPath(folder, place);
  const glob = textOf(input, ["glob", "include", "include_pattern", "file_pattern", "filePattern"]);
  const isGlobPattern = glob !== undefined && plainLine(glob, 200) === pattern;
  const parts = [within === "." ? undefined : within, isGlobPattern ? undefined : plainLine(glob, 100)];
  const where = parts.filter(Boolean).join("/");
  const isByName = isGlobPattern || /glob|find_?files?|file_?search|list_?files|search_?files_?by_?name/i.test(tool);
  return { search: { pattern, ...(where !== "" && { where }), by: isByName ? "name" : "text" } };
}

/** Host and path of an address: what stands behind a question mark may be anybody's secret. */
function urlOf(given: string | undefined): string | undefined {
  if (given === undefined || given.length > 4000) return undefined;
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`);
    return plainLine(url.host + (url.pathname === "/" ? "" : url.pathname), 300) || undefined;
  } catch {
    return undefined;
  }
}

/** What a tool of a browser acts on, as the agent calls it. What is typed there may be anybody's secret. */
function workedOn(tool: string, input: Record<string, unknown>): string {
  if (browserDeed(tool) !== "act") return "";
  const typesText = /fill|type|select|press/i.test(tool);
  return plainLine(textOf(input, typesText ? fieldNames : ["text", ...fieldNames]), 80);
}

const fieldNames = "element label field name placeholder selector key".split(" ");

/** Of a call that asks Tacit to remember something: the mark of its text. */
function remembering(tool: string, input: Record<string, unknown>): string | undefined {
  if (
    !/^(?:mcp__\w*(?:tacit|memory)\w*__)?(?:tacit_)?(?:remember|store_memory|record_memory|add_memory)$/i.test(tool)
  ) {
    return undefined;
  }
  const content = textOf(input, ["content", "text", "memory", "note"]);
  return content === undefined || content.trim() === "" ? undefined : memoryMark(content);
}

/**
 * A hook that an agent runs by itself may say that a person typed something, and so may a Claude Code that it starts. What
 * is made of that, nobody here knows.
 */
function posesAsPerson(line: string, runs: readonly Run[]): boolean {
  return runs.some((run) => {
    if (isTacit(run)) return /^(?:hook|observe)\b/.test(plainWords(run.args, rememberValues).join(" "));
    return run.program === "claude" && line.includes("/tacit:");
  });
}

function isTacit({ program }: Run): boolean {
  return program === "tacit" || program === "tacit-memory";
}

/** `tacit remember "…"` in a shell. */
function rememberedBy(run: Run): string | undefined {
  if (!isTacit(run)) return undefined;
  const [verb, content] = plainWords(run.args, rememberValues);
  if (verb !== "remember" || content === undefined) return undefined;
  // What a shell fills in, or another program prints, nobody here knows.
  return content === "-" || /\$[\w({]|`/.test(content) ? unknownMark : memoryMark(content);
}

/** `tacit verify REF`, `tacit review accept REF`: what an agent says so is no person's word. */
function isVouching(run: Run): boolean {
  return isTacit(run) && /^(?:verify|review (?:accept|edit))\b/.test(plainWords(run.args, rememberValues).join(" "));
}

const rememberValues =
  "--type --file --module --tag --name --confidence --metadata --session --expires --data --alias --db --project".split(
    " ",
  );

function textOf(input: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = input[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}
