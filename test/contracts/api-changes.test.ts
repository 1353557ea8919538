import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../support/open-memories.js";

const root = join(import.meta.dirname, "..", "..");
const versions = JSON.parse(readFileSync(join(root, "api-changes.json"), "utf8")) as Record<string, Changes>;
const changes = versions["0.10.0"] ?? {};

/** Old name → new name, both as a program writes them. */
type Changes = Record<string, string>;

// What 0.9 had on top, and what came with 0.10.0. A function that is added later goes here.
const unchanged = `as remember rememberMany recall recallReport get list revise supersede rename alias unalias relate unrelate forget
  forgetMany restore purge verify flag pin history undo observe inject finishSession finishSessions conversation index impact
  recallCode exportGraph pack explain embedPending stats close`;

describe("api-changes.json", () => {
  it("names no function that is still there by its old name, and every new one", async () => {
    const functions = functionsOf(await openTestMemory());

    const [before, now] = [Object.keys(changes), Object.values(changes)];
    expect(before.filter((name) => functions.has(name))).toEqual([]);
    expect(now.filter((name) => !functions.has(name))).toEqual([]);
    expect(new Set(now).size).toBe(now.length);
  });

  it("tells of every function of the public object, unless it is called as before", async () => {
    const functions = functionsOf(await openTestMemory());

    const known = [...unchanged.split(/\s+/).map((name) => `memory.${name}`), ...Object.values(changes)];
    expect([...functions].toSorted()).toEqual(known.toSorted());
  });

  it("is the same for every caller", async () => {
    const memory = await openTestMemory();

    for (const actor of [{ kind: "person" }, { kind: "agent" }] as const)
      expect(functionsOf(memory.as(actor))).toEqual(functionsOf(memory));
  });

  it("is published", () => {
    const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };

    expect(files).toContain("api-changes.json");
  });
});

/** Every function of an object and of its parts, as a program writes it: `memory.recall`, `memory.review.pending`. */
function functionsOf(part: object, path = "memory"): Set<string> {
  return new Set(
    Object.entries(part).flatMap(([name, value]: [string, unknown]): string[] => {
      if (typeof value === "function") return [`${path}.${name}`];
      return typeof value === "object" && value !== null ? [...functionsOf(value, `${path}.${name}`)] : [];
    }),
  );
}
