/**
 * English words that carry no meaning of their own in a search: articles, pronouns, prepositions, conjunctions,
 * auxiliaries, question words and negations. A negation turns a sentence round but finds nothing; whoever compares
 * two texts looks at negations by itself.
 *
 * Left searchable although they are on many lists, because they may be all that a question is about: "may" (the
 * month), "need", "same", "first", "new", "use", "like", "want", "please", "still", "while", "against".
 * Only contractions in "n't" are listed: the other endings ('s, 're, 've, 'll, 'd, 'm) are taken off first.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `
  a an the this that these those
  i me my mine myself we us our ours ourselves you your yours yourself yourselves
  he him his himself she her hers herself it its itself they them their theirs themselves
  who whom whose which what when where why how
  whoever whatever whichever whenever wherever
  am is are was were be been being do does did doing done have has had having
  will would shall should can could might must ought
  and or but nor so yet if then else than because as until unless though although whether
  of at by for with about into onto upon to from in on off out up down over under through between among
  during before after since within without toward towards via per
  here there now just only very too also again ever even much many more most such
  some any each every all both either neither other another own few
  no not never none cannot
  ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mightn't mustn't needn't shan't
  shouldn't wasn't weren't won't wouldn't
  arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt shouldnt wasnt werent wont wouldnt
  im ive youre youve theyre thats whats theres
  `
    .trim()
    .split(/\s+/),
);

/** Written in capitals these are names (information technology, United States, World Health Organization). */
export const capitalNames: ReadonlySet<string> = new Set(["IT", "US", "WHO"]);
