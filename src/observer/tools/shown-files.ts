import { runsOf, type Run } from "./command-runs.js";
import { filesNamedInCode } from "./files-named-in-code.js";
import type { Call } from "../observer.js";
import { relatedPath, type PathBase } from "./related-path.js";
import type { ShellPart } from "./shell-parts.js";
import { plainWords } from "./shell-program.js";

const maxPaths = 50;

/**
 * Whose content a command line puts on the screen or into other files, whatever else it does. Where it leaves the choice
 * to the shell, what it may choose from: `docs/*.md`.
 */
export function shownFiles(runs: readonly Run[], depth = 0): Pick<Call, "shows" | "copies" | "makes"> {
  const shows = new Set<string>();
  const copies = new Set<string>();
  const makes = new Set<string>();
  const variables: Variables = new Map();
  /** What the programs before it in the pipe print the names of. */
  let listed: string[] = [];
  for (const [index, run] of runs.entries()) {
    if (!run.part.isFed) listed = [];
    for (const part of run.before) setVariables(variables, part, run.place, depth);
    if (run.program === "read" && run.part.isFed) for (const name of run.args) addTo(variables, name, listed);
    const inner = depth < 2 ? run.part.inner.map((line) => runsOf(line, run.place)) : [];
    const nested = inner.map((own) => shownFiles(own, depth + 1));
    const words = (given: readonly string[]) => filled(given, variables, inner);
    const taken = [...takenBy(run, words, listed), ...nested.flatMap((own) => own.shows ?? [])];
    for (const path of taken) (isSeen(runs, index) ? shows : copies).add(path);
    for (const path of [...copiedBy(run, words), ...nested.flatMap((own) => own.copies ?? [])]) copies.add(path);
    for (const path of madeBy(run)) makes.add(path);
    listed = passing.has(run.program) && run.part.isFed ? listed : related(run.place, listedBy(run, words));
  }
  return { ...some("shows", shows), ...some("copies", copies), ...some("makes", makes) };
}

function some<K extends string>(name: K, paths: ReadonlySet<string>): { [N in K]?: string[] } {
  return (paths.size > 0 ? { [name]: [...paths].slice(0, maxPaths) } : {}) as { [N in K]?: string[] };
}

/** Whether what it prints reaches the screen, through whatever it is piped. */
function isSeen(runs: readonly Run[], index: number): boolean {
  for (let at = index; at < runs.length; at++) {
    const run = runs[at] as Run;
    if (at > index && !run.part.isFed) return true;
    if (run.part.isKept) return false;
  }
  return true;
}

type Variables = Map<string, string[]>;

function addTo(variables: Variables, name: string, values: readonly string[]): void {
  variables.set(name, [...(variables.get(name) ?? []), ...values].slice(0, maxPaths));
}

/** `for f in *.md` and `f=a.md`. */
function setVariables(variables: Variables, part: ShellPart, place: PathBase, depth: number): void {
  const { words } = part;
  const inner = depth < 2 ? part.inner.map((line) => runsOf(line, place)) : [];
  if (words[0] === "for" && words[1] !== undefined) {
    addTo(variables, words[1], filled(words.slice(words[2] === "in" ? 3 : 2), variables, inner));
  }
  for (const word of words) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.+)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) addTo(variables, name, filled([value], variables, inner));
  }
}

/** Words with the values of their variables, and with what `$(ls *.md)` gives. */
function filled(words: readonly string[], variables: Variables, inner: readonly Run[][]): string[] {
  return words.flatMap((word) => {
    if (word.includes("$(…)")) return inner.flatMap((runs) => runs.flatMap((run) => listedBy(run, (own) => [...own])));
    const [whole, name] = /\$\{?([A-Za-z_]\w*)\}?/.exec(word) ?? [];
    if (whole === undefined || name === undefined) return [word];
    return (variables.get(name) ?? []).map((value) => word.replace(whole, () => value));
  });
}

type Fill = (words: readonly string[]) => string[];

const readers =
  wordSet(`cat head tail less more bat batcat nl strings xxd od hexdump tac rev fold paste comm join column
  base64 sort uniq cut diff sdiff colordiff zcat gzcat zless bzcat xzcat iconv pr expand shuf`);
const readerValues = "-n -c -k -t -d -f -r -l -U -w -s --lines --bytes --line-range --language".split(" ");
const scripted = wordSet("sed awk gawk mawk jq yq");
const searchers = wordSet("grep egrep fgrep zgrep rg ag ack");
const searchValues = (
  "-A -B -C -m -g -t -T -e -f --glob --iglob --type --type-not --include --exclude --exclude-dir --max-count --context " +
  "--after-context --before-context -M --max-depth -d --sort --color --replace -j --regexp"
).split(" ");
const passing = wordSet("grep egrep rg sort uniq head tail sed awk tr cut tee");
const interpreters = /^(?:python|py|node|deno|bun|ruby|perl|php)[\d.]*$/;

