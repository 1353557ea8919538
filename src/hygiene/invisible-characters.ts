// Everything Unicode calls ignorable (fillers, joiners, bidirectional controls, selectors, tags), and interlinear
// annotations, which it does not.
const anInvisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u;
// Tags are taken by the run, or the end of a hidden message could pass for a flag.
const invisible = new RegExp(`[\\u{E0000}-\\u{E007F}]+|${anInvisible.source}`, "gu");

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
const subdivisionTags = /^[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,3}\u{E007F}$/u;
const blackFlag = "\u{1F3F4}";

const zeroWidthNonJoiner = "\u200C";
const zeroWidthJoiner = "\u200D";

/**
 * Takes out the characters nobody sees, which can hide orders to a model or reorder what a reader sees. The ones that
 * writing needs stay: joiners inside emoji and inside words of joining scripts, one emoji or text selector after a
 * visible character, and the tags of a subdivision's flag.
 */
export function stripInvisible(text: string): string {
  let stripped = text;
  // Again while something goes: a joiner may have been needed only for the sake of what was taken out behind it.
  for (let before = ""; before !== stripped;) {
    before = stripped;
    stripped = stripOnce(before);
  }
  return stripped;
}

function stripOnce(text: string): string {
  if (!anInvisible.test(text)) return text;

  const pieces: string[] = [];
  // Its end alone is looked at: of all that is kept it would take minutes for a megabyte.
  let end = "";
  const keep = (piece: string) => {
    pieces.push(piece);
    end = (end + piece.slice(-lookedBack)).slice(-lookedBack);
  };
  let copiedTo = 0;
  for (const found of text.matchAll(invisible)) {
    keep(text.slice(copiedTo, found.index));
    if (isNeeded(end, text, found.index, found[0])) keep(found[0]);
    copiedTo = found.index + found[0].length;
  }
  return pieces.join("") + text.slice(copiedTo);
}

// A pictograph with its modifiers.
const lookedBack = 12;

function isNeeded(kept: string, text: string, at: number, character: string): boolean {
  const before = lastCharacter(kept);
  switch (character) {
    case zeroWidthJoiner:
    case zeroWidthNonJoiner:
      return joins(kept, before, character, text.slice(at + 1, at + 3));
    case "\uFE0E":
    case "\uFE0F":
      return seen.test(before) && !anInvisible.test(before);
    default:
      return text.slice(at - 2, at) === blackFlag && subdivisionTags.test(character);
  }
}

function joins(kept: string, before: string, joiner: string, after: string): boolean {
  if (joiner === zeroWidthJoiner && pictograph.test(after)) return pictographWithModifiers.test(kept);
  if (virama.test(before)) return true;
  return joinable.test(before) && joinable.test(after);
}

function lastCharacter(text: string): string {
  const unit = text.charCodeAt(text.length - 1);
  return text.slice(unit >= 0xdc00 && unit <= 0xdfff ? -2 : -1);
}
