const rewrites: [RegExp, string][] = [
  [/^do (?!not\b)/i, ""],
  [/\bcannot\b|\bcan['’]?t\b/gi, "can not"],
  [/\bwon['’]t\b/gi, "will not"],
  [/n['’]t\b/gi, " not"],
  [/\b(?:dislikes?|hates?|detests?)\b/gi, "not like"],
  [/\b(?:forbids?|disallows?|prohibits?|bans|forbade)\b/gi, "not allows"],
  [/\bavoid(?:s|ing)? (?:using )?/gi, "not use "],
  [/\bno longer\b|\bnot anymore\b/gi, "not"],
  [
    /\b(?:any ?more|any longer|by default|at the moment|right now|as of now|from now on|these days|is free to|at all)\b/gi,
    " ",
  ],
  [
    /\b(?:dropped|removed|ended|discontinued|withdrew|drops|dropping|drop|remove) (?:the )?support (?:for|of)\b/gi,
    "not support",
  ],
  [
    /\b(?:stopped|stop|stops|quit|ceased|gave up|refrain from|abandoned|no need to|no need for|no more|do without|does without|works without)\b/gi,
    "not",
  ],
  [/\b(?:is|are|was|were|has been|have been|got) (?:removed|dropped|gone|abolished)\b/gi, "is not used"],
  [/\b(?:turn|turns|turned|switch|switches|switched) (on|off)\b/gi, "set $1"],
  [/\b(?:must|should|shall|has to|have to|ought to) (?=be\b|not\b|\w)/gi, ""],
  [/\b(?:do|does|did|need) not\b/gi, "not"],
  [/\bby hand\b/gi, "manually"],
  [/\bthe user['’]?s\b|\busers?['’]s\b|\bmy\b/gi, "user"],
  [/\bi['’]m\b|\bi am\b/gi, "user is"],
  [/\bI\b/g, "user"],
  [
    /\bat least|at most|up to|about|around|approximately|roughly|exactly|more than|less than|fewer than|no more than\b/gi,
    " ",
  ],
];
const twoWords = /\b(github|gitlab|azure|bitbucket|new|vs) (actions|ci|pipelines|relic|code|issues)\b/gi;

const mayRewrite = new RegExp(
  [twoWords, ...rewrites.map(([pattern]) => pattern)].map(({ source }) => source).join("|"),
  "i",
);

/** A clause in fewer ways to say the same: one word for no, none for what only stresses it. */
export function rewrite(text: string): string {
  if (!mayRewrite.test(text)) return text;
  let said = text.replace(twoWords, "$1-$2");
  for (const [pattern, by] of rewrites) said = said.replace(pattern, by);
  return said;
}
