import { openRepeatedWords } from "../../base/text/text.js";
import type { AgentMemory } from "../agent-memory.js";
import type { ReachedMemory } from "./reach-memory.js";

/** What is said in a session, to be kept as turns where that is wanted. */
export interface SessionTurns {
  /** Notes it; it is written when the agent has said its last word and nothing happens. */
  add: (role: "user" | "assistant", content: string, toolsUsed?: string[]) => void;
  /** Takes note of what a tool showed: who repeats it has pasted it. */
  shown: (text: string) => void;
  /** Whether the agent has said its last word. While it works nothing is written. */
  rest: (isResting: boolean) => void;
  /** Writes what is left. Never rejects. */
  write: () => Promise<void>;
}

interface SaidTurn {
  role: "user" | "assistant";
  content: string;
  timestamp: string;
  toolsUsed: string[];
  isPasted?: boolean;
}

// A store that another process holds blocks this one while it is waited for. So nothing is written before a model is asked,
// and after a wait that was in vain not again for a while.
const quietMs = 300;
const pauseMs = 60_000;
// What waits while a store is held for long; beyond it the oldest go.
const maxTurns = 1000;

export function openSessionTurns(memory: ReachedMemory, sessionId: string): SessionTurns {
  let said: SaidTurn[] = [];
  const words = openRepeatedWords();
  let writing: Promise<void> = Promise.resolve();
  let notBefore = 0;
  let timer: NodeJS.Timeout | undefined;

  const writeAll = async (opened: AgentMemory): Promise<void> => {
    if (said.length === 0) return;
    const turns = said;
    said = [];
    try {
      await appendTurns(opened, sessionId, turns);
    } catch (error) {
      memory.complain(error);
      notBefore = performance.now() + pauseMs;
      if (isLocked(error)) said = [...turns, ...said];
    }
  };
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    writing = writing.then(async () => writeAll(await memory.opened)).catch(memory.complain);
    return writing;
  };

  return {
    write,
    shown: words.add,
    add: (role, content, toolsUsed = []) => {
      if (content.trim() === "") return;
      const isPasted = role === "user" && words.repeats(content);
      const turn = { role, content, timestamp: new Date().toISOString(), toolsUsed, ...(isPasted && { isPasted }) };
      said = [...said.slice(1 - maxTurns), turn];
    },
    rest: (isResting) => {
      clearTimeout(timer);
      if (isResting && said.length > 0 && performance.now() >= notBefore)
        timer = setTimeout(() => void write(), quietMs);
    },
  };
}

async function appendTurns(memory: AgentMemory, sessionId: string, turns: SaidTurn[]): Promise<void> {
  if (!memory.conversation || !memory.projects) return;
  const { enabled, keepTurns } = (await memory.projects.config()).settings;
  if (enabled && keepTurns) await memory.conversation(sessionId).append(turns);
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "store-locked";
}
