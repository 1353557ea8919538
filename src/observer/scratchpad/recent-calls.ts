import type { Action } from "./session-view.js";

/** The newest calls by their ids, so that results find them. */
interface RecentCalls {
  get(id: string): Action | undefined;
  set(id: string, action: Action): void;
  /** True when this call was already told and has no result yet. */
  isOpen(id: string, tool: string, at: number): boolean;
  forget(gone: ReadonlySet<object>): void;
}

// An agent has a few calls open at a time. Two generations instead of the oldest one by one: no cost that grows.
const maxOfAGeneration = 2048;
// A call is told twice by two ways of listening at once. The same again later is a new one, because some agents give no
// ids and the same call then has the same.
const twiceWithinMs = 2000;

export function openRecentCalls(): RecentCalls {
  let young = new Map<string, Action>();
  let old = new Map<string, Action>();
  const get = (id: string): Action | undefined => young.get(id) ?? old.get(id);
  return {
    get,
    set(id, action) {
      young.set(id, action);
      if (young.size < maxOfAGeneration) return;
      old = young;
      young = new Map();
    },
    isOpen(id, tool, at) {
      const known = get(id);
      return known?.tool === tool && known.endedAt === undefined && Math.abs(at - known.at) <= twiceWithinMs;
    },
    forget(gone) {
      for (const calls of [young, old]) for (const [id, action] of calls) if (gone.has(action)) calls.delete(id);
    },
  };
}
