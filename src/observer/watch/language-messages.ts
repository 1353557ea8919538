import { messageTemplates } from "./message-templates.js";

/** A piece of a message: as a language words it, or a value that the program put in. */
export interface MessagePart {
  text: string;
  isValue: boolean;
}

/**
 * The pieces of a message that a compiler, a runtime or a test runner words, without its kind; undefined of any other. Only
 * whole messages are known, and not the words that they consist of: of those, anybody can make a sentence.
 *
 * @example
 * languageMessage("Cannot read properties of null (reading 'id')"); // "Cannot read properties of ", "null", " (reading ", …
 * languageMessage("the private key must be in the message body");   // undefined
 */
export function languageMessage(said: string): MessagePart[] | undefined {
  for (const { pieces, longest, pattern } of (compiled ??= messageTemplates.map(compile))) {
    if (!said.includes(longest)) continue;
    const found = pattern.exec(said);
    if (!found) continue;
    const values = found.slice(1, pieces.length);
    const parts = pieces.flatMap((text, at) => [
      { text, isValue: false },
      { text: values[at] ?? "", isValue: true },
    ]);
    // What goes on behind the message may say anything.
    const rest = found.at(-1) ?? "";
    if (/[\p{L}\p{N}…]/u.test(rest)) parts.push({ text: " …", isValue: false });
    return parts.filter(({ text }) => text !== "");
  }
  return undefined;
}

interface Template {
  pieces: string[];
  longest: string;
  pattern: RegExp;
}

let compiled: Template[] | undefined;

function compile(template: string): Template {
  const pieces = template.split("*");
  const value = "(\"[^\"]*\"|'[^']*'|`[^`]*`|.+?)";
  const fixed = pieces.map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return {
    pieces,
    longest: pieces.reduce((a, b) => (b.length > a.length ? b : a)),
    pattern: new RegExp(`^${fixed.join(value)}(|[.,;:)\\]…]*(?:\\s.*)?)$`),
  };
}
