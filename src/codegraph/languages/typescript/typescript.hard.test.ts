import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isFull } from "../../../../test/torture/scale.js";
import { beforeAll, describe, expect, it } from "vitest";
import type { Extraction } from "../../facts/facts.js";
import { loadOxc } from "./parse-with-oxc.js";
import { openTypeScript } from "./open-typescript.js";
import { expectSound, expectInOrder } from "../../../../test/support/sound-facts.js";

type Read = (path: string, source: string) => Extraction;
const parsers = ["oxc", "tree-sitter"] as const;
const readers = new Map<string, Read>();

beforeAll(async () => {
  for (const parser of parsers) readers.set(parser, await openTypeScript({ parser }));
});

describe("both parsers", () => {
  it("[G17] find the same in every file of this repository's own source", async ({ skip }) => {
    skip((await loadOxc()) === undefined, "oxc-parser is not installed: there is nothing to compare with");
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    const all = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    // Every third, and others when a file comes or goes; all of them in `npm run torture`.
    const files = isFull ? all : all.filter((_file, at) => at % 3 === all.length % 3);
    expect(files.length).toBeGreaterThan(300);

    const different = files.filter((file) => {
      const source = readFileSync(join(root, file), "utf8");
      const [first, second] = parsers.map((parser) => {
        const { facts, outline } = (readers.get(parser) as Read)(file, source);
        expectSound(facts);
        expectInOrder(outline);
        return JSON.stringify({ facts, outline });
      });
      return first !== second;
    });

    expect(different).toEqual([]);
  });
});
