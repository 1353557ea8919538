// Everything Unicode calls ignorable (fillers, joiners, bidirectional controls, selectors, tags), and interlinear
// annotations, which it does not.
const invisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
const anInvisible = new RegExp(invisible.source, "u");

const joiningScripts = (
  "Arabic Syriac Mandaic Nko Mongolian Phags_Pa Adlam Hanifi_Rohingya Manichaean Psalter_Pahlavi " +
  "Sogdian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala " +
  "Tibetan Myanmar Khmer Balinese Javanese Sundanese Grantha Tirhuta Newa Brahmi Chakma " +
  "Meetei_Mayek"
)
  .split(" ")
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join("");
// Script_Extensions also names shared punctuation and digits; only a letter or a mark can be joined.
const joinable = new RegExp(`^(?=[\\p{L}\\p{M}])[${joiningScripts}]`, "u");
// A virama and a joiner write a half form or a chillu even at the end of a word.
const virama = /^[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]/u;
const pictograph = /^\p{Extended_Pictographic}/u;
const pictographWithModifiers = /\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})*$/u;
const seen = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;
// Country and subdivision, as in the flag of Scotland: 🏴 g b s c t end.
const subdivisionTags = /[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,3}\u{E007F}/uy;
const blackFlag = "\u{1F3F4}";

const zeroWidthNonJoiner = "\u200C";
const zeroWidthJoiner = "\u200D";

/**
 * Takes out the characters nobody sees, which can hide orders to a model or reorder what a reader sees. The ones that
 * writing needs stay: joiners inside emoji and inside words of joining scripts, one emoji or text selector after a
 * visible character, and the tags of a subdivision's flag.
 */
export function stripInvisible(text: string): string {
  if (!anInvisible.test(text)) return text;

  let kept = "";
  let copiedTo = 0;
  for (const found of text.matchAll(invisible)) {
    if (found.index < copiedTo) continue;
    kept += text.slice(copiedTo, found.index);
    const needed = findNeeded(kept, text, found.index, found[0]);
    kept += needed;
    copiedTo = found.index + Math.max(needed.length, found[0].length);
  }
  return kept + text.slice(copiedTo);
}

function findNeeded(kept: string, text: string, at: number, character: string): string {
  const before = lastCharacter(kept);
  switch (character) {
    case zeroWidthJoiner:
    case zeroWidthNonJoiner:
      return joins(kept, before, character, text.slice(at + 1, at + 3)) ? character : "";
    case "\uFE0E":
    case "\uFE0F":
      return seen.test(before) && !anInvisible.test(before) ? character : "";
    default:
      if (before !== blackFlag) return "";
      subdivisionTags.lastIndex = at;
      return subdivisionTags.exec(text)?.[0] ?? "";
  }
}

function joins(kept: string, before: string, joiner: string, after: string): boolean {
  if (joiner === zeroWidthJoiner && pictograph.test(after)) return pictographWithModifiers.test(kept.slice(-12));
  if (virama.test(before)) return true;
  return joinable.test(before) && joinable.test(after);
}

function lastCharacter(text: string): string {
  const unit = text.charCodeAt(text.length - 1);
  return text.slice(unit >= 0xdc00 && unit <= 0xdfff ? -2 : -1);
}
