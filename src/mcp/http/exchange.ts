import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
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
  try {
    return { json: JSON.parse(Buffer.concat(parts).toString("utf8")) };
  } catch {
    return 400;
  }
}

/** Writes an answer out. A client that goes in between ends what still makes it. */
export async function sendAnswer(answer: Response, to: ServerResponse): Promise<void> {
  to.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    to.end();
    return;
  }
  to.flushHeaders();
  await pipeline(Readable.fromWeb(answer.body), to).catch(() => {
    // It has gone; there is nobody to tell.
  });
}

/** A status and nothing else. What follows on the same connection is not read. */
export function sendStatus(status: number, to: ServerResponse): void {
  to.writeHead(status, {
    connection: "close",
    "content-length": 0,
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(status === 405 && { allow: methods.join(", ") }),
  });
  to.end();
}
