import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/server";

// A text to keep has 64 KiB at most. The line is read all the same, so that whoever sends more is told, up to here.
const longestLine = 16 * 1024 * 1024;

export interface LineTransportOptions {
  /** How long to go on answering what was asked before the client closed its end. */
  patienceMs: number;
  input?: Readable;
  output?: Writable;
}

/**
 * Messages as lines, over standard input and output. Unlike the one that comes with the protocol's library it answers
 * what was asked before the input ended, as in `printf … | tacit mcp`, and a line that is too long costs that line only.
 */
export class LineTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #patienceMs: number;
  readonly #unanswered = new Set<string | number>();
  readonly #ending: Promise<void>;
  #end = (): void => {};
  #answered = (): void => {};
  #isClosed = false;

  constructor({ patienceMs, input = process.stdin, output = process.stdout }: LineTransportOptions) {
    this.#patienceMs = patienceMs;
    this.#input = input;
    this.#output = output;
    this.#ending = new Promise((resolve) => (this.#end = resolve));
  }

  async start(): Promise<void> {
    const lines = new Lines(longestLine);
    const finish = (): void => this.#end();
    this.#input
      .on("data", (part: Buffer) => {
        for (const line of lines.take(part)) this.#receive(line);
      })
      .on("end", finish)
      .on("close", finish)
      .on("error", finish);
    this.#output.on("error", finish);
    if (this.#input.readableEnded || this.#input.destroyed) finish();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ("id" in message && message.id !== undefined && !("method" in message)) this.#settle(message.id);
    if (this.#isClosed) return;
    // Nobody waits for the client to read: what it does not take is kept by the stream.
    this.#output.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.removeAllListeners("data").pause();
    this.#end();
    this.onclose?.();
  }

  /** Resolves when the client has gone and has been answered, or the signal fires. */
  async ended(signal?: AbortSignal): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      if (signal?.aborted) resolve();
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([this.#ending, stopped]);
    if (this.#unanswered.size === 0 || this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#patienceMs);
      this.#answered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #receive(line: string | undefined): void {
    try {
      if (line === undefined) throw new Error(`A line of more than ${longestLine} characters was left out.`);
      const message = deserializeMessage(line);
      if ("method" in message && "id" in message) this.#unanswered.add(message.id);
      if ("method" in message && message.method === "notifications/cancelled") this.#settle(cancelledBy(message));
      this.onmessage?.(message);
    } catch (error) {
      // What is no message can have no answer.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #settle(id: string | number | undefined): void {
    if (id !== undefined) this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#answered();
  }
}

function cancelledBy({ params }: { params?: unknown }): string | number | undefined {
  const id = typeof params === "object" && params !== null && "requestId" in params ? params.requestId : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** Cuts what arrives into lines. One that is too long comes as undefined, and is not held. */
class Lines {
  readonly #longest: number;
  readonly #decoder = new StringDecoder("utf8");
  #parts: string[] = [];
  #length = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  take(bytes: Buffer): (string | undefined)[] {
    const [first = "", ...rest] = this.#decoder.write(bytes).split("\n");
    this.#add(first);
    const whole: (string | undefined)[] = [];
    for (const next of rest) {
      whole.push(this.#length > this.#longest ? undefined : this.#parts.join("").replace(/\r$/, ""));
      this.#parts = [];
      this.#length = 0;
      this.#add(next);
    }
    return whole.filter((line) => line !== "");
  }

  #add(part: string): void {
    this.#length += part.length;
    if (this.#length > this.#longest) this.#parts = [];
    else this.#parts.push(part);
  }
}
