import type { Role } from "../conversation.js";

/** What a sentence is for those who come later. */
export type SentenceKind = "asked" | "decided" | "corrected" | "stated" | "error" | "fix" | "open";

export interface Weighed {
  kind?: SentenceKind;
  /** How much it tells; below 1 nothing that anybody would miss. */
  weight: number;
}

/** Where a sentence stands. */
export interface SentenceContext {
  role: Role;
  /** Files, tools or code are in play: what is asked is work, and not just interest. */
  isWork: boolean;
  /** An error was told shortly before. */
  isAfterError: boolean;
  /** How many of its words are rare in this conversation. */
  rareWords: number;
}

/**
 * How much a sentence tells: what was decided, corrected, stated, asked, broken and mended, and otherwise names, numbers, dates
 * and plans. Courtesies and announcements tell nothing.
 */
export function weighSentence(sentence: string, context: SentenceContext): Weighed {
  const isQuestion = /[?？]["”»)]*$/.test(sentence);
  const kind = kindOf(sentence, isQuestion, context);
  return { ...(kind && { kind }), weight: (kind ? weightOf[kind] : 0) + substance(sentence, isQuestion, context) };
}

// What a person must not have to say twice comes first.
const weightOf: Record<SentenceKind, number> = {
  corrected: 3,
  decided: 3,
  stated: 3,
  fix: 2.5,
  asked: 2.5,
  error: 2,
  open: 2,
};

function kindOf(
  sentence: string,
  isQuestion: boolean,
  { role, isWork, isAfterError }: SentenceContext,
): SentenceKind | undefined {
  const isUser = role === "user";
  if (isUser && isWork && request.test(sentence)) return correction.test(sentence) ? "corrected" : "asked";
  if (isQuestion) return isUser && isWork ? "asked" : undefined;
  if (isUser && correction.test(sentence)) return "corrected";
  if (decision.test(sentence)) return "decided";
  if (isUser && statement.test(sentence)) return "stated";
  if (isWork && fix.test(sentence) && (isAfterError || trouble.test(sentence))) return "fix";
  if (isWork && trouble.test(sentence) && !noTrouble.test(sentence)) return "error";
  if (isWork && open.test(sentence)) return "open";
  return undefined;
}

const request =
  /^(?:(?:ok(?:ay)?|now|then|next|and|also|so|great|good|thanks|hi|hello|hey|first|finally)\b[,.!]? )*(?:please\b|(?:can|could|would|will) you\b|I(?:['’]d| would) like\b|I (?:want|need)\b|we (?:want|need)\b|(?:let['’]s|let us)\b|(?:add|build|change|check|clean|convert|create|debug|delete|deploy|document|drop|explain|extend|find|fix|format|generate|implement|improve|install|investigate|look|make|merge|migrate|move|open|optimi[sz]e|port|publish|refactor|release|remove|rename|replace|review|rewrite|run|set|show|split|support|switch|test|translate|try|undo|update|upgrade|use|write)\b|bitte\b|kannst du\b|können Sie\b)/i;
const correction =
  /^(?:no|nope|nein|wrong|stop|wait)\b[,.!:;—–-]|^(?:no|nope) (?:that|this|it|I|not|don)|\bactually\b|\b(?:that|this|it)(?:['’]s| is| was) (?:wrong|incorrect|not (?:right|correct|what|how|true))|\binstead(?: of)?\b|^(?:please )?(?:don['’]t|do not|stop)\b|\bnot what I\b|\byou (?:forgot|missed|misread|misunderstood|broke)\b|\bI (?:meant|said|told you)\b|\b(?:revert|undo) (?:that|this|it|the)\b|\b(?:rather|sondern|stattdessen)\b/i;
const decision =
  /\b(?:we|I|they)(?:['’]ve| have| had)? (?:decided|agreed|chose|chosen|settled)\b|\blet['’]s (?:use|go with|keep|stick|switch|stay|take|do|move|drop|call)\b|\b(?:we|I)(?:['’]ll| will) (?:use|go with|keep|stick|switch|stay|take|drop)\b|\b(?:going|go) with\b|^(?:agreed|decision|decided|settled)\b|\bwir (?:nehmen|verwenden|bleiben|haben uns)\b|\b(?:entschieden|beschlossen|vereinbart)\b|(?:決め|決定|决定)/i;
const statement =
  /\bremember\b|\bfrom now on\b|\b(?:always|never)\b|\bI (?:prefer|like|love|hate|use|work|live|am allergic)\b|\bmy (?:name|birthday|email|job|wife|husband|partner|son|daughter|dog|cat|team|manager|favou?rite)\b|\bcall me\b|\b(?:we|our)\b.{1,40}\b(?:use|uses|is|are|runs?|must)\b|^note\b|\bkeep in mind\b|\b(?:immer|niemals|nie|merk dir|ich bevorzuge|mein name)\b/i;
const fix =
  /\b(?:fixed|fixes|solved|resolved|solution|fix (?:is|was)|root cause|caused by|cause (?:is|was)|turns out|turned out|because|works now|now (?:works|passes|pass)|problem (?:is|was)|issue (?:is|was)|reason (?:is|was)|workaround|behoben|gelöst|Ursache)\b/i;
const trouble =
  /\b[A-Z]\w*(?:Error|Exception)\b|\b(?:error|errors|fails?|failed|failing|failure|crash\w*|broken|breaks|bug|exception|panic|timed? ?out|timeout|ENOENT|EACCES|ECONN\w+|segfault|cannot|can['’]t|doesn['’]t work|not working|Fehler|kaputt)\b|错误|エラー/;
const noTrouble =
  /\b(?:no|0|zero|without|any) (?:\w+ )?(?:errors?|failures?|bugs?|crash\w*)\b|\bif (?:it|that|this) fails\b/i;
const open =
  /\b(?:TODO|FIXME|TBD)\b|^next(?: steps?)?\b[,:]?|\b(?:still|remains?|left) to (?:do|be)\b|\bstill (?:need|have|missing|open)\b|\bfollow[- ]up\b|\bnot yet\b|\b(?:tomorrow|later) (?:we|I)\b|\bremaining\b|\bnoch (?:offen|nicht)\b/i;

/** What it tells whatever it is: names, numbers, dates, plans, deeds; less what is only said to be kind. */
function substance(sentence: string, isQuestion: boolean, { role, isWork, rareWords }: SentenceContext): number {
  const words = sentence.split(" ").length;
  const isUnspaced = unspaced.test(sentence);
  if (words < 3 && !isUnspaced && !/\d/.test(sentence)) return -3;
  let weight = Math.min(4, rareWords) * 0.3;
  if (/\d/.test(sentence)) weight += 1;
  if (time.test(sentence)) weight += 1.2;
  weight += Math.min(2, sentence.match(midName)?.length ?? 0) * 0.6;
  if (plan.test(sentence)) weight += 0.7;
  if (deed.test(sentence)) weight += 0.7;
  if (own.test(sentence)) weight += 0.4;
  if (isWork && /`[^`]+`|\w\.\w{2,4}\b|[a-z][A-Z]\w|\w_\w|\w\(\)/.test(sentence)) weight += 0.6;
  if (isUnspaced) weight += 0.8;
  if (isQuestion && !(isWork && role === "user")) weight -= 1.5;
  if (courtesy.test(sentence)) weight -= words < 9 ? 2.5 : 0.8;
  if (!isWork && /^your?\b/i.test(sentence)) weight -= 0.4;
  if (role === "assistant" && announcement.test(sentence)) weight -= 2;
  if (words < 5 && !isUnspaced) weight -= 0.5;
  return weight;
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}/u;
const time =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may \d|june|july|august|september|october|november|december|today|tomorrow|yesterday|tonight|(?:last|next|this) (?:\w+ )?(?:night|week|weekend|month|year|summer|winter|spring|fall|autumn)|ago|since|morgen|gestern|heute|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b|[年月日]/i;
// A name, where it is not the beginning of the sentence.
const midName = /(?<=[\p{Ll}\p{N},;:)] )(?!I\b)\p{Lu}[\p{L}\p{N}'’-]+/gu;
const plan =
  /\b(?:going to|gonna|plan(?:s|ned|ning)?|will|want(?:s|ed)? to|hop(?:e|ing) to|looking forward|thinking (?:of|about)|signed up|booked|scheduled|decided|werde|möchte)\b|['’]ll\b/i;
const deed =
  /\b(?:went|got|bought|made|met|took|won|lost|saw|gave|found|began|became|came|left|told|taught|wrote|built|ran|had|been|started|joined|moved|visited|finished|graduated|adopted|married|learned|named|called|\w{3,}ed)\b/i;
const own = /\b(?:I|we|my|our|mine|ich|wir|mein\w*|unser\w*)\b|我|私|僕/i;
const courtesy =
  /^(?:(?:oh|ah|aw+|wow|yeah|yes|yep|hey|hi|hello|thanks|thank you|great|nice|cool|awesome|amazing|sure|okay|ok|perfect|sounds|glad|congrat\w*|good (?:luck|morning|evening|to (?:see|hear))|bye|take care|see you|talk (?:to you )?soon|no (?:problem|worries)|you['’]re (?:welcome|right|so)|absolutely|exactly|definitely|totally|got it|understood|i see|haha\w*|lol|that['’]s (?:\w+ )?(?:great|awesome|cool|nice|so|really|amazing|wonderful|sweet|good|fantastic|impressive)|danke|bitte|super|hallo|how (?:are|have) you)\b)/i;
const announcement =
  /^(?:(?:ok(?:ay)?|now|first|next|great|good|perfect|sure|alright|right)[,.!]? )*(?:let me|I['’]ll|I will|I['’]m going to|looking at|checking|reading|running|here(?:['’]s| is| are)|would you like|feel free|is there anything|if you (?:want|like|need)|happy to)\b/i;
