import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { ModelRequest, Turn } from "./loopback-model.js";

export interface OpencodeModel {
  url: string;
  /** Every request of a conversation so far, oldest first. */
  requests: ModelRequest[];
  /** Those for a title or a summary, which come without tools. */
  asides: ModelRequest[];
  /** What the model does from now on, turn by turn; when they are used up it says that it is done. */
  plays(...turns: Turn[]): void;
}

/** A model on this machine that speaks as OpenAI's do, does what a script says, and keeps what it was asked. */
export async function openOpencodeModel(): Promise<OpencodeModel> {
  const requests: ModelRequest[] = [];
  const asides: ModelRequest[] = [];
  let script: Turn[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, (asked) => {
      const isAside = (asked.tools ?? []).length === 0;
      (isAside ? asides : requests).push(readRequest(asked));
      return isAside ? { says: "An aside." } : (script.shift() ?? { says: "Done." });
    });
  });
  await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    asides,
    plays: (...turns) => (script = turns),
  };
}

interface Asked {
  model?: string;
  tools?: unknown[];
  messages?: { role: string; content?: unknown }[];
}

let calls = 0;

async function answer(request: IncomingMessage, response: ServerResponse, take: (asked: Asked) => Turn): Promise<void> {
  const body = await text(request);
  if (!request.url?.includes("/chat/completions")) {
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
    return;
  }
  const { says, uses } = take(JSON.parse(body) as Asked);
  const call = uses && {
    index: 0,
    id: `call_${(calls += 1)}`,
    type: "function",
    function: { name: uses.tool, arguments: JSON.stringify(uses.input) },
  };
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chunk({ role: "assistant", content: says ?? "" }));
  if (call) response.write(chunk({ tool_calls: [call] }));
  response.end(`${chunk({}, call ? "tool_calls" : "stop")}data: [DONE]\n\n`);
}

function chunk(delta: Record<string, unknown>, reason: string | null = null): string {
  const usage = reason === null ? {} : { usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } };
  const choices = [{ index: 0, delta, finish_reason: reason }];
  const document = { id: "c", object: "chat.completion.chunk", created: 1, model: "scripted", choices, ...usage };
  return `data: ${JSON.stringify(document)}\n\n`;
}

function readRequest({ messages = [] }: Asked): ModelRequest {
  const said = messages.filter(({ role }) => role !== "system");
  const last = said.findLastIndex(({ role }) => role === "assistant");
  const join = (some: typeof said) => some.map(({ content }) => textsOf(content)).join("\n");
  return {
    conversation: join(said),
    news: join(said.slice(last + 1)),
    system: join(messages.filter(({ role }) => role === "system")),
  };
}

function textsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textsOf).join("\n");
  if (typeof content !== "object" || content === null) return "";
  return textsOf((content as Record<string, unknown>)["text"]);
}
