import type { Role } from "../conversation.js";
import type { IncomingTurn } from "../turns/append-turns.js";
import { importRefused } from "./import-refused.js";
import { storable, toolNames, usedOnly } from "./keyed-turn.js";

/** A line of a chat; without a turn where nothing was said in it. */
export interface ChatLine {
  sessionId?: string;
  turn?: IncomingTurn;
}

/**
 * One line of `{"role": "user", "content": "…"}`. The content may be a list of parts, as those of OpenAI and Anthropic; tools,
 * time and session may be told under the names that are usual. `origin` is its file and number.
 *
 * @example
 * parseChatLine('{"role":"human","content":[{"type":"text","text":"Hello."}]}', "chat.jsonl:1")
 * // { turn: { role: "user", content: "Hello." } }
 */
export function parseChatLine(line: string, origin: string): ChatLine {
  const fields = parseObject(line, origin);
  const sessionId = sessionOf(fields, origin);
  const { texts, tools: inContent, isAnswer } = partsOf(fields, origin);
  const role = isAnswer ? "tool" : roleOf(fields, origin);
  const toolsUsed = toolNames([...inContent, ...namesOf(fields)]);
  const said = storable(texts.join("\n").trim() === "" ? "" : texts.join("\n"));
  const timestamp = timeOf(fields, origin);
  const isSilent = said === "" && toolsUsed.length === 0;
  return {
    ...(sessionId !== undefined && { sessionId }),
    ...(!isSilent && {
      turn: {
        role,
        content: said === "" ? usedOnly(toolsUsed) : said,
        ...(timestamp !== undefined && { timestamp }),
        ...(toolsUsed.length > 0 && { toolsUsed }),
      },
    }),
  };
}

type Fields = Record<string, unknown>;

const example = 'Each line is one message, for example {"role": "user", "content": "Hello."}';

function parseObject(line: string, origin: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Without the cause: its message quotes the text.
    const isList = line.trimStart().startsWith("[");
    const hint = isList ? "A list of messages becomes lines by: jq -c '.[]' FILE" : example;
    throw importRefused(origin, "this line is not valid JSON.", hint);
  }
  if (isFields(value)) return value;
  const hint = Array.isArray(value) ? "A list of messages becomes lines by: jq -c '.[]' FILE" : example;
  throw importRefused(origin, "this line is not a JSON object.", hint);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const synonyms = new Map<unknown, Role>([
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["bot", "assistant"],
  ["system", "system"],
  ["developer", "system"],
  ["tool", "tool"],
  ["function", "tool"],
]);

function roleOf({ role }: Fields, origin: string): Role {
  const known = synonyms.get(typeof role === "string" ? role.trim().toLowerCase() : role);
  if (known) return known;
  const problem = role === undefined ? "role is missing." : `the role ${shown(role)} is not known.`;
  throw importRefused(origin, problem, `It is one of ${[...synonyms.keys()].join(", ")}.`);
}

function shown(value: unknown): string {
  return JSON.stringify(typeof value === "string" ? value.slice(0, 40) : value)?.slice(0, 60) ?? typeof value;
}

interface Parts {
  texts: string[];
  tools: unknown[];
  /** It holds what tools answered, and nothing that anybody said. */
  isAnswer: boolean;
}

function partsOf(fields: Fields, origin: string): Parts {
  const { content, role } = fields;
  if (typeof content === "string") return { texts: [content], tools: [], isAnswer: false };
  // What only calls tools says nothing.
  if ((content === undefined || content === null) && namesOf(fields).length > 0) {
    return { texts: [], tools: [], isAnswer: false };
  }
  const list = Array.isArray(content) ? content : isFields(content) ? [content] : undefined;
  if (!list) {
    throw importRefused(
      origin,
      content === undefined || content === null
        ? "content is missing."
        : "content is neither a text nor a list of parts.",
      example,
    );
  }
  const parts = list.map((part: unknown): Fields => (isFields(part) ? part : { text: part }));
  const answers = parts.filter(({ type }) => type === "tool_result" || type === "tool-result");
  return {
    texts: parts.map(textOf).filter((text) => text !== ""),
    tools: parts.filter(({ type }) => calls.has(type)).map(({ name, toolName }) => name ?? toolName),
    isAnswer: role === "user" && answers.length > 0 && answers.length === parts.length,
  };
}

const calls = new Set<unknown>(["tool_use", "tool-call", "server_tool_use", "mcp_tool_use", "function_call"]);
// What an agent thought, it told nobody.
const unsaid = new Set<unknown>([...calls, "thinking", "redacted_thinking", "reasoning"]);

/** What a part says; of what is no text, such as a picture, what it is. */
function textOf({ type, text, content, output }: Fields): string {
  if (unsaid.has(type)) return "";
  if (typeof text === "string") return text;
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map((part) => (isFields(part) ? textOf(part) : String(part))).join("\n");
  if (output !== undefined) return typeof output === "string" ? output : (JSON.stringify(output) ?? "");
  return typeof type === "string" ? `[${type.slice(0, 40)}]` : "";
}

/** Tools by their names, however they are listed. */
function namesOf({ toolsUsed, tools_used: used, tools, tool_calls: toolCalls, toolCalls: calls5 }: Fields): string[] {
  const lists = [toolsUsed, used, tools, toolCalls, calls5].filter((list) => Array.isArray(list));
  return lists.flat().flatMap((one: unknown) => {
    if (typeof one === "string") return [one];
    const { name, toolName, function: called } = isFields(one) ? one : {};
    const found = name ?? toolName ?? (isFields(called) ? called["name"] : undefined);
    return typeof found === "string" ? [found] : [];
  });
}

function sessionOf(fields: Fields, origin: string): string | undefined {
  const { sessionId, session_id: session, conversation_id: conversation } = fields;
  const given = sessionId ?? session ?? conversation ?? undefined;
  if (given === undefined) return undefined;
  if (typeof given === "string" && given.trim() !== "" && given.length <= 200) return storable(given);
  throw importRefused(origin, "the session is no text of 1 to 200 characters.", "Leave it out, or give it an id.");
}

// Later than that in seconds is the year 5138; as milliseconds it is 1973.
const mostSeconds = 1e11;

function timeOf(fields: Fields, origin: string): string | undefined {
  const { timestamp, created_at: created, createdAt } = fields;
  const given = timestamp ?? created ?? createdAt ?? undefined;
  if (given === undefined) return undefined;
  const ms =
    typeof given === "number"
      ? given < mostSeconds
        ? given * 1000
        : given
      : Date.parse(typeof given === "string" ? given : "");
  if (Number.isFinite(ms) && Math.abs(ms) <= 8.64e15) return new Date(ms).toISOString();
  throw importRefused(
    origin,
    "its time cannot be read.",
    "Give ISO 8601, such as 2026-11-16T09:30:00Z, or seconds since 1970.",
  );
}
