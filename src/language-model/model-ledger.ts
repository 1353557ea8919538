import type { Clock } from "../base/base.js";
import type { Reader, Store } from "../storage/storage.js";

// Long enough to get a free lock, short enough that nobody notices.
const patienceMs = 50;
// What was spent is worth more patience once nobody waits for an answer any more.
const lastPatienceMs = 1000;
// Written soon after the answer, and together when several come in a row.
const delayMs = 200;
// A store that is read-only or full is not so for a moment only.
const retryMs = 10_000;

/** One request to a language model, whether it was answered or not. */
export interface ModelCall {
  model: string;
  purpose: string;
  failed: boolean;
  inputTokens: number;
  outputTokens: number;
}

/** What a model was asked on one day for one purpose, and the model tokens of it. */
export interface ModelCalls {
  /** In UTC, such as `2026-11-03`. */
  day: string;
  model: string;
  purpose: string;
  calls: number;
  failures: number;
  inputTokens: number;
  outputTokens: number;
}

/**
 * Keeps count of what language models were asked, after the answer was given. Counts wait in memory while the store is
 * busy. Nothing is written where there is no store, because asking creates none.
 */
export class ModelLedger {
  readonly #store: Store;
  readonly #now: Clock;
  #pending = new Map<string, ModelCalls>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, now: Clock) {
    this.#store = store;
    this.#now = now;
  }

  count({ model, purpose, failed, inputTokens, outputTokens }: ModelCall): void {
    const day = this.#now().toISOString().slice(0, 10);
    this.#add({ day, model, purpose, calls: 1, failures: failed ? 1 : 0, inputTokens, outputTokens });
    this.#writeSoon();
  }

  /** Writes what is not written yet. Call it before the store is closed. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#writeInTurn(lastPatienceMs);
  }

  #writeSoon(ms = delayMs): void {
    // A process that has nothing else to do must not stay for this; flush() writes what is left.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#writeInTurn(patienceMs);
    }, ms).unref();
  }

  /** One after the other, so that the last one has what the one before it could not write. */
  async #writeInTurn(timeoutMs: number): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(timeoutMs));
    await this.#writing;
  }

  async #write(timeoutMs: number): Promise<void> {
    if (this.#pending.size === 0 || !this.#store.exists) return;
    const rows = [...this.#pending.values()];
    this.#pending.clear();
    try {
      await this.#store.write(
        async (writer) =>
          writer.run(
            `INSERT INTO model_calls (day, model, purpose, calls, failures, input_tokens, output_tokens)
             SELECT value ->> 'day', value ->> 'model', value ->> 'purpose', value ->> 'calls', value ->> 'failures',
               value ->> 'inputTokens', value ->> 'outputTokens'
             FROM json_each(:rows) WHERE true
             ON CONFLICT (day, model, purpose) DO UPDATE SET calls = calls + excluded.calls,
               failures = failures + excluded.failures, input_tokens = input_tokens + excluded.input_tokens,
               output_tokens = output_tokens + excluded.output_tokens`,
            { rows: JSON.stringify(rows) },
          ),
        { timeoutMs },
      );
    } catch {
      // Busy, read-only, full: tried again in a while, and by flush().
      for (const row of rows) this.#add(row);
      if (timeoutMs === patienceMs) this.#writeSoon(retryMs);
    }
  }

  #add(row: ModelCalls): void {
    const key = JSON.stringify([row.day, row.model, row.purpose]);
    const known = this.#pending.get(key);
    this.#pending.set(key, {
      ...row,
      calls: row.calls + (known?.calls ?? 0),
      failures: row.failures + (known?.failures ?? 0),
      inputTokens: row.inputTokens + (known?.inputTokens ?? 0),
      outputTokens: row.outputTokens + (known?.outputTokens ?? 0),
    });
  }
}

/** What language models were asked, newest day first. */
export async function listModelCalls(reader: Reader): Promise<ModelCalls[]> {
  const rows = await reader.rows(
    `SELECT day, model, purpose, calls, failures, input_tokens AS inputTokens, output_tokens AS outputTokens
     FROM model_calls ORDER BY day DESC, model, purpose`,
  );
  return rows as unknown as ModelCalls[];
}
