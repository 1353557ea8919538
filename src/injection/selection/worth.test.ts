import { describe, expect, it } from "vitest";
import { projectContext } from "../../../test/support/keep-records.js";
import type { Memory, MemoryInput } from "../../memory/memory.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { worthOf } from "./worth.js";

const now = new Date("2026-11-15T12:00:00.000Z");

describe("worthOf", () => {
  it.each<[string, MemoryInput, MemoryInput]>([
    ["what is pinned", { content: "a", pinned: true, confidence: 0.6 }, { content: "b", confidence: 1 }],
    ["what is surer", { content: "a", confidence: 0.9 }, { content: "b", confidence: 0.8 }],
    ["what is newer", { content: "a" }, { content: "b", createdAt: "2026-01-01T00:00:00Z" }],
    ["what the user said", { content: "a", source: "user_taught" }, { content: "b" }],
    ["what counts in the phase", { content: "a", type: "error_pattern" }, { content: "b", type: "fact" }],
  ])("puts %s first", async (_what, first, then) => {
    const [more, less] = await remember(await projectContext(), [first, then]);

    expect(worth(more)).toBeGreaterThan(worth(less));
  });
});

function worth(memory: Memory | undefined): number {
  return memory ? worthOf(memory, { phase: "validate", now }) : 0;
}
