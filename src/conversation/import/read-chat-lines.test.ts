import { describe, expect, it } from "vitest";
import { openSessions, type ChatPlace } from "./chat-sessions.js";
import { openChatTaint } from "./chat-taint.js";
import type { SessionTurn } from "./keyed-turn.js";
import { readChatLines } from "./read-chat-lines.js";

describe("a chat in lines", () => {
  it("are read in the shapes of those who write them", async () => {
    const turns = await read(
      '\uFEFF{"role":"user","content":"Hello.","timestamp":"2026-11-16T10:00:00+01:00"}\r',
      "",
      '{"role":"Human","content":[{"type":"text","text":"One."},{"type":"input_text","text":"Two."}]}\r',
      '{"role":"ai","content":null,"tool_calls":[{"type":"function","function":{"name":"search"}}],"created_at":1794819600}',
      '{"role":"model","content":[{"type":"thinking","thinking":"?"},{"type":"text","text":"Look."},{"type":"tool_use","name":"Read"}],"toolsUsed":["Bash"]}',
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"42"}]}]}',
      '{"role":"Human","content":[{"type":"text","text":"And?"},{"type":"tool_result","content":"43"}]}',
      '{"role":"developer","content":[{"type":"image"},"As text."]}',
    );

    expect(turns.map(({ turn: { key: _key, ...turn } }) => turn)).toEqual([
      { role: "user", content: "Hello.", timestamp: "2026-11-16T09:00:00.000Z" },
      { role: "user", content: "One.\nTwo." },
      { role: "assistant", content: "[used search]", toolsUsed: ["search"], timestamp: "2026-11-16T09:00:00.000Z" },
      { role: "assistant", content: "Look.", toolsUsed: ["Read", "Bash"] },
      { role: "tool", content: "42" },
      { role: "tool", content: "43" },
      { role: "user", content: "And?" },
      { role: "system", content: "[image]\nAs text." },
    ]);
  });

  it.each([
    ["LangChain", '{"type":"human","data":{"content":"Hi."}}', ["user Hi."]],
    ["LangChain", '{"type":"ai","content":"Hi.","tool_calls":[{"name":"search","args":{}}]}', ["assistant Hi. search"]],
    [
      "LangChain",
      '{"lc":1,"type":"constructor","id":["x","SystemMessage"],"kwargs":{"content":"Hi."}}',
      ["system Hi."],
    ],
    ["LangChain", '{"type":"tool","data":{"content":"Hi.","tool_call_id":"t","name":"x"}}', ["tool Hi."]],
    [
      "fine-tuning",
      '{"messages":[{"role":"user","content":"Hi."},{"role":"assistant","content":"Ho."}],"tools":[]}',
      ["user Hi.", "assistant Ho."],
    ],
    [
      "ShareGPT",
      '{"conversations":[{"from":"human","value":"Hi."},{"from":"gpt","value":"Ho."}]}',
      ["user Hi.", "assistant Ho."],
    ],
    [
      "ShareGPT",
      '{"from":"function_call","value":"{\\"name\\":\\"search\\",\\"arguments\\":{}}"}',
      ["assistant [used search] search"],
    ],
    ["ShareGPT", '{"from":"observation","value":"42"}', ["tool 42"]],
    [
      "Gemini",
      '{"role":"model","parts":[{"text":"Hm.","thought":true},{"text":"Hi."},{"functionCall":{"name":"f","args":{}}}]}',
      ["assistant Hi. f"],
    ],
    ["Gemini", '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"a":1}}}]}', ['tool {"a":1}']],
    ["a message as text", '{"role":"user","message":"Hi."}', ["user Hi."]],
    ["a message within", '{"session_id":"s","message":{"role":"user","content":"Hi."}}', ["user Hi."]],
    ["a stream of Claude Code", '{"type":"system","subtype":"init","session_id":"s"}', []],
    ["a refusal", '{"role":"assistant","content":null,"refusal":"No."}', ["assistant No."]],
    ["nothing said", '{"role":"assistant","content":null}', []],
    [
      "the old calls",
      '{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}',
      ["assistant [used f] f"],
    ],
    [
      "Responses",
      '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi."}]}',
      ["assistant Hi."],
    ],
    ["Responses", '{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}', ["assistant [used f] f"]],
    ["Responses", '{"type":"function_call_output","call_id":"c","output":"42"}', ["tool 42"]],
    ["Responses", '{"type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}]}', []],
    [
      "the AI SDK",
      '{"role":"assistant","content":"","parts":[{"type":"step-start"},{"type":"tool-weather","toolCallId":"c","input":{},"output":{"t":8}},{"type":"text","text":"Cold."}]}',
      ['tool {"t":8}', "assistant Cold. weather"],
    ],
    [
      "the AI SDK",
      '{"role":"tool","content":[{"type":"tool-result","toolCallId":"c","toolName":"weather","output":{"type":"text","value":"8"}}]}',
      ["tool 8"],
    ],
  ])("are read as %s has them: %s", async (_, line, expected) => {
    const turns = await read(line);

    expect(turns.map(({ turn }) => [turn.role, turn.content, ...(turn.toolsUsed ?? [])].join(" "))).toEqual(expected);
  });

  it("are of the session that they name, else of the one given, else of the file; from a pipe of how the talk begins", async () => {
    const lines = ['{"role":"user","content":"a","session_id":"s1"}', said("b"), said("c")];
    const whole = '{"messages":[{"role":"user","content":"a"}]}';
    const sessions = async (place: ChatPlace, ...own: string[]) =>
      (await readWith({ sessionOf: openSessions(place) }, ...own)).map(({ sessionId }) => sessionId);

    expect(await sessions({ sessionId: "mine" }, ...lines)).toEqual(["s1", "mine", "mine"]);
    expect(await sessions({ sessionId: "mine" }, whole, whole)).toEqual(["mine", "mine-2"]);
    const [, one, two] = await sessions({ path: "/a.jsonl" }, ...lines);
    const [other] = await sessions({ path: "/b.jsonl" }, said("b"));
    expect(one).toMatch(/^[\da-f-]{36}$/);
    expect([two, other === one]).toEqual([one, false]);
    expect(new Set(await sessions({ path: "/a.jsonl" }, whole, whole)).size).toBe(2);
    expect(new Set(await sessions({}, whole, whole)).size).toBe(2);
  });

  it.each([
    ["a call that is known to stay here", [uses("Read", { file_path: "a.ts" }), answers("x")], false],
    ["a fetch", [uses("WebFetch", { url: "https://example.com" })], true],
    ["a command of the network", [uses("Bash", { command: "curl https://example.com" })], true],
    ["another server", [uses("mcp__github__get_issue", {})], true],
    ["an answer to nothing that is known", [answers("x", "elsewhere")], true],
    ["an answer of a tool that is only named", ['{"role":"tool","name":"Bash","content":"x"}'], true],
    ["tools that are only named", ['{"role":"ai","content":"x","toolsUsed":["TodoWrite"]}'], false],
    ["a command that is only named", ['{"role":"ai","content":"x","toolsUsed":["Bash"]}'], true],
  ])("are tainted after %s, except for what a person says", async (_, lines, isTainted) => {
    const ask = '{"role":"user","content":"Well?"}';
    const judged = openChatTaint("/shop");

    const turns = await readWith({ judged }, ask, ...lines, '{"role":"assistant","content":"So."}', ask);

    const last = turns.slice(-2).map(({ turn }) => turn.isTainted ?? false);
    expect([turns[0]?.turn.isTainted ?? false, ...last]).toEqual([false, isTainted, false]);
  });

  it.each([
    ["{", "chat.jsonl:2: this line is not valid JSON."],
    ["[", "chat.jsonl:2: this line is not valid JSON."],
    ['"text"', "chat.jsonl:2: this line is not a JSON object."],
    ['{"content":"a"}', "chat.jsonl:2: role is missing."],
    ['{"role":"pirate","content":"a"}', 'chat.jsonl:2: the role "pirate" is not known.'],
    ['{"role":"user"}', "chat.jsonl:2: content is missing."],
    ['{"role":"user","content":7}', "chat.jsonl:2: content is neither a text nor a list of parts."],
    ['{"role":"user","content":"a","timestamp":"soon"}', "chat.jsonl:2: its time cannot be read."],
    ['{"role":"user","content":"a","sessionId":""}', "chat.jsonl:2: the session is no text of 1 to 200 characters."],
    ["\xff", "chat.jsonl:2: the text is not UTF-8."],
  ])("that are wrong are refused with their number: %s", async (line, message) => {
    await expect(read(said("a"), line)).rejects.toMatchObject({ code: "import-refused", message });
  });

  it("in which nothing is said are passed over and told", async () => {
    const silent: number[] = [];

    const turns = await readWith(
      { onSilent: (line) => silent.push(line) },
      said(" "),
      said("a"),
      '{"role":"ai","content":[]}',
    );

    expect(turns.map(({ turn }) => turn.content)).toEqual(["a"]);
    expect(silent).toEqual([1, 3]);
  });
});

const said = (content: string) => JSON.stringify({ role: "user", content });

const uses = (name: string, input: object) =>
  JSON.stringify({ role: "assistant", content: [{ type: "tool_use", id: "t1", name, input }] });

const answers = (content: string, id = "t1") =>
  JSON.stringify({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] });

type Options = Partial<Parameters<typeof readChatLines>[1]>;

async function readWith(options: Options, ...lines: string[]): Promise<SessionTurn[]> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const isPlain = lines.every((line) => !line.includes("\xff"));
    yield Buffer.from(lines.join("\n"), isPlain ? "utf8" : "latin1");
  }
  const turns: SessionTurn[] = [];
  const sessionOf = openSessions({ sessionId: "s1" });
  for await (const one of readChatLines(bytes(), { name: "chat.jsonl", sessionOf, ...options })) turns.push(one);
  return turns;
}
const read = (...lines: string[]) => readWith({}, ...lines);
