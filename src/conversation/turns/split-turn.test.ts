import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLong, joinParts, splitTurn } from "./split-turn.js";
import type { TurnRow } from "./turn-queries.js";

describe("splitTurn", () => {
  it("gives parts that fit into a memory and are the same text when joined", () => {
    const pieces = ["x".repeat(5000), "äöü😀", "👨‍👩‍👧 ", "e\u0301", "\n", " ", "[redacted:github-token]", "क्‍ष"];

    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 30, maxLength: 80 }), (texts) => {
        const text = texts.join("");

        const parts = splitTurn(text);

        expect(parts.join("")).toBe(text);
        expect(parts.every((part) => part !== "" && !isLong(part))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ["a line", "line\n", /\n$/],
    ["a word", "word ", / $/],
  ])("cuts after %s where it can", (_, unit, end) => {
    const [first = "", ...rest] = splitTurn(unit.repeat(20_000));

    expect(first).toMatch(end);
    expect(rest.length).toBeGreaterThan(0);
  });

  it.each([
    ["a surrogate pair", "😀"],
    ["an emoji of several", "👨‍👩‍👧"],
    ["a letter and its mark", "e\u0301"],
    ["what stands for a secret", "[redacted:github-token]"],
  ])("does not cut within %s", (_, character) => {
    for (let shift = 0; shift < character.length; shift += 1) {
      const [first = "", second = ""] = splitTurn("x".repeat(shift) + character.repeat(20_000));

      expect((first.length - shift) % character.length).toBe(0);
      expect(second.startsWith(character)).toBe(true);
    }
  });
});

describe("joinParts", () => {
  it("joins the parts of one turn and of no other, and tells where it ends", () => {
    const rows = [
      row(1, { turn: "a", part: 1 }),
      row(2, { turn: "a", part: 2 }),
      row(3, { turn: "b", part: 2 }),
      row(4),
      row(5, { turn: "c", part: 1 }),
      row(6, { turn: "c", part: 3 }),
    ];

    const turns = joinParts(rows);

    expect(turns.map(({ content, sequence, lastSequence }) => [content, sequence, lastSequence])).toEqual([
      ["12", 1, 2],
      ["3", 3, 3],
      ["4", 4, 4],
      ["56", 5, 6],
    ]);
  });
});

function row(sequence: number, { turn, part }: Partial<Pick<TurnRow, "turn" | "part">> = {}): TurnRow {
  const common = { role: "user" as const, timestamp: "2026-11-16T09:00:00.000Z", toolsUsed: [], isTainted: false };
  return { ...common, id: `id ${sequence}`, content: String(sequence), sequence, turn, part };
}
