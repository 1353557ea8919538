import { isPassphrase } from "./passphrases.js";

/** What stands behind a name and its separator. */
export interface ReadValue {
  start: number;
  value: string;
  /** Between quotes, or alone in an XML element. */
  enclosed: boolean;
}

const escapedQuote = /\\{1,7}(["'])([^"'\\\n]{0,4096})\\{1,7}\1/dy;
const quoted = /[bfru@]{0,2}(["'`])((?:\\.|(?!\1)[^\\\n]){0,4096})\1/diy;
const elementText = /\s{0,20}()([^<>\s](?:[^<>\n]{0,4096}[^<>\s])?)\s{0,20}(?=<\/)/dy;
const shellDefault = /(["']?)([^\s"'`}]{1,256})\1(?=\})/dy;
const restOfLine = /()([A-Za-zà-ÿ]{3,12}(?: [A-Za-zà-ÿ]{3,12}){3,23})(?=[ \t]*(?:$|[\r\n]))/dy;
// Up to white space or a quote, or to what separates it from the next assignment: `&b=`, `;B=`, `, b:`.
const bareCharacter = "(?:(?![&;,](?:\\s|$|[\"']?[\\w.-]{1,64}[\"']?[=:]))[^\\s\"'`])";
// Not more at first: where each name is followed by the next, reading all of it each time would take seconds.
const bareLimit = 512;
const bare = new RegExp(`()(${bareCharacter}{1,${bareLimit}})`, "dy");
const restOfBare = new RegExp(`${bareCharacter}*`, "y");

/** Reads the text of an XML element, up to its end. */
export function readElement(text: string, from: number): ReadValue | undefined {
  return read(elementText, text, from, true);
}

/** Reads the default in `${NAME:-default}`, up to the brace. */
export function readShellDefault(text: string, from: number): ReadValue | undefined {
  return read(shellDefault, text, from, false);
}

/** Reads what stands between quotes, without them. */
export function readQuoted(text: string, from: number): ReadValue | undefined {
  return read(escapedQuote, text, from, true) ?? read(quoted, text, from, true);
}

/** Reads one word, or several to the end of the line where they can only be a passphrase. */
export function readBare(text: string, from: number): ReadValue | undefined {
  const line = read(restOfLine, text, from, true);
  if (line !== undefined && isPassphrase(line.value, 4)) return line;

  const word = read(bare, text, from, false);
  return word && { ...word, value: word.value.replace(/[\])}>.,;:\\]{1,8}$/, "") };
}

/** Where a value really ends that was read up to the limit. */
export function endOfValue(text: string, { start, value, enclosed }: ReadValue): number {
  const end = start + value.length;
  if (enclosed || value.length < bareLimit) return end;
  restOfBare.lastIndex = end;
  return end + (restOfBare.exec(text)?.[0].length ?? 0);
}

/** The second group of a pattern is the value. */
function read(pattern: RegExp, text: string, from: number, enclosed: boolean): ReadValue | undefined {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  const start = found?.indices?.[2]?.[0];
  return start === undefined ? undefined : { start, value: found?.[2] ?? "", enclosed };
}
