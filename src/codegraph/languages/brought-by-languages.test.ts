import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { languages } from "./languages.js";

const room = join(import.meta.dirname, "..");
// Names of languages as people see them, of many more than are parsed.
const forPeople = new Set(["ask/overview.ts"]);

it("no file outside of this folder goes by the extension of a language, or by how it calls its spaces", () => {
  const extensions = languages.flatMap((language) => language.extensions).map((one) => one.replaceAll("+", "\\+"));
  const [anyExtension, anyName] = [extensions.join("|"), languages.map(({ name }) => name).join("|")];
  // `".rs"`, `\.py` and `\.(?:c|cc)` in an expression, `"c:"`.
  const literal = new RegExp(
    `["'\`]\\.(?:${anyExtension})["'\`]|\\\\\\.(?:\\(\\?:[\\w|]*?)?\\b(?:${anyExtension})\\b|["'\`](?:${anyName}):|__init__\\.`,
  );

  const found = readdirSync(room, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !/^(?:languages|syntax)\b/.test(path))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !forPeople.has(path))
    .filter((path) => literal.test(withoutComments(readFileSync(join(room, path), "utf8"))));

  expect(found).toEqual([]);
});

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
}
