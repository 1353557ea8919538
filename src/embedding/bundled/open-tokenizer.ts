import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import { builtFile } from "../../base/built-file.js";

// What the model was made for.
const maxModelTokens = 256;
// Some three times the length of 256 model tokens of prose or code. Cutting whole pages into pieces would take longer
// than embedding them: up to 2 s for 100 kB of long words (2026-11).
const maxCharacters = 4096;

/** Cuts a text into the numbers of its model tokens, at most 256; of a longer text the beginning counts. */
export async function openTokenizer(): Promise<(text: string) => number[]> {
  const [tokenizer, configuration] = await Promise.all([readJson("tokenizer.json"), readJson("tokenizer_config.json")]);
  const cutter = new Tokenizer(tokenizer, configuration);
  return (text) => {
    const { ids } = cutter.encode(text.slice(0, maxCharacters));
    // The last token marks the end of a text.
    return ids.length <= maxModelTokens ? ids : [...ids.slice(0, maxModelTokens - 1), ...ids.slice(-1)];
  };
}

async function readJson(name: string): Promise<object> {
  return JSON.parse(await readFile(builtFile(`model/${name}`), "utf8")) as object;
}
