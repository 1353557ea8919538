import { namesASecret } from "./secret-values.js";

// Where one of these stands, somebody says something. Words of two letters need no list.
const sentenceWords = new Set(
  (
    "the and for not but with from that this these those are was were has have had will would can could may might shall " +
    "your our their his her its you they she who what when where which why how all any some each every both only also " +
    "least most more less than then there here about into over under again once please enter type choose set use used " +
    "using contain contains include includes match matches long short minimum maximum length letters letter digits digit " +
    "number numbers symbol symbols uppercase lowercase special new old account sign log out error failed fail success " +
    "required optional invalid incorrect missing expired wrong valid forgotten changed updated confirm confirmation default " +
    "reset link sent code verify again too weak strong name string value field user username email login one two three four five six seven eight nine ten based client server"
  ).split(" "),
);

/**
 * True for words in a row that make no sentence, as in `correct horse battery staple`: small letters only, or each word
 * with a capital.
 */
export function isPassphrase(value: string, minimumWords: number): boolean {
  const words = value.split(/[ \t]+/);
  if (words.length < minimumWords || words.length > 24) return false;
  if (
    !words.every((word) => /^[a-zà-ÿ]{3,12}$/.test(word)) &&
    !words.every((word) => /^[A-Z][a-z]{2,11}$/.test(word))
  ) {
    return false;
  }
  return !words.some((word) => sentenceWords.has(word.toLowerCase()) || namesASecret(word));
}
