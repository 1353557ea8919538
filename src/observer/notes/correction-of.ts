/** What an agent takes back, and what it puts in its place. */
interface Correction {
  text: string;
  believed?: string;
  actual?: string;
}

/**
 * The correction that a sentence is, if it is one; `next` is the sentence behind it, which often says what is so. "Wait for
 * the server" and "Actually, that works" correct nothing.
 */
export function correctionOf(given: string, next: string): Correction | undefined {
  const sentence = given.replace(openings, "");
  // "Wait, I had this backwards" says more than "wait".
  const own = sentence.replace(/^(?:wait|hold on)\b[,.!…—–-]*\s+(?=(?:I|my|we)\b)/i, "");
  return (
    wasWrong(own, next) ??
    reconsidered(sentence, next) ??
    thoughtOtherwise(own) ??
    announced(sentence) ??
    misread(own) ??
    turnedOut(sentence) ??
    actually(sentence) ??
    waited(sentence, next) ??
    denied(given, sentence, next)
  );
}

// "No migration is needed" begins with no such "no": that one has a sign behind it, or another word that stops.
const openings =
  /^(?:(?:(?:hmm+|oh|ah|but|so|okay|ok|well|sorry|good catch|you(?:['’]re| are)(?: absolutely)? right|I see(?: the (?:issue|problem|mistake))?)\b[,.:!…—–-]*|no(?:[,.:!…—–-]+|(?=\s+(?:wait|actually)\b)))\s+){1,3}/i;

/** "I was wrong about the cache. It is actually per worker.", "My assumption was wrong: it is per worker." */
function wasWrong(sentence: string, next: string): Correction | undefined {
  const found =
    /^(?:I (?:was|am|'m) (?:wrong|mistaken|incorrect)|my (?:\w+ )?(?:assumption|understanding|guess) was (?:wrong|incorrect|off)|I (?:had )?made (?:a|the) mistake|I had (?:it|this|that) (?:backwards|wrong))\b(?: about| that| to (?:think|assume|believe)(?: that)?|:| —| -)?\s*(.*)$/i.exec(
      sentence,
    );
  if (!found) return undefined;
  const believed = bare(found[1] ?? "");
  const { actual, rest } = split(believed);
  if (actual !== undefined && rest !== undefined) return { text: sentence, believed: rest, actual };
  const said = statement(next);
  if (believed === "" && said === undefined) return undefined;
  return {
    text: said === undefined ? sentence : `${sentence} ${said}`,
    ...(believed !== "" && { believed }),
    ...(said !== undefined && { actual: bare(said) }),
  };
}

/** "Let me reconsider: the lock is taken before the read." */
function reconsidered(sentence: string, next: string): Correction | undefined {
  const found = /^(?:I (?:need|have) to|let me|I should) reconsider\b[.:,]?\s*(.*)$/i.exec(sentence);
  if (!found) return undefined;
  const said = bare(found[1] ?? "") || bare(statement(next) ?? "");
  if (wordsOf(said) < 3 || plans.test(said)) return undefined;
  const isOwn = bare(found[1] ?? "") !== "";
  return { text: isOwn ? sentence : `${sentence} ${next}`, ...split(said).corrected };
}

/** "I initially thought the port was fixed, but it is read from the environment." */
function thoughtOtherwise(sentence: string): Correction | undefined {
  const found =
    /^(?:I|we) (?:(?:had|have) )?(?:(?:initially|originally|first|previously|wrongly|mistakenly|incorrectly|just) )?(?:thought|assumed|believed|expected|figured)\b(?: that)? (.*)$/i.exec(
      sentence,
    );
  const told = found?.[1];
  if (told === undefined) return undefined;
  const but =
    /,? (?:but|however|yet|when in fact|whereas)\b,? (?:actually |in fact |really )?/i.exec(told) ??
    /[;—–] (?=.*\b(?:actually|in fact|really)\b)/i.exec(told);
  if (!but) return undefined;
  const believed = bare(told.slice(0, but.index));
  const actual = bare(told.slice(but.index + but[0].length)).replace(/^(?:actually|in fact|really),? /i, "");
  return wordsOf(believed) >= 2 && wordsOf(actual) >= 2 ? { text: sentence, believed, actual } : undefined;
}

/** "Correction: the limit is 64 KB, not 64 MB." */
function announced(sentence: string): Correction | undefined {
  const found = /^correction: (.*)$/i.exec(sentence);
  const said = bare(found?.[1] ?? "");
  return wordsOf(said) >= 3 ? { text: sentence, actual: said, ...split(said).corrected } : undefined;
}

/** "I misread the schema: `owner` is nullable." */
function misread(sentence: string): Correction | undefined {
  const found = /^I (?:misread|misunderstood|overlooked|mixed up|confused) (.*)$/i.exec(sentence);
  const said = found?.[1];
  if (said === undefined) return undefined;
  const at = /(?:: | — | – | - |; )/.exec(said);
  return { text: sentence, ...(at && { actual: bare(said.slice(at.index + at[0].length)) }) };
}

/** "It turns out that the limit is per tenant, not per user as I assumed." Without what it is not, it tells a cause. */
function turnedOut(sentence: string): Correction | undefined {
  const found = /^(?:it |this )?turns out,?(?: that)? (.*)$/i.exec(sentence);
  const { believed, actual } = split(bare(found?.[1] ?? "")).corrected;
  if (believed === undefined || actual === undefined) return undefined;
  return { text: sentence, believed: bare(believed.replace(/,? (?:as|like|which is what) I .*$/i, "")), actual };
}

/** "Hmm, no. The list is frozen, not sorted." Needs something that it is not, too. */
function denied(given: string, sentence: string, next: string): Correction | undefined {
  if (!/^(?:(?:hmm+|oh|ah|wait|but|well)\b[,.!…—–-]*\s+){0,2}(?:no|nope|not quite)\b[,.!…—–-]/i.test(given))
    return undefined;
  const isAlone = /^(?:(?:no|nope|not quite)[,.!…—–-]*)?$/i.test(sentence.trim());
  const said = bare((isAlone ? statement(next) : statement(sentence)) ?? "");
  const { corrected } = split(said);
  if (corrected.believed === undefined || wordsOf(said) < 4) return undefined;
  return { text: isAlone ? `${given} ${next}` : sentence, ...corrected };
}

/** "Actually, the config is read from vite.config.ts, not from package.json." Needs something that it is not. */
function actually(sentence: string): Correction | undefined {
  const found = /^(?:wait[,.!]* )?actually\b,? (.*)$/i.exec(sentence);
  const said = bare(found?.[1] ?? "");
  if (wordsOf(said) < 4 || plans.test(said)) return undefined;
  const { corrected } = split(said);
  if (corrected.believed !== undefined) return { text: sentence, ...corrected };
  // "That does not matter" takes nothing back that could be named.
  return !vague.test(said) && denies.test(said) ? { text: sentence, actual: said } : undefined;
}

/** "Wait, the handler is registered in app.ts." */
function waited(sentence: string, next: string): Correction | undefined {
  const found = /^(?:wait|hold on)\b(?:[,.!—–…-]+\s*|\s+-\s+)(.*)$/i.exec(sentence);
  if (!found) return undefined;
  const own = bare(found[1] ?? "");
  const said = own || bare(statement(next) ?? "");
  if (wordsOf(said) < 4 || plans.test(said) || asks.test(said)) return undefined;
  if (vague.test(said) && !denies.test(said)) return undefined;
  const { corrected } = split(said);
  return { text: own === "" ? `${sentence} ${next}` : sentence, actual: said, ...corrected };
}

const plans =
  /^(?:let me|let's|let’s|I['’]ll|I will|I need|I should|I can|I could|I want|we (?:need|should|can|could)|maybe|perhaps|before|first)\b/i;
const asks =
  /^(?:what|how|why|where|who|when|which|is|are|do|does|did|can|could|should|would|for|until|a (?:moment|second|minute|bit))\b/i;
const vague = /^(?:that|this|it|there|these|those|everything|all|nothing)(?:['’]s)?\b/i;
const denies = /\b(?:not|never|no longer|wrong|incorrect|instead|already|cannot)\b|n['’]t\b/i;

/**
 * What is so and what is not, where one sentence says both: `A, not B`, `A instead of B`, `A rather than B`, and
 * `not A but B`.
 */
function split(said: string): { actual?: string; rest?: string; corrected: { believed?: string; actual?: string } } {
  const at = /(?:,| and) not |,? (?:instead of|rather than) /i.exec(said);
  if (at) {
    const actual = bare(said.slice(0, at.index));
    const believed = bare(said.slice(at.index + at[0].length));
    if (actual !== "" && believed !== "") return { actual, rest: believed, corrected: { believed, actual } };
  }
  const but = /\b(?:not|n['’]t) (.{2,200}?),? but (?:rather )?(.{2,})$/i.exec(said);
  if (but) {
    const [believed, actual] = [bare(but[1] ?? ""), bare(but[2] ?? "")];
    return { actual, rest: believed, corrected: { believed, actual } };
  }
  return { corrected: {} };
}

/** A sentence that states something: no question and no plan. */
function statement(sentence: string): string | undefined {
  const isOne = sentence !== "" && !sentence.endsWith("?") && !plans.test(sentence) && !asks.test(sentence);
  return isOne ? sentence : undefined;
}

function bare(text: string): string {
  return text.trim().replace(/[.,;:!]+$/, "");
}

function wordsOf(text: string): number {
  return text === "" ? 0 : text.split(/\s+/).length;
}
