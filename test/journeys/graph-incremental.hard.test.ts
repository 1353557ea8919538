import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../src/index.js";
import { readFolder } from "../support/linked-folder.js";
import { runs } from "../support/property-runs.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const files = [
  "src/a.ts",
  "src/b.ts",
  "src/index.ts",
  "src/deep/c.ts",
  "src/deep/index.ts",
  "lib/d.js",
  "src/types.d.ts",
  "pkg/__init__.py",
  "pkg/e.py",
  "pkg/sub/f.py",
];
const names = ["alpha", "beta", "Gamma", "Delta"];

const aFile = fc.constantFrom(...files);
const aName = fc.constantFrom(...names);
const aScript = fc.array(fc.oneof(...scriptParts()), { maxLength: 6 }).map((parts) => parts.join("\n"));
const aPythonText = fc.array(fc.oneof(...pythonParts()), { maxLength: 5 }).map((parts) => parts.join("\n"));

type Edit =
  | { kind: "write"; file: string; script: string; python: string }
  | { kind: "remove"; file: string }
  | { kind: "move"; file: string; to: string }
  | { kind: "settings"; paths: boolean };

const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("write" as const), file: aFile, script: aScript, python: aPythonText }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), file: aFile }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("move" as const), file: aFile, to: aFile }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("settings" as const), paths: fc.boolean() }) },
);

describe("an index that follows changes", () => {
  it("[G3] is at the end what one made from scratch would be", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anEdit, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 6 }),
        async (steps) => {
          const directory = temporaryFolder();
          const memory = await openMemory({ db: ":memory:", project: "p", directory });
          try {
            for (const edits of steps) {
              for (const edit of edits) make(directory, edit);
              await memory.index();
            }

            expect(await graphOf(memory)).toEqual(await graphFromScratch(directory));
          } finally {
            await memory.close();
            rmSync(directory, { recursive: true });
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it("[G19] is so for every language, though files share their names", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(aChange, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
        async (steps) => {
          const directory = temporaryFolder();
          const memory = await openMemory({ db: ":memory:", project: "p", directory });
          try {
            for (const [path, source] of programs) put(directory, path, source);
            await memory.index();
            for (const changes of steps) {
              for (const { path, how } of changes) change(directory, path, how);
              await memory.index();
            }

            expect(await graphOf(memory)).toEqual(await graphFromScratch(directory));
          } finally {
            await memory.close();
            rmSync(directory, { recursive: true });
          }
        },
      ),
      { numRuns: runs(12), endOnFailure: true },
    );
  });
});

/** The programs of every language's contract, beside each other. */
const programs = readFolder(join(import.meta.dirname, "..", "..", "src", "codegraph", "languages", "fixtures"));

const aChange = fc.record({
  path: fc.constantFrom(...programs.keys()),
  how: fc.constantFrom("remove", "restore", "rename what it names", "cut", "move" as const),
});

function change(directory: string, path: string, how: string): void {
  const source = programs.get(path) ?? "";
  if (how === "remove") rmSync(join(directory, path), { force: true });
  else if (how === "restore") put(directory, path, source);
  else if (how === "cut") put(directory, path, source.slice(0, source.length / 2));
  else if (how === "move") {
    rmSync(join(directory, path), { force: true });
    put(directory, join(dirname(path), `moved-${basename(path)}`), source);
  } else
    put(
      directory,
      path,
      source.replaceAll(/\b(?:touch|read|store)(?=\b|_)/gi, (word) => `${word}Again`),
    );
}

function put(directory: string, path: string, source: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), source);
}

