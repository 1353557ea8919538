import { runsOf, type Run } from "./command-runs.js";
import { filesOfGit, listsRead, loadedBy } from "./files-by-option.js";
import { filesNamedInCode } from "./files-named-in-code.js";
import type { Call } from "../observer.js";
import { fileWords } from "./option-values.js";
import { relatedPath, type PathBase } from "./related-path.js";
import type { ShellPart } from "./shell-parts.js";
import { isShell, plainWords, programOf } from "./shell-program.js";

const maxPaths = 50;

type ShownFiles = Pick<Call, "shows" | "copies" | "makes"> & {
  /** A word that stands for a file of which nobody here knows which one it is. */
  unclear?: string;
};

/**
 * Whose content a command line puts on the screen or into other files, whatever else it does. Where it leaves the choice
 * to the shell, what it may choose from: `docs/*.md`.
 */
export function shownFiles(runs: readonly Run[], depth = 0, outer: Variables = new Map()): ShownFiles {
  const shows = new Set<string>();
  let unclear: string | undefined;
  const copies = new Set<string>();
  const makes = new Set<string>();
  const variables: Variables = new Map(outer);
  /** What the programs before it in the pipe print the names of. */
  let listed: string[] = [];
  for (const [index, run] of runs.entries()) {
    if (!run.part.isFed) listed = [];
    for (const part of run.before) setVariables(variables, part, run.place, depth);
    if (run.program === "read" && run.part.isFed) for (const name of run.args) addTo(variables, name, listed);
    const inner = depth < deepest ? run.part.inner.map((line) => runsOf(line, run.place)) : [];
    // What a variable or a loop takes in, the line may show later on.
    const taking = run.before.filter((part) => part !== run.part && !testing.test(part.words[0] ?? ""));
    const kept = depth < deepest ? taking.flatMap((part) => part.inner).map((line) => runsOf(line, run.place)) : [];
    const nested = [...kept, ...inner].map((own) => shownFiles(own, depth + 1, variables));
    if (isTooDeep(run, depth)) unclear ??= "a nested script";
    const printed = listedOnce(inner);
    const words = (given: readonly string[]) => filled(given, variables, printed);
    const named = (given: readonly string[]) => {
      const values = given.map((word) => words([word]));
      const open = given.find((word, at) => isOpen(word, values[at] as string[]));
      unclear ??= open;
      return values.flat();
    };
    const taken = [
      ...takenBy(run, named, listed),
      ...related(run.place, named(taking.flatMap((part) => part.reads))),
      ...nested.flatMap((own) => own.shows ?? []),
    ];
    unclear ??= nested.map((own) => own.unclear).find((word) => word !== undefined);
    if (run.isByXargs && opening.has(run.program) && listed.length === 0 && !isListedByGit(runs, index))
      unclear ??= "xargs";
    for (const path of taken) {
      // What the line has just written holds what the programs before it said, or what they copied.
      const isOwn = makes.has(path);
      if (!isSeen(runs, index)) copies.add(path);
      else for (const from of isOwn ? copies : [path]) shows.add(from);
    }
    // What has been put between the project's files shows as a change of them.
    if (showsChanges(run)) for (const path of copies) shows.add(path);
    for (const path of [...copiedBy(run, words), ...nested.flatMap((own) => own.copies ?? [])]) {
      if (!makes.has(path)) copies.add(path);
    }
    for (const path of [...madeBy(run, words), ...spilledBy(run, words)]) makes.add(path);
    listed = passing.has(run.program) && run.part.isFed ? listed : related(run.place, listedBy(run, words));
  }
  // Of those that a note has no room for nobody could say later whose they are.
  if (shows.size > maxPaths || copies.size > maxPaths) unclear ??= "many files";
  return {
    ...some("shows", shows),
    ...some("copies", copies),
    ...some("makes", makes),
    ...(unclear !== undefined && { unclear: unclear.slice(0, 100) }),
  };
}

