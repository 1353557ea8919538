import type { Change, MemoryWriter } from "./changed-memory.js";

/**
 * Who follows changes, in the order in which they are told. History, words and facets are no followers: the functions that
 * write a row write those with it, since the rest of the same transaction looks for them.
 */
export const subscriberOrder = [
  "links",
  "embedding",
  "grounding",
  "contradictions",
  "memory-file",
  "share",
  "counters",
] as const;

export type SubscriberName = (typeof subscriberOrder)[number];

/** One who follows every change of every memory, whatever verb made it. */
export interface ChangeSubscriber {
  name: SubscriberName;
  /** Loads what `within` needs, before the transaction begins: others wait for the lock while that lasts. */
  prepare?: () => Promise<unknown>;
  /** Part of the transaction. Reads and writes the database, and nothing else: no model, no file. */
  within?: (writer: MemoryWriter, change: Change) => Promise<void>;
  /** After the commit. What may take long goes on in the background; what fails is found again. */
  after?: (change: Change) => void | Promise<void>;
}

export interface Changes {
  /** Each name once. The order of subscribing does not matter. */
  subscribe: (...subscribers: ChangeSubscriber[]) => void;
  prepare: () => Promise<void>;
  within: (writer: MemoryWriter, changes: readonly Change[]) => Promise<void>;
  /** Never throws: what was changed is changed. */
  after: (changes: readonly Change[]) => Promise<void>;
}

export function openChanges(...first: ChangeSubscriber[]): Changes {
  let subscribers: ChangeSubscriber[] = [];
  const subscribe = (...added: ChangeSubscriber[]): void => {
    const rank = ({ name }: ChangeSubscriber) => subscriberOrder.indexOf(name);
    subscribers = [...subscribers, ...added].toSorted((a, b) => rank(a) - rank(b));
  };
  subscribe(...first);
  return {
    subscribe,
    prepare: async () => {
      for (const subscriber of subscribers) await subscriber.prepare?.();
    },
    within: async (writer, changes) => {
      for (const change of changes) for (const subscriber of subscribers) await subscriber.within?.(writer, change);
    },
    after: async (changes) => {
      for (const change of changes) {
        for (const subscriber of subscribers) {
          try {
            await subscriber.after?.(change);
          } catch {
            // Each of them is resumed from the store; whoever changed a memory has nothing to do with it.
          }
        }
      }
    },
  };
}
