import { stopWords } from "../../base/text/text.js";

/** Words of a sentence, in small letters; of scripts without spaces, runs. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];
}

/** Whether a word says something by itself, whatever the conversation. */
export function isDistinctive(word: string): boolean {
  return (
    word.length > 2 && word.length <= 24 && !/['’]|^\d+$/.test(word) && !stopWords.has(word) && !everyday.has(word)
  );
}

const maxWords = 4;

/**
 * A few words for a readable name, in the order in which they came up: of files that were named, of what was asked for, and
 * what was said most often. Only a to z and digits; empty where nothing was said in such letters.
 *
 * @example
 * distinctiveWords({ files: ["src/login.ts"], asked: ["Fix the redirect"], said: new Map() }) // ["login", "redirect"]
 */
export function distinctiveWords({
  files,
  asked,
  said,
}: {
  files: readonly string[];
  asked: readonly string[];
  /** How often each word was said; the order is that of the conversation. */
  said: ReadonlyMap<string, number>;
}): string[] {
  const weights = new Map<string, number>();
  const add = (word: string, weight: number): void => {
    const plain = plainWord(word);
    if (plain !== undefined && isDistinctive(plain)) weights.set(plain, (weights.get(plain) ?? 0) + weight);
  };
  for (const sentence of asked.slice(0, 5)) for (const word of new Set(wordsIn(sentence))) add(word, 2);
  // The last part of a path says most, and what was named most often comes first.
  for (const [index, file] of files.slice(0, 4).entries()) {
    const stem = file.replace(/^.*\//, "").replace(/\..*$/, "");
    for (const part of stem.split(/[-_]|(?<=[a-z])(?=[A-Z])/)) add(part.toLowerCase(), index === 0 ? 3 : 2);
  }
  for (const [word, count] of said) add(word, Math.min(3, Math.log2(count)));
  const best = new Set(
    [...weights]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, maxWords)
      .map(([word]) => word),
  );
  return [...weights.keys()].filter((word) => best.has(word));
}

function plainWord(word: string): string | undefined {
  const plain = word.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
  return /^[a-z0-9]+$/.test(plain) ? plain : undefined;
}

// What is said in every conversation, about work or not.
const everyday: ReadonlySet<string> = new Set(
  `
  please thanks thank yes yeah okay hey hello great good nice cool awesome amazing sure really actually maybe well
  want need like love make made get got let use used using see look know think thought feel say said tell told talk
  can try find help take took give gave come came going gonna keep put set way lot bit thing things something anything
  everything someone people time times day days today tomorrow yesterday week year last next first second new old same
  different little big better best right wrong always still back around already soon sounds glad happy fun hope
  add added fix fixed change changed update updated create created write run running show check work works working
  remove removed move moved undefined null true false done file files code line lines function test tests error errors issue problem redacted user assistant system tool
  one two three because instead without how what why where when which while able during though much been being
  you're it's i'm don't doesn't looks seems means taking making doing getting looking having being thinking trying loving enough pretty super truly start started readme index main src lib
  und der die das nicht ist ein eine ich wir mit für auf den dem von zum zur auch wie noch nur aber oder wenn dann
  sie er es wir bitte danke sehr kann kannst haben hat sind wird werden
  `
    .trim()
    .split(/\s+/),
);
