import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fileArgument } from "./file-argument.js";

const here = fileURLToPath(new URL(".", import.meta.url));

describe("fileArgument", () => {
  it("makes a file that is there absolute", () => {
    expect(fileArgument("file-argument.ts", here)).toBe(fileURLToPath(new URL("file-argument.ts", import.meta.url)));
  });

  it.each(["./not-there.ts", "../not-there.ts", "./a/../not-there.ts"])(
    "takes %j from the working directory, though it is not there",
    (typed) => {
      expect(fileArgument(typed, here)).toBe(fileURLToPath(new URL(typed, import.meta.url)));
    },
  );

  it.each(["src/not-there.ts", "", "nul\0byte", "C:\\odd", "*.ts", ".hidden", "..."])(
    "passes %j on as it was typed",
    (typed) => {
      expect(fileArgument(typed, here)).toBe(typed);
    },
  );
});
