/** What tells characters that nobody sees, and whether writing needs one. */
interface Patterns {
  anInvisible: RegExp;
  invisible: RegExp;
  joinable: RegExp;
  virama: RegExp;
  pictograph: RegExp;
  pictographWithModifiers: RegExp;
  seen: RegExp;
  subdivisionTags: RegExp;
}

const joiningScripts =
  "Arabic Syriac Mandaic Nko Mongolian Phags_Pa Adlam Hanifi_Rohingya Manichaean Psalter_Pahlavi " +
  "Sogdian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala " +
  "Tibetan Myanmar Khmer Balinese Javanese Sundanese Grantha Tirhuta Newa Brahmi Chakma " +
  "Meetei_Mayek";

let built: Patterns | undefined;

/** Built for the first text that is not ASCII: the classes of Unicode take 2 ms, a twelfth of what a hook takes (2026-11). */
function patterns(): Patterns {
  if (built) return built;
  // Everything Unicode calls ignorable (fillers, joiners, bidirectional controls, selectors, tags), and interlinear
  // annotations, which it does not.
  const anInvisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u;
  const scripts = joiningScripts.split(" ").map((script) => `\\p{Script_Extensions=${script}}`);
  built = {
    anInvisible,
    // Tags are taken by the run, or the end of a hidden message could pass for a flag.
    invisible: new RegExp(`[\\u{E0000}-\\u{E007F}]+|${anInvisible.source}`, "gu"),
    // Script_Extensions also names shared punctuation and digits; only a letter or a mark can be joined.
    joinable: new RegExp(`^(?=[\\p{L}\\p{M}])[${scripts.join("")}]`, "u"),
    // A virama and a joiner write a half form or a chillu even at the end of a word.
    virama: /^[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]/u,
    pictograph: /^\p{Extended_Pictographic}/u,
    pictographWithModifiers: /\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})*$/u,
    seen: /^[\p{L}\p{M}\p{N}\p{P}\p{S}]/u,
    // Country and subdivision, as in the flag of Scotland: 🏴 g b s c t end.
    subdivisionTags: /^[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,3}\u{E007F}$/u,
  };
  return built;
}

// No ASCII character is invisible in this sense.
const beyondAscii = /[\u0080-\uFFFF]/;
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
  if (!beyondAscii.test(text) || !patterns().anInvisible.test(text)) return text;

  const pieces: string[] = [];
  // Its end alone is looked at: of all that is kept it would take minutes for a megabyte.
  let end = "";
  const keep = (piece: string) => {
    pieces.push(piece);
    end = (end + piece.slice(-lookedBack)).slice(-lookedBack);
  };
  let copiedTo = 0;
  for (const found of text.matchAll(patterns().invisible)) {
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
      return patterns().seen.test(before) && !patterns().anInvisible.test(before);
    default:
      return text.slice(at - 2, at) === blackFlag && patterns().subdivisionTags.test(character);
  }
}

function joins(kept: string, before: string, joiner: string, after: string): boolean {
  const { joinable, pictograph, pictographWithModifiers, virama } = patterns();
  if (joiner === zeroWidthJoiner && pictograph.test(after)) return pictographWithModifiers.test(kept);
  if (virama.test(before)) return true;
  return joinable.test(before) && joinable.test(after);
}

function lastCharacter(text: string): string {
  const unit = text.charCodeAt(text.length - 1);
  return text.slice(unit >= 0xdc00 && unit <= 0xdfff ? -2 : -1);
}
