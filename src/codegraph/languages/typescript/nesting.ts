import { hiddenIn, looksTooDeep, maxHidden } from "./raw-nesting.js";

/**
 * Whether a text may be nested deeper than so many levels. A parser in native code that recurses over such a text takes the
 * process down, and nothing can catch that: it has to be known beforehand. In doubt the answer is yes.
 *
 * A level is an open bracket, or something that is chained without one: `a.b.c`, `!!a`, `if (a) if (b)`. So every bracket
 * that is open counts, and for each of them the tokens since the last statement or the last comma began.
 *
 * What is skipped as a comment, a text or a regular expression may be none: `<a>// {b}</a>`, `a++ / b / c`. So where there
 * may be elements, and behind the first slash, that is looked at as well, and brackets once more without skipping anything.
 */
export function mayBeDeeperThan(limit: number, text: string, mayHoldElements = true): boolean {
  // Every level takes a character at least, and many files are short.
  if (text.length <= limit) return false;
  let isDoubtful = mayHoldElements || text.startsWith("#!");
  // Brackets in all that was skipped. None of them is closed again: that, too, may be mistaken.
  let skipped = 0;
  const skip = (start: number, end: number): void => {
    if (isDoubtful) skipped += hiddenIn(text, start, end);
  };
  const open: { tokens: number; heads: number; isHead: boolean; isTemplate: boolean; code: number }[] = [];
  let [tokens, heads, sum] = [0, 0, 0];
  // The last token: a character, or the word that ends there.
  let last = 0;
  let word = "";
  let isHeadClosed = false;
  // What counted before the last statement ended: `else` goes on with it.
  let ended = { tokens: 0, heads: 0 };
  const endStatement = (): void => {
    ended = { tokens, heads };
    [tokens, heads] = [0, 0];
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === newline || code === carriageReturn) {
      if (tokens > 0 && endsStatement(text, at, last, word, isHeadClosed)) endStatement();
      continue;
    }
    if (code <= space) continue;
    const from = at;
    if (code === slash) {
      const next = text.charCodeAt(at + 1);
      if (next === slash || next === star) {
        at = endOfComment(text, at, next) - 1;
        skip(from, at);
        if (skipped > maxHidden) return true;
        continue;
      }
      isDoubtful = true;
      if (mayBeginRegex(last, word, isHeadClosed)) at = endOfRegex(text, at);
    } else if (code === doubleQuote || code === singleQuote) {
      at = endOfString(text, at, code);
    }
    if (at > from) skip(from, at);
    isHeadClosed = false;
    if (isWord(code)) {
      const start = at;
      while (isWord(text.charCodeAt(at + 1))) at += 1;
      word = at - start < 12 ? text.slice(start, at + 1) : "";
      if (word === "else" && tokens === 0) ({ tokens, heads } = ended);
      if (word === "else" || word === "do") heads += 1;
      tokens += 1;
    } else if (code === backtick || isOpening(code)) {
      const end = code === backtick ? endOfTemplate(text, at) : at;
      if (end > at) skip(at, end);
      if (code !== backtick || text.charCodeAt(end) === openingBrace) {
        open.push({
          tokens,
          heads,
          isHead: statementHeads.has(word),
          isTemplate: code === backtick,
          code,
        });
        sum += tokens + 1;
        [tokens, heads] = [0, 0];
      } else {
        tokens += 1;
      }
      at = end;
    } else if (isClosing(code)) {
      // `<a>)</a>`: a bracket in the text of an element closes nothing, and only a brace cannot stand there.
      let closed = closes(code, open.at(-1)?.code) ? open.pop() : undefined;
      if (!closed && code === closingBrace && open.some((one) => closes(code, one.code))) {
        while (!closes(code, open.at(-1)?.code)) sum -= (open.pop()?.tokens ?? 0) + 1;
        closed = open.pop();
      }
      tokens = (closed?.tokens ?? tokens) + 1;
      heads = closed?.heads ?? heads;
      if (closed) sum -= tokens;
      isHeadClosed = closed?.isHead ?? false;
      if (isHeadClosed) heads += 1;
      if (closed?.isTemplate && code === closingBrace) {
        // The text goes on; what it holds next is on the same level as what it held before.
        const end = endOfTemplate(text, at);
        skip(at + 1, end);
        if (text.charCodeAt(end) === openingBrace) {
          open.push({ ...closed, tokens });
          sum += tokens + 1;
          [tokens, heads] = [0, 0];
        }
        at = end;
      }
    } else if (code === semicolon) {
      endStatement();
    } else if (code === comma) {
      // `if (a) b, c`: the comma ends what is before it, and not the statement.
      tokens = (open.at(-1)?.code ?? openingBrace) === openingBrace ? heads : 0;
    } else {
      tokens += 1;
    }
    if (!isWord(code)) word = "";
    last = code;
    if (sum + tokens > limit || skipped > maxHidden) return true;
  }
  return isDoubtful && looksTooDeep(text, mayHoldElements);
}

