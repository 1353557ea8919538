import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../observer/observer.js";
import type { SessionTurn } from "./keyed-turn.js";
import { turnsOf, type TurnsOptions } from "./turns-of-events.js";

describe("turns of events", () => {
  it("are prompts and what the agent said, with the tools used since it spoke last", async () => {
    const turns = await read([
      { kind: "start" },
      { kind: "prompt", text: "Mend the parser." },
      { kind: "reasoning", text: "Hm, the lexer?", thought: true },
      call("Grep"),
      call("Read"),
      call("Grep"),
      { kind: "reasoning", text: "It is the lexer." },
      call("Edit"),
      { kind: "reasoning", text: "Mended." },
      { kind: "end" },
    ]);

    expect(turns.map(({ turn: { role, content, toolsUsed } }) => ({ role, content, toolsUsed }))).toEqual([
      { role: "user", content: "Mend the parser.", toolsUsed: undefined },
      { role: "assistant", content: "It is the lexer.", toolsUsed: ["Grep", "Read"] },
      { role: "assistant", content: "Mended.", toolsUsed: ["Edit"] },
    ]);
    expect(turns[0]?.turn.timestamp).toBe("2026-11-16T09:00:01.000Z");
  });

  it("have a line for tools of which nothing was said, before the next prompt and where the session is over", async () => {
    const events: Told[] = [
      { kind: "prompt", text: "Go." },
      call("Bash"),
      call("Edit"),
      { kind: "prompt", text: "Stop." },
      call("Read"),
      { kind: "end" },
    ];

    const closed = await read(events, { isOver: true });
    const open = await read(events);

    expect(closed.map(({ turn }) => turn.content)).toEqual(["Go.", "[used Bash, Edit]", "Stop.", "[used Read]"]);
    // What is said of them may follow.
    expect(open).toEqual(closed.slice(0, 3));
  });

  it("leave out what sub-agents were asked and said", async () => {
    const turns = await read([
      { kind: "prompt", text: "Look it up." },
      { kind: "prompt", text: "Search the docs.", agentId: "a1" },
      { ...call("WebFetch"), agentId: "a1" },
      { kind: "reasoning", text: "Found it.", agentId: "a1" },
      { kind: "reasoning", text: "It is documented." },
      { kind: "end" },
    ]);

    expect(turns.map(({ turn }) => turn.content)).toEqual(["Look it up.", "It is documented."]);
    expect(turns[1]?.turn.toolsUsed).toBeUndefined();
  });

  it("keep their keys when the transcript has grown, and differ where the same is said twice", async () => {
    const events: Told[] = [
      { kind: "prompt", text: "Yes.", at: start },
      { kind: "prompt", text: "Yes.", at: start },
      call("Bash"),
    ];
    const more: Told[] = [{ kind: "reasoning", text: "Done.", at: start + 60_000 }, { kind: "end" }];

    const before = await read([...events, { kind: "end" }]);
    const after = await read([...events, ...more]);

    const keys = after.map(({ turn }) => turn.key);
    expect(new Set(keys).size).toBe(3);
    expect(keys.slice(0, 2)).toEqual(before.map(({ turn }) => turn.key));
  });

  it("hold nothing that a store cannot hold", async () => {
    const turns = await read([{ kind: "prompt", text: "a\0b\ud800c 😀" }, call("x\ud800"), { kind: "end" }], {
      isOver: true,
    });

    expect(turns.map(({ turn }) => turn.content)).toEqual(["a\uFFFDb\uFFFDc 😀", "[used x\uFFFD]"]);
  });
});

type Told = AgentEvent extends infer E ? (E extends AgentEvent ? Omit<E, "sessionId"> : never) : never;

const start = Date.parse("2026-11-16T09:00:00Z");

const call = (tool: string): Told => ({ kind: "call", callId: tool, tool, input: {} });

async function read(told: readonly Told[], options: TurnsOptions = {}): Promise<SessionTurn[]> {
  async function* events(): AsyncGenerator<AgentEvent> {
    for (const [index, event] of told.entries()) yield { sessionId: "s1", at: start + index * 1000, ...event };
  }
  const turns: SessionTurn[] = [];
  for await (const one of turnsOf(events(), options)) turns.push(one);
  return turns;
}
