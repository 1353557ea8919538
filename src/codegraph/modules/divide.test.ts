import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { divide } from "./divide.js";
import type { Module } from "./module-types.js";
import type { DividedTree } from "./module-draft.js";

describe("the modules of a tree", () => {
  it("[G28] are the folders below where the code begins; small ones belong to what is around them", () => {
    const modules = of({
      files: [...many("src/auth", 4), ...many("src/auth/token", 5), ...many("src/tiny", 2), "src/main.ts", "build.ts"],
      packages: new Map([["", "@acme/shop"]]),
    });

    expect(sizes(modules)).toEqual({ auth: 9, shop: 4 });
    expect(modules[0]).toMatchObject({ folder: "src/auth", by: "folder" });
    expect(modules[1]).toMatchObject({ folder: "", by: "package", packageName: "@acme/shop" });
  });

  it("[G28] of a large folder are the folders in it", () => {
    const modules = of({
      files: [
        ...many("src/graph", 3),
        ...many("src/graph/ask", 30),
        ...many("src/graph/link", 9),
        "src/graph/one/a.ts",
      ],
    });

    expect(sizes(modules)).toEqual({ graph: 4, "graph/ask": 30, "graph/link": 9 });
  });

  it("[G28] are packages in a workspace, and the folders of those that are large", () => {
    const modules = of({
      files: [
        ...many("packages/core/src", 5),
        ...many("packages/core/src/parse", 6),
        ...many("apps/web/src", 2),
        ...many("apps/web/src/pages", 45),
        ...many("libs/core", 1),
      ],
      packages: new Map([
        ["", undefined],
        ["packages/core", "@acme/core"],
        ["apps/web", "web"],
        ["libs/core", "core"],
      ]),
    });

    // Two of the same short name are told by their folders.
    expect(sizes(modules)).toEqual({ "libs/core": 1, "packages/core": 11, web: 2, "web/pages": 45 });
  });

  it("[G28] pass over what is around the code in other languages", () => {
    const java = "src/main/java/org/acme/shop";
    const modules = of({ files: [...many(java, 6, "java"), ...many(`${java}/cart`, 40, "java"), "internal/db/a.go"] });

    expect(sizes(modules)).toEqual({ ".": 1, shop: 6, "shop/cart": 40 });
    expect(sizes(of({ files: many("my_shop/cart", 3, "py"), packages: new Map([["", "my-shop"]]) }))).toEqual({
      cart: 3,
    });
  });

  it("[G28] of a folder with very many files are what imports hold together, named after the most central file", () => {
    const [left, right] = [many("src/all", 45), many("src/all", 45).map((file) => file.replace("/f", "/g"))];
    const among = (group: string[]) => group.map((file, at): [string, string[]] => [file, group.slice(0, at)]);
    const imports = new Map([...among(left), ...among(right)]);

    const modules = of({ files: [...left, ...right, "src/all/alone.ts"], imports });

    expect(sizes(modules)).toMatchObject({ all: 1, "all/f0": 45, "all/g0": 45 });
    expect(sizes(of({ files: [...left, ...right] }))).toEqual({ all: 90 });
  });

  it("[G28] have the tests that test them: by name, by what they take, by their place", () => {
    const files = [...many("src/auth", 3), ...many("src/pay", 3)];
    const tests = {
      "src/auth/f1.test.ts": [],
      "test/pay/f2.test.ts": ["src/auth/f0.ts"],
      "test/anything.test.ts": ["src/pay/f0.ts", "src/pay/f1.ts", "src/auth/f0.ts"],
      "src/pay/__tests__/odd.ts": [],
      "test/whole.test.ts": ["src/pay/f0.ts", "src/auth/f0.ts"],
      "test/helper.ts": [],
    };

    const modules = of({ files: [...files, ...Object.keys(tests)], tests: new Map(Object.entries(tests)) });

    expect(Object.fromEntries(modules.map(({ name, tests: own }) => [name, own]))).toEqual({
      auth: ["src/auth/f1.test.ts"],
      pay: ["src/pay/__tests__/odd.ts", "test/anything.test.ts", "test/pay/f2.test.ts"],
      test: [],
    });
    expect(modules.find(({ name }) => name === "test")?.files).toEqual(["test/helper.ts", "test/whole.test.ts"]);
  });

  it("[G28] hold every source file once, under names of their own, in whatever order the files come", () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const modules = divide(tree);

        const held = modules.flatMap(({ files, tests }) => [...files, ...tests]);
        expect(held.toSorted()).toEqual([...new Set(tree.files)].toSorted());
        expect(new Set(modules.map(({ name }) => name.toLowerCase())).size).toBe(modules.length);
        expect(divide({ ...tree, files: tree.files.toReversed() })).toEqual(modules);
      }),
    );
  });

  it("[G28] are there in time in a tree of 22,000 files, in one folder and of one name", () => {
    const named = Array.from({ length: 2000 }, (_, at) => [`lib/f${at}/index.ts`, `lib/f${at}/index.test.ts`]);
    const tests = Array.from({ length: 2000 }, (_, at) => `test/t${at}.test.ts`);
    const begun = performance.now();

    const modules = of({ files: [...many("src/big", 16_000), ...named.flat(), ...tests] });

    expect(Object.values(sizes(modules)).reduce((sum, size) => sum + size, 0)).toBe(20_000);
    // With a new list for each file it takes 12 s.
    expect(performance.now() - begun).toBeLessThan(4000);
  });

  it("[G28] stay as they are where a file comes to another folder", () => {
    fc.assert(
      fc.property(trees, fc.constantFrom("src/new", "src/a"), (tree, folder) => {
        const more = { ...tree, files: [...tree.files, `${folder}/another.ts`] };

        const [before, after] = [divide(tree), divide(more)].map((modules) =>
          modules.filter((module) => /^src\/[bcd]$/.test(module.folder)),
        );

        expect(after).toEqual(before);
      }),
    );
  });
});

const folders = fc.constantFrom(
  "",
  "src",
  "src/a",
  "src/b",
  "src/c",
  "src/d",
  "src/b/a",
  "lib",
  "test",
  "test/b",
  "p/src",
);
const trees = fc
  .uniqueArray(fc.tuple(folders, fc.integer({ min: 0, max: 30 })), { maxLength: 120, selector: String })
  .chain((places) => {
    const files = places.map(([folder, n]) => `${folder === "" ? "" : `${folder}/`}f${n}.ts`);
    const some = fc.subarray(files, { maxLength: Math.min(3, files.length) });
    const edges = fc.array(fc.tuple(fc.constantFrom(...files, "none.ts"), some), { maxLength: 60 });
    return fc.record({
      files: fc.constant(files),
      packages: fc.constantFrom(new Map(), new Map([["p", "a"]]), new Map([["", "a"]])),
      imports: edges.map((list) => new Map(list)),
      tests: edges.map((list) => new Map(list)),
    });
  });

function of(tree: Partial<DividedTree>): Module[] {
  return divide({ files: [], packages: new Map(), imports: new Map(), tests: new Map(), ...tree });
}

function many(folder: string, count: number, extension = "ts"): string[] {
  return Array.from({ length: count }, (_, n) => `${folder}/f${n}.${extension}`);
}

function sizes(modules: readonly Module[]): Record<string, number> {
  return Object.fromEntries(modules.map(({ name, files }) => [name, files.length]));
}
