import type { Role } from "../conversation.js";
import { isFields, type Fields } from "./message-parts.js";

/** What a line holds: one message, or a conversation as a whole. */
export interface Unfolded {
  /** Each with `role` and `content`, where it has them at all. */
  messages: Fields[];
  isWhole: boolean;
}

/** For people: what can be taken in. */
export const shapes =
  'It takes a transcript of Claude Code, or JSON Lines: {"role", "content"} as of OpenAI, Anthropic, Gemini and the AI SDK, items of the Responses API, messages of LangChain ({"type": "human", …}), {"from", "value"}, or a whole conversation a line ({"messages": […]}, {"conversations": […]}).';

/**
 * The messages of a line, whatever shape it has; undefined where nothing in it looks like one. A role may still be one that
 * nobody knows, and a content be missing.
 *
 * @example
 * unfold({ type: "human", data: { content: "Hello." } }) // { messages: [{ role: "human", content: "Hello." }], isWhole: false }
 */
export function unfold(line: Fields): Unfolded | undefined {
  const { messages, conversations, conversation, contents, chat_messages: exported } = line;
  const whole = [messages, conversations, conversation, contents, exported].find((list) => Array.isArray(list));
  if (whole && line["role"] === undefined && line["type"] === undefined) {
    const found = (whole as unknown[]).map((one) => unfoldOne(isFields(one) ? one : {}) ?? {});
    return found.some(({ role }) => role !== undefined) ? { messages: found, isWhole: true } : undefined;
  }
  const message = unfoldOne(line);
  return message && { messages: [message], isWhole: false };
}

function unfoldOne(line: Fields): Fields | undefined {
  const { type, role, from, sender, value, message, data, kwargs } = line;
  // As LangChain writes its messages, by two of its functions.
  if (isFields(kwargs) && Array.isArray(line["id"])) {
    return withContent({ ...kwargs, role: kwargs["type"] ?? line["id"].at(-1) });
  }
  if (isFields(data) && data["content"] !== undefined && knownRole(type)) return withContent({ ...data, role: type });
  if (isFields(message) && typeof message["role"] === "string") return withContent({ ...line, ...message });
  if (typeof role === "string") return withContent(line);
  if (typeof from === "string" && value !== undefined) return ofShareGpt(from, line);
  if (typeof sender === "string") return withContent({ ...line, role: sender });
  if (typeof type !== "string") return undefined;
  // Of the Responses API an item without a role is one part of what the agent did.
  if (type.endsWith("_call_output")) return { ...line, role: "tool", content: [line] };
  if (type.endsWith("_call") || type === "reasoning") return { ...line, role: "assistant", content: [line] };
  return knownRole(type) && contentOf(line) !== undefined ? withContent({ ...line, role: type }) : undefined;
}

/** Who says nothing in `content` may say it elsewhere: Gemini in `parts`, OpenAI in `refusal`, others in `text`. */
function withContent(message: Fields): Fields {
  return { ...message, content: contentOf(message) };
}

function contentOf({ content, parts, refusal, text, message }: Fields): unknown {
  // The AI SDK has an empty content beside its parts.
  if (Array.isArray(parts) && (content === undefined || content === null || content === "")) return parts;
  if (content !== undefined && content !== null) return content;
  return [refusal, text, message].find((one) => typeof one === "string") ?? content;
}

/** There a call of a tool is a message of its own, whose value is the JSON of the call. */
function ofShareGpt(from: string, line: Fields): Fields {
  if (from !== "function_call") return { ...line, role: from, content: line["value"] };
  let call: unknown;
  try {
    call = JSON.parse(String(line["value"]));
  } catch {
    // What is no JSON is kept as it is.
  }
  const calls = (Array.isArray(call) ? call : [call]).filter(isFields);
  return calls.length > 0
    ? { ...line, role: "assistant", content: calls.map((one) => ({ ...one, type: "tool_call" })) }
    : { ...line, role: "assistant", content: line["value"] };
}

/** Names under which a speaker is known. */
export const roleNames: ReadonlyMap<string, Role> = new Map<string, Role>([
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["bot", "assistant"],
  ["gpt", "assistant"],
  ["chatgpt", "assistant"],
  ["system", "system"],
  ["developer", "system"],
  ["tool", "tool"],
  ["function", "tool"],
  ["observation", "tool"],
]);

/** `Human`, `HumanMessage` and `HumanMessageChunk` are the same. */
export function knownRole(name: unknown): Role | undefined {
  if (typeof name !== "string") return undefined;
  const plain = name.trim().toLowerCase();
  return roleNames.get(plain) ?? roleNames.get(plain.replace(/message(?:chunk)?$/, ""));
}
