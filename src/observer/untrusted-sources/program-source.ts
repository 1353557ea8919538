import type { UntrustedSource } from "../observer.js";
import type { ShellPart } from "../tools/shell-parts.js";
import { asLine, plainWords, type Program } from "../tools/shell-program.js";
import { asksRegistry } from "./asks-registry.js";
import { isSubstitution } from "./code-members.js";
import { isPlainCode } from "./code-source.js";
import { gitSource } from "./git-source.js";
import { findKnownProgram } from "./known-programs.js";
import { hostNamedIn, networkSource } from "./network-source.js";
import { findPathElsewhere } from "./path-elsewhere.js";

/** What one program of a line shows, and what has to be judged besides. */
export interface ProgramSource {
  outside?: UntrustedSource;
  /** Scripts that it runs. */
  runs?: string[];
  /** Files of a folder or one above it, one of which says what it runs. */
  manifests?: readonly string[];
  /** The program that it builds, or the repository that it makes. */
  builds?: string;
  /** Command lines that it starts. */
  lines?: string[];
}

export interface ProgramPlace {
  /** Whether it runs inside the project. */
  isProject: boolean;
  /** Whether a path leads into the project. */
  isInside: (path: string) => boolean;
  /** Whether the line itself has given a variable its value. */
  isKnownVariable: (name: string) => boolean;
}

/** Where the words of one program come from. A program that nobody here knows shows words from elsewhere. */
export function programSource(started: Program, part: ShellPart, place: ProgramPlace): ProgramSource {
  const { program, args, path } = started;
  if (program === "") return {};
  if (started.isContained) return unknown("a container");
  if (path !== undefined && !isInstalled(path))
    return asksRegistry(program, args) ? unknown(`${program} ${args.join(" ")}`) : script(path, args, place);
  if (program === "git") return ofGit(started, place);
  const network = networkSource({ program, args, isKept: part.isKept });
  if (network) return { outside: network };
  if (program === "tacit" || program === "tacit-memory") return ofTacit(args);
  if (program === "source" || program === ".")
    return args[0] === undefined ? {} : script(args[0], args.slice(1), place);
  if (shells.test(program)) return ofShell(args, part, place);
  if (interpreters.test(program)) return ofInterpreter(program, args, part, place);
  const known = findKnownProgram(program);
  const told = plainWords(args).join(" ");
  if (!known || (known.only && !known.only.test(told))) {
    if (started.broughtBy !== undefined)
      return { outside: { from: "download", what: `${started.broughtBy} ${program}` } };
    return isVersion(args) && known ? {} : unknown(program);
  }
  if (known.as === "names") return ofNames(program, args);
  if (known.as === "speaker") return ofSpeaker(program, args, place);
  if (known.as === "filter") return ofFilter(program, args);
  if (!place.isProject) return { runs: ["."] };
  const host = hostNamedIn(args);
  if (host !== undefined) return { outside: { from: "network", what: host } };
  if (asksRegistry(program, args)) return unknown(`${program} ${told}`);
  if (evaluates(program, args, part)) return unknown(`${program} ${args.join(" ")}`);
  const elsewhere = findPathElsewhere(args, place.isInside);
  if (elsewhere !== undefined) return { runs: [elsewhere] };
  if (managers.test(program) && !isScript(program, args))
    return namesOnly.test(told) ? {} : unknown(`${program} ${told}`);
  const at = compilers.test(program) ? args.indexOf("-o") : -1;
  if (at !== -1 && args[at + 1] !== undefined) return { builds: args[at + 1] as string };
  return known.by ? ofManifest(known.by, args) : {};
}

function unknown(what: string): ProgramSource {
  return { outside: { from: "command", what: what.trim().slice(0, 200) } };
}

function script(path: string, args: readonly string[], place: ProgramPlace): ProgramSource {
  const host = hostNamedIn(args);
  if (host !== undefined) return { outside: { from: "network", what: host } };
  // Of the project's own script nobody here knows what it does with a file that it is given.
  const given = findPathElsewhere(args.slice(args.indexOf(path) + 1), place.isInside);
  return { runs: given === undefined ? [path] : [path, given] };
}

