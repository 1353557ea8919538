// What is told must fit a line.
const longestTold = 90;

/**
 * A piece of code within a sentence, in backticks and without any of its own: code may be anybody's, and nothing in it can
 * end the quotation and pass for the rest of the sentence.
 *
 * @example quoteCode("retry(times)") // "`retry(times)`"
 */
export function quoteCode(code: string): string {
  return inBackticks(shorten(code));
}

/** A path or an id within a sentence; in backticks where it holds what could pass for words of it. */
export function quotePath(path: string): string {
  const short = path.length <= longestTold ? path : `…${Array.from(path).slice(-longestTold).join("")}`;
  return /^[\p{L}\p{N}\p{M}_@$./#~+…()[\]-]*$/u.test(short) ? short : inBackticks(short);
}

function inBackticks(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll(/\s+/g, " ")}\``;
}

export function shorten(text: string): string {
  return text.length <= longestTold ? text : `${Array.from(text).slice(0, longestTold).join("")}…`;
}
