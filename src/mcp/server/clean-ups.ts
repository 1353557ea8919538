import type { CallContext } from "../tools/tool.js";

export interface CleanUpsOptions {
  onError?: (error: unknown) => void;
  /** Told what was removed. */
  onNote?: (text: string) => void;
}

/** What is done beside the calls until it is closed. Nobody waits for it. */
export interface CleanUps {
  /** Says which memory is meant from now on. */
  follow: (context: CallContext) => void;
  close: () => void;
}

// The first design asks for one at the start. Soon after it: what a client asks first is not to wait for a database.
const firstMs = 1000;
const eachMs = 3_600_000;

/**
 * Removes what has long expired from the memory that was meant last, soon after the first was and every hour. Before that
 * nothing is opened: an editor starts a server in a folder that is nobody's project.
 */
export function openCleanUps({ onError = () => {}, onNote = () => {} }: CleanUpsOptions): CleanUps {
  let latest: CallContext | undefined;
  let timer: NodeJS.Timeout | undefined;

  const cleanUp = async ({ memory, heldFor = (work) => work() }: CallContext): Promise<void> => {
    try {
      const removed = await heldFor(async () => (await memory()).store.cleanUp());
      onNote(`cleaned up ${removed} ${removed === 1 ? "memory" : "memories"}`);
    } catch (error) {
      onError(error);
    }
  };
  const after = (ms: number): void => {
    timer = setTimeout(() => {
      after(eachMs);
      if (latest) void cleanUp(latest);
    }, ms).unref();
  };

  return {
    follow: (context) => {
      latest = context;
      if (!timer) after(firstMs);
    },
    close: () => clearTimeout(timer),
  };
}
