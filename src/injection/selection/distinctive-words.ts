import { queryWords, stems } from "../../base/text/text.js";

/**
 * How many of these words say what something is about. Words of the trade do not: nearly every prompt asks to add, fix or
 * test something, and nearly every memory speaks of files. A name out of code counts twice.
 */
export function countDistinctive(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + tellingOf(word), 0);
}

/**
 * How many telling words a memory must share with a prompt. The longer the prompt, the more it shares with memories about
 * something else.
 */
export function countNeeded(prompt: string): number {
  const words = queryWords(prompt).words.length;
  return words <= 15 ? 2 : words <= 40 ? 3 : 4;
}

function tellingOf(word: string): number {
  if (nameInCode.test(word)) return isOfTheTrade(word) ? 0 : 2;
  // Scripts without spaces are matched in overlapping pairs.
  if (unspacedPair.test(word)) return 0.5;
  return isOfTheTrade(word) ? 0 : 1;
}

/** Also `index.ts` and `test-case`: a name all of whose parts are. */
function isOfTheTrade(word: string): boolean {
  return word.split(/[._/-]|(?<=\p{Ll})(?=\p{Lu})/u).every((part) => {
    const [stem = ""] = stems(part);
    return stem === "" || /^\d+$/.test(stem) || ofTheTrade().has(stem);
  });
}

const nameInCode = /\p{L}[._-]\p{L}|\p{Ll}\p{Lu}|\p{L}\d{2}|\p{L}\/\p{L}/u;
const unspacedPair =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{2}/u;

let known: ReadonlySet<string> | undefined;

function ofTheTrade(): ReadonlySet<string> {
  return (known ??= stems(trade));
}

// What people ask of an agent, whatever the project; of what they ask it for; and what code consists of everywhere.
const trade = `
  add make create write build implement change update edit modify remove delete drop replace rename move copy convert refactor
  extract split merge clean fix repair solve debug check test verify validate review look see show find search tell explain
  describe say think know want need like try use run start stop begin end finish continue go keep leave put get give take
  let help call open close read load save return send please thanks sorry okay yes work handle support allow ensure consider
  follow improve simplify optimize increase decrease extend finish come bring turn mean happen seem appear install
  new old good bad better best right wrong correct same other different another next last first second third final current
  previous existing following small large big long short simple easy hard quick slow whole full empty different similar main
  real actual default possible necessary sure clear nice great own few many much more most less least all every each both
  file folder directory path line code source program project repository repo function method class type variable constant
  value name parameter argument object array list string number item element field property key data text content
  module component package library page button table row column part piece thing way case example kind sort problem issue
  bug error failure fail break question answer idea reason result output input step task job time day change version
  tests testing src lib app index main ts js tsx jsx py md json user users people person team something anything nothing
  everything someone here there now then again still already also only just even too very really always never maybe once
  instead together today tomorrow yesterday number log message comment`;
