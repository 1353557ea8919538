const hashComments = /\.(?:py|pyi|rb|sh|bash|zsh|pl|r|ya?ml|toml)$/i;
const rust = /\.rs$/i;

// A definition that is longer tells nothing more in what comes then.
const longest = 20_000;

const comment = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`;
const hashComment = String.raw`#[^\n]*`;
const text = String.raw`"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\[^]|[^"\\\n])*"?|${"`"}(?:\\[^]|[^${"`"}\\])*${"`"}?`;
const character = String.raw`'(?:\\[^]|[^'\\\n])*'?`;
// A lifetime looks like the beginning of a character.
const rustCharacter = String.raw`'(?:\\[^]|[^'\\])'|'\w+`;
const rest = String.raw`\d[\p{L}\p{N}_]*(?:\.\d[\p{L}\p{N}_]*)?|[\p{L}_$][\p{L}\p{N}_$]*|=>|->|\.{3}|\*\*|::|[^\s]`;

const patterns = {
  plain: new RegExp(`${comment}|${text}|${character}|${rest}`, "gu"),
  hash: new RegExp(`${hashComment}|${text}|${character}|${rest}`, "gu"),
  rust: new RegExp(`${comment}|${text}|${rustCharacter}|${rest}`, "gu"),
};

/** Whether comments begin with "#" in the language of a file, and bodies with no brace. */
export function hasHashComments(file: string): boolean {
  return hashComments.test(file);
}

/**
 * The words, numbers, strings and signs of a piece of source in their order, without comments and blanks: what stays the same
 * however it is formatted. Strings have double quotes, whatever they had. Roughly, for any language with brackets: nothing is
 * parsed.
 *
 * @example tokensOf("retry(times = 3) // thrice", "a.ts") // ["retry", "(", "times", "=", "3", ")"]
 */
export function tokensOf(source: string, file: string): string[] {
  const isHash = hasHashComments(file);
  const pattern = isHash ? patterns.hash : rust.test(file) ? patterns.rust : patterns.plain;
  const isComment = (token: string) => (isHash ? token.startsWith("#") : /^\/[/*]/.test(token));
  return (source.slice(0, longest).match(pattern) ?? []).filter((token) => !isComment(token)).map(asString);
}

function asString(token: string): string {
  // One that is never closed, such as a lifetime, is none.
  const [, , inner] = /^("""|'''|["'`])([^]*?)\1$/.exec(token) ?? [];
  return inner === undefined ? token : `"${inner}"`;
}

export function isWord(token: string | undefined): boolean {
  return token !== undefined && /^[\p{L}\p{N}_$"']/u.test(token);
}

const opening = new Set(["(", "[", "{"]);
const closing = new Set([")", "]", "}"]);

/** How deep each token stands in brackets. Those of types count where a word stands before the first and none is compared. */
export function depthsOf(tokens: readonly string[]): number[] {
  let depth = 0;
  let angles = 0;
  return tokens.map((token, at) => {
    if (closing.has(token)) depth -= 1;
    if (token === ">" && angles > 0) angles -= 1;
    const own = depth + angles;
    if (opening.has(token)) depth += 1;
    if (token === "<" && isWord(tokens[at - 1])) angles += 1;
    return own;
  });
}

/** The place behind the bracket that closes the one at this place. */
export function behind(tokens: readonly string[], at: number): number {
  let depth = 0;
  for (let place = at; place < tokens.length; place += 1) {
    const token = tokens[place] as string;
    if (opening.has(token)) depth += 1;
    if (closing.has(token)) depth -= 1;
    if (depth === 0) return place + 1;
  }
  return tokens.length;
}

/** Tokens as a person would write them in one line. */
export function spell(tokens: readonly string[]): string {
  let spelled = "";
  tokens.forEach((token, at) => {
    const before = tokens[at - 1];
    const isApart =
      (isWord(token) && isWord(before)) ||
      before === "," ||
      before === ":" ||
      before === ";" ||
      isBetween(tokens, at) ||
      isBetween(tokens, at - 1);
    spelled += `${at > 0 && isApart ? " " : ""}${token}`;
  });
  return spelled;
}

const signs = new Set(["=", "=>", "->", "|", "&", "+", "-", "*", "/"]);

/** `a * b`, and not `*args`, `&self`. */
function isBetween(tokens: readonly string[], at: number): boolean {
  const before = tokens[at - 1];
  return (
    signs.has(tokens[at] ?? "") && (isWord(before) || closing.has(before ?? "") || before === ">" || before === "?")
  );
}
