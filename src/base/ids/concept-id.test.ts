import { expect, it } from "vitest";
import { conceptId, parseConceptId } from "./concept-id.js";

it.each([
  ["JWT over sessions", "decision:jwt-over-sessions"],
  ["  Node.js / streams! ", "decision:node.js-streams"],
  ["Größe", "decision:größe"],
  ["Gro\u0308ße", "decision:größe"],
  ["src/a.ts#L12", "decision:src-a.ts-l12"],
  ["12", undefined],
  ["…", undefined],
])("[G35] %j is one node however it is written", (name, id) => {
  expect(conceptId("decision", name)).toBe(id);
});

it("[G35] an id in any spelling is told from a file", () => {
  expect(parseConceptId(" Pattern:Retry Rule")).toEqual({
    id: "pattern:retry-rule",
    kind: "pattern",
    name: "retry-rule",
  });
  expect(["pattern", "pattern:", "src/pattern:x.ts", "patterns:x", "module:x"].map(parseConceptId)).toEqual(
    Array.from({ length: 5 }),
  );
});