/** Whether a build tool is given code, as an option or by a pipe: it may read any file. */
function evaluates(program: string, args: readonly string[], { isFed }: ShellPart): boolean {
  if (isFed && bundlers.test(program)) return true;
  if (/^(?:rake|mix)$/.test(program) && args.some((word) => /^-[eE]$|^--rpc-eval$/.test(word))) return true;
  if (program === "cargo" && args.some((word) => /^--config(?:=|$)/.test(word))) return true;
  if (
    /^g?make$/.test(program) &&
    args.some((word) => /^-[a-zA-Z]*E|^(?:SHELL|MAKEFILES|\.SHELLFLAGS)[:?+]*=/.test(word))
  )
    return true;
  return args.some((word) => /^--?(?:eval|exec|toolexec|vettool|init-hook)(?:=|$)/.test(word)) && program !== "npm";
}

const bundlers = /^(?:esbuild|rollup|swc|babel|rustc|gcc|g\+\+|clang|clang\+\+|cc|c\+\+)$/;

// Where systems and package managers put programs; any other path is a file like others.
function isInstalled(path: string): boolean {
  return /^(?:\/usr(?:\/local)?\/s?bin|\/s?bin|\/opt\/homebrew\/bin|\/nix\/\S*\/bin)\/|(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/|node_modules\//.test(
    path,
  );
}

function isVersion(args: readonly string[]): boolean {
  return args.length === 1 && /^(?:-v|-V|--version|version)$/.test(args[0] as string);
}

function ofGit({ args, isByXargs }: Program, place: ProgramPlace): ProgramSource {
  const at = args.indexOf("-C");
  if (isByXargs && at !== -1) return unknown("git -C");
  const { outside, runs } = gitSource(args);
  if (outside) return { outside };
  const [verb, ...named] = plainWords(args, ["-C", "-c"]);
  const patch = verb === "apply" ? named.find((path) => !place.isInside(path)) : undefined;
  if (patch !== undefined) return { runs: [patch] };
  const made = plainWords(args, ["-C", "-c", "-b", "--initial-branch"]);
  // A work tree of this repository has its commits.
  if (made[0] === "worktree" && made[1] === "add" && made[2] !== undefined) return { builds: made[2] };
  if (made[0] === "init") return { builds: made[1] ?? (at === -1 ? "." : (args[at + 1] ?? ".")) };
  // A repository elsewhere has commits that nobody here knows, unless the session has made it itself.
  const isHere = at === -1 ? place.isProject : place.isInside(args[at + 1] ?? "");
  return {
    ...(!isHere && { runs: [at === -1 ? "." : (args[at + 1] ?? ".")] }),
    ...(runs !== undefined && { lines: runs }),
  };
}

/** What waits for a person is not to be read by an agent: it is as good as what it was made of. */
function ofTacit(args: readonly string[]): ProgramSource {
  const verb = args.find((arg) => /^[a-z]/.test(arg)) ?? "";
  const isShown =
    verb === "review" ||
    verb === "show" ||
    verb === "export" ||
    ((verb === "list" || verb === "recall") && args.some((arg) => /^--(?:status|all|include-tainted)/.test(arg)));
  return isShown ? { outside: { from: "waiting", what: `tacit ${verb}` } } : {};
}

const compilers = /^(?:go|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|rustc|dart)$/;
const shells = /^(?:ba|z|da|k|a|fi)?sh$/;
const interpreters =
  /^(?:python|py|pypy)[\d.]*$|^(?:node|nodejs|ruby|perl|php|lua|deno|bun|Rscript|julia|tsx|ts-node|vite-node|jiti)$/;
const managers = /^(?:npm|pnpm|yarn|bun)$/;

