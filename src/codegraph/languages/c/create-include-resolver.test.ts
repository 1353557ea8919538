import { expect, it } from "vitest";
import { stemsOf } from "../stems-of.js";
import { createIncludeResolver } from "./create-include-resolver.js";

const files = [
  "include/shop/store.h",
  "lib/util.h",
  "lib/net/http.c",
  "lib/net/http.h",
  "app/a/conf.h",
  "app/b/conf.h",
];

it("[G18] finds what is included beside the file, below include/, and where it alone lies", () => {
  const resolve = resolverOf(files);

  expect(resolve("lib/net/http.c", "http.h").file).toBe("lib/net/http.h");
  expect(resolve("lib/net/http.c", "../util.h").file).toBe("lib/util.h");
  expect(resolve("lib/net/http.c", "util.h").file).toBe("lib/util.h");
  expect(resolve("lib/net/http.c", "shop/store.h").file).toBe("include/shop/store.h");
  expect(resolve("lib/net/http.c", "<shop/store.h>").file).toBe("include/shop/store.h");
  // A header of the system may go by the name of one that lies somewhere.
  expect(resolve("lib/net/http.c", "<util.h>").file).toBeUndefined();
});

it("[G18] takes the nearest of several, and none where two are as near", () => {
  const resolve = resolverOf(files);

  expect(resolve("app/a/deep/main.c", "conf.h").file).toBe("app/a/conf.h");
  expect(resolve("app/main.c", "conf.h").file).toBeUndefined();
});

it("[G18] misses only what plainly belongs to the tree", () => {
  const resolve = resolverOf(files);

  expect(resolve("lib/util.h", "./gone.h").isMissing).toBe(true);
  expect(resolve("lib/util.h", "shop/gone.h").isMissing).toBe(true);
  expect(resolve("lib/util.h", "config.h").isMissing).toBeUndefined();
  expect(resolve("lib/util.h", "<shop/gone.h>").isMissing).toBeUndefined();
});

it("[G18] names what an answer depends on, so that a file that appears is noticed", () => {
  for (const [specifier, added] of [
    ["config.h", "lib/deep/config.h"],
    ["http.h", "app/http.h"],
    ["<shop/list.hpp>", "include/shop/list.hpp"],
  ] as const) {
    const before = resolverOf(files)("app/main.c", specifier);

    expect(resolverOf([...files, added])("app/main.c", specifier).file).toBe(added);
    expect(stemsOf(added).some((stem) => before.stems.includes(stem))).toBe(true);
  }
});

function resolverOf(paths: readonly string[]) {
  const resolver = createIncludeResolver({ files: new Set(paths), settings: new Map() });
  return (from: string, specifier: string) => resolver.resolve(from, specifier);
}
