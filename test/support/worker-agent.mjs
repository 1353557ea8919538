// An agent in a worker thread that does what it is told and says what came of it. It ends by itself: nothing keeps it.
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";

/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
const { connectMemory } = await import(workerData.module);
const { timeoutMs, isDirect } = workerData;
const memory = connectMemory({ timeoutMs, ...(isDirect && { port: parentPort }) });
const answers = [];
for (const act of workerData.acts) {
  if (act.observe) memory.observe(act.observe);
  if (act.inject) answers.push(await memory.inject(act.inject, { deadlineMs: 30_000 }));
  if (act.recall) answers.push(await memory.recallReport(act.recall, act.filters));
  if (act.remember) answers.push(await memory.remember(act.remember).catch(({ code, message }) => ({ code, message })));
  if (act.post) parentPort.postMessage(act.post);
  if (act.hears) answers.push((await once(parentPort, "message"))[0]);
  if (act.task) answers.push(await workOn(act.task));
  if (act.hang) setInterval(() => {}, 1000);
}
parentPort.postMessage({ answers });

/** Works with the AI SDK, and a model that calls these tools one after the other. Gives what the model was sent each time. */
async function workOn({ sdk, prompt, calls, directory }) {
  const [{ generateText, stepCountIs }, { MockLanguageModelV3 }] = await Promise.all([import("ai"), import("ai/test")]);
  const { withMemory } = await import(sdk);
  const session = withMemory({ memory, directory, deadlineMs: 30_000 });
  const sent = [];
  const tokens = { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0, text: 9, reasoning: 0 };
  const model = new MockLanguageModelV3({
    doGenerate: async (call) => {
      const { toolName, input } = calls[sent.push(JSON.stringify(call.prompt)) - 1] ?? {};
      const toolCall = { type: "tool-call", toolCallId: `${sent.length}`, toolName, input: JSON.stringify(input) };
      return {
        content: [toolName ? toolCall : { type: "text", text: "Done." }],
        finishReason: { unified: toolName ? "tool-calls" : "stop" },
        usage: { inputTokens: tokens, outputTokens: tokens },
        warnings: [],
      };
    },
  });
  await session.wrap(generateText)({ model, prompt, stopWhen: stepCountIs(9) });
  await session.end("success");
  return sent;
}