function takenBy(run: Run, words: Fill, listed: readonly string[]): string[] {
  const { program, args, part, isByXargs } = run;
  const here = (paths: readonly string[]) => related(run.place, words(paths));
  const handed = isByXargs ? listed : [];
  if (readers.has(program)) return [...here([...plainWords(args, readerValues), ...part.reads]), ...handed];
  if (scripted.has(program)) {
    if (program === "sed" && args.some((word) => /^-[nErsz]*i|^--in-place/.test(word))) return [];
    const hasScript = args.some((word) => word === "-e" || word === "-f" || word === "--expression");
    const plain = plainWords(args, ["-e", "-f", "-F", "-v", "--expression", "--arg", "--argjson"]);
    return [...here([...plain.slice(hasScript ? 0 : 1), ...part.reads]), ...handed];
  }
  if (searchers.has(program)) return [...here([...searchedBy(run), ...part.reads]), ...handed];
  if (program === "find") {
    const at = args.findIndex((word) => /^-(?:exec|execdir|ok)$/.test(word));
    const acting = args[at + 1] ?? "";
    const isShowing = at !== -1 && (readers.has(acting) || scripted.has(acting) || /grep$|^(?:ba|z)?sh$/.test(acting));
    return isShowing ? here(listedBy(run, words)) : [];
  }
  if (program === "git") return args.includes("--no-index") ? here(plainWords(args).slice(1)) : [];
  if (!interpreters.test(program)) return [];
  const at = args.findIndex((word) => /^-[a-z]*[ecp]$|^--(?:eval|print)$/.test(word));
  const code = `${at === -1 ? "" : (args[at + 1] ?? "")}\n${part.heredoc ?? ""}`;
  // Behind a program of one line that reads line by line come its files.
  const lines = /^(?:perl|ruby)$/.test(program) && args.some((word) => /^-[a-z]*[np][a-z]*$/.test(word));
  const isInPlace = args.some((word) => /^-[a-z0-9]*i/.test(word));
  return here([...filesNamedInCode(code), ...(lines && !isInPlace ? args.slice(at + 2) : []), ...part.reads]);
}

/** What a search shows lines of. One that is piped to looks at nothing else; one for names shows none. */
function searchedBy({ program, args, part, isByXargs }: Run): string[] {
  if (
    args.some((word) => /^-[a-zA-Z]*[lLcq]|^--(?:files|count|quiet|files-with-matches|files-without-match)$/.test(word))
  )
    return [];
  if (part.isFed && !isByXargs) return [];
  return searchPlaces(program, args);
}

function searchPlaces(program: string, args: readonly string[]): string[] {
  const isPatternNamed = args.some((word) => /^(?:-e|-f|--regexp|--files)$/.test(word));
  const plain = plainWords(args, [...searchValues, ...(program === "rg" ? ["-r"] : [])]).slice(isPatternNamed ? 0 : 1);
  const isDeep =
    !program.endsWith("grep") || args.some((word) => /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive$/.test(word));
  if (!isDeep) return plain;
  return plain.length === 0 ? ["./"] : plain.map((path) => (isFile(path) ? path : `${path.replace(/\/+$/, "")}/`));
}

function isFile(path: string): boolean {
  return /[*?[{]|[^/.]\.\w{1,8}$/.test(path);
}

/** What a program prints the names of, where its words tell. What git lists is the project's. */
function listedBy({ program, args }: Run, words: Fill): string[] {
  const below = (folder: string) => `${folder.replace(/\/+$/, "")}/**`;
  if (program === "ls") {
    const plain = words(plainWords(args));
    return plain.length === 0 ? ["*"] : plain.map((path) => (isFile(path) ? path : `${path.replace(/\/+$/, "")}/*`));
  }
  if (program === "echo" || program === "printf") return words(plainWords(args)).filter((word) => isFile(word));
  if (program === "find") {
    const first = args.findIndex((word) => /^[-(!]/.test(word));
    const folders = words(args.slice(0, first === -1 ? args.length : first));
    const at = args.findIndex((word) => /^-(?:i?name|i?path)$/.test(word));
    const name = at === -1 ? "" : `/${(args[at + 1] ?? "").replace(/^.*\//, "")}`;
    return (folders.length === 0 ? ["."] : folders).map((folder) => below(folder) + name);
  }
  if (program === "fd" || program === "fdfind") return words(plainWords(args, searchValues).slice(1)).map(below);
  if (!searchers.has(program)) return [];
  return words(searchPlaces(program, args)).map((path) => (path.endsWith("/") ? below(path) : path));
}

const copying = wordSet("cp mv ln install rsync ditto");
const unpacking = wordSet("tar unzip gunzip bunzip2 unxz 7z");

function copiedBy({ program, args, place }: Run, words: Fill): string[] {
  if (copying.has(program)) {
    const plain = plainWords(args, ["-m", "-o", "-g"]);
    return related(place, words(args.includes("-t") ? plain : plain.slice(0, -1)));
  }
  return unpacking.has(program) ? related(place, words(plainWords(args).slice(0, 2))) : [];
}

function madeBy({ program, args, part, place }: Run): string[] {
  const made = part.writes.filter((path) => !part.appends.includes(path) && !/^(?:\/dev\/|&|nul$)/i.test(path));
  if (program === "tee" && !args.some((word) => /^-[a-z]*a|^--append$/.test(word))) made.push(...plainWords(args));
  if (program === "cp" || program === "mv" || program === "ln") made.push(...plainWords(args).slice(-1));
  return related(place, made).filter((path) => !/[*?[{]/.test(path));
}

/** Paths from the root. What a shell fills in that nobody here knows is left out, numbers and code are none. */
function related(place: PathBase, paths: readonly string[]): string[] {
  return paths.slice(0, maxPaths).flatMap((path) => {
    if (path === "-" || /[$`<>|…\n;]|^[+\d]\d*$/.test(path)) return [];
    const own = relatedPath(path, place);
    if (own === undefined || /[$`…]/.test(own)) return [];
    return path.endsWith("/") ? [`${own}/`] : own === "." ? [] : [own];
  });
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