function ofShell(args: readonly string[], part: ShellPart, place: ProgramPlace): ProgramSource {
  const file = plainWords(args, ["-o", "-O"])[0];
  // It only looks whether the script can be read.
  if (args.includes("-n")) return {};
  if (file !== undefined) return script(file, args, place);
  if (part.heredoc !== undefined) return { lines: [part.heredoc] };
  return part.isFed || part.reads.length > 0 ? unknown("a script that is piped to a shell") : {};
}

function ofInterpreter(program: string, args: readonly string[], part: ShellPart, place: ProgramPlace): ProgramSource {
  if (isVersion(args) || (/^(?:php|ruby|perl|node)$/.test(program) && checking.test(args[0] ?? ""))) return {};
  if (
    program === "bun" &&
    /^(?:run|test|x|install|i|add|a|remove|pm|create|update|link)$/.test(plainWords(args)[0] ?? "")
  ) {
    return /^(?:run|test)$/.test(plainWords(args)[0] ?? "") ? { manifests: ["package.json"] } : unknown("bun");
  }
  if (program === "deno") return plainWords(args)[0] === undefined ? unknown(program) : ofDeno(plainWords(args), place);
  const loaded = preloaded(program, args);
  if (loaded.some((path) => path.startsWith("data:"))) return unknown(`${program} ${loaded.join(" ")}`);
  if (loaded.length === 0) return ofCode(program, args, part, place);
  const judged = ofCode(program, args, part, place);
  return { ...judged, runs: [...(judged.runs ?? []), ...loaded] };
}

/** Files that node loads before what it is asked to run. A package by its name alone is one that is installed. */
function preloaded(program: string, args: readonly string[]): string[] {
  if (!/^(?:node|nodejs|tsx|ts-node|bun|deno)$/.test(program)) return [];
  return args
    .flatMap((word, at) => {
      const [, joined] =
        /^--(?:require|import|loader|experimental-loader|env-file(?:-if-exists)?)=(.+)$/s.exec(word) ?? [];
      if (joined !== undefined) return joined;
      const takes = /^(?:-r|--(?:require|import|loader|experimental-loader|env-file(?:-if-exists)?|preload))$/.test(
        word,
      );
      return takes ? (args[at + 1] ?? []) : [];
    })
    .filter((path) => /^(?:[./~]|[A-Za-z]:|data:|file:)/.test(path));
}

function ofCode(program: string, args: readonly string[], part: ShellPart, place: ProgramPlace): ProgramSource {
  const at = args.findIndex((word) => /^-[a-zA-Z0-9]*[ecEpr]$|^--(?:eval|print)$/.test(word) && !/^-r$/.test(word));
  const code = at === -1 ? undefined : (args[at + 1] ?? "");
  // `ruby -rnet/http -e …` loads what its code does not name.
  if (code !== undefined && args.slice(0, at).some((word) => /^-[rM]./.test(word))) return unknown(`${program} code`);
  if (code !== undefined && unread.test(program)) return unknown(`${program} code`);
  if (code !== undefined) return codeSource(program, code);
  if (program === "node" && args.includes("--test")) {
    const elsewhere = findPathElsewhere(args, place.isInside);
    return elsewhere === undefined ? { manifests: ["package.json"] } : { runs: [elsewhere] };
  }
  const file = plainWords(args, [
    "-r",
    "--import",
    "--require",
    "--loader",
    "--experimental-loader",
    "-W",
    "-X",
    "-I",
    "--env-file",
  ])[0];
  if (file !== undefined && file !== "-") return script(file, args, place);
  if (part.heredoc !== undefined && !unread.test(program)) return codeSource(program, part.heredoc);
  return unknown(part.isFed ? `a script that is piped to ${program}` : program);
}

const checking = /^(?:-l|-c|--check|--syntax-check)$/;
// Languages whose code nobody here reads.
const unread = /^(?:lua|Rscript|julia)$/;

