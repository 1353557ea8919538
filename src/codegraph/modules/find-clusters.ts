/** How strongly two of the items are tied, by their places in the list. */
export type Ties = readonly ReadonlyMap<number, number>[];

// Newman's measure of a division: below this a graph without any groups, divided at its best, looks the same.
const leastModularity = 0.3;

/**
 * Groups of items that are tied to each other more than to the rest, each as a list of places; undefined where the ties show
 * no groups. Louvain's method: each item moves to the group that gains most by it, then groups move as items do. Items go
 * in their order and the first of equal gains counts, so that the same ties give the same groups.
 *
 * @example
 * findClusters(ties) // [[0, 1, 4], [2, 3, 5]]
 */
export function findClusters(ties: Ties): number[][] | undefined {
  const total = ties.reduce((sum, row) => sum + weightOf(row), 0);
  if (total === 0) return undefined;
  let [groups, graph] = [ties.map((_, place) => [place]), ties];
  for (;;) {
    const homes = moveItems(graph, total);
    const numbers = new Map([...new Set(homes)].map((home, at) => [home, at]));
    if (numbers.size === graph.length) break;
    const moved = homes.map((home) => numbers.get(home) ?? 0);
    groups = gather(groups, moved, numbers.size);
    graph = join(graph, moved, numbers.size);
  }
  return modularityOf(graph, total) < leastModularity ? undefined : groups.map((group) => group.toSorted(byNumber));
}

function moveItems(graph: Ties, total: number): number[] {
  const degrees = graph.map(weightOf);
  const homes = graph.map((_, place) => place);
  const weights = [...degrees];
  for (let hasMoved = true; hasMoved;) {
    hasMoved = false;
    for (const [place, row] of graph.entries()) {
      const [home, degree] = [homes[place] ?? 0, degrees[place] ?? 0];
      const shared = new Map<number, number>([[home, 0]]);
      for (const [other, weight] of row) {
        const there = homes[other] ?? 0;
        if (other !== place) shared.set(there, (shared.get(there) ?? 0) + weight);
      }
      weights[home] = (weights[home] ?? 0) - degree;
      const gainOf = (group: number) => (shared.get(group) ?? 0) - (degree * (weights[group] ?? 0)) / total;
      let best = home;
      for (const group of [...shared.keys()].toSorted(byNumber)) {
        // A move must gain more than arithmetic loses, else two groups pass an item to and fro.
        if (gainOf(group) > gainOf(best) + 1e-9) best = group;
      }
      weights[best] = (weights[best] ?? 0) + degree;
      homes[place] = best;
      hasMoved ||= best !== home;
    }
  }
  return homes;
}

function gather(groups: number[][], moved: readonly number[], count: number): number[][] {
  const joined = Array.from({ length: count }, (): number[] => []);
  groups.forEach((group, at) => joined[moved[at] ?? 0]?.push(...group));
  return joined;
}

/** The graph of the groups: what ties the items of one is its tie to itself. */
function join(graph: Ties, moved: readonly number[], count: number): Ties {
  const joined = Array.from({ length: count }, () => new Map<number, number>());
  graph.forEach((row, place) => {
    const own = joined[moved[place] ?? 0];
    for (const [other, weight] of row) {
      const there = moved[other] ?? 0;
      own?.set(there, (own.get(there) ?? 0) + weight);
    }
  });
  return joined;
}

function modularityOf(graph: Ties, total: number): number {
  return graph.reduce((sum, row, at) => sum + (row.get(at) ?? 0) / total - (weightOf(row) / total) ** 2, 0);
}

function weightOf(row: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const weight of row.values()) sum += weight;
  return sum;
}

function byNumber(a: number, b: number): number {
  return a - b;
}
