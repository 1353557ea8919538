import { posix } from "node:path";

/** What a part of a command line runs in the end, wrappers taken off. */
export interface Program {
  /** `vitest`, `git`, `scripts/gen.sh`. */
  program: string;
  args: string[];
  /** As it was written, where that is a path: `./gen.sh`, `/usr/bin/git`. */
  path?: string;
  /** Its arguments come from another program. */
  isByXargs: boolean;
  /** What would fetch it where it is not there: `npx`, `pnpm dlx`. */
  broughtBy?: string;
  /** It runs in a container, which has files and programs of its own. */
  isContained?: true;
  /** What `sh -c` was given: a command line of its own. */
  script?: string;
}

/**
 * The program behind wrappers: `CI=1 timeout 60 npx vitest run a` runs `vitest` with `run a`. Undefined where there is none.
 */
export function programOf(words: readonly string[]): Program | undefined {
  let rest = [...words];
  let isByXargs = false;
  let isContained = false;
  let broughtBy: string | undefined;
  const found = (program: string, args: string[], first: string, script?: string): Program => ({
    program,
    args,
    ...(/[\\/]/.test(first) && { path: first }),
    isByXargs,
    ...(isContained && { isContained }),
    ...(broughtBy !== undefined && { broughtBy }),
    ...(script !== undefined && { script }),
  });
  for (let round = 0; round < 12; round++) {
    while (rest[0] !== undefined && (keywords.has(rest[0]) || /^[A-Za-z_]\w*=/.test(rest[0]))) rest.shift();
    const [first, ...args] = rest;
    if (first === undefined || ends.has(first)) return undefined;
    const program = nameOf(first);
    if (program === "xargs") isByXargs = true;
    if (shells.has(program)) {
      const at = args.findIndex((word) => /^-[a-z]*c$/.test(word));
      const script = at === -1 ? undefined : args[at + 1];
      if (script !== undefined) return found(program, args, first, script);
    }
    if (program === "eval") return found(program, args, first, args.join(" "));
    const inner = unwrap(program, args);
    if (inner === undefined || inner.length === 0) return found(program, args, first);
    isContained ||= containers.has(program);
    if (bringers.has(program)) broughtBy ??= program;
    else if (managers.has(program) && args.includes("dlx")) broughtBy ??= `${program} dlx`;
    rest = inner;
  }
  return undefined;
}

/** Words that are no options. Of the options that take a value, the value is left out too. */
export function plainWords(args: readonly string[], withValue: readonly string[] = []): string[] {
  const plain: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    if (word === "--") continue;
    if (word.length > 1 && word.startsWith("-")) {
      if (withValue.includes(word)) at++;
    } else plain.push(word);
  }
  return plain;
}

/** Words as a line that a shell takes apart into them again. */
export function asLine(words: readonly string[]): string {
  return words.map((word) => (/[^\w@%+=:,./{}-]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word)).join(" ");
}

const keywords = new Set(["then", "do", "else", "elif", "if", "while", "until", "!", "{", "time", "coproc"]);
const ends = new Set(["for", "done", "fi", "esac", "case", "}", "function", "select", "[", "[["]);
const shells = new Set(["sh", "bash", "zsh", "dash", "ash", "fish"]);
const containers = new Set(["docker", "podman", "docker-compose"]);
// `rtk` shortens what the program behind it prints.
const wrappers = new Set(
  "sudo doas nohup command exec builtin nice ionice stdbuf unbuffer caffeinate setsid rtk".split(" "),
);
const assigning = new Set(["env", "cross-env", "dotenv", "dotenvx", "c8", "nyc", "corepack", "xvfb-run"]);
const bringers = new Set(["npx", "bunx", "pnpx", "uvx"]);
const managers = new Set(["npm", "pnpm", "yarn", "bun"]);
const managerValues = ["--filter", "-F", "--prefix", "-w", "--workspace", "-C", "--dir", "--cwd", "-p", "--package"];
const environments = new Set(["uv", "poetry", "pipenv", "rye", "hatch", "pdm"]);

export function isShell(program: string): boolean {
  return shells.has(program);
}

