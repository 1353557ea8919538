import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stemsOf } from "../stems-of.js";
import { createModuleResolver, isSettingsFile } from "./resolve-modules.js";

describe("a relative specifier", () => {
  it.each([
    ["./b", "src/b.ts"],
    ["./b.js", "src/b.ts"],
    ["./b.ts", "src/b.ts"],
    ["./view.jsx", "src/view.tsx"],
    ["./folder", "src/folder/index.ts"],
    ["./folder/", "src/folder/index.ts"],
    ["./chart.js", "src/chart.js/index.ts"],
    ["..", "index.ts"],
    [".", "src/index.ts"],
    ["./types", "src/types.d.ts"],
    ["./types.js", "src/types.d.ts"],
    ["./esm.mjs", "src/esm.mts"],
    ["./data.json", "src/data.json"],
    ["./a.config", "src/a.config.ts"],
    ["./types.d", "src/types.d.ts"],
  ])("%s leads to %s", (specifier, file) => {
    const files = [
      "index.ts",
      "src/index.ts",
      "src/b.ts",
      "src/view.tsx",
      "src/folder/index.ts",
      "src/chart.js/index.ts",
      "src/types.d.ts",
      "src/esm.mts",
      "src/data.json",
      "src/a.config.ts",
    ];

    expect(resolverWith(files).resolve("src/a.ts", specifier).file).toBe(file);
  });

  it("prefers the source to what was built beside it", () => {
    expect(resolverWith(["src/b.js", "src/b.ts"]).resolve("src/a.ts", "./b.js").file).toBe("src/b.ts");
  });

  it("is missing when nothing is there, and says where it looked", () => {
    expect(resolverWith([]).resolve("src/a.ts", "./gone.js")).toEqual({
      stems: ["src/gone", "src/gone.js"],
      isMissing: true,
    });
  });

  it("is no module when it names a picture, or leads out of the tree", () => {
    const resolver = resolverWith([]);

    expect(resolver.resolve("src/a.ts", "./logo.svg").isMissing).toBeUndefined();
    expect(resolver.resolve("src/a.ts", "../../other/b.js")).toEqual({ stems: [] });
  });
});

describe("tsconfig.json", () => {
  it("says what an alias stands for, from the nearest file above, with comments and trailing commas", () => {
    const resolver = resolverWith(["web/src/b.ts", "src/b.ts"], {
      "web/tsconfig.json": `{ // ours\n "compilerOptions": { "paths": { "@/*": ["./src/*"], }, } }`,
      "tsconfig.json": `{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }`,
    });

    expect(resolver.resolve("web/src/a.ts", "@/b").file).toBe("web/src/b.ts");
    expect(resolver.resolve("src/a.ts", "@/b").file).toBe("src/b.ts");
  });

  it("passes its aliases on to those that extend it, seen from where they are written", () => {
    const resolver = resolverWith(["shared/b.ts"], {
      "packages/app/tsconfig.json": `{ "extends": ["../../tsconfig.base"] }`,
      "tsconfig.base.json": `{ "compilerOptions": { "paths": { "shared/*": ["./shared/*"] } } }`,
    });

    expect(resolver.resolve("packages/app/src/a.ts", "shared/b").file).toBe("shared/b.ts");
  });

  it("may only refer to the one that has them", () => {
    const resolver = resolverWith(["src/b.ts"], {
      "tsconfig.json": `{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }`,
      "tsconfig.app.json": `{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }`,
    });

    expect(resolver.resolve("src/a.ts", "~/b").file).toBe("src/b.ts");
  });

  it("is ignored when it is no JSON", () => {
    expect(resolverWith(["src/b.ts"], { "tsconfig.json": "<<<<<<< ours" }).resolve("src/a.ts", "./b").file).toBe(
      "src/b.ts",
    );
  });
});

