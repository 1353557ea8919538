import type { Store } from "../../storage/storage.js";
import type { Change } from "../change/changed-memory.js";
import type { ChangeSubscriber } from "../change/changes.js";

// Long enough to get a free lock, short enough that nobody notices: uses are nice to know, not worth waiting for.
const patienceMs = 50;
// Counted soon after the answer, and together when questions come in a row.
const delayMs = 200;

type Uses = Map<string, { count: number; at: string }>;

/**
 * Counts how often memories are used, after the answer was given; decay.ts says what follows from it. Counts are dropped
 * when the store is busy.
 */
export class AccessCounter {
  readonly #store: Store;
  readonly #now: () => Date;
  #pending: Uses = new Map();
  /** What waits for the lock. */
  readonly #leaving = new Set<Uses>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  count(ids: readonly string[]): void {
    const at = this.#now().toISOString();
    for (const id of ids) this.#pending.set(id, { count: (this.#pending.get(id)?.count ?? 0) + 1, at });
    if (this.#pending.size === 0 || this.#timer) return;
    this.#timer = setTimeout(() => void this.flush(), delayMs);
    // A process that has nothing else to do must not stay for this; close() writes what is left.
    this.#timer.unref();
  }

  /**
   * Uses of a text that was corrected or called wrong since prove nothing of it. In the transaction, because those that wait
   * for the lock are written right after it; and after it, because somebody may have read the old text meanwhile.
   */
  readonly subscriber: ChangeSubscriber = {
    name: "counters",
    within: async (_writer, change) => this.#drop(change),
    after: (change) => this.#drop(change),
  };

  #drop({ memories }: Change): void {
    for (const { id, fields } of memories) {
      if (!fields.has("content") && !fields.has("review")) continue;
      for (const uses of [this.#pending, ...this.#leaving]) uses.delete(id);
    }
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = this.#pending;
    this.#pending = new Map();
    if (uses.size === 0 || !this.#store.exists) return;
    this.#leaving.add(uses);
    try {
      await this.#store.write(
        async (writer) =>
          writer.run(
            `UPDATE memories SET access_count = access_count + use.value ->> 1, last_accessed_at = use.value ->> 2,
               uses_since_correction = uses_since_correction + use.value ->> 1
             FROM json_each(:uses) AS use WHERE memories.id = use.value ->> 0`,
            { uses: JSON.stringify([...uses].map(([id, { count, at }]) => [id, count, at])) },
          ),
        { timeoutMs: patienceMs },
      );
    } catch {
      // Busy, read-only, full: the answer was given, and that is what counts.
    } finally {
      this.#leaving.delete(uses);
    }
  }
}
