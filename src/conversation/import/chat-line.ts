import type { Role } from "../conversation.js";
import type { IncomingTurn } from "../turns/append-turns.js";
import { importRefused } from "./import-refused.js";
import { storable, toolNames, usedOnly } from "./keyed-turn.js";
import { idOf, isFields, listedCalls, partsOf, type Fields, type ToolAnswer, type ToolCall } from "./message-parts.js";
import { knownRole, roleNames, unfold } from "./message-shapes.js";

/** A message: what a tool answered is a turn of its own, before that of whoever speaks. Without turns nothing was said. */
export interface ChatMessage {
  turns: IncomingTurn[];
  calls: ToolCall[];
  answers: ToolAnswer[];
}

export interface ChatLine {
  sessionId?: string;
  messages: ChatMessage[];
  /** It is a conversation as a whole. */
  isWhole: boolean;
}

/**
 * One line of a chat in any of the shapes that are usual, such as `{"role": "user", "content": "…"}`. What tools answered is
 * never taken for somebody's words, whoever's message it stands in. `origin` is its file and number.
 *
 * @example
 * parseChatLine('{"role":"human","content":[{"type":"text","text":"Hello."}]}', "chat.jsonl:1").messages[0].turns
 * // [{ role: "user", content: "Hello." }]
 */
export function parseChatLine(line: string, origin: string): ChatLine {
  const fields = parseObject(line, origin);
  // What Claude Code streams tells in such lines how it runs.
  const isNote = typeof fields["type"] === "string" && typeof fields["subtype"] === "string";
  const { messages, isWhole } = unfold(fields) ?? { messages: isNote ? [] : [fields], isWhole: false };
  // The message may stand within what says when and where it was said.
  const sessionId = sessionOf(fields, origin) ?? (isWhole ? undefined : sessionOf(messages[0] ?? {}, origin));
  return {
    ...(sessionId !== undefined && { sessionId }),
    messages: messages.map((message, index) =>
      messageOf(isWhole ? message : { ...fields, ...message }, isWhole ? `${origin}, message ${index + 1}` : origin),
    ),
    isWhole,
  };
}

const example = 'Each line is one message, for example {"role": "user", "content": "Hello."}';

function parseObject(line: string, origin: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Without the cause: its message quotes the text.
    throw importRefused(origin, "this line is not valid JSON.", hintFor(line));
  }
  if (isFields(value)) return value;
  throw importRefused(origin, "this line is not a JSON object.", hintFor(line));
}

function hintFor(line: string): string {
  const [first] = line.trimStart();
  if (first === "[") return "A list of messages becomes lines by: jq -c '.[]' FILE";
  return first === "{" ? "What stands on several lines becomes one by: jq -c . FILE" : example;
}

function messageOf(message: Fields, origin: string): ChatMessage {
  const role = roleOf(message, origin);
  const listed = listedCalls(message);
  const parts = partsOf(message["content"]) ?? nothingSaid(message, listed, origin);
  const isTool = role === "tool";
  const calls = [...parts.calls, ...listed];
  const texts = textOf(parts.texts);
  // What a tool says is its answer, in parts or not.
  const answers = isTool && texts !== "" ? [...parts.answers, answerOf(message, texts)] : parts.answers;
  const timestamp = timeOf(message, origin);
  const turn = (who: Role, content: string, toolsUsed: string[] = []): IncomingTurn => ({
    role: who,
    content: storable(content),
    ...(timestamp !== undefined && { timestamp }),
    ...(toolsUsed.length > 0 && { toolsUsed }),
  });
  const answered = textOf(answers.map(({ text }) => text));
  const used = toolNames(isTool ? [] : calls.map(({ tool }) => tool));
  const said = isTool ? "" : texts;
  return {
    turns: [
      ...(answered === "" ? [] : [turn("tool", answered)]),
      ...(said === "" && used.length === 0 ? [] : [turn(role, said === "" ? usedOnly(used) : said, used)]),
    ],
    calls,
    answers,
  };
}

function textOf(texts: readonly string[]): string {
  const text = texts.join("\n");
  return text.trim() === "" ? "" : text;
}

function answerOf(message: Fields, text: string): ToolAnswer {
  const { tool_call_id: own, name } = message;
  const id = idOf({ tool_call_id: own });
  return { text, ...(id !== undefined && { id }), ...(typeof name === "string" && { tool: name }) };
}

function roleOf({ role }: Fields, origin: string): Role {
  const known = knownRole(role);
  if (known) return known;
  const problem = role === undefined ? "role is missing." : `the role ${shown(role)} is not known.`;
  throw importRefused(origin, problem, `It is one of ${[...roleNames.keys()].join(", ")}.`);
}

function shown(value: unknown): string {
  return JSON.stringify(typeof value === "string" ? value.slice(0, 40) : value)?.slice(0, 60) ?? typeof value;
}

/** Who only calls tools says nothing, and so does who is told to have said nothing. */
function nothingSaid({ content }: Fields, listed: readonly ToolCall[], origin: string) {
  if (content === null || (content === undefined && listed.length > 0)) return { texts: [], calls: [], answers: [] };
  const problem = content === undefined ? "content is missing." : "content is neither a text nor a list of parts.";
  throw importRefused(origin, problem, example);
}

function sessionOf(fields: Fields, origin: string): string | undefined {
  const { sessionId, session_id: session, conversation_id: conversation } = fields;
  const given = sessionId ?? session ?? conversation ?? undefined;
  if (given === undefined) return undefined;
  if (typeof given === "string" && given.trim() !== "" && given.length <= 200) return storable(given);
  throw importRefused(origin, "the session is no text of 1 to 200 characters.", "Leave it out, or give it an id.");
}

// Later than that in seconds is the year 5138; as milliseconds it is 1973.
const maxSeconds = 1e11;

function timeOf(fields: Fields, origin: string): string | undefined {
  const { timestamp, created_at: created, createdAt } = fields;
  const given = timestamp ?? created ?? createdAt ?? undefined;
  if (given === undefined) return undefined;
  const ms =
    typeof given === "number"
      ? given < maxSeconds
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
