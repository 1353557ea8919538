import type { Call } from "../observer.js";
import { markOf } from "./edit-marks.js";
import { plainLine } from "../../base/input/input.js";
import { fileWords } from "./option-values.js";
import { relatedPath } from "./related-path.js";
import type { Run } from "./command-runs.js";
import { plainWords } from "./shell-program.js";

/** What a command line did with files: `cat a.ts` reads, `rg -n foo src` searches, `sed -i` edits, the rest runs. */
export function deedOfCommand(runs: readonly Run[]): Pick<Call, "does" | "files" | "search" | "edit"> {
  const parts = runs.map(partOf);
  const files = unique(parts.flatMap((part) => part.files));
  const some = <K extends ProgramDeed["does"]>(does: K) => parts.find((part) => part.does === does);
  const withFiles = files.length > 0 ? { files } : {};
  if (some("run")) {
    const written = unique(parts.flatMap(({ does, files: own }) => (does === "run" || does === "edit" ? own : [])));
    return { does: "run", ...(written.length > 0 && { files: written }) };
  }
  const edited = some("edit");
  if (edited) {
    const text = runs.find(({ part }) => part.heredoc !== undefined)?.part.heredoc;
    const own = unique(parts.flatMap((part) => (part.does === "edit" ? part.files : [])));
    const edit =
      text === undefined ? undefined : { pairs: [], whole: markOf(text), lines: text.split("\n").length - 1 };
    return { does: "edit", files: own, ...(edit && own.length === 1 && { edit }) };
  }
  const first = parts.find(({ does }) => does === "read" || does === "search");
  if (first === undefined) return { does: "run" };
  const searching = parts.find((part) => part.search !== undefined);
  const search = searching?.search && inNames(searching.search, searching, first);
  return { does: first.does as "read" | "search", ...withFiles, ...(search && { search }) };
}

type Search = NonNullable<Call["search"]>;

interface ProgramDeed {
  does: "read" | "search" | "edit" | "run" | "nothing";
  files: string[];
  search?: Search;
  /** It prints names of files, so that what looks through its output looks for names. */
  lists?: boolean;
}

/** `ls | grep test` looks for names, `find … | xargs grep` for text. */
function inNames(search: Search, searching: ProgramDeed, first: ProgramDeed): Search {
  return first.lists && searching.does === "nothing" ? { ...search, by: "name" } : search;
}

const readers = new Set(["cat", "head", "tail", "less", "more", "bat", "batcat", "nl", "strings", "xxd", "diff"]);
const filters = new Set(
  "sort uniq wc cut tr column jq yq awk gawk sed rev tac fold paste comm xargs nl head tail cat less more grep rg".split(
    " ",
  ),
);
const nothings = new Set(
  "cd pushd popd echo printf export set unset true : pwd sleep wc which type date stat file test clear".split(" "),
);
const searchers = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack"]);
const searchValues = (
  "-A -B -C -m -g -t -T -e -f --glob --iglob --type --type-not --include --exclude --exclude-dir --max-count --context " +
  "--after-context --before-context -M --max-depth -d --sort --color --replace -j"
).split(" ");

function partOf(run: Run): ProgramDeed {
  const { program, args, part } = run;
  const written = part.writes.filter((path) => !/^(?:\/dev\/|&|nul$)/i.test(path));
  const writes = related(run, written);
  if (program === "tee") return { does: "edit", files: related(run, plainWords(args)) };
  if (program === "mv" || program === "cp" || program === "rm" || program === "touch" || program === "ln") {
    const paths = plainWords(args);
    const places = program === "rm" || program === "touch" ? [] : placesBelow(paths);
    const named = program === "cp" || program === "ln" ? paths.slice(-1) : paths;
    return { does: "run", files: related(run, [...named, ...places]) };
  }
  if (changesInPlace(program, args)) return { does: "edit", files: related(run, inPlaceFiles(program, args)) };
  const looked = lookOf(run);
  if (writes.length === 0) return looked;
  return looked.does === "run" ? { ...looked, files: writes } : { does: "edit", files: writes };
}

/** Where files go that are put into a folder, if the last word is one: nobody here looks. */
function placesBelow(paths: readonly string[]): string[] {
  const folder = paths.at(-1);
  if (paths.length < 2 || folder === undefined || /[^/.]\.\w{1,8}$/.test(folder)) return [];
  const names = paths.slice(0, -1).map((path) => path.replace(/\/+$/, "").split("/").at(-1) ?? "");
  return names
    .filter((name) => name !== "" && !/^\.{1,2}$/.test(name))
    .map((name) => `${folder.replace(/\/+$/, "")}/${name}`);
}