const [newline, carriageReturn, space, slash, star, backslash] = [10, 13, 32, 47, 42, 92];
const [doubleQuote, singleQuote, backtick, dollar] = [34, 39, 96, 36];
const [openingBrace, closingBrace, semicolon, comma] = [123, 125, 59, 44];
const [openingParenthesis, closingParenthesis, openingBracket, closingBracket, lessThan, greaterThan] = [
  40, 41, 91, 93, 60, 62,
];

function isOpening(code: number): boolean {
  return code === openingParenthesis || code === openingBracket || code === openingBrace;
}

function isClosing(code: number): boolean {
  return code === closingParenthesis || code === closingBracket || code === closingBrace;
}

function closes(code: number, opening: number | undefined): boolean {
  if (code === closingBrace) return opening === openingBrace || opening === backtick;
  return opening === (code === closingBracket ? openingBracket : openingParenthesis);
}

function isWord(code: number): boolean {
  return code > 127 || wordCodes[code] === 1;
}

// Asked of every character, and twice as fast as comparing.
const wordCodes = Uint8Array.from({ length: 128 }, (_, code) => (/[\w$]/.test(String.fromCharCode(code)) ? 1 : 0));

const statementHeads = new Set(["if", "for", "while", "with", "await", "switch", "catch"]);
// Words that something has to follow, and words that go on with what was before.
const before = new Set(
  "await case delete do else extends in infer instanceof is keyof new of return throw typeof unique void yield as satisfies readonly asserts".split(
    " ",
  ),
);
const after = /(?:as|else|extends|in|instanceof|is|of|satisfies)\b|[^\w\s"'@#{}$\u0080-\uffff]/y;

// No expression goes on like that: `onClick?: …`. So `void` before it is what a function of a type gives.
const optionalMember = /[\w$]+\?:/y;

const beginning =
  /\}|(?:const|enum|export|for|if|import|return|switch|throw|try|var|while)\b|(?:declare|interface|let|type)\s+\w/y;

/** Whether a statement may end with this line: by what is before it and what follows. Most people write no semicolon. */
function endsStatement(text: string, at: number, last: number, word: string, isHeadClosed: boolean): boolean {
  const mayEnd = isWord(last)
    ? !before.has(word)
    : isClosing(last) || last === doubleQuote || last === singleQuote || last === backtick;
  const isVoid = word === "void" && isWord(last);
  if ((!mayEnd && last !== greaterThan && !isVoid) || isHeadClosed) return false;
  let next = at + 1;
  while (next < text.length && text.charCodeAt(next) <= space) next += 1;
  if (isVoid) return isAt(optionalMember, text, next);
  // `type A = B<C>` and `<p></p>` end a statement, `a >` does not.
  return mayEnd ? !isAt(after, text, next) : isAt(beginning, text, next);
}

function isAt(what: RegExp, text: string, at: number): boolean {
  what.lastIndex = at;
  return what.test(text);
}

function endOfComment(text: string, at: number, next: number): number {
  const end = next === slash ? text.indexOf("\n", at) : text.indexOf("*/", at + 2) + 2;
  return end <= at ? text.length : end;
}

/** The closing quote; a text that does not end with its line is none, and so an apostrophe in JSX. */
function endOfString(text: string, at: number, quote: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === quote) return end;
    if (code === newline) return at;
    if (code === backslash) end += 1;
  }
  return at;
}

/** The closing backtick, or the brace of `${`. */
function endOfTemplate(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === backtick) return end;
    if (code === dollar && text.charCodeAt(end + 1) === openingBrace) return end + 1;
    if (code === backslash) end += 1;
  }
  return text.length;
}

function mayBeginRegex(last: number, word: string, isHeadClosed: boolean): boolean {
  if (isWord(last)) return before.has(word);
  // `</a>`
  if (last === lessThan) return false;
  return (
    isHeadClosed ||
    (last !== closingParenthesis &&
      last !== closingBracket &&
      last !== doubleQuote &&
      last !== singleQuote &&
      last !== backtick)
  );
}

function endOfRegex(text: string, at: number): number {
  let isInClass = false;
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === newline) return at;
    if (code === slash && !isInClass) return end;
    if (code === backslash) end += 1;
    else if (code === openingBracket) isInClass = true;
    else if (code === closingBracket) isInClass = false;
  }
  return at;
}
