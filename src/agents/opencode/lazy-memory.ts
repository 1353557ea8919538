import type { AgentEvent, OpenOptions, Settings, TacitMemory } from "../../index.js";

/** A memory that is opened by the first thing that needs it. */
export interface LazyMemory {
  /** Throws what went wrong with opening it; the next one who asks tries again. */
  get(): Promise<TacitMemory>;
  /** Hands an event over, in order, without waiting for anything. Never throws. */
  observe(event: AgentEvent): void;
  /** What is set now; undefined where that cannot be read. */
  settings(): Promise<Settings | undefined>;
  close(): Promise<void>;
}

// A memory that cannot be opened must not fill this one.
const maxEarly = 1000;

export function openLazyMemory(options: OpenOptions, { onError }: { onError: (error: unknown) => void }): LazyMemory {
  let opening: Promise<TacitMemory> | undefined;
  let opened: TacitMemory | undefined;
  const early: AgentEvent[] = [];

  const open = async (): Promise<TacitMemory> => {
    const { openMemory } = await import("../../index.js");
    const memory = await openMemory(options);
    for (const event of early.splice(0)) memory.observe(event);
    opened = memory;
    return memory;
  };
  const get = async (): Promise<TacitMemory> => {
    opening ??= open();
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  return {
    get,
    observe: (event) => {
      if (opened) return opened.observe(event);
      if (early.length < maxEarly) early.push(event);
      get().catch(onError);
    },
    settings: async () => {
      try {
        return (await (await get()).projects.config()).settings;
      } catch (error) {
        onError(error);
        return undefined;
      }
    },
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}