// A substitution in it is compared with something and not shown.
const testing = /^(?:\[\[?|test)$/;
const deepest = 4;

function isTooDeep({ part, before, script }: Run, depth: number): boolean {
  return script !== undefined || (depth >= deepest && [part, ...before].some(({ inner }) => inner.length > 0));
}

function showsChanges({ program, args }: Run): boolean {
  return program === "git" && /^(?:diff|stash|show)$/.test(plainWords(args, ["-C", "-c"])[0] ?? "");
}

/** Whether nobody here knows which file a word stands for. */
function isOpen(word: string, values: readonly string[]): boolean {
  return filledIn.test(word) && (values.length === 0 || values.some((value) => filledIn.test(value)));
}

// A variable, a positional parameter, what another program prints, or signs as `$'\x2f'` hides them.
const filledIn = /\$[\w({@*\\]/;

/** What git lists is the project's, but for what it does not track. */
function isListedByGit(runs: readonly Run[], index: number): boolean {
  for (let at = index; at > 0 && (runs[at] as Run).part.isFed; at--) {
    const { program, args } = runs[at - 1] as Run;
    if (program === "git") return !untracked.test(args.join(" "));
  }
  return false;
}

const untracked = /^(?:status|clean|ls-files .*?(?:-[a-z]*[oi]|--others|--ignored))\b/;

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
  const printed = listedOnce(depth < deepest ? part.inner.map((line) => runsOf(line, place)) : []);
  if (words[0] === "for" && words[1] !== undefined) {
    addTo(variables, words[1], filled(words.slice(words[2] === "in" ? 3 : 2), variables, printed));
  }
  for (const word of words) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.+)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) addTo(variables, name, filled([value], variables, printed));
  }
}

/** What the substitutions of a part give, of which none says which word it stands in: worked out once, however many words ask. */
function listedOnce(inner: readonly Run[][]): () => readonly string[] {
  let listed: readonly string[] | undefined;
  return () =>
    (listed ??= [...new Set(inner.flat().flatMap((run) => listedBy(run, (own) => [...own])))].slice(0, maxPaths + 1));
}

/** Words with the values of their variables, and with what `$(ls *.md)` gives. */
function filled(words: readonly string[], variables: Variables, printed: () => readonly string[]): string[] {
  return words.flatMap((word) => {
    if (word.includes("$(…)")) return printed();
    const [whole, name] = /\$\{?([A-Za-z_]\w*)\}?/.exec(word) ?? [];
    if (whole === undefined || name === undefined) return [word];
    return (variables.get(name) ?? []).map((value) => word.replace(whole, () => value));
  });
}

type Fill = (words: readonly string[]) => string[];

const readers =
  wordSet(`cat head tail less more bat batcat nl strings xxd od hexdump tac rev fold paste comm join column
  base64 sort uniq cut diff sdiff colordiff delta json.tool zcat gzcat zless bzcat xzcat iconv pr expand shuf`);
const scripted = wordSet("sed awk gawk mawk jq yq");
const searchers = wordSet("grep egrep fgrep zgrep rg ag ack");
const passing = wordSet("grep egrep rg sort uniq head tail sed awk tr cut tee");
const opening: ReadonlySet<string> = new Set([...readers, ...scripted, ...searchers]);
const interpreters = /^(?:python|py|pypy|node|nodejs|deno|bun|tsx|ts-node|vite-node|jiti|ruby|perl|php)[\d.]*$/;

function takenBy(run: Run, words: Fill, listed: readonly string[]): string[] {
  const { program, args, part, isByXargs } = run;
  if (program === "") return related(run.place, words(part.reads));
  const here = (paths: readonly string[]) => related(run.place, words(paths));
  const lists = listsRead(program, args);
  if (lists.length > 0) return [...here([...lists, ...part.reads])];
  const handed = isByXargs ? listed : [];
  if (readers.has(program)) {
    const plain = fileWords(program, args);
    const isDeep = program.endsWith("diff") && args.some((word) => /^-[a-zA-Z]*r|^--recursive$/.test(word));
    return [...here([...(isDeep ? plain.map(folderOf) : plain), ...part.reads]), ...handed];
  }
  if (scripted.has(program)) {
    if (program === "sed" && args.some((word) => /^-[nErsz]*i|^--in-place/.test(word))) return [];
    return [...here([...scriptedFiles(program, args), ...loadedBy(program, args), ...part.reads]), ...handed];
  }
  if (searchers.has(program)) return [...here([...searchedBy(run), ...part.reads]), ...handed];
  if (program === "find" || program === "fd" || program === "fdfind") {
    const at = args.findIndex((word) => acting.test(word));
    const acts = at === -1 ? undefined : programOf(args.slice(at + 1));
    const isShowing = acts !== undefined && (opening.has(acts.program) || isShell(acts.program) || acts.isByXargs);
    return isShowing ? here(listedBy(run, words)) : [];
  }
  if (program === "git") return here([...filesOfGit(args), ...part.reads]);
  if (program === "bc" || (program === "split" && args.some((word) => word.startsWith("--filter"))))
    return here([...plainWords(args), ...part.reads]);
  if (program === "tar") return here([...packedToScreen(args), ...part.reads]);
  // Whatever it is, it may print what it is fed.
  if (!interpreters.test(program)) return here(part.reads);
  const at = args.findIndex((word) => /^-[a-z]*[ecp]$|^--(?:eval|print)$/.test(word));
  const code = codeOf(args, part);
  // Behind a program of one line that reads line by line come its files.
  const lines = /^(?:perl|ruby)$/.test(program) && args.some((word) => /^-[a-z]*[np][a-z]*$/.test(word));
  const isInPlace = args.some((word) => /^-[a-z0-9]*i/.test(word));
  return here([...filesNamedInCode(code), ...(lines && !isInPlace ? args.slice(at + 2) : []), ...part.reads]);
}

