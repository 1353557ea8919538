import { quoteLines } from "./quote.js";

// Enough to recognise what was meant.
const longestRepeated = 60;
const longestMessage = 400;

/** What a call that failed answers: its kind in our words, and what the library says quoted, since it repeats what it got. */
export async function describeRefusal(error: unknown, args: unknown): Promise<string> {
  const { code, message, hint } = partsOf(error);
  const lines = [message, hint].filter((line) => line !== "").map((line) => shorten(line, args));
  return `Tacit could not do this (${code}).\n${await quoteLines(lines, "error")}`;
}

/** The text without more of an argument than is needed to recognise it: a pasted file is not sent back. */
function shorten(text: string, args: unknown): string {
  const long = textsIn(args)
    .filter(({ length }) => length > longestRepeated)
    .toSorted((a, b) => b.length - a.length);
  const repeated = long.reduce((said, argument) => {
    const short = `${Array.from(argument).slice(0, longestRepeated).join("")}…`;
    return said.replaceAll(argument, short).replaceAll(JSON.stringify(argument).slice(1, -1), short);
  }, text);
  return repeated.length > longestMessage ? `${Array.from(repeated).slice(0, longestMessage).join("")}…` : repeated;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((part) => textsIn(part));
}

function partsOf(error: unknown): { code: string; message: string; hint: string } {
  if (!(error instanceof Error)) return { code: "unexpected", message: String(error), hint: "" };
  // By shape, because loading the class would load the library.
  const isOurs = error.name === "MemoryError" && "code" in error && "hint" in error;
  return isOurs
    ? { code: String(error.code), message: error.message, hint: String(error.hint) }
    : { code: "unexpected", message: error.message, hint: "This is a mistake in Tacit. Please report it." };
}
