import { readProcess } from "./read-process.js";

/** A process, as it is told from a later one with the same number. */
export interface ProcessIdentity {
  pid: number;
  /** When it began, in the system's own count; 0 where the system does not tell. */
  started: number;
}

let own: ProcessIdentity | undefined;

export function currentProcess(): ProcessIdentity {
  own ??= { pid: process.pid, started: startOf(process.pid) };
  return own;
}

/** True while the process lives. Where the system does not tell when it began, any process of that number counts. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's, which we may not signal, lives too.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = startOf(pid);
  return started === 0 || now === 0 || now === started;
}

const prefix = "writer-";

/** The name of the file by which a process that stays says that it writes here. */
export function writerMark(writer: ProcessIdentity): string {
  return `${prefix}${nameOfProcess(writer)}`;
}

export function parseWriterMark(name: string): ProcessIdentity | undefined {
  return name.startsWith(prefix) ? parseProcessIdentity(name.slice(prefix.length)) : undefined;
}

/** `pid-started`, as `parseProcessIdentity` reads it. */
export function nameOfProcess({ pid, started }: ProcessIdentity): string {
  return `${pid}-${started}`;
}

/** Reads `pid-started`. */
export function parseProcessIdentity(text: string): ProcessIdentity | undefined {
  const [, pid, started] = /^([1-9]\d{0,9})-(\d{1,15})$/.exec(text) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), started: Number(started) };
}

function startOf(pid: number): number {
  return readProcess(pid)?.started ?? 0;
}
