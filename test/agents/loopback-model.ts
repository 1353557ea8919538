import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** What the model does in one turn: it says something, and then uses a tool or is done. */
export interface Turn {
  says?: string;
  uses?: { tool: string; input: Record<string, unknown> };
  /** How long it thinks before. */
  waitsMs?: number;
}

/** A request as it reached the model. */
export interface ModelRequest {
  /** All that the conversation holds, as one text. */
  conversation: string;
  /** What came last: the prompt, or the answer of a tool with what was put beside it. */
  news: string;
  /** The standing instructions. */
  system: string;
}

export interface LoopbackModel {
  url: string;
  /** Every request of the conversation so far, oldest first. */
  requests: ModelRequest[];
  /** What the model does from now on, turn by turn; when they are used up it says that it is done. */
  plays(...turns: Turn[]): void;
}

/** A model on this machine that speaks as Anthropic's does, does what a script says, and keeps what it was asked. */
export async function openLoopbackModel(): Promise<LoopbackModel> {
  const requests: ModelRequest[] = [];
  let script: Turn[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, {
      take: () => script.shift() ?? { says: "Done." },
      keep: (asked) => requests.push(asked) - 1,
    });
  });
  await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    plays: (...turns) => (script = turns),
  };
}

interface Conversation {
  tools?: unknown[];
  stream?: boolean;
  model?: string;
  system?: unknown;
  messages?: { role: string; content: unknown }[];
}

interface Playing {
  take: () => Turn;
  /** Gives the number of the request. */
  keep: (asked: ModelRequest) => number;
}

async function answer(request: IncomingMessage, response: ServerResponse, playing: Playing): Promise<void> {
  const asked = parse(await text(request));
  if (request.url?.includes("count_tokens")) return json(response, { input_tokens: 10 });
  if (!request.url?.includes("/messages")) return json(response, {}, 404);
  // Titles and the like are asked without tools; they are no part of the conversation.
  const isAside = (asked.tools ?? []).length === 0;
  const number = isAside ? 0 : playing.keep(readRequest(asked));
  const turn = isAside ? { says: "A title." } : playing.take();
  await new Promise((done) => setTimeout(done, turn.waitsMs ?? 0));
  const message = messageOf(turn, number, asked.model);
  if (asked.stream !== true) return json(response, message);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of eventsOf(message)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function parse(body: string): Conversation {
  try {
    return JSON.parse(body) as Conversation;
  } catch {
    return {};
  }
}

function json(response: ServerResponse, document: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document));
}

function readRequest({ messages = [], system }: Conversation): ModelRequest {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return {
    conversation: messages.map(({ content }) => textsOf(content)).join("\n"),
    news: messages
      .slice(last + 1)
      .map(({ content }) => textsOf(content))
      .join("\n"),
    system: textsOf(system),
  };
}

function textsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textsOf).join("\n");
  if (typeof content !== "object" || content === null) return "";
  const { text: own, content: inner, input } = content as Record<string, unknown>;
  return [own, inner, input === undefined ? undefined : JSON.stringify(input)].map(textsOf).join("\n");
}

type Block = { type: "text"; text: string } | { type: "tool_use"; id: string; name: string; input: unknown };

interface Message {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: Block[];
  stop_reason: string;
  stop_sequence: null;
  usage: { input_tokens: number; output_tokens: number };
}

function messageOf({ says, uses }: Turn, number: number, model = "loopback"): Message {
  return {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(says === undefined ? [] : [{ type: "text", text: says } as const]),
      ...(uses ? [{ type: "tool_use", id: `toolu_${number}`, name: uses.tool, input: uses.input } as const] : []),
    ],
    stop_reason: uses ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 3 },
  };
}

function eventsOf(message: Message): { type: string; [field: string]: unknown }[] {
  const { content, stop_reason, stop_sequence, usage } = message;
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: opened(block) },
      { type: "content_block_delta", index, delta: deltaOf(block) },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
    { type: "message_stop" },
  ];
}

function opened(block: Block): Block {
  return block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
}

function deltaOf(block: Block): Record<string, string> {
  return block.type === "text"
    ? { type: "text_delta", text: block.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
}
