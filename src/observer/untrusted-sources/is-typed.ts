// A rule that somebody types to an agent is short. What is longer may still hold one, and a person decides.
// Of 149 messages as people type them, 141 count as typed, and of 166 as they paste them, 1 (test/support/typed-messages.ts,
// pasted-messages.ts; of the third of them that the rule was not made with, 48 of 49 and 1 of 55). Of prompts and of parts of
// documents in repositories that it was not made with, 165 of 176 and 10 of 1203.
const longestTyped = 500;
// With blanks around it.
const longestWhole = 5000;
const maxLines = 5;
const maxParagraphs = 2;

/**
 * Whether a message is one that a person most likely typed: short, a paragraph or two of prose or a short list, with nothing in
 * it that documents, mails, chats, issues, logs and programs have and that nobody types to an agent. It judges form alone, so
 * that it holds for any language. What is not surely typed is not lost: it waits for a person.
 *
 * @example
 * isTyped("Mend the login, please. From now on, use <Link>.")           // true
 * isTyped("- use pnpm\n- tests beside code")                            // true
 * isTyped("From: Bob\nSubject: Deploys\n\nRemember that we use pnpm.") // false
 */
export function isTyped(content: string): boolean {
  if (content.length > longestWhole) return false;
  const text = content.replace(/\r\n?/g, "\n").trim();
  if (text.length > longestTyped) return false;
  const lines = text.split("\n");
  const said = lines.filter((line) => line.trim() !== "");
  const paragraphs = text.split(/(?:\n[ \t]*){2,}/);
  if (said.length > maxLines || paragraphs.length > maxParagraphs) return false;
  if (lines.some((line) => foreignLines.some((form) => form.test(line))) || foreignText.test(text)) return false;
  if (isPrinted(text, paragraphs) || isWrittenList(said)) return false;
  if (said.length > 1 && (isPage(said) || isHeaded(lines) || isAddressed(lines) || isWrapped(paragraphs))) return false;
  return !isOfTwoScripts(paragraphs);
}

const foreignLines = [
  // Who wrote it and when, in the line that it begins in: Eve Adams 10:32 AM …, eve commented 2 hours ago: …
  /^\s*(?:\p{Lu}[\p{L}.'-]{0,30} ){1,3}\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\]?:? \p{Lu}/u,
  /^\s*@?\S{1,40}(?: \S{1,40}){0,2} (?:commented|wrote|replied|posted|said)\b.{0,40}(?:\bago|\d{4})\b/iu,
  // Quoted, fenced, indented; rules, headings, tables, and lists with signs of their own; tags, links of Markdown.
  /^\s*(?:>|\||```|~~~|#{1,6}\s|={3,}|-{2,}|\*{3,}|_{3,}|§|\/\/|\/\*|\*\/|\+\p{L})/u,
  /^(?: {2,}|\t)/,
  /^\s*(?:[•‣▪◦·–—●○►▶✓✔✗✘×★☆➜→❯]|[-*+] \[|\[[ xX]?\]\s|\(\d{1,2}\)\s|\d{1,2}(?:\.\d{1,2})+\.?\s+\p{Lu})/u,
  /[→›»]\s*$|\S\t|\S {3,}\S.*\S {3,}\S/,
  /^\s*<[/!?a-z]/i,
  /!\[|\]\(|^\s*\[[^\]]+\]:|[.,;]\[\d{1,3}\]|\*\*[^*]+\*\*|``[^`]*$/,
  // Faces, hands and hearts are typed; other pictures and arrows are set by whoever lays out a text.
  /(?![\u{1F44A}-\u{1F450}\u{1F600}-\u{1F64F}\u{1F910}-\u{1F92F}\u{1F970}-\u{1F97A}\u{1F389}])\p{Emoji_Presentation}|[⚠→│]/u,
  // Who said it and when, as chats and logs have it.
  /^\s*[[(]?(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d\d)/,
  /\d{1,2}:\d\d(?::\d\d)?\s*(?:[ap]\.?m\.?)?[\])]\s*$|\b\d\d:\d\d:\d\d\b/i,
  /[©®™]|^\s*[\da-f]{7,40}\s/,
  /^\s*(?:\[[^\]]{1,60}\]|<[^>\s]{1,40}>)\s/,
  /^\s*@[\w-]+(?=[\s,:])/,
  /<[^<>\s]{1,60}@[^<>\s]{1,60}>/,
  // What a program prints: frames, places, differences, levels, ends of statements, prompts.
  /^\s*(?:at \S+ ?\(|File "|diff --git |@@ |[+-]{3} |[$%] |HTTP\/\d|PS [A-Z]:\\|(?:GET|HEAD|POST|PUT|PATCH|DELETE) \/\S* \d{3}\b|[\w.-]+@[\w.-]+[: ]\S*[$#%] )/,
  /^(?:\S+ ){0,2}[[(]?(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE|ERR!)[\])]?(?:[:\s]|$)/,
  /\(\d+,\d+\):|:\d+:\d+(?:[:)\]]|\s+(?:-|error|warning)\b)|^\s*(?:\S+\s+)?\S+:\d+:\d+\s*$/i,
  /[{}]\s*$|\S;\s*$|^\s*[}\])]|^(?:fi|done|esac|end)$/,
  /^\s*https?:\/\/\S+\s*$/,
];