const acting = /^(?:-(?:exec|execdir|ok|okdir|x|X)|--exec(?:-batch)?)$/;

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
  const plain = fileWords(program, args).slice(isPatternNamed ? 0 : 1);
  const isDeep =
    !program.endsWith("grep") || args.some((word) => /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive$/.test(word));
  if (!isDeep) return plain;
  return plain.length === 0 ? ["./"] : plain.map(folderOf);
}

/** A word that may name a folder, as what lies in it. */
function folderOf(path: string): string {
  return isFile(path) ? path : `${path.replace(/\/+$/, "")}/`;
}

/** What sed, awk, jq and yq are given behind their script, or beside a file that holds it. */
function scriptedFiles(program: string, args: readonly string[]): string[] {
  const hasScript = args.some((word) => scriptOption.test(word) && !(program === "jq" && /^-\w*e$/.test(word)));
  const held = args.flatMap((word, at) => (/^(?:-f|--file|--from-file)$/.test(word) ? (args[at + 1] ?? []) : []));
  const plain = fileWords(program, args);
  if (program === "yq" && /^(?:e|ea|eval|eval-all)$/.test(plain[0] ?? "")) plain.shift();
  // yq may be given a file alone.
  const isAlone = program === "yq" && plain.length === 1 && /^[^.].*\.\w+$/.test(plain[0] as string);
  return [...plain.slice(hasScript || isAlone ? 0 : 1), ...held];
}

const scriptOption = /^-[nErsz]*[ef]$|^--(?:expression|file|from-file|source)(?:=|$)/;

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
  if (program === "fd" || program === "fdfind") {
    const end = args.findIndex((word) => acting.test(word));
    const own = args.slice(0, end === -1 ? undefined : end);
    const [pattern = "", ...folders] = words(fileWords(program, own));
    const ending = valueOf(own, /^(?:-e|--extension)$/);
    const name = ending !== undefined ? `/*.${ending}` : /^[\w-]+$/.test(pattern) ? `/*${pattern}*` : "";
    return (folders.length === 0 ? ["."] : folders).map((folder) => below(folder) + name);
  }
  if (!searchers.has(program)) return [];
  return words(searchPlaces(program, args)).map((path) => (path.endsWith("/") ? below(path) : path));
}

const copying = wordSet("cp mv ln install rsync ditto");
const unpacking = wordSet("tar unzip gunzip bunzip2 unxz 7z");

function copiedBy({ program, args, part, place }: Run, words: Fill): string[] {
  if (copying.has(program)) {
    const plain = plainWords(args, copyingValues);
    return related(place, words(targetOf(args) === undefined ? plain.slice(0, -1) : plain));
  }
  if (program === "dd") return related(place, words(args.flatMap((word) => /^if=(.+)$/.exec(word)?.[1] ?? [])));
  if (program === "patch" || isPatching(program, args)) {
    const file =
      program === "patch" ? valueOf(args, /^(?:-i|--input)$/) : plainWords(args, ["-C", "-c"]).slice(1).at(-1);
    return related(place, words([file, ...part.reads].filter((word) => word !== undefined)));
  }
  if (interpreters.test(program) && copyingCode.test(codeOf(args, part))) {
    return related(place, words(filesNamedInCode(codeOf(args, part))));
  }
  // Its first word may be letters for what it is to do: `xzf`.
  const archives = plainWords(args).filter((word, at) => at > 0 || /[./]/.test(word));
  return unpacking.has(program) ? related(place, words(archives.slice(0, 1))) : [];
}

const copyingValues = ["-m", "-o", "-g", "-t", "--target-directory"];
const copyingCode = /copy|write|move|rename|symlink|unpack|extract/i;

