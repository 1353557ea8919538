/** What a text says that a definition may say, too: as it stands there, and every way in which code may write it. */
export interface Mention {
  said: string;
  tokens: string[];
}

const factors: Record<string, readonly number[]> = {
  ms: [1],
  s: [1, 1000],
  min: [1, 60, 60_000],
  h: [1, 60, 3600, 3_600_000],
  day: [1, 24, 86_400, 86_400_000],
  kb: [1, 1000, 1024],
  mb: [1, 1_000_000, 1_048_576],
  gb: [1, 1_000_000_000, 1_073_741_824],
  "%": [1, 0.01],
};
const units: readonly [RegExp, string][] = [
  [/^(?:ms|milliseconds?)$/i, "ms"],
  [/^(?:s|secs?|seconds?)$/i, "s"],
  [/^(?:min|mins|minutes?)$/i, "min"],
  [/^(?:h|hrs?|hours?)$/i, "h"],
  [/^days?$/i, "day"],
  [/^ki?b$/i, "kb"],
  [/^mi?b$/i, "mb"],
  [/^gi?b$/i, "gb"],
  [/^%$/, "%"],
];

const number = /(?<![\p{L}\p{N}_.])-?(\d[\d_]*(?:,\d{3})*(?:\.\d+)?)(?:\s?(%|[\p{L}]+))?/gu;
const quoted = /[`"“'‘]([^`"”'’\n]{1,120})[`"”'’]/gu;
const word = /[\p{L}\p{N}_$](?:[\p{L}\p{N}_$./:@-]*[\p{L}\p{N}_$])?/gu;
const constants = new Set(["true", "false", "null", "None", "True", "False", "undefined"]);

/**
 * The numbers, quoted words and names in a text that a definition could hold. Ordinary words are left out: that a text and a
 * message in the code both say "the" means nothing.
 *
 * @example listSayings("Uploads give up after 30 s")[0] // { said: "30 s", tokens: ["30", "30000"] }
 */
export function listMentions(text: string): Mention[] {
  const sayings = new Map<string, Mention>();
  const add = (said: string, tokens: string[]) => void (said !== "" && sayings.set(said, { said, tokens }));
  for (const [, digits = "", unit = ""] of text.matchAll(number)) {
    const value = Number(digits.replaceAll(/[_,]/g, ""));
    const known = units.find(([pattern]) => pattern.test(unit))?.[1];
    add(
      known === undefined ? digits : `${digits} ${unit}`,
      (factors[known ?? "ms"] ?? []).map((by) => numeral(value * by)),
    );
  }
  for (const [, inner = ""] of text.matchAll(quoted)) add(inner, [inner]);
  for (const [found] of text.matchAll(word)) {
    if (constants.has(found) || /[_$./:@\d-]|.\p{Lu}/u.test(found)) add(found, [found]);
  }
  return [...sayings.values()];
}

/** What a definition holds, in the spelling in which texts are compared with it. */
export function wordsIn(tokens: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    if (token.startsWith('"')) {
      const inner = token.slice(1, -1);
      words.add(inner);
      for (const [found] of inner.matchAll(word)) words.add(found);
    } else if (/^\d/.test(token)) {
      // `60 * 60` is an hour, and says nothing of a minute.
      if (tokens[at - 1] !== "*") words.add(numeral(productAt(tokens, at)));
    } else words.add(token);
  }
  return words;
}

/** `30 * 1000` is 30000 to whoever writes about it. */
function productAt(tokens: readonly string[], at: number): number {
  let product = valueOf(tokens[at] as string);
  for (let next = at + 2; tokens[next - 1] === "*" && /^\d/.test(tokens[next] ?? ""); next += 2) {
    product *= valueOf(tokens[next] as string);
  }
  return product;
}

function valueOf(token: string): number {
  const bare = token.replaceAll("_", "");
  return /^0[xbo]/i.test(bare) ? Number(bare) : Number.parseFloat(bare);
}

function numeral(value: number): string {
  return String(Number(value.toPrecision(12)));
}

// As somebody states a value: "MAX_RETRIES = 5", "`MAX_RETRIES` is set to 5".
const statedAs = String.raw`[${"`"}"']?\s*(?:=|:|is(?: set to)?|equals|defaults to)\s*[${"`"}"']?`;
const literal = String.raw`(-?\d[\d_]*(?:,\d{3})*(?:\.\d+)?(?:\s?(?:%|[\p{L}]+))?|true|false)`;

/** The value that a text states of a name, where it does so in so many words. */
export function findStated(text: string, name: string): Mention | undefined {
  const escaped = name.replaceAll(/[$.*+?^(){}|[\]\\]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}_$])${escaped}${statedAs}${literal}`, "u");
  const [, value = ""] = pattern.exec(text) ?? [];
  return value === "" ? undefined : listMentions(value)[0];
}
