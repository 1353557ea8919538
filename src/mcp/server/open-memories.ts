import type { TacitMemory } from "../../index.js";
import type { CallContext } from "../tools/tool.js";

export interface MemoriesOptions {
  db?: string;
  project?: string;
  sessionId?: string;
  onError?: (error: unknown) => void;
  /** Told of each call that begins, with what it got. */
  onUse?: (context: CallContext) => void;
}

/** The memories that one server is asked about. */
export interface Memories {
  /** What a call gets that is made from a folder. Without one: from the working directory. */
  contextAt: (directory?: string) => CallContext;
  close: () => Promise<void>;
}

// A store that another process holds blocks this one for as long, and every other call with it.
const timeoutMs = 3000;
// Somebody who goes back and forth between folders; what is closed is opened again by the next call.
const maxOpen = 8;

/**
 * Memories by folder, each opened by the first call that needs it: a client that only asks what there is waits for no
 * database. A failure is that call's answer; the next one tries again. Past the eighth folder the one unused for longest is
 * closed, but none that a call still uses.
 */
export function openMemories({
  db,
  project,
  sessionId,
  onError = () => {},
  onUse = () => {},
}: MemoriesOptions): Memories {
  // In the order of their last use.
  const opened = new Map<string | undefined, Promise<TacitMemory>>();
  const inUse: (string | undefined)[] = [];

  const open = async (directory: string | undefined): Promise<TacitMemory> => {
    const { openMemory } = await import("../../index.js");
    return openMemory({
      timeoutMs,
      ...(db !== undefined && { db }),
      ...(project !== undefined && { project }),
      ...(directory !== undefined && { directory }),
    });
  };

  const closeUnused = (): void => {
    for (const [directory, memory] of opened) {
      if (opened.size <= maxOpen) return;
      if (inUse.includes(directory)) continue;
      opened.delete(directory);
      void closeOf(memory).catch(onError);
    }
  };

  const get = async (directory: string | undefined): Promise<TacitMemory> => {
    const opening = opened.get(directory) ?? open(directory);
    opened.delete(directory);
    opened.set(directory, opening);
    closeUnused();
    try {
      return await opening;
    } catch (error) {
      if (opened.get(directory) === opening) opened.delete(directory);
      throw error;
    }
  };

  return {
    contextAt: (directory) => {
      const context: CallContext = {
        memory: () => get(directory),
        heldFor: async (work) => {
          inUse.push(directory);
          onUse(context);
          try {
            return await work();
          } finally {
            inUse.splice(inUse.indexOf(directory), 1);
            closeUnused();
          }
        },
        directory: directory ?? process.cwd(),
        ...(sessionId !== undefined && { sessionId }),
      };
      return context;
    },
    close: async () => {
      await Promise.all([...opened.values()].map((memory) => closeOf(memory).catch(onError)));
    },
  };
}

async function closeOf(opening: Promise<TacitMemory>): Promise<void> {
  await (await opening.catch(() => undefined))?.close();
}
