import { expect, it } from "vitest";
import { renderTable } from "./render-table.mjs";

const names = { ours: "Ours", theirs: "Theirs" };

it("shows each figure with its ratio to the base, which has none", () => {
  const table = renderTable({ names, base: "ours", lines: [{ what: "ms", values: { ours: 20, theirs: 50 } }] });

  expect(table.split("\n").at(-1)).toBe("| ms | 20.0 | 50.0 (× 2.50) |");
});

it("marks what was cut short, and gives a count no ratio", () => {
  const lines = [{ what: "kept", values: { ours: 1000, theirs: 250 }, cut: ["theirs"], isCount: true }];

  const table = renderTable({ names, base: "ours", lines });

  expect(table.split("\n").at(-1)).toBe("| kept | 1000 | 250\\* |");
});

it("shows a dash for what was not measured, and no ratio to it", () => {
  const lines = [
    { what: "one", values: { ours: 3 } },
    { what: "other", values: { theirs: 3 } },
  ];

  const table = renderTable({ names, base: "ours", lines });

  expect(table.split("\n").slice(-2)).toEqual(["| one | 3.000 | – |", "| other | – | 3.000 |"]);
});
