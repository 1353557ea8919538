import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTypeScript } from "../languages/typescript/open-typescript.js";
import { cutChunks } from "./cut-chunks.js";
import { sizeOf } from "../../../test/support/size-of-chunk.js";

describe("cutting a file into chunks", () => {
  it("loses no line of this repository, and keeps to the limits", async () => {
    const extract = await openTypeScript();
    const source = join(import.meta.dirname, "..", "..");
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

    const wrong = files.filter((file) => {
      const text = readFileSync(join(source, file), "utf8");
      const lines = text.split("\n").slice(0, -1);
      const chunks = cutChunks(text, extract(file, text).outline, file);
      const isWhole = chunks.every(({ startLine }, at) => startLine === (chunks[at - 1]?.endLine ?? 0) + 1);
      const isWithin = chunks.every((chunk) => sizeOf(chunk, lines) <= (chunk.type === "function" ? 4000 : 2000));
      return !isWhole || !isWithin || chunks.at(-1)?.endLine !== lines.length;
    });

    expect(files.length).toBeGreaterThan(300);
    expect(wrong).toEqual([]);
  });
});
