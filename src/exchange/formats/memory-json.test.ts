import { describe, expect, it } from "vitest";
import { MemoryError } from "../../base/memory-error.js";
import { parseMemoryJson } from "./memory-json.js";

describe("a memory.json", () => {
  it("gives its memories with everything that they say", () => {
    const [memory] = parseMemoryJson(
      jsonOf({
        id: "mem_1731650000000_abc1234",
        type: "preference",
        content: "I prefer TypeScript",
        metadata: {
          scope: "project",
          tags: ["style"],
          confidence: 0,
          source: "coder",
          sessionId: "ses_1",
          expiresAt: "2027-01-01T00:00:00Z",
          colour: "red",
        },
        createdAt: "2026-11-01T09:00:00+01:00",
        updatedAt: "2026-11-02T08:00:00.000Z",
        accessCount: 7,
        lastAccessed: "2026-11-03T08:00:00.000Z",
      }),
      ".opencode/memory.json",
    );

    expect(memory?.record).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      type: "preference",
      content: "I prefer TypeScript",
      tags: ["style"],
      confidence: 0,
      agent: "coder",
      source: "agent_explicit",
      scope: "global",
      sessionId: "ses_1",
      provenanceSessionIds: ["ses_1"],
      expiresAt: "2027-01-01T00:00:00.000Z",
      metadata: { colour: "red", importedId: "mem_1731650000000_abc1234" },
      createdAt: "2026-11-01T08:00:00.000Z",
      updatedAt: "2026-11-02T08:00:00.000Z",
      accessCount: 7,
      lastAccessedAt: "2026-11-03T08:00:00.000Z",
    });
    expect(memory).not.toHaveProperty("project");
    expect(memory?.origin).toBe(".opencode/memory.json: memories[0]");
  });

  it("gives the same id each time, and another for another memory", () => {
    const idOf = (id: string) => parseMemoryJson(jsonOf({ id, content: "a" }), "m.json")[0]?.record.id;

    expect(idOf("mem_1")).toBe(idOf("mem_1"));
    expect(idOf("mem_1")).not.toBe(idOf("mem_2"));
  });

  it("means by its scopes what it meant there", () => {
    const scopesOf = (scope: string) => {
      const [memory] = parseMemoryJson(jsonOf({ content: "a", metadata: { scope } }), "m.json");
      return [memory?.record.scope, memory?.project];
    };

    expect(scopesOf("project")).toEqual(["global", undefined]);
    expect(scopesOf("session")).toEqual(["session", undefined]);
    expect(scopesOf("global")).toEqual(["global", "user"]);
  });

  it("may say when a memory expires beside its metadata, and leave out nearly everything", () => {
    const [expiring, bare] = parseMemoryJson(
      jsonOf({ content: "a", expiresAt: "2027-01-01", metadata: { tags: null } }, { content: "b" }),
      "m.json",
    );

    expect(expiring?.record).toMatchObject({ expiresAt: "2027-01-01T00:00:00.000Z", tags: [] });
    expect(bare?.record).toMatchObject({ content: "b", metadata: {} });
    expect(bare?.record).not.toHaveProperty("confidence");
    expect(bare?.record).not.toHaveProperty("id");
  });

  it("counts the last of several entries with one id, and each entry without one", () => {
    const memories = parseMemoryJson(
      jsonOf({ id: "a", content: "old" }, { content: "x" }, { content: "x" }, { id: "a", content: "new" }),
      "m.json",
    );

    expect(memories.map(({ record }) => record.content)).toEqual(["new", "x", "x"]);
  });

  it.each([
    ['{"version": 1,\n"memories": [\n{"content": "a"},\n', "m.json:3: the JSON is damaged or cut off"],
    ['{"memories": [\n{"content": "a" "id": "b"}]}', "m.json:2: the JSON is damaged or cut off"],
    ['{"memories": [\n{"content": "cut', "m.json:2: the JSON is damaged or cut off"],
    ["{}", "m.json: it holds no list of memories"],
    ["[]", "m.json: it holds no list of memories"],
    [jsonOf({ id: "a" }), "m.json: memories[0]: content must be a text"],
    [jsonOf({ content: "a" }, "b"), "m.json: memories[1]: content must be a text"],
    [jsonOf({ content: "a", metadata: { confidence: 2 } }), "m.json: memories[0]: confidence must be"],
    [jsonOf({ content: "a", metadata: { scope: "world" } }), "m.json: memories[0]: scope must be one of project"],
    [jsonOf({ content: "a", id: 5 }), "m.json: memories[0]: id must be a text"],
    [jsonOf({ content: "a", createdAt: "soon" }), "m.json: memories[0]: createdAt must be a time"],
  ])("is refused, and never read as empty: %s", (text, message) => {
    const act = () => parseMemoryJson(text, "m.json");

    expect(act).toThrow(MemoryError);
    expect(act).toThrow(message);
  });

  it("is refused with the place when it is damaged deeper than anybody can look", () => {
    const act = () => parseMemoryJson(`{"memories":\n${"[".repeat(200_000)}`, "m.json");

    expect(act).toThrow(MemoryError);
    expect(act).toThrow("m.json:2: the JSON is damaged or cut off");
  });
});

function jsonOf(...memories: unknown[]): string {
  return JSON.stringify({ version: 1, updatedAt: "2026-11-03T08:00:00.000Z", memories });
}
