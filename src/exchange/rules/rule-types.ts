/** What a heading says about the rules below it. The first line that matches decides; else it is a convention. */
const typesByHeading: readonly (readonly [type: string, words: RegExp])[] = [
  ["gotcha", /gotchas?|pitfalls?|caveats?|traps?|quirks?|beware|watch out|known (?:issues?|problems?|bugs?)|mistakes?/],
  ["error_pattern", /troubleshooting|(?:common|frequent|recurring) errors?/],
  ["decision", /decisions?|decided|adrs?/],
  ["preference", /preferences?|prefer(?:red|s)?/],
  ["requirement", /requirements?/],
  ["convention", /rules?|guidelines?|conventions?|standards?|principles?|styles?|practices?|don'?ts?/],
  ["pattern", /patterns?|idioms?/],
  [
    "workflow_recipe",
    /commands?|scripts?|set-?up|install(?:ing|ation)?|build(?:ing|s)?|workflows?|how to|getting started|quick ?start|running|deploy(?:ing|ments?)?|releas(?:es?|ing)|recipes?|steps|process(?:es)?|procedures?|checklists?/,
  ],
  [
    "module_insight",
    /architecture|(?:project|code|repo(?:sitory)?|folder|directory)? ?structure|layout|modules?|components?/,
  ],
  ["context", /overview|about|background|introduction|context|(?:tech(?:nology)?)? ?stack|summary|purpose/],
];

const wholeWords = typesByHeading.map(
  ([type, words]) => [type, new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.source})(?![\\p{L}\\p{N}])`, "iu")] as const,
);

/** The type of the rules below these headings, the innermost first. */
export function typeOfRules(headings: readonly string[]): string {
  for (const heading of headings) {
    const found = wholeWords.find(([, words]) => words.test(heading));
    if (found) return found[0];
  }
  return "convention";
}
