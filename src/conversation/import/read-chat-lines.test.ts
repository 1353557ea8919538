import { describe, expect, it } from "vitest";
import type { SessionTurn } from "./keyed-turn.js";
import { readChatLines } from "./read-chat-lines.js";

describe("role/content lines", () => {
  it("are read in the shapes of those who write them", async () => {
    const turns = await read(
      '\uFEFF{"role":"user","content":"Hello.","timestamp":"2026-11-16T10:00:00+01:00"}\r',
      "",
      '{"role":"Human","content":[{"type":"text","text":"One."},{"type":"input_text","text":"Two."}]}\r',
      '{"role":"ai","content":null,"tool_calls":[{"type":"function","function":{"name":"search"}}],"created_at":1794819600}',
      '{"role":"model","content":[{"type":"thinking","thinking":"?"},{"type":"text","text":"Look."},{"type":"tool_use","name":"Read"}],"toolsUsed":["Bash"]}',
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"42"}]}]}',
      '{"role":"developer","content":[{"type":"image"},"As text."]}',
    );

    expect(turns.map(({ turn: { key: _key, ...turn } }) => turn)).toEqual([
      { role: "user", content: "Hello.", timestamp: "2026-11-16T09:00:00.000Z" },
      { role: "user", content: "One.\nTwo." },
      { role: "assistant", content: "[used search]", toolsUsed: ["search"], timestamp: "2026-11-16T09:00:00.000Z" },
      { role: "assistant", content: "Look.", toolsUsed: ["Read", "Bash"] },
      { role: "tool", content: "42" },
      { role: "system", content: "[image]\nAs text." },
    ]);
  });

  it("are of the session that they name, else of the one that is given, else of one that follows from the first", async () => {
    const lines = ['{"role":"user","content":"a","session_id":"s1"}', '{"role":"user","content":"b"}', said("c")];

    const given = await read.with({ sessionId: "mine" }, ...lines);
    const [, first, second] = await read(...lines);
    const again = await read(...lines, said("d"));

    expect(given.map(({ sessionId }) => sessionId)).toEqual(["s1", "mine", "mine"]);
    expect(first?.sessionId).toMatch(/^[\da-f-]{36}$/);
    expect([second, again[1], again[3]].map((one) => one?.sessionId)).toEqual(Array(3).fill(first?.sessionId));
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

    const turns = await read.with(
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

type Options = Partial<Parameters<typeof readChatLines>[1]>;

const readWith = async (options: Options, ...lines: string[]): Promise<SessionTurn[]> => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const isPlain = lines.every((line) => !line.includes("\xff"));
    yield Buffer.from(lines.join("\n"), isPlain ? "utf8" : "latin1");
  }
  const turns: SessionTurn[] = [];
  for await (const one of readChatLines(bytes(), { name: "chat.jsonl", ...options })) turns.push(one);
  return turns;
};
const read = Object.assign((...lines: string[]) => readWith({}, ...lines), { with: readWith });
