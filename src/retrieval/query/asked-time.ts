/** A stretch of time that a query names; or a month of any year. */
export type AskedTime = Span | { month: number };

interface Span {
  from: number;
  to: number;
}

const months = "january february march april may june july august september october november december".split(" ");
const month = `(${months.map((name) => `${name}|${name.slice(0, 3)}`).join("|")})`;
const day = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const year = String.raw`((?:19|20)\d\d)`;

const isoDay = /\b((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)/g;
const dayFirst = new RegExp(String.raw`\b${day}(?: of)? ${month}\.?,? ${year}\b`, "gi");
const monthFirst = new RegExp(String.raw`\b${month}\.? ${day},? ${year}\b`, "gi");
const dayOfMonth = new RegExp(
  String.raw`\b(?:${day}(?: of)? (${months.join("|")})|(${months.join("|")}) ${day})\b`,
  "gi",
);
const monthOfYear = new RegExp(String.raw`\b${month}\.?,? ${year}\b`, "gi");
// Written out, after a preposition: "may" and "march" are verbs, and "dec" is many things.
const monthAlone = new RegExp(
  String.raw`(?<=\b(?:in|during|since|after|before|until|of|last|this(?! may)|early|late|mid)[ -])(${months.join("|")})\b`,
  "gi",
);
const yearAlone = new RegExp(String.raw`(?<=\b(?:in|during|of|since|after|before|until) )${year}\b`, "gi");
const openEnd = /\b(since|after|before|until|till)[ -](?:the )?$/i;
const ago = /\b(\d{1,3}|a|an|one|two|three|four|five|six) (day|week|month|year)s? ago\b/i;
const last = /\b(?:(today|yesterday)|(this|last|past) (week|weekend|month|year))\b/i;

const dayMs = 86_400_000;

/** The times that a query names, in the user's own time zone. Most questions name none. */
export function findAskedTimes(query: string, now: Date): AskedTime[] {
  const days = [
    ...spans(query, isoDay, ([, y, m, d]) => span(Number(y), Number(m) - 1, Number(d))),
    ...spans(query, dayFirst, ([, d, m, y]) => span(Number(y), monthOf(m), Number(d))),
    ...spans(query, monthFirst, ([, m, d, y]) => span(Number(y), monthOf(m), Number(d))),
  ];
  if (days.length > 0) return days;
  const ofYear = spans(query, monthOfYear, ([, m, y]) => span(Number(y), monthOf(m)));
  if (ofYear.length > 0) return ofYear;
  const ofMonth = spans(query, dayOfMonth, ([, d, m, otherM, otherD]) =>
    lastOne(monthOf(m ?? otherM), Number(d ?? otherD), now),
  );
  if (ofMonth.length > 0) return ofMonth;
  const alone = [...query.matchAll(monthAlone)].map((match) => readMonth(query, match, now));
  if (alone.length > 0) return alone;
  const years = spans(query, yearAlone, ([, y]) => span(Number(y)));
  return years.length > 0 ? years : relative(query, now);
}

/** A month is that of any year, unless something began or ended with it: then it is the last one there was. */
function readMonth(query: string, match: RegExpExecArray, now: Date): AskedTime {
  const named = monthOf(match[1]);
  if (!openEnd.test(query.slice(0, match.index))) return { month: named };
  return opened(query, match, lastOne(named, undefined, now));
}

/** The last time that this month, or this day of it, has begun. */
function lastOne(m: number, d: number | undefined, now: Date): Span {
  const thisYear = span(now.getFullYear(), m, d);
  return thisYear.from <= now.getTime() ? thisYear : span(now.getFullYear() - 1, m, d);
}

function spans(text: string, pattern: RegExp, read: (match: RegExpExecArray) => Span): Span[] {
  return [...text.matchAll(pattern)].map((match) => opened(text, match, read(match)));
}

/** "since 2023" has no end, and "before March" no beginning. */
function opened(text: string, { index }: RegExpExecArray, { from, to }: Span): Span {
  const word = openEnd.exec(text.slice(0, index))?.[1]?.toLowerCase();
  if (word === undefined) return { from, to };
  return word === "since" || word === "after" ? { from, to: Infinity } : { from: -Infinity, to };
}

// What happened is told on the day or some days later, and now and then before.
const toldAfterMs = 14 * dayMs;
const toldBeforeMs = 3 * dayMs;
// Outside and near. A query with a date may be about what somebody said another day, so that time never decides alone:
// 0.6 gives LoCoMo 1.3 points of R@10 and 1.9 of sessions, 0.7 and 0.5 within 0.3 of that (2026-11).
const outside = 0.6;
const near = 0.8;

/** How well the time of a memory fits those that the query names: 1 within one of them, less around and outside. */
export function fitOfTime(asked: readonly AskedTime[], createdAt: string): number {
  if (asked.length === 0) return 1;
  const time = Date.parse(createdAt);
  return Math.max(...asked.map((one) => ("month" in one ? fitOfMonth(one.month, time) : fitOfSpan(one, time))));
}

function fitOfSpan({ from, to }: Span, time: number): number {
  if (time >= from && time < to) return 1;
  return time >= from - toldBeforeMs && time < to + toldAfterMs ? near : outside;
}

function fitOfMonth(asked: number, time: number): number {
  if (new Date(time).getMonth() === asked) return 1;
  return new Date(time - toldAfterMs).getMonth() === asked ? near : outside;
}

function relative(query: string, now: Date): AskedTime[] {
  const [, count, unit] = ago.exec(query) ?? [];
  if (count !== undefined && unit !== undefined) {
    const length = lengthOf(unit);
    const middle = now.getTime() - numberOf(count) * length;
    return [{ from: middle - length / 2, to: middle + length / 2 }];
  }
  const [, oneDay, which, period] = last.exec(query) ?? [];
  if (oneDay !== undefined) {
    const daysAgo = oneDay.toLowerCase() === "today" ? 0 : 1;
    return [span(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo)];
  }
  if (which === undefined || period === undefined) return [];
  const length = lengthOf(period);
  const isThis = which.toLowerCase() === "this";
  return [{ from: now.getTime() - (isThis ? 1 : 2) * length, to: now.getTime() + dayMs }];
}

/** A day, a month or a year. */
function span(y: number, m?: number, d?: number): Span {
  const at = (years: number, monthsMore: number, daysMore: number) =>
    new Date(y + years, (m ?? 0) + monthsMore, (d ?? 1) + daysMore).getTime();
  const to = d !== undefined ? at(0, 0, 1) : m !== undefined ? at(0, 1, 0) : at(1, 0, 0);
  return { from: at(0, 0, 0), to };
}

function monthOf(name = ""): number {
  return months.findIndex((known) => known.startsWith(name.slice(0, 3).toLowerCase()));
}

function lengthOf(unit: string): number {
  const days: Record<string, number> = { day: 1, week: 7, weekend: 7, month: 30, year: 365 };
  return (days[unit.toLowerCase()] ?? 1) * dayMs;
}

function numberOf(word: string): number {
  const words = ["", "one", "two", "three", "four", "five", "six"];
  const known = words.indexOf(word.toLowerCase());
  return /^an?$/i.test(word) ? 1 : known > 0 ? known : Number(word);
}
