// Runs in a thread of its own; see model-thread.ts. What fails here ends the thread, and the other side says so.
import { parentPort, workerData } from "node:worker_threads";
import type { EmbedResponse, EmbedRequest, ThreadData } from "./model-thread.js";
import { openModel } from "./open-model.js";
import { openTokenizer } from "./open-tokenizer.js";
import { whileBusy } from "./thread-state.js";

const { runtime, state } = workerData as ThreadData;
const loading = whileBusy(state, () => Promise.all([openTokenizer(), openModel(runtime)]));
// One after the other: a thread is busy once.
let turn: Promise<unknown> = loading;

parentPort?.on("message", (question: EmbedRequest | "close") => {
  turn = turn.then(() => (question === "close" ? process.exit() : answer(question)));
});

async function answer({ number, text }: EmbedRequest): Promise<void> {
  const [tokenize, runModel] = await loading;
  const vector = await whileBusy(state, () => runModel(tokenize(text)));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage({ number, vector } satisfies EmbedResponse);
}
