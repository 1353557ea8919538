import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryType, memoryTypes } from "./memory-types.js";

describe("the type registry", () => {
  it("holds 22 types, each with a purpose of its own", () => {
    expect(memoryTypes).toHaveLength(22);
    expect(new Set(memoryTypes.map(({ type }) => type)).size).toBe(22);
    expect(new Set(memoryTypes.map(({ purpose }) => purpose)).size).toBe(22);
  });

  it("[M2] treats an unknown type as a note under its own name", () => {
    const { type, label, ...rest } = memoryType("from_the_future");
    const { type: _type, label: _label, ...note } = memoryType("note");

    expect([type, label]).toEqual(["from_the_future", "from_the_future"]);
    expect(rest).toEqual(note);
  });

  it("gives out no more than the whole budget in any phase, and weighs within reason", () => {
    for (const phase of ["define", "implement", "validate", "refine", "explore", "reflect"] as const) {
      const shared = memoryTypes.reduce((sum, { shares }) => sum + (shares[phase] ?? 0), 0);

      expect(shared, phase).toBeLessThanOrEqual(1.0000001);
      expect(shared, phase).toBeGreaterThan(0.85);
      for (const { weights } of memoryTypes) expect(weights[phase] ?? 1).toBeGreaterThanOrEqual(0.8);
    }
  });

  it("is what the glossary prints", () => {
    const glossary = readFileSync(join(import.meta.dirname, "..", "..", "..", "docs", "GLOSSARY.md"), "utf8").replace(
      / +/g,
      " ",
    );

    for (const { type, purpose, halfLifeDays } of memoryTypes) {
      const line = glossary.split("\n").find((row) => row.startsWith(`| ${type} |`));
      expect(line, type).toContain(`| ${purpose} |`);
      expect(line, type).toContain(halfLifeDays === undefined ? "|" : `| ${halfLifeDays} days |`);
    }
  });
});
