/**
 * A statement as somebody else would note it down: "I prefer tabs" is "The user prefers tabs", "my cat" is "the user's cat".
 * Where it says "we", it stays: those who read it are of the same project.
 */
export function thirdPerson(sentence: string): string {
  let isNamed = false;
  const rewrite = (found: string, contracted: string | undefined, verb: string | undefined): string => {
    // "They", once it is clear who.
    const isKnown = isNamed;
    isNamed = true;
    const word = found.toLowerCase();
    if (word === "my") return isKnown ? "their" : "the user's";
    if (word === "mine") return isKnown ? "theirs" : "the user's";
    if (word === "me") return isKnown ? "them" : "the user";
    if (word === "myself") return "themselves";
    return isKnown ? `they${plural(contracted, verb)}` : `the user${singular(contracted, verb)}`;
  };
  const parts = sentence.split(/(`[^`]*`)/);
  return sentenceCase(parts.map((part) => (part.startsWith("`") ? part : part.replace(firstPerson, rewrite))).join(""));
}

// "I", what is drawn together with it, and the word behind it; adverbs go with the verb.
const adverbs = "(?:(?:always|never|usually|really|also|only|often|just|still|generally|mostly|strongly) )?";
const firstPerson = new RegExp(
  String.raw`(?<![\w./@-])(?:I(?:(['’](?:m|ve|d|ll))|\b)(?: (${adverbs}[A-Za-z]+(?:['’]t)?))?|[Mm]y(?:self)?|[Mm]ine|[Mm]e)\b(?!['’\-/]|\.\w)`,
  "g",
);

function singular(contracted: string | undefined, verb: string | undefined): string {
  const behind = verb === undefined ? "" : ` ${verb}`;
  if (contracted?.endsWith("m")) return ` is${behind}`;
  if (contracted?.endsWith("ve")) return ` has${behind}`;
  if (contracted?.endsWith("d")) return ` would${behind}`;
  if (contracted?.endsWith("ll")) return ` will${behind}`;
  if (verb === undefined) return "";
  const [adverb, word] = verb.includes(" ") ? [`${verb.split(" ")[0]} `, verb.split(" ")[1] ?? ""] : ["", verb];
  return ` ${adverb}${thirdForm(word)}`;
}

function plural(contracted: string | undefined, verb: string | undefined): string {
  const behind = verb === undefined ? "" : ` ${verb}`;
  if (contracted?.endsWith("m")) return ` are${behind}`;
  if (contracted?.endsWith("ve")) return ` have${behind}`;
  if (contracted?.endsWith("d")) return ` would${behind}`;
  if (contracted?.endsWith("ll")) return ` will${behind}`;
  return behind.replace(/^ am\b/, " are").replace(/^ was\b/, " were");
}

const irregular = new Map([
  ["am", "is"],
  ["have", "has"],
  ["do", "does"],
  ["don't", "doesn't"],
  ["don’t", "doesn’t"],
  ["haven't", "hasn't"],
  ["haven’t", "hasn’t"],
  ["go", "goes"],
]);
// Modal verbs, and what tells of the past: the form is the same for everybody.
const unchanged =
  /^(?:can|could|will|would|shall|should|may|might|must|cannot|(?:ca|wo|could|would|should|must|did|was|had)n['’]t|was|had|did|went|got|bought|made|met|took|won|lost|saw|gave|found|began|became|came|left|told|taught|wrote|built|ran|chose|thought|knew|grew|said|kept|put|set|read|\w{2,}ed)$/i;

function thirdForm(verb: string): string {
  const known = irregular.get(verb.toLowerCase());
  if (known !== undefined) return known;
  if (unchanged.test(verb) && !/^(?:need|speed|feed|seed|embed)$/i.test(verb)) return verb;
  if (/(?:s|x|z|ch|sh)$/i.test(verb)) return `${verb}es`;
  if (/[^aeiou]y$/i.test(verb)) return `${verb.slice(0, -1)}ies`;
  return `${verb}s`;
}

/** Begins with a capital and ends with a full stop; a name in code at its beginning stays as it is. */
export function sentenceCase(text: string): string {
  const trimmed = text.trim().replace(/[\s,;:]+$/, "");
  const ended = /[.!?…。！？]["”')]?$/.test(trimmed) ? trimmed.replace(/!+$/, ".") : `${trimmed}.`;
  return /^[a-z]+(?:['’][a-z]+)?(?=[\s,.])/.test(ended) ? ended.charAt(0).toUpperCase() + ended.slice(1) : ended;
}