function isPatching(program: string, args: readonly string[]): boolean {
  if (args.some((word) => /^--(?:check|stat|numstat|summary)$/.test(word))) return false;
  return program === "git" && /^(?:apply|am)$/.test(plainWords(args, ["-C", "-c"])[0] ?? "");
}

function targetOf(args: readonly string[]): string | undefined {
  return valueOf(args, /^(?:-t|--target-directory)$/) ?? joinedOf(args, /^--target-directory=(.+)$/);
}

function valueOf(args: readonly string[], name: RegExp): string | undefined {
  const at = args.findIndex((word) => name.test(word));
  return at === -1 ? undefined : args[at + 1];
}

function joinedOf(args: readonly string[], pattern: RegExp): string | undefined {
  return args.map((word) => pattern.exec(word)?.[1]).find((value) => value !== undefined);
}

function codeOf(args: readonly string[], part: ShellPart): string {
  const at = args.findIndex((word) => /^-[a-z]*[ecp]$|^--(?:eval|print)$/.test(word));
  return `${at === -1 ? "" : (args[at + 1] ?? "")}\n${part.heredoc ?? ""}`;
}

/** Files that it writes without naming each of them, as a pattern, and those that it names within another word. */
function spilledBy(run: Run, words: Fill): string[] {
  const { program, args, part, place } = run;
  const below = (folder: string | undefined) => {
    const own = relatedPath(folder ?? ".", place);
    return own === undefined ? [] : [own === "." ? "**" : `${own.replace(/\/+$/, "")}/**`];
  };
  if (copying.has(program)) {
    const plain = words(plainWords(args, copyingValues));
    const sources = targetOf(args) === undefined ? plain.slice(0, -1) : plain;
    const isOne = sources.length === 1 && isFile(sources[0] as string) && !/[*?[{]/.test(sources[0] as string);
    const target = targetOf(args) ?? plain.at(-1);
    if (target === undefined || sources.length === 0) return [];
    return isOne && targetOf(args) === undefined && isFile(target) ? related(place, [target]) : below(target);
  }
  if (program === "dd") return related(place, words(args.flatMap((word) => /^of=(.+)$/.exec(word)?.[1] ?? [])));
  if (program === "patch" || isPatching(program, args)) return below(undefined);
  if (program === "tar" && !/^-?[a-z]*x|^--(?:extract|get)$/.test(args.find((word) => !word.includes("/")) ?? ""))
    return [];
  if (unpacking.has(program)) return below(valueOf(args, /^(?:-C|-d|--directory)$/));
  if (!interpreters.test(program) || !copyingCode.test(codeOf(args, part))) return [];
  return related(place, words(filesNamedInCode(codeOf(args, part))));
}

/** What `tar -c` hands on to the next program: it stands in the archive as it is. */
function packedToScreen(args: readonly string[]): string[] {
  if (!args.some((word, at) => /^-[a-zA-Z]*c|^--create$/.test(word) || (at === 0 && /^[a-zA-Z]*c/.test(word))))
    return [];
  const at = args.findIndex((word, index) => /^-[a-zA-Z]*f$/.test(word) || (index === 0 && /^[a-zA-Z]*f$/.test(word)));
  if (at !== -1 && args[at + 1] !== "-" && args[at + 1] !== "/dev/stdout") return [];
  return plainWords(args, ["-f", "-C", "-T", "-X", "--exclude"])
    .filter((word, index) => word !== "-" && !(index === 0 && word === args[0] && /^[a-zA-Z]*c/.test(word)))
    .map(folderOf);
}

function madeBy({ program, args, part, place }: Run, words: Fill): string[] {
  const made = words(part.writes.filter((path) => !part.appends.includes(path) && !/^(?:\/dev\/|&|nul$)/i.test(path)));
  if (program === "tee" && !args.some((word) => /^-[a-z]*a|^--append$/.test(word))) made.push(...plainWords(args));
  if (program === "cp" || program === "mv" || program === "ln") made.push(...plainWords(args).slice(-1));
  return related(place, made).filter((path) => !/[*?[{]/.test(path));
}

/** Paths from the root. What a shell fills in that nobody here knows is left out, numbers and code are none. */
function related(place: PathBase, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (path === "-" || /[$`<>|…\n;]|^[+\d]\d*$/.test(path)) return [];
    const own = relatedPath(path, place);
    if (own === undefined || /[$`…]/.test(own)) return [];
    return path.endsWith("/") ? [`${own}/`] : own === "." ? [] : [own];
  });
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
