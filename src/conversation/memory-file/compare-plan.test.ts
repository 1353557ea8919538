import { describe, expect, it } from "vitest";
import type { Memory, Status } from "../../memory/memory.js";
import { comparePlan } from "./compare-plan.js";
import { readMemoryFile } from "./read-memory-file.js";
import { renderMemoryFile } from "./render-memory-file.js";

const [npm, port, cents] = [memory(1, "Use npm"), memory(2, "The port is 8080"), memory(3, "Prices are in cents")];
const whole = renderMemoryFile({ project: [npm, port, cents], everywhere: [] }, { maxBytes: 8192 });

describe("what a changed file asks of the store", () => {
  it("pairs a changed line with its memory wherever it went, and a line in its place with nothing that it is not like", () => {
    const text = whole
      .replace("- Use npm\n", "- We meet on Mondays\n")
      .replace("- Prices are in cents\n", "")
      .replace("## Facts\n\n", "## Facts\n\n- Prices are in euro cents\n");

    expect(brief(text, [npm, port, cents])).toEqual({
      revise: [["Prices are in cents", { content: "Prices are in euro cents" }]],
      forget: ["Use npm"],
      remember: ["We meet on Mondays"],
    });
  });

  it("neither revises nor forgets what is no longer in force, or says something else by now", () => {
    const superseded = { ...npm, status: "superseded" as Status };
    const revised = { ...port, content: "The port is 9090" };
    const text = whole
      .replace("Use npm", "Use pnpm")
      .replace("- The port is 8080\n", "")
      .replace("- Prices are in cents\n", "");

    expect(brief(text, [superseded, revised])).toEqual({ revise: [], forget: [], remember: ["Use pnpm"] });
  });

  it("without the last line only remembers, and not what any memory said, nor half a line at the end", () => {
    const forgotten = { ...cents, status: "forgotten" as Status };
    const text = whole
      .replace(/<!-- tacit.*\n/, "")
      .replace("- The port is 8080\n", "- New here\n- ---\n")
      .trimEnd();
    const cutOff = `${text}\n- The port is`;

    expect(brief(cutOff, [npm, port, forgotten])).toEqual({ revise: [], forget: [], remember: ["New here"] });
  });
});

function brief(text: string, memories: Memory[]) {
  const { revise, forget, remember } = comparePlan(readMemoryFile(text), { project: memories, everywhere: [] });
  return {
    revise: revise.map((one) => [one.memory.content, one.changes]),
    forget: forget.map((one) => one.memory.content),
    remember: remember.map((one) => one.text),
  };
}

function memory(number: number, content: string): Memory {
  return {
    id: `0198c0de-0000-7000-8000-${String(number).padStart(12, "0")}`,
    content,
    type: "fact",
    status: "active",
    currentConfidence: 0.8,
    accessCount: 0,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString(),
  } as unknown as Memory;
}
