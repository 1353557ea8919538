import { readsLikeInstruction } from "../untrusted-sources/instructions.js";

/**
 * Whether the text of an error may stand in a memory at all: it says nothing to its reader. No address, no command, no
 * sentence that tells somebody to do something, no invisible character.
 */
export function saysNothingToReader(text: string): boolean {
  return (
    text.length <= longest &&
    !/:\/\/|\bwww\.|\bmailto:/i.test(text) &&
    !commands.test(text) &&
    !hasUnseen(text) &&
    !/[<>]\s*(?:system|user|assistant|script|img|svg|iframe)\b/i.test(text) &&
    !readsLikeInstruction(text)
  );
}

const longest = 200;
const commands =
  /(?:^|[\s`'"(;|&$])(?:sudo|curl|wget|bash|sh|zsh|powershell|eval|rm|chmod|chown|ssh|scp|nc|npm|npx|pnpm|yarn|bun|pip3?|uv|gem|brew|apt(?:-get)?|cargo|go|git|docker|kubectl|make|python3?|node|tacit)\s+(?:-|[a-z])|[|&;]{1,2}\s*(?:ba)?sh\b|\$\(|`[^`]*\s[^`]*`|\bplease\b|\byou\b|\byour\b/i;

let unseen: RegExp | undefined;

/** Of a long text most often none: what is ASCII needs no pattern, which takes 2 ms to build. */
function hasUnseen(text: string): boolean {
  if (/^[ -~]*$/.test(text)) return false;
  return (unseen ??= /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Co}\uFFF9-\uFFFB]/u).test(text);
}

/** What an error is called where its text is not shown. */
export function withheldText(kind: string): string {
  return `${kind} (text withheld)`;
}
