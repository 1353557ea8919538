// How good a ranking is, from what is right and what came back, best first.

/** The share of what is right that is among the first `count`. */
export function recallAt(count, gold, found) {
  const first = new Set(found.slice(0, count));
  return gold.filter((id) => first.has(id)).length / gold.length;
}

/** One over the rank of the first right answer; 0 if none is among the first ten. */
export function reciprocalRank(gold, found) {
  const rank = found.slice(0, 10).findIndex((id) => gold.includes(id));
  return rank === -1 ? 0 : 1 / (rank + 1);
}

/** Normalised discounted cumulative gain of the first ten; `grades` says how right each id is. */
export function ndcg(grades, found) {
  const discounted = (gains) => gains.reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
  const ideal = discounted([...grades.values()].toSorted((a, b) => b - a).slice(0, 10));
  return ideal === 0 ? 0 : discounted(found.slice(0, 10).map((id) => grades.get(id) ?? 0)) / ideal;
}

/** The sessions of a ranking in the order in which they first occur: a session stands where its best turn does. */
export function sessionsOf(found, sessionOf) {
  return [...new Set(found.map((id) => sessionOf.get(id)))];
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