describe("a package of the tree", () => {
  const manifest = JSON.stringify({
    name: "@acme/core",
    exports: {
      ".": { types: "./dist/index.d.mts", default: "./dist/index.mjs" },
      "./adapters/*": { import: { default: "./dist/esm/adapters/*.js" } },
      "./env": { "react-server": "./src/env.server.ts", default: "./src/env.ts" },
      "./source": { "@acme/source": "./src/other.ts", default: "./dist/other.js" },
    },
    imports: { "#internal/*": "./src/internal/*.ts" },
  });
  const files = [
    "packages/core/src/index.ts",
    "packages/core/src/adapters/http.ts",
    "packages/core/src/other.ts",
    "packages/core/src/internal/clock.ts",
    "packages/core/src/deep/part.ts",
    "packages/core/src/env.server.ts",
    "packages/core/src/env.ts",
  ];
  const resolver = resolverWith(files, { "packages/core/package.json": manifest });

  it.each([
    ["@acme/core", "packages/core/src/index.ts"],
    ["@acme/core/adapters/http", "packages/core/src/adapters/http.ts"],
    ["@acme/core/source", "packages/core/src/other.ts"],
    ["@acme/core/env", "packages/core/src/env.ts"],
    ["@acme/core/deep/part.js", "packages/core/src/deep/part.ts"],
  ])("%s is its source %s and not what is built of it", (specifier, file) => {
    expect(resolver.resolve("packages/app/src/a.ts", specifier).file).toBe(file);
  });

  it("knows its internal names only by itself", () => {
    expect(resolver.resolve("packages/core/src/index.ts", "#internal/clock").file).toBe(
      "packages/core/src/internal/clock.ts",
    );
    expect(resolver.resolve("packages/app/src/a.ts", "#internal/clock").file).toBeUndefined();
  });

  it("is the nearest where several have the name", () => {
    const two = resolverWith(["a/lib/index.ts", "b/lib/index.ts"], {
      "a/lib/package.json": `{ "name": "lib" }`,
      "b/lib/package.json": `{ "name": "lib" }`,
    });

    expect(two.resolve("b/app/src/a.ts", "lib").file).toBe("b/lib/index.ts");
  });

  it("is missing where its part is not there, while another package is outside", () => {
    expect(resolver.resolve("packages/app/src/a.ts", "@acme/core/nothing").isMissing).toBe(true);
    expect(resolver.resolve("packages/app/src/a.ts", "react")).toEqual({ stems: [] });
  });

  it("may be what a path into node_modules/ means", () => {
    const linked = resolverWith(files, {
      "packages/core/package.json": manifest,
      "packages/app/tsconfig.json": `{ "compilerOptions": { "paths": { "core": ["./node_modules/@acme/core/src/index.ts"] } } }`,
    });

    expect(linked.resolve("packages/app/src/a.ts", "core").file).toBe("packages/core/src/index.ts");
  });
});

it("reads package.json and every tsconfig, but not those of what is installed", () => {
  expect(["package.json", "a/tsconfig.build.json", "jsconfig.json"].every(isSettingsFile)).toBe(true);
  expect(["a/package-lock.json", "node_modules/a/package.json", "src/package.ts"].some(isSettingsFile)).toBe(false);
});

it("knows a file by each of its stems, that with `.d` too", () => {
  expect(stemsOf("src/types.d.ts")).toEqual(["src/types", "src/types.d"]);
  expect(stemsOf("src/index.d.mts")).toEqual(["src/index", "src", "src/index.d"]);
  expect(stemsOf("src/a.d/b.ts")).toEqual(["src/a.d/b"]);
});

it("depends on nothing but the stems that it names", () => {
  const segment = fc.constantFrom("a", "b", "index", "src", "a.b", "a.d", "index.d");
  const extension = fc.constantFrom(".ts", ".tsx", ".js", ".d.ts", ".json", ".mts");
  const path = fc
    .tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), extension)
    .map(([parts, end]) => parts.join("/") + end);
  const specifier = fc.oneof(
    fc
      .tuple(fc.constantFrom("./", "../", "@/", "lib/"), segment, fc.constantFrom("", ".js", ".ts"))
      .map((parts) => parts.join("")),
    fc.constantFrom(".", "..", "lib", "#a", "src/a"),
  );
  const settings = {
    "tsconfig.json": `{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*", "./*"] } } }`,
    "src/package.json": `{ "name": "lib", "exports": { ".": "./dist/a.js", "./*": "./dist/*.js" }, "imports": { "#a": "./a.js" } }`,
  };

  fc.assert(
    fc.property(fc.uniqueArray(path), path, path, specifier, (files, changed, from, wanted) => {
      const before = resolverWith(files, settings).resolve(from, wanted);
      const without = files.filter((file) => file !== changed);
      const after = resolverWith(files.length === without.length ? [...files, changed] : without, settings).resolve(
        from,
        wanted,
      );

      fc.pre(stemsOf(changed).every((stem) => !before.stems.includes(stem)));
      expect(after).toEqual(before);
    }),
  );
});

function resolverWith(files: readonly string[], settings: Record<string, string> = {}) {
  return createModuleResolver({ files: new Set(files), settings: new Map(Object.entries(settings)) });
}
