import { languageMessage, type MessagePart } from "./language-messages.js";

/** An error's text: the kinds at its beginning, and what it says, in pieces. */
export interface ReadMessage {
  /** `TypeError: `, `Error [ERR_X]: `. */
  lead: string;
  /** The kinds that stand in it. */
  kinds: string[];
  parts: MessagePart[];
  /** Whether a compiler, a runtime or a test runner words it. */
  isOfLanguage: boolean;
}

/** Tells what a program says from what it puts in: between quotes, in the place of a path, or where a language has a value. */
export function readMessage(message: string): ReadMessage {
  const kinds: string[] = [];
  let lead = "";
  for (let found = leads.exec(message); found; found = leads.exec(message.slice(lead.length))) {
    lead += found[0];
    kinds.push(...found.slice(1).filter((kind) => kind !== undefined));
    const parts = languageMessage(message.slice(lead.length));
    if (parts) return { lead, kinds, parts, isOfLanguage: true };
    if (kinds.length > 2) break;
  }
  const ofWhole = lead === "" ? languageMessage(message) : undefined;
  const parts = ofWhole ?? partsOf(message.slice(lead.length));
  return { lead, kinds, parts, isOfLanguage: ofWhole !== undefined };
}

// What an earlier look has left out stays out.
const omitted = "…";
const leads =
  /^(?:error (TS\d{3,5})|error\[(E\d{4})\]|(FATAL) ERROR|(@?[A-Za-z][\w./-]{0,80})(?: \[(\w{2,60})\])?): ?(?=\S)/;
const values = /(["'`‘’“”][^"'`‘’“”]*["'`‘’“”]|…|(?<!\S)\S*[/\\]\S*|\d+(?:\.\d+)*)/u;

function partsOf(said: string): MessagePart[] {
  return said
    .split(values)
    .map((text, at) => ({ text, isValue: at % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

/** Everything in it that may be a name of the project. */
export function namesIn({ parts }: ReadMessage): string[] {
  return parts.flatMap(({ text, isValue }) => (isValue ? namesOf(text) : []));
}

/** The text with `…` for each value that is neither a number, a sign, a type of a language nor a name of the project. */
export function showMessage({ lead, parts }: ReadMessage, isName: (name: string) => boolean): string {
  return lead + parts.map(({ text, isValue }) => (isValue ? showValue(text, isName) : text)).join("");
}

function showValue(value: string, isName: (name: string) => boolean): string {
  const [, open = "", inner = "", close = ""] = quotedValue.exec(value) ?? [];
  const isPlain = plainValue.test(inner);
  const names = namesOf(value);
  // More names than a type has would be a sentence with other signs between its words.
  const isShown = isPlain || (names.length > 0 && names.length <= maxNames && names.every(isName));
  return open + (isShown || isTypes(inner) ? inner : omitted) + close;
}

const quotedValue = /^(["'`‘“]?)([^]*?)(["'`’”]?)$/;
// Numbers, and signs without a letter.
const plainValue = /^(?:-?\d{1,20}(?:[.,:]\d{1,9})*(?: ?(?:ms|s|%))?|[^\p{L}\p{N}]{0,6})$/u;
const maxNames = 3;

/** The names of a value, as in `Cart | undefined`; none where blanks alone are between them. */
function namesOf(value: string): string[] {
  const inner = quotedValue.exec(value)?.[2] ?? "";
  const names = inner.replaceAll(/ ?[|&,] ?/g, "|").split(/[|&,<>[\](){}]+/);
  if (names.some((name) => /\s/.test(name))) return [inner];
  return names.filter((name) => name !== "" && !ofTypes.has(name));
}

function isTypes(text: string): boolean {
  return text !== "" && text.length <= 80 && namesOf(text).length === 0;
}

const ofTypes: ReadonlySet<string> = new Set(
  `any Any Array bigint bool boolean Boolean byte bytes char Char Date dict double Double Err Error false False float
  function Function int Integer isize i8 i16 i32 i64 i128 f32 f64 u8 u16 u32 u64 u128 usize list List long Map never nil None
  NoneType null number Number object Object Ok Option Promise Record RegExp Result set Set short Some str String string symbol
  true True tuple undefined unknown Vec void`.split(/\s+/),
);
