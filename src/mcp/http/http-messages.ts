import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isBoundedJson } from "../../base/input/input.js";
import { methods, path } from "./guard.js";

// As much as the protocol's library reads; a text to keep has 64 KiB at most.
const longestBody = 4 * 1024 * 1024;
// What is longer is heard out without being held: most clients take in an answer only when they have said everything.
const longestHeard = 16 * longestBody;

// Never handed on: nobody behind the guard has use for them.
const kept = new Set(["authorization", "cookie", "host", "origin"]);

/** A request as the protocol's library takes it, without its body. */
export function webRequest({ method = "GET", rawHeaders }: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!kept.has(name.toLowerCase())) headers.append(name, value);
  }
  return new Request(`http://127.0.0.1${path}`, { method, headers, signal });
}

/** The body; a status where it cannot be had; undefined where the client has gone meanwhile. */
export async function readBody(request: IncomingMessage): Promise<{ json: unknown } | 400 | 413 | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > longestHeard) return 413;
  const parts: Buffer[] = [];
  let length = 0;
  const isWhole = await new Promise<boolean>((settle) => {
    request
      .on("data", (part: Buffer) => {
        length += part.length;
        if (length <= longestBody) parts.push(part);
        else parts.length = 0;
        if (length > longestHeard) settle(true);
      })
      .on("end", () => settle(true))
      .on("error", () => settle(false))
      .on("close", () => settle(false));
  });
  if (!isWhole) return undefined;
  if (length > longestBody) return 413;
  const text = Buffer.concat(parts).toString("utf8");
  // Before it is parsed: what is made of it is walked several times, by functions that call themselves.
  if (!isBoundedJson(text)) return 413;
  try {
    return { json: JSON.parse(text) };
  } catch {
    return 400;
  }
}

/** Writes an answer out. A client that goes in between, which the signal tells, ends what still makes it. */
export async function sendAnswer(answer: Response, to: ServerResponse, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return answer.body?.cancel();
  to.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    to.end();
    return;
  }
  to.flushHeaders();
  const gone = new Promise<void>((settle) => signal.addEventListener("abort", () => settle(), { once: true }));
  const sent = pipeline(Readable.fromWeb(answer.body), to, { signal }).catch(() => {
    // It has gone; there is nobody to tell.
  });
  // A response that waits behind another one on its connection neither ends nor fails when that closes.
  await Promise.race([sent, gone]);
}

// Node hands on whatever came in the same packet as a request, also where the connection ends with that one's answer.
const ending = new WeakSet<Socket>();

/** Whether the last answer of a request's connection is already known, so that this request can have none. */
export function isUnanswerable({ socket }: IncomingMessage): boolean {
  return ending.has(socket);
}

/** A status and nothing else, as the last answer of its connection. */
export function sendStatus(status: number, to: ServerResponse): void {
  ending.add(to.req.socket);
  to.writeHead(status, {
    connection: "close",
    "content-length": 0,
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(status === 405 && { allow: methods.join(", ") }),
  });
  to.end();
}
