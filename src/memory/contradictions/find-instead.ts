// Words and single blanks in turn, so that no text takes long.
const thing = "([\\w@/.+#'`$~-]+(?: [\\w@/.+#'`$~-]+){0,2}?)";
const insteads: [pattern: RegExp, rest: string, old: string, isRename?: true][] = [
  [new RegExp(` over (?:the |a |an )?${thing}(?= (?:for|in|on|at|as|with|to|when|by)\\b|[,.]|$)`, "i"), "", "$1"],
  [
    new RegExp(
      `,? (?:instead of|rather than|in place of) (?:the |a |an )?${thing}(?= (?:for|in|on|at|as|with|to|when|by)\\b|[,.]|$)`,
      "i",
    ),
    "",
    "$1",
  ],
  [
    new RegExp(
      `(?:,(?: and)?| and) not (?:in |on |at |with |to |as |by |from )?${thing}(?:any ?more|any longer)?$`,
      "i",
    ),
    "",
    "$1",
  ],
  [new RegExp(` from ${thing} to `, "i"), " to ", "$1"],
  [new RegExp(`^(.*?)\\b(?:replac(?:ed|es|e|ing)|swapped(?: out)?) ${thing} (?:with|by|for) `, "i"), "$1 use ", "$2"],
  [
    new RegExp(`^(?:the )?${thing} (?:was|were|is|has been|have been|got|gets|are) replaced (?:with|by) `, "i"),
    "use ",
    "$1",
  ],
  [
    new RegExp(
      `^(.*?)\\b(?:dropped|ditched|abandoned|left|retired) (?!support\\b)${thing} (?:for|in favou?r of) `,
      "i",
    ),
    "$1 use ",
    "$2",
  ],
  [
    new RegExp(`^(?:the )?${thing} (?:was |were |is |has been |have been |got |is now )?renamed (?:to|as|into) `, "i"),
    "use ",
    "$1",
    true,
  ],
  [new RegExp(`^(.*?)\\brenamed ${thing} (?:to|as|into) `, "i"), "$1 use ", "$2", true],
  [
    new RegExp(
      `^${thing} (?:replaced|replaces|has replaced|supersedes|superseded) ${thing}(?= (?:for|in|on|at|as|with)\\b|$)`,
      "i",
    ),
    "use $1",
    "$2",
  ],
];

const mayTellInstead =
  / (?:instead|rather|in place|over|from|not)\b|replac|swapped|dropped|ditched|abandoned|\bleft\b|retired|renamed|supersede/i;

const chosen = /\b(?:prefers?|chose|chosen|choose|picked|pick|favou?rs?|likes?|uses?|using) /i;
const changed =
  /\b(?:mov|switch|migrat|chang|went|renam|upgrad|bump|rais|lower|increas|reduc|decreas|transition|convert|port|updat|extend)/i;

/** "Over" and "from" say other things as well. */
function isSaidOfChange(match: string, text: string): boolean {
  if (match.startsWith(" over ")) return chosen.test(text);
  return !match.startsWith(" from ") || changed.test(text);
}

/** "X instead of Y": the clause without what was before, and that. */
export function findInstead(text: string): { rest: string; old?: string; isRename: boolean } {
  // Nearly no clause has any of these, and the patterns take 50 µs.
  if (!mayTellInstead.test(text)) return { rest: text, isRename: false };
  for (const [pattern, rest, old, isRename = false] of insteads) {
    const match = pattern.exec(text);
    if (!match || !isSaidOfChange(match[0], text)) continue;
    const fill = (form: string) => form.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? "");
    return {
      rest: text.slice(0, match.index) + fill(rest) + text.slice(match.index + match[0].length),
      old: fill(old).trim(),
      isRename,
    };
  }
  return { rest: text, isRename: false };
}