function scriptParts(): fc.Arbitrary<string>[] {
  const specifier = fc.constantFrom(
    "./a",
    "./a.js",
    "./b.js",
    "./index.js",
    ".",
    "..",
    "../a.js",
    "./deep",
    "./deep/c.js",
    "../lib/d.js",
    "@/a",
    "@/deep/c",
    "./missing",
    "./types.d",
    "./types",
  );
  return [
    fc.tuple(aName, specifier).map(([name, from]) => `import { ${name} } from "${from}";`),
    fc
      .tuple(aName, specifier)
      .map(
        ([name, from]) =>
          `import * as ${name}Module from "${from}"; ${name}Module.alpha(); new ${name}Module.Gamma().alpha();`,
      ),
    fc.tuple(aName, aName, specifier).map(([name, other, from]) => `export { ${name} as ${other} } from "${from}";`),
    specifier.map((from) => `export * from "${from}";`),
    fc
      .tuple(aName, aName)
      .map(([name, called]) => `export function ${name}(item: ${called}) { return ${called}(item); }`),
    fc
      .tuple(aName, aName, aName)
      .map(
        ([name, base, called]) =>
          `export class ${name} extends ${base} { alpha() { return this.beta(); } beta() { return new ${called}(); } }`,
      ),
    fc.tuple(aName, aName).map(([name, type]) => `export interface I${name} { alpha(): ${type} }`),
    fc
      .tuple(aName, aName)
      .map(
        ([name, method]) =>
          `function use${name}(item, other: ${name}, more: ${name}) { item.${method}(); other.${method}().alpha(); }`,
      ),
    fc.tuple(aName, aName).map(([name, value]) => `export const ${name} = ${value};`),
    fc.tuple(aName, aName).map(([name, value]) => `export const ${name} = () => ${value}().beta();`),
    fc.constant("alpha(); beta(); new Gamma().alpha();"),
    // Enough typed parameters of one name to say what the untyped ones are.
    fc
      .tuple(aName, specifier)
      .map(
        ([name, from]) =>
          `import { ${name} as Voted } from "${from}"; function v1(item: Voted) {} function v2(item: Voted) {} function v3(item: Voted) {}`,
      ),
    fc.constant("export class Gamma { alpha() {} beta() {} } function g(item) { item.alpha(); }"),
    fc
      .tuple(aName, specifier)
      .map(([name, from]) => `const ${name} = require("${from}"); ${name}(); new ${name}().alpha();`),
    aName.map((name) => `class ${name} { alpha() {} } module.exports = ${name};`),
    fc.constant("if ("),
  ];
}

function pythonParts(): fc.Arbitrary<string>[] {
  const module = fc.constantFrom("pkg", "pkg.e", "pkg.sub.f", ".e", ".", ".sub", "..e", "pkg.sub");
  return [
    fc
      .tuple(module, fc.oneof(aName, fc.constantFrom("e", "f", "sub")))
      .map(([from, name]) => `from ${from} import ${name}`),
    module.filter((name) => !name.startsWith(".")).map((name) => `import ${name}\n${name}.alpha()`),
    fc.constantFrom("from .e import *", "from pkg.sub.f import *"),
    fc.tuple(aName, aName).map(([name, called]) => `def ${name}(item: ${called}):\n    return ${called}(item)\n`),
    fc
      .tuple(aName, aName)
      .map(
        ([name, base]) =>
          `class ${name}(${base}):\n    def alpha(self):\n        return self.beta()\n    def beta(self, item):\n        item.alpha()\n`,
      ),
    fc.constant("alpha()\ne.alpha()\nGamma().alpha()"),
  ];
}

function make(directory: string, edit: Edit): void {
  if (edit.kind === "settings") {
    const paths = edit.paths ? { "@/*": ["./src/*"] } : {};
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions: { paths } }));
    return;
  }
  const path = join(directory, edit.file);
  if (edit.kind === "write") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, edit.file.endsWith(".py") ? edit.python : edit.script);
  } else if (edit.kind === "remove") {
    rmSync(path, { force: true });
  } else {
    const to = join(directory, edit.to);
    mkdirSync(dirname(to), { recursive: true });
    try {
      renameSync(path, to);
    } catch {
      // There was nothing to move.
    }
  }
}

async function graphFromScratch(directory: string): Promise<unknown> {
  const memory = await openMemory({ db: ":memory:", project: "p", directory });
  try {
    await memory.index();
    return await graphOf(memory);
  } finally {
    await memory.close();
  }
}

async function graphOf(memory: Awaited<ReturnType<typeof openMemory>>): Promise<unknown> {
  let text = "";
  for await (const piece of memory.exportGraph({ format: "json" })) text += piece;
  const state = await memory.code.state();
  return { ...(JSON.parse(text) as object), unresolved: state?.unresolved, chunks: state?.chunks };
}
