/**
 * How likely it is that two things which have nothing to do with each other meet in so many sessions or more, when there
 * were `sessions` in all and each of the two was in so many of them. 1 says that it means nothing, close to 0 that it is
 * no coincidence.
 *
 * @example chanceOfMeeting({ sessions: 20, a: 3, b: 3, together: 3 }) // 0.0009
 */
export function chanceOfMeeting(seen: { sessions: number; a: number; b: number; together: number }): number {
  const { together } = seen;
  // What was counted at different times may not fit together by one or two.
  const few = Math.max(together, Math.min(seen.a, seen.b));
  const many = Math.max(together, seen.a, seen.b);
  const sessions = Math.max(seen.sessions, few + many - together);
  const neither = sessions - many - few;
  let term = Math.exp(logWays(many, together) + logWays(sessions - many, few - together) - logWays(sessions, few));
  let chance = 0;
  for (let met = together; met <= few; met++) {
    chance += term;
    term *= ((many - met) * (few - met)) / ((met + 1) * (neither + met + 1));
  }
  return Math.min(1, chance);
}

/** How likely it is that something with this chance happens in so many of so many tries, or in more. */
export function chanceOfAtLeast(times: number, tries: number, chance: number): number {
  if (times <= 0) return 1;
  let sum = 0;
  for (let met = times; met <= tries; met++) {
    sum += Math.exp(logWays(tries, met)) * chance ** met * (1 - chance) ** (tries - met);
  }
  return Math.min(1, sum);
}

/** The logarithm of how many ways there are to choose some of many. */
function logWays(many: number, some: number): number {
  if (some < 0 || some > many) return -Infinity;
  let sum = 0;
  for (let step = 1; step <= Math.min(some, many - some); step++) sum += Math.log((many - step + 1) / step);
  return sum;
}
