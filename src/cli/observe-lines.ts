import { writeSync } from "node:fs";
import { takeGlobalFlags } from "./global-flags.js";
import { sessionTypeNames } from "./session-types.js";

export interface ObserveLine {
  from: string;
  /** What kind of sessions they are, where they do not say so. */
  type?: string;
  db?: string;
  project?: string;
}

// More than any tool's answer; what comes after it is not read.
const mostBytes = 64 * 1024 * 1024;
// Agents close the pipe when they have written. One that does not must not be made to wait.
const patienceMs = 5000;
// Each costs time, and a file that is none of ours has nothing else.
const mostDamaged = 1000;

/**
 * Runs a line that says `observe` and asks for no help, before anything of the command line is loaded: it runs after
 * every tool call of an agent. False: it is another line.
 */
export async function tryObserve(args: string[]): Promise<boolean> {
  const { flags, rest, problem } = takeGlobalFlags(args);
  const [command, ...words] = rest;
  if (command !== "observe" || words.some((word) => word === "--help" || word === "-h")) return false;
  const { db, project } = flags;
  // Without the store that was meant, nothing is noted: the usual one is not for it.
  if (problem) complain(problem.message);
  else {
    const type = valueOf(words, "--type");
    await observeLines({
      from: valueOf(words, "--from") ?? "claude-code",
      ...(type !== undefined && { type }),
      ...(db !== undefined && { db }),
      ...(project !== undefined && { project }),
    });
  }
  return true;
}

/**
 * Notes what an agent says on standard input. Never throws, prints nothing on standard output and leaves the exit code
 * at 0, whatever happens: an agent must not be stopped by its memory, and takes other codes for a wish.
 */
export async function observeLines({ from, type: given, ...place }: ObserveLine): Promise<void> {
  process.on("uncaughtException", complain);
  try {
    const { eventSources, observeOnce, readEvents } = await import("../observe.js");
    const source = eventSources.find((name) => name === from);
    if (source === undefined) throw new Error(`--from is one of ${eventSources.join(", ")}.`);
    const type = sessionTypeNames.find((name) => name === given);
    // What an agent does is worth more than what kind of session it has.
    if (type !== given) complain(`--type is one of ${sessionTypeNames.join(", ")}.`);
    const options = { ...(type !== undefined && { type }) };
    const text = await readInput();
    const folders = new Map<string, unknown[]>();
    const startedIn = source === "claude-code" ? process.env["CLAUDE_PROJECT_DIR"] : undefined;
    for (const document of parseDocuments(text)) {
      const folder = startedIn || (source === "claude-code" && folderOf(document)) || process.cwd();
      folders.set(folder, [...(folders.get(folder) ?? []), document]);
    }
    for (const [directory, documents] of folders) {
      const events = (await Promise.all(documents.map((document) => readEvents(source, document, options)))).flat();
      const { ended, root, isFinishingDue } = await observeOnce(events, { ...place, directory });
      // At the beginning of a session its agent waits, and at the end of one it does not.
      if (isFinishingDue) await finish({ ...place, directory: root }, { isQuick: ended.length === 0 });
    }
  } catch (error) {
    complain(error);
  }
}

/** What a session has taught is written when it is over; that alone opens the store. */
async function finish(
  options: { db?: string; project?: string; directory: string },
  { isQuick }: { isQuick: boolean },
): Promise<void> {
  const { openMemory } = await import("../index.js");
  const memory = await openMemory(options);
  try {
    await memory.finishSessions({ isQuick });
  } finally {
    await memory.close();
  }
}

function valueOf(words: string[], flag: string): string | undefined {
  const index = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (index < 0) return undefined;
  const word = words[index] ?? "";
  return word === flag ? (words[index + 1] ?? "") : word.slice(flag.length + 1);
}

async function readInput(): Promise<string> {
  const { stdin } = process;
  // Nobody types events.
  if (stdin.isTTY) return "";
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((done) => {
    const timer = setTimeout(done, patienceMs);
    const end = () => {
      clearTimeout(timer);
      done();
    };
    stdin.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) end();
    });
    stdin.once("end", end).once("close", end).on("error", end);
  });
  stdin.destroy();
  return Buffer.concat(chunks).toString("utf8");
}

/** One document, a list of them, or one in each line; what is damaged is passed over. */
function parseDocuments(text: string): unknown[] {
  try {
    const document: unknown = JSON.parse(text);
    return Array.isArray(document) ? document : [document];
  } catch {
    return parseLines(text);
  }
}

function parseLines(text: string): unknown[] {
  const documents: unknown[] = [];
  let damaged = 0;
  for (const line of text.split("\n")) {
    if (!line.startsWith("{") || damaged > mostDamaged) continue;
    try {
      documents.push(JSON.parse(line));
    } catch {
      damaged++;
    }
  }
  return documents;
}

function folderOf(document: unknown): string | undefined {
  if (typeof document !== "object" || document === null || !("cwd" in document)) return undefined;
  return typeof document.cwd === "string" && document.cwd !== "" && !document.cwd.includes("\0")
    ? document.cwd
    : undefined;
}

function complain(error: unknown): void {
  if (!process.env["TACIT_DEBUG"]) return;
  const text = error instanceof Error ? error.message : String(error);
  try {
    // Not by the stream, which would report a reader that has gone as one more error.
    writeSync(2, `tacit observe: ${text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")}\n`);
  } catch {
    // There is nobody to tell.
  }
}
