import { expect, it } from "vitest";
import { isModuleSettings, languageOf } from "./language-of.js";

it("tells the language of a file by its extension", () => {
  for (const name of ["a.ts", "a.mts", "a.cts", "a.tsx", "a.js", "a.mjs", "a.cjs", "a.jsx", "src/a.d.ts", "A.TS"]) {
    expect(languageOf(name)?.name, name).toBe("typescript");
  }
  const named = ["a.py", "a/b.pyi", "__init__.py", "a.go", "A.java"].map((name) => languageOf(name)?.name);
  expect(named).toEqual(["python", "python", "python", "go", "java"]);
  expect(["a.kt", "ts", ".ts", "a.ts/b", "a.", "Makefile", "a.constructor"].map(languageOf)).toEqual(
    Array.from({ length: 7 }, () => undefined),
  );
});

it("knows the files that decide where an import leads", () => {
  for (const name of [
    "package.json",
    "packages/a/package.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "a/jsconfig.json",
    "pnpm-workspace.yaml",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "go.mod",
    "tools/go.work",
  ]) {
    expect(isModuleSettings(name), name).toBe(true);
  }
  for (const name of ["my-package.json", "package.json5", "src/setup.pyi", "tsconfig.json/a.ts", "atsconfig.json"]) {
    expect(isModuleSettings(name), name).toBe(false);
  }
});