function nameOf(word: string): string {
  const installed =
    /node_modules\/(?:\.bin\/)?((?:@[\w.-]+\/)?[\w.-]+)/.exec(word)?.[1] ??
    /(?:^|\/)(?:vendor|\.?venv)\/bin\/([\w.-]+)$/.exec(word)?.[1];
  if (installed !== undefined) return installed.replace(/^@[\w.-]+\//, "");
  if (/^(?:\/|[A-Za-z]:\\|~)/.test(word)) return posix.basename(word.replaceAll("\\", "/"));
  return word.replace(/^\.\//, "").replace(/\.(?:exe|cmd)$/i, "");
}

/** What a wrapper runs; undefined where it wraps nothing. */
function unwrap(program: string, args: string[]): string[] | undefined {
  // `command -v git` asks where it is.
  if (program === "command" && /^-[vV]/.test(args[0] ?? "")) return undefined;
  // It has modes of its own: `rtk lint npm run lint`.
  if (program === "rtk" && /^(?:lint|err|test|summary|proxy)$/.test(args[0] ?? "") && args.length > 1)
    return args.slice(1);
  if (wrappers.has(program)) return fromFirstPlain(args, ["-u", "-n", "-g", "-c"]);
  if (program === "watch") return fromFirstPlain(args, ["-n", "--interval"]);
  if (program === "timeout" || program === "gtimeout") return fromFirstPlain(args, ["-k", "-s"]).slice(1);
  if (assigning.has(program)) return fromFirstPlain(args, ["-u", "-e", "-f"]);
  if (program === "xargs") return fromFirstPlain(args, ["-n", "-I", "-P", "-L", "-d", "-s"]);
  if (bringers.has(program)) return withoutVersion(fromFirstPlain(args, ["-p", "--package"]));
  if (managers.has(program)) {
    const [verb, ...rest] = fromFirstPlain(args, managerValues);
    if (verb === "workspace") return [program, ...rest.slice(1)];
    if (verb === "workspaces") return [program, ...fromFirstPlain(rest.slice(1), [...managerValues, "--from", "-j"])];
    if (verb === undefined || !["exec", "dlx", "x"].includes(verb)) return undefined;
    return withoutVersion(fromFirstPlain(rest, managerValues));
  }
  if (environments.has(program) && args[0] === "run") return fromFirstPlain(args.slice(1), ["--with", "--extra", "-p"]);
  if (program === "bundle" && args[0] === "exec") return args.slice(1);
  if (/^(?:python|py)[\d.]*$/.test(program)) {
    const at = args.indexOf("-m");
    return at !== -1 && args.slice(0, at).every((word) => word.startsWith("-")) ? args.slice(at + 1) : undefined;
  }
  if (program === "coverage" && args[0] === "run") return args[1] === "-m" ? args.slice(2) : undefined;
  if (program === "node" && /node_modules\//.test(args.find((word) => !word.startsWith("-")) ?? "")) {
    return fromFirstPlain(args, ["-r", "--import"]);
  }
  if (containers.has(program)) return insideContainer(args);
  if ((program === "mise" || program === "direnv") && /^(?:exec|x)$/.test(args[0] ?? "")) {
    const at = args.indexOf("--");
    return at === -1 ? undefined : args.slice(at + 1);
  }
  return undefined;
}

/** `docker compose exec web pytest` runs pytest. */
function insideContainer(args: string[]): string[] | undefined {
  const at = args.indexOf("exec");
  if (at === -1 || at > 1) return undefined;
  const inner = fromFirstPlain(args.slice(at + 1), ["-e", "-u", "-w", "--env", "--user", "--workdir"]).slice(1);
  return inner.length > 0 ? inner : undefined;
}

function fromFirstPlain(args: readonly string[], withValue: readonly string[]): string[] {
  let at = 0;
  while (at < args.length) {
    const word = args[at] as string;
    if (/^[A-Za-z_]\w*=/.test(word) || word === "--") at++;
    else if (word.startsWith("-")) at += withValue.includes(word) ? 2 : 1;
    else break;
  }
  return args.slice(at);
}

function withoutVersion([first, ...rest]: string[]): string[] {
  return first === undefined ? [] : [first.replace(/(?<=.)@[\w.^~-]+$/, ""), ...rest];
}
