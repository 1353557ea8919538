import { expect, it } from "vitest";
import { linkFolder } from "../../../test/support/linked-folder.js";
import { linkFile } from "../link/link.js";
import { csharp } from "./csharp/csharp.js";

it("a class of one language says nothing of what functions of another are handed", async () => {
  const takes = (name: string) => `void ${name}(Store store) { }`;
  const { edges } = await linkFolder(
    new Map([
      ["Store.java", `class Store { void touch() { } ${takes("a")} ${takes("b")} ${takes("c")} }`],
      ["use.js", "export function run(store) { store.touch(); }"],
      ["use.py", "def run(store):\n    store.touch()\n"],
    ]),
  );

  expect(edges.filter(({ kind }) => kind === "calls")).toEqual([]);
});

it("a name that thousands of open spaces may have is looked for in some of them", async () => {
  const usings = Array.from({ length: 6000 }, (_, n) => `using N${n};`).join("\n");
  const { facts } = (await csharp.open())("a.cs", `${usings}\nclass A { void Run() { Go(); } }`);
  let asked = 0;
  const declaring = (_space: string, name: string) => {
    if (name === "Go") asked += 1;
    return [];
  };

  linkFile("a.cs", {
    facts: () => facts,
    modules: { resolve: () => ({ stems: [] }) },
    winner: () => undefined,
    spaces: { declaring, resolve: (_from, space) => space },
  });

  expect(asked).toBeLessThan(9000);
});

it("a package that was made to be long adds nothing to any space", async () => {
  const parts = Array.from({ length: 2000 }, (_, n) => `part${n}`).join(".\n");

  const { extractions } = await linkFolder(new Map([["A.java", `package ${parts};\nclass A { }`]]));

  expect(JSON.stringify(extractions.get("A.java")?.facts).length).toBeLessThan(100_000);
});
