import { Worker } from "node:worker_threads";
import { MemoryError } from "../../base/memory-error.js";
import { builtFile } from "../../base/built-file.js";
import type { RuntimeName } from "./open-model.js";
import { endWhenIdle, newThreadState, type ThreadState } from "./thread-state.js";

/** What a thread is started with. */
export interface ThreadData {
  runtime: RuntimeName | undefined;
  state: ThreadState;
}

/** What goes into the thread and what comes back, matched by number. */
export interface EmbedRequest {
  number: number;
  text: string;
}
export interface EmbedResponse {
  number: number;
  vector: Float32Array;
}

interface Waiting {
  resolve: (vector: Float32Array) => void;
  reject: (error: unknown) => void;
}

// A text takes up to 0.2 s, loading up to 2 s on a slow machine.
const longestWorkMs = 5000;

/**
 * A thread that holds the model. Both runtimes block the thread they run in: for 2 to 20 ms a sentence, for a second
 * while they load. Keeps the process alive while somebody waits for an answer, and not a moment longer.
 */
export class ModelThread {
  readonly #worker: Worker;
  readonly #state = newThreadState();
  readonly #waiting = new Map<number, Waiting>();
  readonly #exit: Promise<void>;
  readonly #beforeExit = (): void => endWhenIdle(this.#state, longestWorkMs);
  #asked = 0;
  #alive = true;

  constructor(runtime: RuntimeName | undefined) {
    // onnxruntime-node keeps a device id and a list of events for its maker unless told not to before it is loaded. It reads the
    // environment of the process; that of a thread is only a copy.
    process.env["ORT_DISABLE_TELEMETRY"] = "1";
    this.#worker = new Worker(builtFile("embedding/bundled/model-worker.js"), {
      name: "tacit-model",
      workerData: { runtime, state: this.#state } satisfies ThreadData,
      // Not what the process was started with: `--inspect-brk` would stop here, and `--import` load somebody's hooks.
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on("message", ({ number, vector }: EmbedResponse) => this.#settle(number, vector));
    this.#worker.on("error", (error) => this.#end(error));
    process.on("exit", this.#beforeExit);
    this.#exit = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        process.off("exit", this.#beforeExit);
        this.#end(new Error("its thread ended"));
        resolve();
      });
    });
  }

  /** False after a failure or `close`: the next text needs another thread. */
  get isAlive(): boolean {
    return this.#alive;
  }

  embed(text: string): Promise<Float32Array> {
    const number = this.#asked;
    this.#asked += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.ref();
      this.#post({ number, text });
    });
  }

  /** Whoever waits is told at once; the thread ends when it is done with the text it reads. */
  async close(): Promise<void> {
    // A thread that failed is still on its way out, and whoever closes waits for it.
    this.#worker.ref();
    if (this.#alive) {
      this.#end(new Error("it was closed"));
      this.#post("close");
    }
    await this.#exit;
  }

  #post(message: EmbedRequest | "close"): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    this.#worker.postMessage(message);
  }

  #settle(number: number, vector: Float32Array): void {
    this.#waiting.get(number)?.resolve(vector);
    this.#waiting.delete(number);
    if (this.#alive && this.#waiting.size === 0) this.#worker.unref();
  }

  #end(cause: Error): void {
    this.#alive = false;
    for (const { reject } of this.#waiting.values()) {
      reject(
        new MemoryError(
          "model-failed",
          `The bundled model cannot be used: ${cause.message}.`,
          "Install Tacit again, or name another model in the configuration.",
          cause,
        ),
      );
    }
    this.#waiting.clear();
  }
}
