// Runs in a thread of its own; see parse-pool.ts.
import { parentPort } from "node:worker_threads";
import { parseInOrder } from "./parse-file.js";
import type { ParseAnswer, ParseOrder } from "./parse-pool.js";

parentPort?.on("message", (order: ParseOrder) => void answer(order));
// How long a thread takes to start says nothing about a file.
tell("ready");

async function answer({ root, files }: ParseOrder): Promise<void> {
  for await (const parsed of parseInOrder(root, files)) tell(parsed ?? null);
}

function tell(what: ParseAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(what);
}