function ofDeno(words: readonly string[], place: ProgramPlace): ProgramSource {
  const [verb = "", file] = words;
  if (/^(?:test|lint|fmt|check|bench|task)$/.test(verb))
    return { manifests: ["deno.json", "deno.jsonc", "package.json"] };
  return verb === "run" && file !== undefined ? script(file, words, place) : unknown(`deno ${verb}`);
}

function codeSource(program: string, code: string): ProgramSource {
  const host = hostNamedIn([code]);
  if (host !== undefined) return { outside: { from: "network", what: host } };
  const isPerlish = /^(?:ruby|perl|php)$/.test(program);
  if (!isPlainCode(code, program) || (isPerlish && /`|<>|\$ENV|%ENV/.test(code) && !isSubstitution(code))) {
    return unknown(`${program} code`);
  }
  const modules = [...code.matchAll(/\b(?:require|from|import)\s*\(?\s*["'`](\.{1,2}\/[^"'`\n]{1,200})["'`]/g)];
  return modules.length > 0 ? { runs: modules.map(([, path]) => path as string) } : {};
}

/** `env` by other names, and what shows the inside of an archive. */
function ofNames(program: string, args: readonly string[]): ProgramSource {
  if (/^(?:export|set|declare|typeset|alias)$/.test(program) && (args.length === 0 || args[0] === "-p"))
    return unknown(program);
  if (program === "tar" && args.some((word) => word === "--to-stdout" || /^-?[a-zA-Z]*O/.test(word)))
    return unknown(program);
  if (program === "tar" && startsOther(args)) return unknown(`${program} ${args.join(" ")}`);
  if (program === "zip" && args.some((word) => /^(?:-TT|--unzip-command)/.test(word))) return unknown(program);
  if (program === "split") {
    const at = args.findIndex((word) => word.startsWith("--filter"));
    const told = at === -1 ? undefined : (/^--filter=(.*)$/s.exec(args[at] as string)?.[1] ?? args[at + 1]);
    return told === undefined ? {} : { lines: [told] };
  }
  if (unpackers.test(program) && args.some((word) => /^-\w*c|^--(?:std|to-std)out$/.test(word)))
    return unknown(program);
  if (program === "trap") return args.length > 1 && args[0] !== "-" ? { lines: [args[0] as string] } : {};
  if (program === "find" || program === "fd" || program === "fdfind") {
    const at = args.findIndex((word) => /^(?:-(?:exec|execdir|ok|okdir|x|X)|--exec(?:-batch)?)$/.test(word));
    return at === -1 ? {} : { lines: [asLine(args.slice(at + 1).filter((word) => !/^(?:\\?;|\+)$/.test(word)))] };
  }
  return {};
}

/** Whether tar hands what it packs or unpacks to a program that is more than a compressor. */
function startsOther(args: readonly string[]): boolean {
  return args.some((word, at) => {
    if (/^--(?:to-command|checkpoint-action=['"]?exec|info-script|new-volume-script|rsh-command)/.test(word))
      return true;
    const isShort = word === "-I" || word === "--use-compress-program";
    const told = isShort ? (args[at + 1] ?? "") : /^--use-compress-program=(.*)$/s.exec(word)?.[1];
    return told !== undefined && !/^(?:p?gzip|pigz|p?bzip2|xz|zstd(?:mt)?|lz4|lzop)(?: -[\w=-]+)*$/.test(told);
  });
}

const unpackers = /^(?:gzip|gunzip|bzip2|bunzip2|xz|unxz)$/;

/** `echo $EDITOR` shows what the environment says; what the line has set itself is its own. */
function ofSpeaker(program: string, args: readonly string[], place: ProgramPlace): ProgramSource {
  for (const word of args) {
    for (const [, name = ""] of word.replaceAll("$(…)", "").matchAll(/\$\{?[!#]?([A-Za-z_]\w*)/g)) {
      if (!place.isKnownVariable(name) && !ofPlaces.test(name)) return unknown(`${program} $${name}`);
    }
  }
  return {};
}

// Paths and numbers.
const ofPlaces =
  /^(?:PWD|OLDPWD|HOME|PIPESTATUS|RANDOM|SECONDS|LINENO|UID|PPID|SHELL|USER|TMPDIR|GOPATH|GOROOT|CLAUDE_PROJECT_DIR|BASH_VERSION)$/;

function ofFilter(program: string, args: readonly string[]): ProgramSource {
  const text = args.join("\n");
  if (program.endsWith("awk") && /system\s*\(|getline|ENVIRON|\|\s*"/.test(text)) return unknown(program);
  if (/^[jy]q$/.test(program) && /\$ENV|\benv\b/.test(text)) return unknown(program);
  if (
    program === "sed" &&
    args.some((word) => /^\d*,?\d*e\b|\/[gIip\d]*e[gIip\d]*$/.test(word) && word.length > 2 && /^s.|^\d/.test(word))
  ) {
    return unknown(program);
  }
  if (program.endsWith("awk") && /\bARGV\b|@(?:load|include)\b/.test(text)) return unknown(program);
  if (/^[jy]q$/.test(program) && /\b(?:import|include)\s+"|\bstrenv\b|(?:^|\n)-L/.test(text)) return unknown(program);
  if (program === "sort" && args.some((word) => word.startsWith("--compress-program"))) return unknown(program);
  if (program.startsWith("bat") && args.some((word) => word.startsWith("--pager"))) return unknown(program);
  if (program === "rg" && args.some((word) => word.startsWith("--pre"))) return unknown(program);
  return {};
}

/** Whether a package manager is asked for a script of the package. */
function isScript(program: string, args: readonly string[]): boolean {
  const [verb = "", name] = plainWords(args, [
    "--filter",
    "-F",
    "--prefix",
    "-w",
    "--workspace",
    "-C",
    "--dir",
    "--cwd",
  ]);
  // `npm run env` prints the environment where the package has no such script.
  if (/^run(?:-script)?$/.test(verb)) return name !== "env";
  // Only the others take a script's name for a verb.
  if (program === "npm")
    return /^(?:t|tst|test|start|stop|restart|i|in|install|ci|add|it|install-test|up|update)$/.test(verb);
  return verb !== "" && !ownVerbs.test(verb);
}

const ownVerbs =
  /^(?:ls|list|ll|la|why|prefix|root|bin|pkg|version|config|get|set|pack|link|unlink|rebuild|cache|ping|help|remove|rm|r|un|uninstall|prune|import|patch|store|env|doctor|owner|token|profile|org|team|access|deprecate|dist-tag|unpublish|star|stars|hook|diff|edit|repo|bugs|home|completion|exec|dlx|x|workspaces|cache|constraints|node|plugin|policies|set-version|licenses?|sbom|query|explore|explain|fund|audit|outdated|info|view|show|search|login|whoami|telemetry|bugs|docs)$/;
const namesOnly =
  /^(?:(?:ls|list|ll|la|why|prefix|root|bin|pkg|version|config (?:get|set|list|delete)|get|set|pack|link|unlink|rebuild|cache|remove|rm|r|un|uninstall|prune|store)(?:\s|$)|$)/;

/** The manifest that decides, in the folder that the arguments name. */
function ofManifest(names: readonly string[], args: readonly string[]): ProgramSource {
  const file = args.findIndex((word) => /^(?:-f|--file|--makefile|--justfile|--build-file)$/.test(word));
  if (file !== -1) return { runs: [args[file + 1] ?? ""] };
  const tasks = names.includes("Taskfile.yml") ? args.findIndex((word) => /^(?:-t|--taskfile)$/.test(word)) : -1;
  if (tasks !== -1) return { runs: [args[tasks + 1] ?? ""] };
  const at = args.findIndex((word) => /^(?:-C|--prefix|--cwd|--dir|--directory|-d)$/.test(word));
  const folder = at === -1 ? undefined : args[at + 1];
  return { manifests: folder === undefined ? names : names.map((name) => `${folder}/${name}`) };
}
