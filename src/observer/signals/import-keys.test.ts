import { expect, it } from "vitest";
import { importKeys, isImported, keyOf } from "./import-keys.js";

it.each([
  ["src/a/b.ts", "./c.js", "src/a/c.ts"],
  ["src/a/b.ts", "../d", "src/d/index.ts"],
  ["src/a/b.tsx", "./e", "src/a/e.tsx"],
  ["src/a/b.ts", ".", "src/a/index.ts"],
  ["main.js", "./lib/x.mjs", "lib/x.mjs"],
  ["app/views.py", ".models", "app/models.py"],
  ["app/web/views.py", "..models", "app/models.py"],
  ["app/web/views.py", "app.models.user", "app/models/user.py"],
  ["app/web/views.py", ".", "app/web/__init__.py"],
  ["src/main.c", "parts/a.h", "parts/a.h"],
])("In %s, %s is %s", (file, specifier, target) => {
  expect(importKeys(file, [specifier])).toEqual([keyOf(target)]);
  expect(isImported(keyOf(target), file, ["zod", specifier])).toBe(true);
  expect(isImported(keyOf("other/place.ts"), file, ["zod", specifier])).toBe(false);
});

it("Packages, aliases and what lies outside point to nothing", () => {
  expect(importKeys("src/a.ts", ["zod", "node:fs", "@/b", "@scope/name", "../../outside", "", "\0"])).toEqual([]);
});
