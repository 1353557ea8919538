import type { Caller } from "../../../index.js";
import { noteAgentSeen } from "../../../install/last-seen/agents-seen.js";
import { describeRefusal } from "../../../mcp/tools/describe-refusal.js";
import { complainOnce } from "../../complain-once.js";
import { late, patienceMs } from "../memory-tools.js";
import { checkMemory } from "../reach-memory.js";
import { runCommand } from "./file-commands.js";
import type { FileMemory } from "./memory-files.js";

/** What a model asks of Anthropic's memory tool, `memory_20250818`. */
export type MemoryCommand =
  | { command: "view"; path: string; view_range?: [number, number] }
  | { command: "create"; path: string; file_text: string }
  | { command: "str_replace"; path: string; old_str: string; new_str: string }
  | { command: "insert"; path: string; insert_line: number; insert_text: string }
  | { command: "delete"; path: string }
  | { command: "rename"; old_path: string; new_path: string };

export interface MemoryToolOptions {
  /** Where the files are kept: what `openMemory()` gives, or what is awaited of it. A worker's end cannot do this. */
  memory: FileMemory | PromiseLike<FileMemory>;
  /** The session that is observed. What it has read decides how far its files are trusted; without it nobody vouches for them. */
  sessionId?: string;
}

export interface MemoryTool {
  /** Does what the model asks, and answers in text. Never throws: what goes wrong is said in the text. */
  execute: (input: MemoryCommand) => Promise<string>;
}

/**
 * Anthropic's memory tool, with files that are memories: each below `/memories` is one of this project, found by recall as
 * others are, with secrets taken out, a history, and 30 days in which a deleted one comes back. No file system is touched.
 *
 * @example
 * const tools = { memory: anthropic.tools.memory_20250818(memoryTool({ memory, sessionId })) };
 * // or in a loop of your own:
 * const content = await memoryTool({ memory }).execute(block.input);
 */
export function memoryTool(options: MemoryToolOptions): MemoryTool {
  const { memory, sessionId } = Object(options) as MemoryToolOptions;
  const opened = Promise.resolve(checkMemory(memory, verbs)).then((one) => checkMemory(one, verbs));
  opened.catch(complainOnce());
  const agent: Caller = { kind: "agent", ...(sessionId !== undefined && { sessionId }) };
  let hasSpoken = false;
  const execute: MemoryTool["execute"] = async (input) => {
    try {
      if (!hasSpoken) noteAgentSeen("memory-tool");
      hasSpoken = true;
      return await inTurn(memory, () =>
        opened
          .then((files) => runCommand({ memory: files.as(agent), sessionId }, input))
          .catch((error: unknown) => describeRefusal(error, input)),
      );
    } catch (error) {
      return describeRefusal(error, input);
    }
  };
  ours.add(execute);
  return { execute };
}

const verbs: (keyof FileMemory)[] = ["as", "remember", "revise", "undo", "list", "forgetMany"];

const ours = new WeakSet<object>();

/**
 * Whether a tool answers out of Tacit's files. Who observes a session should tell its calls as ones of Tacit's own: a tool
 * that is only called `memory` may answer with anything, and counts as outside.
 */
export function isMemoryTool(tool: unknown): boolean {
  const { execute } = Object(tool) as { execute?: unknown };
  return typeof execute === "function" && ours.has(execute);
}

/** The commands of one memory. */
interface Turns {
  last: Promise<unknown>;
  /** How many are still under way that nobody waits for any more. */
  owed: number;
}

const turnsOf = new WeakMap<object, Turns>();

/**
 * One command after the other: a model may send several at once, and they build on each other. A memory that hangs costs the
 * agent its patience once: until it has answered, it is not asked again.
 */
async function inTurn(memory: object, work: () => Promise<string>): Promise<string> {
  const turns: Turns = turnsOf.get(memory) ?? { last: Promise.resolve(), owed: 0 };
  turnsOf.set(memory, turns);
  const mine = turns.last.then(() => (turns.owed > 0 ? late : inTime(turns, work())));
  turns.last = mine.catch(() => undefined);
  return mine;
}

async function inTime(turns: Turns, answer: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Promise<string>((give) => {
    timer = setTimeout(() => {
      const settle = () => void (turns.owed -= 1);
      turns.owed += 1;
      answer.then(settle, settle);
      give(late);
    }, patienceMs);
  });
  return Promise.race([answer, waiting]).finally(() => clearTimeout(timer));
}
