import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { openLinker, type Linked, type Linker } from "../../../test/support/open-linker.js";
import { emptyFacts } from "../facts/facts.js";
import { surfaceOf } from "./link.js";
import { stemsOf } from "../languages/stems-of.js";

let link: Linker;
beforeAll(async () => {
  link = await openLinker();
});

describe("calls", () => {
  it("of a file that was made to be hard are missed after a while", () => {
    const methods = Array.from(
      { length: 40 },
      (_, i) => `m${i}() { return z ? this.m${i + 1}().m${i + 1}() : this.m${i + 2}().m${i + 2}(); }`,
    );
    const source = (
      uses: number,
    ) => `class A { go() {} ${methods.join("\n")} m40() { return this; } m41() { return this; } }
      class B extends A {} const x = new B(); x.go(); ${"x.m0().q();\n".repeat(uses)} export function last() { x.go(); }`;

    expect(link({ "a.ts": source(10) }).calls("a.ts")).toContain("last -> a.ts#A.go receiver");
    const { edges, misses } = link({ "a.ts": source(1000) }).linked("a.ts");
    expect(edges.filter(({ kind, to }) => kind === "calls" && to === "A.go").map(({ from }) => from)).toEqual([""]);
    expect(misses).toContainEqual({ from: "last", name: "go", kind: "call", sites: 1 });
  });
});

describe("other edges", () => {
  it("lead through barrels of many files in the time that it takes to go through them", () => {
    const count = 1200;
    const names = (i: number) => Array.from({ length: 10 }, (_, j) => `export function f${i}_${j}() {}`).join("\n");
    const { edges } = link({
      "index.ts": Array.from({ length: count }, (_, i) => `export * from "./a${i}.js";`).join("\n"),
      ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}.ts`, names(i)])),
    });
    const before = performance.now();

    expect(edges("index.ts").filter((edge) => edge.endsWith("exports"))).toHaveLength(10 * count);
    // A fifth of a second; asking every file for every name took fifteen.
    expect(performance.now() - before).toBeLessThan(5000);
  });
});

it("gives the same edges as long as nothing that they depend on has changed", () => {
  // Programs that import, inherit, call and return each other's things, changed in one file.
  const name = fc.constantFrom("x", "y", "z");
  const module = fc.constantFrom("m0", "m1", "m2", "m3");
  const statement = fc.oneof(
    fc.tuple(name, module).map(([a, from]) => `import { ${a} } from "./${from}.js";`),
    module.map((from) => `export * from "./${from}.js";`),
    fc.tuple(name, module).map(([a, from]) => `const ${a} = require("./${from}.js");`),
    fc.tuple(name, module).map(([a, from]) => `const { ${a} } = require("./${from}.js");`),
    fc
      .oneof(
        name,
        module.map((from) => `require("./${from}.js")`),
      )
      .map((value) => `module.exports = ${value};`),
    fc.tuple(name, name).map(([a, b]) => `export function ${a}(p: ${b}) { p.go(); return new ${b}(); }`),
    fc.tuple(name, name).map(([a, b]) => `export class ${a} extends ${b} { go() { return this.go(); } }`),
    fc.tuple(name, name).map(([a, b]) => `export const ${a} = () => ${b}().go();`),
    fc.tuple(name, name).map(([a, b]) => `${a}().go(); new ${b}().go();`),
    fc.constantFrom("function inner(p) { p.go(); }", "{ const hidden = 1; }", ""),
  );
  const program = fc.array(statement, { maxLength: 5 }).map((lines) => lines.join("\n"));
  const programs = fc.record({ "m0.ts": program, "m1.ts": program, "m2.ts": program, "m3.ts": program });
  const change = fc.oneof(
    program.map((now) => () => now),
    fc.constantFrom(
      (before: string) => before.replace(/new \w/, "new z"),
      (before: string) => before.replace(/=> \w/, "=> z"),
      (before: string) => before.replace(/extends \w/, "extends z"),
      (before: string) => before.replace(/p: \w/, "p: z"),
      (before: string) => before.replace("go()", "stop()"),
      (before: string) => `\n${before} { const later = 1; }`,
      () => undefined,
    ),
  );

  fc.assert(
    fc.property(programs, fc.constantFrom("m0.ts", "m1.ts", "m2.ts", "m3.ts"), change, (before, changed, edit) => {
      const { [changed]: old, ...others } = before;
      const now = edit(old);
      const [first, second] = [link(before), link(now === undefined ? others : { ...others, [changed]: now })];
      const stale = changedKeys(first, second);
      const untouched = Object.keys(others).filter((file) =>
        first.linked(file).dependencies.every((key) => !stale.has(key)),
      );

      expect(untouched.map((file) => second.linked(file))).toEqual(untouched.map((file) => first.linked(file)));
    }),
    { numRuns: 500 },
  );
});

/** What is not the same in two states of a tree, as dependencies name it. */
function changedKeys(before: Linked, after: Linked): Set<string> {
  const files = [...new Set([...before.facts.keys(), ...after.facts.keys()])];
  const surface = ({ facts }: Linked, file: string) => surfaceOf(facts.get(file) ?? emptyFacts);
  const isThere = ({ facts }: Linked, file: string) => facts.has(file);
  const names = [...before.votes, ...after.votes].map(({ parameter }) => parameter);
  return new Set([
    ...files.filter((file) => surface(before, file) !== surface(after, file)).map((file) => `file:${file}`),
    ...files.flatMap((file) =>
      isThere(before, file) === isThere(after, file)
        ? []
        : [`file:${file}`, ...stemsOf(file).map((stem) => `stem:${stem}`)],
    ),
    ...names.filter((name) => before.winner(name) !== after.winner(name)).map((name) => `vote:${name}`),
  ]);
}
