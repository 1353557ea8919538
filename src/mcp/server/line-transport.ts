import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { isBoundedJson } from "../../base/input/input.js";
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
 * what was asked before the input ended, as in `printf … | tacit mcp`, and a line that is too long costs that line only: whoever
 * waits for its answer is told.
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

  #receive(line: string | TooLong): void {
    try {
      const isText = typeof line === "string";
      if (!isText || !isBoundedJson(line)) {
        const message = isText
          ? "A message with too many values or levels was left out."
          : `A line of more than ${longestLine} characters was left out.`;
        const id = findId(isText ? { head: line.slice(0, held), tail: line.slice(-held) } : line);
        if (id !== undefined) void this.send({ jsonrpc: "2.0", id, error: { code: invalidRequest, message } });
        throw new Error(message);
      }
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

// Of JSON-RPC.
const invalidRequest = -32_600;

/** How a line begins and ends that was too long to be held. */
interface TooLong {
  head: string;
  tail: string;
}

// More than a message has before and after its params.
const held = 1000;

/** The id of a message by its beginning or its end, where it stands among the message's own fields and not in its params. */
function findId({ head, tail }: TooLong): string | number | undefined {
  const id = '"id"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,200}"|-?\\d{1,15})';
  const others = '(?:"(?:jsonrpc|method)"\\s*:\\s*"[^"\\\\]{0,200}"\\s*,\\s*){0,2}';
  const found =
    new RegExp(`^\\s*\\{\\s*${others}${id}\\s*,`).exec(head) ?? new RegExp(`,\\s*${id}\\s*\\}\\s*$`).exec(tail);
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as string | number);
}

/** Cuts what arrives into lines. One that is too long is not held, but for its beginning and its end. */
class Lines {
  readonly #longest: number;
  readonly #decoder = new StringDecoder("utf8");
  #parts: string[] = [];
  #length = 0;
  #tooLong: TooLong | undefined;

  constructor(longest: number) {
    this.#longest = longest;
  }

  take(bytes: Buffer): (string | TooLong)[] {
    const [first = "", ...rest] = this.#decoder.write(bytes).split("\n");
    this.#add(first);
    const whole: (string | TooLong)[] = [];
    for (const next of rest) {
      whole.push(this.#tooLong ?? this.#parts.join("").replace(/\r$/, ""));
      this.#parts = [];
      this.#length = 0;
      this.#tooLong = undefined;
      this.#add(next);
    }
    return whole.filter((line) => line !== "");
  }

  #add(part: string): void {
    this.#length += part.length;
    if (this.#length <= this.#longest) {
      this.#parts.push(part);
      return;
    }
    const before = this.#tooLong ?? {
      head: beginningOf([...this.#parts, part]),
      tail: (this.#parts.at(-1) ?? "").slice(-held),
    };
    this.#parts = [];
    this.#tooLong = { head: before.head, tail: `${before.tail}${part.slice(-held)}`.slice(-held) };
  }
}

/** Of a line that arrives in as many parts as its sender likes. */
function beginningOf(parts: readonly string[]): string {
  let head = "";
  for (const part of parts) {
    head += part.slice(0, held - head.length);
    if (head.length >= held) break;
  }
  return head;
}