function lookOf(run: Run): ProgramDeed {
  const { program, args, part } = run;
  if (program === "" || (nothings.has(program) && !part.isFed)) return { does: "nothing", files: [] };
  if (searchers.has(program)) return searchOf(run, args);
  if (program === "git" && args[0] === "grep") return searchOf(run, withoutCommits(args.slice(1)));
  if (program === "find") return findOf(run);
  if (program === "fd" || program === "fdfind") return nameSearch(run, plainWords(args, [...searchValues, "-x", "-E"]));
  if (program === "ls" || program === "tree") return { does: "search", files: [], lists: true };
  if (part.isFed && filters.has(program)) return { does: "nothing", files: [] };
  if (readers.has(program)) {
    const paths = fileWords(program, args).filter((word) => word !== "-" && !/^[+\d]\d*$/.test(word));
    return {
      does: paths.length + part.reads.length > 0 ? "read" : "nothing",
      files: related(run, [...paths, ...part.reads]),
    };
  }
  if (["sed", "awk", "gawk", "jq", "yq"].includes(program)) {
    const hasScript = args.some((word) => word === "-e" || word === "-f" || word === "--expression");
    const words = plainWords(args, ["-e", "-f", "-F", "-v", "--expression", "--arg", "--argjson"]);
    return { does: "read", files: related(run, words.slice(hasScript ? 0 : 1)) };
  }
  return { does: "run", files: [] };
}

/** Of `git grep x HEAD~3 -- src` what is no commit. */
function withoutCommits(args: readonly string[]): string[] {
  return args.filter((word) => !/^(?:HEAD|@)(?:[~^].*)?$|^[\da-f]{7,40}$|^[\w-]+\/[\w./-]+\.\.|\.\.\w/.test(word));
}

function searchOf(run: Run, args: readonly string[]): ProgramDeed {
  const named = args.findIndex((word) => word === "-e" || word === "--regexp");
  // To ripgrep -r gives a replacement, to grep it means every folder.
  const words = plainWords(args, [...searchValues, "--regexp", ...(run.program === "rg" ? ["-r"] : [])]);
  if (args.includes("--files")) return nameSearch(run, [globOf(args) ?? "", ...words]);
  const pattern = named === -1 ? words.shift() : args[named + 1];
  // A grep behind a pipe looks at what another program prints; only what it looks for is known.
  const isFilter = run.part.isFed && !run.isByXargs;
  const where = isFilter ? undefined : pathOf(run, words[0]);
  // Of several places the first is named; those outside of the project must not go unseen.
  const elsewhere = isFilter ? [] : related(run, words.slice(1, 20)).filter((path) => /^(?:\/|[a-z]:)/i.test(path));
  return {
    does: isFilter ? "nothing" : "search",
    files: elsewhere,
    ...(pattern !== undefined && { search: searchFor(pattern, where, "text") }),
  };
}

function findOf(run: Run): ProgramDeed {
  const { args } = run;
  const acts = args.findIndex((word) => /^-(?:exec|execdir|ok|delete)$/.test(word));
  if (acts !== -1 && !/^(?:grep|egrep|rg|cat|head|ls|wc|stat|file)$/.test(args[acts + 1] ?? "")) {
    return { does: "run", files: [] };
  }
  const at = args.findIndex((word) => /^-(?:i?name|i?path|i?regex|wholename)$/.test(word));
  const first = args[0];
  const where = first === undefined || first.startsWith("-") ? undefined : pathOf(run, first);
  const pattern = at === -1 ? undefined : args[at + 1];
  const search = pattern === undefined ? undefined : searchFor(pattern, where, "name");
  return { does: "search", files: [], lists: true, ...(search && { search }) };
}

function nameSearch(run: Run, [pattern, folder]: readonly string[]): ProgramDeed {
  const search = pattern ? searchFor(pattern, pathOf(run, folder), "name") : undefined;
  return { does: "search", files: [], lists: true, ...(search && { search }) };
}

function globOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => word === "-g" || word === "--glob" || word === "--iglob");
  return at === -1 ? undefined : args[at + 1];
}

function searchFor(pattern: string, where: string | undefined, by: "text" | "name"): Search {
  return { pattern: plainLine(pattern, 200), ...(where !== undefined && { where }), by };
}

function pathOf(run: Run, path: string | undefined): string | undefined {
  const where = path === undefined ? undefined : relatedPath(path, run.place);
  return where === "." ? undefined : where;
}

function changesInPlace(program: string, args: readonly string[]): boolean {
  if (program === "sed") return args.some((word) => /^-[nErsz]*i|^--in-place/.test(word));
  return (program === "perl" || program === "ruby") && args.some((word) => /^-[a-z0-9]*i/.test(word));
}

function inPlaceFiles(program: string, args: readonly string[]): string[] {
  const hasScript = args.some((word) => word === "-e" || word === "--expression");
  if (program !== "sed")
    return plainWords(args, ["-e", "-pe", "-ne", "-pie", "-i"]).slice(args.some(isPerlCode) ? 0 : 1);
  // macOS wants a suffix behind -i, and most give it none.
  const words = plainWords(
    args.filter((word) => word !== ""),
    ["-e", "--expression", "-f"],
  );
  return words.slice(hasScript ? 0 : 1);
}

function isPerlCode(word: string): boolean {
  return /^-[a-z0-9]*e$/.test(word);
}

function related(run: Run, paths: readonly string[]): string[] {
  return paths
    .filter((path) => !/[*?$`{}<>|]|…/.test(path))
    .map((path) => relatedPath(path, run.place))
    .filter((path): path is string => path !== undefined && path !== ".");
}

function unique(files: readonly (string | undefined)[]): string[] {
  return [...new Set(files.filter((file) => file !== undefined))].slice(0, 100);
}
