// What the commands share that run inside an agent's hook: they read what it tells, and trouble nobody with what went wrong.
import { writeSync } from "node:fs";
import { isBoundedJson, parseBoundedList, parseBoundedObject } from "../../base/input/input.js";

// More than any tool's answer; what comes after it is not read.
const maxBytes = 64 * 1024 * 1024;
// Agents close the pipe when they have written. One that does not must not be made to wait.
const patienceMs = 5000;
// To see whether a longer one is whole takes longer than it is worth.
const maxLooked = 1024 * 1024;
// Each costs time, and a file that is none of ours has nothing else.
const maxDamaged = 1000;

/** The JSON documents on standard input: one, a list of them, or one in each line; what is damaged is passed over. */
export async function readDocuments(): Promise<unknown[]> {
  return parseDocuments((await readInput(patienceMs)).text);
}

/**
 * The first of them, for an agent that waits: after so long a document that is whole is taken although the input has not
 * ended, and where nothing came there is none.
 */
export async function readDocument(soonMs: number): Promise<{ document: unknown; hasEnded: boolean }> {
  const { text, hasEnded } = await readInput(soonMs);
  // What was cut off is no document, and to see that takes as long as reading it.
  const isCut = text.length >= maxBytes;
  return { document: isCut ? undefined : parseDocuments(text)[0], hasEnded };
}

/** Where the agent says that it stands. */
export function folderOf(document: unknown): string | undefined {
  if (typeof document !== "object" || document === null || !("cwd" in document)) return undefined;
  return typeof document.cwd === "string" && document.cwd !== "" && !document.cwd.includes("\0")
    ? document.cwd
    : undefined;
}

/** Tells on standard error what went wrong, where `TACIT_DEBUG` asks for that. */
export function complain(command: string, error: unknown): void {
  if (!process.env["TACIT_DEBUG"]) return;
  const text = error instanceof Error ? error.message : String(error);
  try {
    // Not by the stream, which would report a reader that has gone as one more error.
    writeSync(2, `tacit ${command}: ${text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")}\n`);
  } catch {
    // There is nobody to tell.
  }
}

async function readInput(soonMs: number): Promise<{ text: string; hasEnded: boolean }> {
  const { stdin } = process;
  // Nobody types events.
  if (stdin.isTTY) return { text: "", hasEnded: true };
  const chunks: Buffer[] = [];
  let bytes = 0;
  let hasEnded = false;
  await new Promise<void>((done) => {
    const timers = [setTimeout(() => stopIfWhole(), soonMs), setTimeout(() => stop(), patienceMs)];
    const stop = () => {
      for (const timer of timers) clearTimeout(timer);
      done();
    };
    const end = () => {
      hasEnded = true;
      stop();
    };
    // One turn later: in a process that has just been asleep what waits to be read is read after timers have run out.
    const stopIfWhole = () => setImmediate(() => isWhole(chunks, bytes) && stop());
    stdin.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) stop();
    });
    stdin.once("end", end).once("close", end).on("error", end);
  });
  stdin.destroy();
  return { text: Buffer.concat(chunks).toString("utf8"), hasEnded };
}

function isWhole(chunks: readonly Buffer[], bytes: number): boolean {
  if (bytes === 0) return true;
  return bytes <= maxLooked && parse(Buffer.concat(chunks).toString("utf8")) !== undefined;
}

function parseDocuments(text: string): unknown[] {
  const document = parse(text);
  if (document !== undefined) return Array.isArray(document) ? document : [document];
  return parseLines(text);
}

/** Undefined for what is damaged; of each object that is too large, the members that are not. */
function parse(text: string): unknown {
  try {
    return isBoundedJson(text) ? JSON.parse(text) : (parseBoundedList(text) ?? parseBoundedObject(text));
  } catch {
    return undefined;
  }
}

function parseLines(text: string): unknown[] {
  const documents: unknown[] = [];
  let damaged = 0;
  for (const line of text.split("\n")) {
    if (!line.startsWith("{") || damaged > maxDamaged) continue;
    const document = parse(line);
    if (document === undefined) damaged++;
    else documents.push(document);
  }
  return documents;
}
