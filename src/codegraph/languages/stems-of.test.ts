import { expect, it } from "vitest";
import { stemsOf } from "./stems-of.js";

it.each([
  ["src/a.ts", ["src/a"]],
  ["src/a/index.ts", ["src/a/index", "src/a"]],
  ["index.js", ["index", ""]],
  ["data/index.json", ["data/index", "data"]],
  ["shop/__init__.py", ["shop/__init__", "shop", "*/shop"]],
  ["__init__.py", ["__init__", ""]],
  ["lib/rack/utils.rb", ["lib/rack/utils", "*/rack/utils"]],
  ["include/store.h", ["include/store", "*/store"]],
  // Included as `index.h` from wherever it lies, and imported as a folder by nobody.
  ["src/index.h", ["src/index", "src", "*/index"]],
])("%s answers to what each language may look for", (path, stems) => {
  expect(stemsOf(path)).toEqual(stems);
});
