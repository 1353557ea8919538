/** A name in a text that looks like one of a program. */
export interface CodeName {
  /** `Store.read`, however it was written: `Store#read`, `Store::read`. */
  name: string;
  /** Of `src/a.ts#Store.read` the part before the "#". */
  file?: string;
}

// Shorter ones are words, units and loop variables.
const shortest = 4;
// Nobody writes longer ones, and patterns take their time over what is no name at all.
const longest = 300;

const word = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const qualified = new RegExp(String.raw`^${word}(?:(?:\.|::|#)#?${word})*$`, "u");
const onlyAName = new RegExp(String.raw`^(?:[^\s#]+\.\w+#)?${word}(?:(?:\.|::|#)#?${word})*(?:\(.*\))?$`, "su");
const run = /([\p{L}\p{N}_$@./:#-]+)(\s?\()?/gu;

/**
 * The names in a text that are meant as code, each once, in their order: in backticks by themselves, followed by a bracket,
 * qualified, or written as nobody writes a word. A capital at the beginning of a sentence says nothing: "Store the key"
 * does not mean the class.
 */
export function listCodeNames(text: string): CodeName[] {
  const names = new Map<string, CodeName>();
  const spans = text.split(/`+/);
  for (const [index, span] of spans.entries()) {
    // After one that is never closed the text goes on.
    const isQuoted = index % 2 === 1 && index < spans.length - 1;
    const isName = isQuoted && span.length <= longest && onlyAName.test(span.trim());
    for (const match of span.matchAll(run)) {
      const [, written = "", bracket] = match;
      if (written.length > longest) continue;
      const { file, parts } = takeApart(written);
      for (const part of parts) {
        const name = part.replaceAll("::", ".").replaceAll(/(?<=[^.])#/g, ".");
        const isMeant = isName || file !== undefined || name.includes(".") || (bracket && part === parts.at(-1));
        if (name.length < shortest || !qualified.test(part)) continue;
        if (!isMeant && !looksLikeCode(name, isQuoted || !beginsSentence(span, match.index))) continue;
        names.set(`${file ?? ""}#${name}`, { name, ...(file !== undefined && { file }) });
      }
    }
  }
  return [...names.values()];
}

/** `src/a.ts#Store.read` as a file with a name; `read/write` as two names; without the punctuation around. */
function takeApart(written: string): { file?: string; parts: string[] } {
  const bare = written.replace(/^[./:@-]+/, "").replace(/[./:#@-]+$/, "");
  const [, file, symbol] = /^(.+?\.\w+)#(.+)$/.exec(bare) ?? [];
  if (file !== undefined && symbol !== undefined) return { file, parts: [symbol] };
  return { parts: bare.split(/[/@-]|(?<!:):(?!:)/).map((part) => part.replace(/^\.+|\.+$/g, "")) };
}

/** `fooBar`, `foo_bar`, `HTTP`; and `Foo` where a capital says something. */
function looksLikeCode(name: string, isCapitalMeant: boolean): boolean {
  return /[_$]|.\p{Lu}/u.test(name) || (isCapitalMeant && /^\p{Lu}/u.test(name));
}

function beginsSentence(text: string, index: number): boolean {
  return /(?:^|[.!?:;\n>*#|-])[\s"'“‘([*_-]*$/u.test(text.slice(Math.max(0, index - 20), index));
}
