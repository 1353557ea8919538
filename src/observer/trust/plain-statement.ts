import type { Json } from "../../base/base.js";

/** That a name stands in a file, or that it does not. */
export interface Claim {
  name: string;
  file: string;
  isThere: boolean;
}

/**
 * What a text claims about tracked code, where it claims nothing else: sentences that say in which file something is, in
 * one of the few forms that can be looked up word by word. Undefined for every other text, in whatever language: a sentence
 * with true names in it may still say what is false.
 *
 * @example
 * readPlainStatement("`readToken` is defined in `src/auth/token.ts`, not in `src/auth/login.ts`.")
 * // [{ name: "readToken", file: "src/auth/token.ts", isThere: true }, { name: "readToken", file: "src/auth/login.ts", isThere: false }]
 */
export function readPlainStatement(text: string): Claim[] | undefined {
  if (text.length > longest) return undefined;
  const claims: Claim[] = [];
  for (const sentence of text.split(/(?<=\.)\s+/)) {
    const found = readSentence(sentence.trim());
    if (!found) return undefined;
    claims.push(...found);
  }
  return claims.some(({ isThere }) => isThere) ? claims : undefined;
}

const longest = 400;
const quoted = (inner: string) =>
  `(?:\`(?<${inner}>[\\w$@.#/-]{2,120})(?:\\(\\))?\`|(?<${inner}Bare>[\\w$@#/-]*[\\w$]*[/_.A-Z][\\w$/.-]*[\\w$]))`;
const kind = "(?:[Tt]he )?(?:(?:function|method|class|type|interface|constant|struct|component|test|file|module) )?";
const place = "(?:is|was|lives|are)(?: (?:defined|declared|implemented|exported|located|found))? in";
const inFile = new RegExp(
  `^${kind}${quoted("name")} ${place} ${kind}${quoted("file")}(?:, not (?:in )?${kind}${quoted("other")})?\\.$`,
);
const fileHas = new RegExp(
  `^${kind}${quoted("file")} (?:imports|exports|defines|declares|contains|implements) ${kind}${quoted("name")}\\.$`,
);
const cameUp = /^It came up in `[\w@./+-]{1,200}`\.$/;

function readSentence(sentence: string): Claim[] | undefined {
  // A sentence of our own, about a path that is a value.
  if (cameUp.test(sentence)) return [];
  const groups = (inFile.exec(sentence) ?? fileHas.exec(sentence))?.groups;
  if (!groups) return undefined;
  const [name, file, other] = ["name", "file", "other"].map((group) => groups[group] ?? groups[`${group}Bare`]);
  if (name === undefined || file === undefined) return undefined;
  return [{ name, file, isThere: true }, ...(other === undefined ? [] : [{ name, file: other, isThere: false }])];
}

/** Whether every text of the data stands in the text itself, so that nothing is said besides. */
export function saysNothingElse(content: string, data: Json | undefined): boolean {
  if (typeof data === "string") return content.includes(data.trim().replace(/\.$/, ""));
  return typeof data !== "object" || data === null || Object.values(data).every((one) => saysNothingElse(content, one));
}
