import { posix } from "node:path";

/** What a part of a command line runs in the end, wrappers taken off. */
export interface Program {
  /** `vitest`, `git`, `scripts/gen.sh`. */
  program: string;
  args: string[];
  /** Its arguments come from another program. */
  isByXargs: boolean;
  /** What `sh -c` was given: a command line of its own. */
  script?: string;
}

/**
 * The program behind wrappers: `CI=1 timeout 60 npx vitest run a` runs `vitest` with `run a`. Undefined where there is none.
 */
export function programOf(words: readonly string[]): Program | undefined {
  let rest = [...words];
  let isByXargs = false;
  for (let round = 0; round < 12; round++) {
    while (rest[0] !== undefined && (keywords.has(rest[0]) || /^[A-Za-z_]\w*=/.test(rest[0]))) rest.shift();
    const [first, ...args] = rest;
    if (first === undefined || ends.has(first)) return undefined;
    const program = nameOf(first);
    if (program === "xargs") isByXargs = true;
    if (shells.has(program)) {
      const at = args.findIndex((word) => /^-[a-z]*c$/.test(word));
      const script = at === -1 ? undefined : args[at + 1];
      if (script !== undefined) return { program, args, isByXargs, script };
    }
    const inner = unwrap(program, args);
    if (inner === undefined || inner.length === 0) return { program, args, isByXargs };
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

const keywords = new Set(["then", "do", "else", "elif", "if", "while", "until", "!", "{", "time", "coproc"]);
const ends = new Set(["for", "done", "fi", "esac", "case", "}", "function", "select", "[", "[["]);
const shells = new Set(["sh", "bash", "zsh", "dash", "ash", "fish"]);
const wrappers = new Set(["sudo", "doas", "nohup", "command", "exec", "builtin", "nice", "stdbuf", "caffeinate"]);
const assigning = new Set(["env", "cross-env", "dotenv", "dotenvx", "c8", "nyc", "corepack", "xvfb-run"]);
const managers = new Set(["npm", "pnpm", "yarn", "bun"]);
const managerValues = ["--filter", "-F", "--prefix", "-w", "--workspace", "-C", "--dir", "--cwd", "-p", "--package"];
const environments = new Set(["uv", "poetry", "pipenv", "rye", "hatch", "pdm"]);

function nameOf(word: string): string {
  const installed = /node_modules\/(?:\.bin\/)?((?:@[\w.-]+\/)?[\w.-]+)/.exec(word)?.[1];
  if (installed !== undefined) return installed.replace(/^@[\w.-]+\//, "");
  if (/^(?:\/|[A-Za-z]:\\|~)/.test(word)) return posix.basename(word.replaceAll("\\", "/"));
  return word.replace(/^\.\//, "").replace(/\.(?:exe|cmd)$/i, "");
}

/** What a wrapper runs; undefined where it wraps nothing. */
function unwrap(program: string, args: string[]): string[] | undefined {
  if (wrappers.has(program)) return fromFirstPlain(args, ["-u", "-n", "-g"]);
  if (program === "timeout" || program === "gtimeout") return fromFirstPlain(args, ["-k", "-s"]).slice(1);
  if (assigning.has(program)) return fromFirstPlain(args, ["-u", "-e", "-f"]);
  if (program === "xargs") return fromFirstPlain(args, ["-n", "-I", "-P", "-L", "-d", "-s"]);
  if (["npx", "bunx", "pnpx", "uvx"].includes(program))
    return withoutVersion(fromFirstPlain(args, ["-p", "--package"]));
  if (managers.has(program)) {
    const [verb, ...rest] = fromFirstPlain(args, managerValues);
    if (verb === "workspace") return [program, ...rest.slice(1)];
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
  if (program === "docker" || program === "podman" || program === "docker-compose") return insideContainer(args);
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