// Signs that no keyboard gives; markup that belongs together, while a name like `<Link>` or `Array<string>` stands in a
// sentence; and what an agent writes for a paste.
const foreignText =
  /[\u00A0\u2009\u202F\u2028\u2029\u200B]|\[(?:Pasted|…|\.\.\.)[^\]]*\]|<\/[a-z][a-z0-9]{0,12}>|<[a-z][a-z0-9]{0,12} [^<>]*=[^<>]*>/iu;

// Quotation marks, dots and dashes as they are printed. Some keyboards give one or the other, and telephones put it in, but
// only a page has several of them, or sentences in quotation marks.
const printed = [/[“”„‟«»‘‚]/u, /…/u, /\S ?— ?\S/u];
const longestWithSigns = 160;
const longestQuoted = 4;

function isPrinted(text: string, paragraphs: readonly string[]): boolean {
  const kinds = printed.filter((sign) => sign.test(text)).length;
  if (kinds === 0) return false;
  const quoted = text.split(/[“”„‟«»]/u).filter((_, at) => at % 2 === 1);
  const isSentence = quoted.some((part) => part.trim().split(/\s+/).length > longestQuoted);
  return kinds > 1 || paragraphs.length > 1 || text.length > longestWithSigns || isSentence;
}

const item = /^\s*(?:[-*+]|\d{1,2}[.)]|[a-z][.)])\s+/;
const longestItem = 70;
const maxItems = 4;

