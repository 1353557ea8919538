/** PageRank over edges { from, to, weight }, begun where `starts` has a share, or anywhere. */
export function spread(count, edges, starts, { damping = 0.85, rounds = 40 } = {}) {
  const total = starts.reduce((sum, share) => sum + share, 0);
  const start = Float64Array.from(starts, (share) => (total > 0 ? share / total : 1 / count));
  const sums = new Float64Array(count);
  for (const { from, weight } of edges) sums[from] += weight;
  let ranks = start.slice();
  for (let round = 0; round < rounds; round += 1) {
    const next = new Float64Array(count);
    let stuck = 0;
    for (let at = 0; at < count; at += 1) if (sums[at] === 0) stuck += ranks[at];
    for (const { from, to, weight } of edges) next[to] += (ranks[from] * weight) / sums[from];
    for (let at = 0; at < count; at += 1) next[at] = (1 - damping + damping * stuck) * start[at] + damping * next[at];
    ranks = next;
  }
  return ranks;
}
