import { complain as complainOf, folderOf, readDocuments } from "./agent-input.js";
import { takeGlobalFlags } from "../terminal/global-flags.js";
import { sessionTypeNames } from "../sessions/session-types.js";

export interface ObserveLine {
  from: string;
  /** What kind of sessions they are, where they do not say so. */
  type?: string;
  db?: string;
  project?: string;
}

// A model that does not answer must not keep it alive for ever.
const longestFinishMs = 300_000;
// Who only finishes need not insist: what a locked store does not take now is taken in by the next one who comes by.
const finisherMs = 2000;

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
    const place = { ...(db !== undefined && { db }), ...(project !== undefined && { project }) };
    if (words.includes("--finish")) await finishOnly(place);
    else
      await observeLines({
        from: valueOf(words, "--from") ?? "claude-code",
        ...(type !== undefined && { type }),
        ...place,
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
    const { eventSources, observeOnce, readEvents } = await import("../../hook/observe-once.js");
    const { isOfCall } = await import("../../hook/spool-status.js");
    const source = eventSources.find((name) => name === from);
    if (source === undefined) throw new Error(`--from is one of ${eventSources.join(", ")}.`);
    const type = sessionTypeNames.find((name) => name === given);
    // What an agent does is worth more than what kind of session it has.
    if (type !== given) complain(`--type is one of ${sessionTypeNames.join(", ")}.`);
    const isOfAgent = await whoIsBehind(source);
    const folders = new Map<string, unknown[]>();
    const startedIn = source === "claude-code" ? process.env["CLAUDE_PROJECT_DIR"] : undefined;
    for (const document of await readDocuments()) {
      const folder = startedIn || (source === "claude-code" && folderOf(document)) || process.cwd();
      folders.set(folder, [...(folders.get(folder) ?? []), document]);
    }
    for (const [directory, documents] of folders) {
      const isByAgent = () => isOfAgent() || isOfCall({ ...place, directory });
      const options = { ...(type !== undefined && { type }), isByAgent };
      const events = (await Promise.all(documents.map((document) => readEvents(source, document, options)))).flat();
      const { ended, root, isFinishingDue } = await observeOnce(events, { ...place, directory, isOneEvent: true });
      // At the beginning of a session its agent waits, and at the end of one it does not.
      if (isFinishingDue) await finish({ ...place, directory: root }, { isQuick: ended.length === 0 });
    }
  } catch (error) {
    complain(error);
  }
}

/** Only Claude Code says what it was started with. */
async function whoIsBehind(source: string): Promise<() => boolean> {
  if (source !== "claude-code") return () => false;
  return (await import("../../agents/claude-code/tool-call.js")).isByAgent;
}

/**
 * Learns from the sessions in this folder that are over, and reads nothing: for a process that nobody waits for. Where another
 * one is at it, that one does this too.
 */
async function finishOnly(place: { db?: string; project?: string }): Promise<void> {
  process.on("uncaughtException", complain);
  setTimeout(() => process.exit(0), longestFinishMs).unref();
  try {
    const { finishOnce } = await import("../../hook/spool-status.js");
    const here = { ...place, directory: process.cwd() };
    await finishOnce(async () => finish({ ...here, timeoutMs: finisherMs }, { isQuick: false }), here);
  } catch (error) {
    complain(error);
  }
}

/** What a session has taught is written when it is over; that alone opens the store. */
async function finish(
  options: { db?: string; project?: string; directory: string; timeoutMs?: number },
  { isQuick }: { isQuick: boolean },
): Promise<void> {
  const { openMemory } = await import("../../index.js");
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

function complain(error: unknown): void {
  complainOf("observe", error);
}
