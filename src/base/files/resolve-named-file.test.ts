import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { resolveNamedCode, resolveNamedFile } from "./resolve-named-file.js";

const here = fileURLToPath(new URL(".", import.meta.url));

describe("resolveNamedFile", () => {
  it("makes a file that is there absolute", () => {
    expect(resolveNamedFile("resolve-named-file.ts", here)).toBe(
      fileURLToPath(new URL("resolve-named-file.ts", import.meta.url)),
    );
  });

  it.each(["./not-there.ts", "../not-there.ts", "./a/../not-there.ts"])(
    "takes %j from the working directory, though it is not there",
    (typed) => {
      expect(resolveNamedFile(typed, here)).toBe(fileURLToPath(new URL(typed, import.meta.url)));
    },
  );

  it.each(["src/not-there.ts", "", "nul\0byte", "C:\\odd", "*.ts", ".hidden", "..."])(
    "passes %j on as it was typed",
    (typed) => {
      expect(resolveNamedFile(typed, here)).toBe(typed);
    },
  );
});

describe("resolveNamedCode", () => {
  const file = fileURLToPath(new URL("resolve-named-file.ts", import.meta.url));

  it("resolves the file and leaves what it defines", () => {
    expect(resolveNamedCode("resolve-named-file.ts#resolveNamedFile", here)).toBe(`${file}#resolveNamedFile`);
    expect(resolveNamedCode("./resolve-named-file.ts#Store.#rows", here)).toBe(`${file}#Store.#rows`);
    expect(resolveNamedCode("resolve-named-file.ts", here)).toBe(file);
  });

  it.each(["not/there.ts#Store.read", "Store.read", "#odd", "pattern:retry"])(
    "passes %j on as it was named",
    (named) => {
      expect(resolveNamedCode(named, here)).toBe(named);
    },
  );
});