/** A list as documents have it. Who types one to an agent writes a few words a line, in small letters, without full stops. */
function isWrittenList(said: readonly string[]): boolean {
  const items = said.filter((line) => item.test(line)).map((line) => line.replace(item, ""));
  const isTypedItem = (line: string) =>
    line.length <= longestItem &&
    !/^[\p{Lu}`*[]|^https?:/u.test(line) &&
    !/[.;:)]$|[`\p{L})] - | [–—→] |`.*: /u.test(line.trim());
  return items.length > maxItems || !items.every(isTypedItem);
}

// What stands around a text in a chat, a forum or a page: who did what, and when.
const byWhom =
  /\b(?:commented|wrote|writes|said|says|replied|posted|answered|asked|edited|updated|modified|viewed|merged|closed|opened|published|created|reviewed|shared|left|schrieb|schreibt|escribió|dijo|écrit|dit)\b(?:\s+(?:by|on|at|to|in|this|an?|\d+\w*)\b|:\s*$)|\b(?:wrote|said|schrieb|écrit|escribió)\s*$/iu;
const whenever =
  /\d\s?\w* ago\b|\d{1,2}:\d\d(?::\d\d)?\s*(?:[ap]\.?m\.?)?:?$|(?:\d{1,2}[./]\d{1,2}[./]|\b\p{L}{3,9}\.? \d{1,2},? )\d{2,4}$|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4} .*:$/iu;
const longestMargin = 10;
const sentenceWords = /^(?:i|we|you|he|she|they|it|this|that|what|why|who|when|if|please|always|never)\b/iu;
const courtesy =
  /^(?:ok|okay|yes|yep|no|nope|great|good|nice|perfect|thanks|thank you|thx|cheers|cool|sure|done|fine|right|exactly|please|danke|bitte|gut|super|ja|nein|merci|oui|non|gracias|sí|sorry)\b/iu;

/** Lines that no sentence is made of: a title, a menu, names and times around what somebody wrote. */
function isPage(said: readonly string[]): boolean {
  const lines = said.map((line) => line.trim());
  const words = (line: string) => line.split(/\s+/).length;
  const isOpen = (line: string) => !/[.!?,;。！？]$/u.test(line) && !item.test(line);
  const isMargin = (line: string) => isOpen(line) && words(line) <= longestMargin && !sentenceWords.test(line);
  const isLabel = (line: string, max = 3) =>
    isOpen(line) && !line.endsWith(":") && words(line) <= max && !/^\p{Ll}/u.test(line) && !courtesy.test(line);
  if (lines.some((line) => isMargin(line) && byWhom.test(line))) return true;
  if (lines.slice(0, -1).some((line) => isMargin(line) && whenever.test(line))) return true;
  if (lines.some((line) => isMargin(line) && /^[^>/|]+(?: [>/|] [^>/|]+){2,}$/.test(line))) return true;
  const [first = "", second = ""] = lines;
  if (isLabel(first) && !/^\p{Ll}/u.test(second)) return true;
  if (isLabel(lines.at(-1) ?? "", 4) && /[.!?]$/.test(lines.at(-2) ?? "")) return true;
  if (lines.filter((line) => isLabel(line, 5) && /^\p{Lu}/u.test(line)).length > 2) return true;
  if (lines.filter((line) => /^\p{Extended_Pictographic}/u.test(line)).length > 1) return true;
  // A sentence a line, all of them long, is how documents are written.
  return lines.filter((line) => line.length >= 45 && /[.!?]$/.test(line)).length > 2;
}

/** `Subject: …`, `Labels: …`: two of them in a row, or one with more below it. "Rule: …" alone is how people say one. */
function isHeaded(lines: readonly string[]): boolean {
  const isHeader = (line: string | undefined) =>
    line !== undefined && /^\s*\p{L}[\p{L}\p{N} _-]{0,30}:(?:\s|$)/u.test(line);
  const said = lines.filter((line) => line.trim() !== "");
  if (said.some((line, at) => isHeader(line) && isHeader(said[at + 1]))) return true;
  return said.length > 1 && isHeader(said[0]) && lines[1]?.trim() === "";
}

/** A letter: "Hi all," on a line of its own, or a name below the last words. */
function isAddressed(lines: readonly string[]): boolean {
  const said = lines.map((line) => line.trim());
  const words = (line: string) => line.split(/\s+/).length;
  // People greet an agent, too, but without a capital or a new paragraph for that.
  const isGreeting = (line: string, at: number) =>
    at < said.length - 1 && /[,،，]$/u.test(line) && words(line) <= 5 && (/^\p{Lu}/u.test(line) || said[at + 1] === "");
  if (said.some(isGreeting)) return true;
  const [first = "", second] = said;
  if (second === "" && words(first) <= 3 && /^\P{Ll}/u.test(first) && !/[.?!:]$/.test(first) && !courtesy.test(first))
    return true;
  const last = said.at(-1) ?? "";
  if (courtesy.test(last) && !last.includes(",")) return false;
  return /^(?:[-–—~]?\s*|\p{L}[\p{L} ]{1,24},\s*)\p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*){0,3}$/u.test(last);
}

/** Lines that end in the middle of a sentence, where a page or a mail was broken at a column. */
function isWrapped(paragraphs: readonly string[]): boolean {
  return paragraphs.some((paragraph) =>
    paragraph
      .split("\n")
      .some(
        (line, at, all) =>
          line.length >= 45 && /[\p{L}\p{N},`)]$/u.test(line) && /^\s*[\p{Ll}`(]/u.test(all[at + 1] ?? ""),
      ),
  );
}

/** One paragraph in one script and the next in another: of two writers, most likely. */
function isOfTwoScripts(paragraphs: readonly string[]): boolean {
  return new Set(paragraphs.map(scriptOf).filter((script) => script !== undefined)).size > 1;
}

function scriptOf(text: string): "latin" | "other" | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return undefined;
  return (text.match(/\p{Script=Latin}/gu)?.length ?? 0) * 2 >= letters ? "latin" : "other";
}
