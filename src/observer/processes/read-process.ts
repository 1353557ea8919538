import { readFileSync, readlinkSync } from "node:fs";

/** What the system tells of a process. */
export interface SeenProcess {
  pid: number;
  /** When it began, in the system's own count. */
  started: number;
  parent: number;
  /** The process that leads its session; 0 where that one is out of sight. */
  leader: number;
  /** It has a terminal that controls it. */
  hasTerminal: boolean;
  /** Its program, at most 15 characters. */
  name: string;
}

/** What Linux tells of a process; undefined where it is gone, and on other systems. */
export function readProcess(pid: number): SeenProcess | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program, in brackets, may hold anything. Behind it: state, parent, group, session, … and field 22.
    const end = status.lastIndexOf(")");
    const fields = status.slice(end + 2).split(" ");
    const [parent, leader, started] = [fields[1], fields[3], fields[19]].map(Number) as [number, number, number];
    if (!Number.isInteger(parent) || !Number.isInteger(started)) return undefined;
    const hasTerminal = fields[4] !== "0";
    return { pid, started, parent, leader, hasTerminal, name: status.slice(status.indexOf("(") + 1, end) };
  } catch {
    return undefined;
  }
}

// What the system has for a process that came of no login, as in most containers.
const noLogin = "4294967295";

/**
 * The login that a process came of, such as one by ssh, whatever it did since; undefined where the system does not tell. Who has one
 * needs the rights of the system to get another.
 */
export function loginOf(pid: number): string | undefined {
  try {
    const login = readFileSync(`/proc/${pid}/sessionid`, "latin1").trim();
    return login === "" || login === noLogin ? undefined : login;
  } catch {
    return undefined;
  }
}

let namespace: string | undefined;

/** In which the numbers of processes count that this one sees; empty where the system does not tell. */
export function ownNamespace(): string {
  namespace ??= readNamespace();
  return namespace;
}

function readNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

// A terminal in an editor on a desktop is about eight away from the first process. Who nests more shells hides something.
const maxProcesses = 1000;

let own: readonly SeenProcess[] | undefined;

/**
 * This process and those that it comes from, the nearest first; empty where the system does not tell. Read once: a process whose
 * parent ends gets another one, and still comes from where it came from.
 */
export function lineage(): readonly SeenProcess[] {
  own ??= readLineage(process.pid);
  return own;
}

/** Whether there are more above than anybody looks at. */
export function isCutOff(chain: readonly SeenProcess[]): boolean {
  return chain.length >= maxProcesses && chain.at(-1)?.parent !== 0;
}

export function readLineage(from: number): SeenProcess[] {
  const found: SeenProcess[] = [];
  for (let pid = from; pid > 0 && found.length < maxProcesses;) {
    const seen = readProcess(pid);
    if (!seen) break;
    found.push(seen);
    pid = seen.parent;
  }
  return found;
}

// What the system counts in, on every Linux that Node runs on.
const ticksPerSecond = 100;

/** When a process began, in milliseconds since 1970, to some 20 ms; undefined where the system does not tell. */
export function beganAt({ started }: Pick<SeenProcess, "started">, now = Date.now()): number | undefined {
  try {
    const uptimeMs = Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]) * 1000;
    return Number.isFinite(uptimeMs) ? now - uptimeMs + (started * 1000) / ticksPerSecond : undefined;
  } catch {
    return undefined;
  }
}
