import type { DefinitionSite } from "./definition-sites.js";

/** As much of a node as tells where it is. */
export interface NodeRange {
  path: string;
  name: string;
  start: number;
  end: number;
}

/**
 * Which node stands for what is defined at each site. A node begins before its name or with it, so its own is the first
 * site of that name from there on which no other node has: of `function x(x)`, the second `x` is nobody's.
 */
export function claimSites(nodes: readonly NodeRange[], sites: readonly DefinitionSite[]): Map<DefinitionSite, string> {
  const byName = new Map<string, { sites: DefinitionSite[]; next: number[] }>();
  for (const site of sites) {
    const alike = byName.get(site.name) ?? { sites: [], next: [] };
    byName.set(site.name, alike);
    alike.next.push(alike.sites.length);
    alike.sites.push(site);
  }
  const claimed = new Map<DefinitionSite, string>();
  // What is around something comes before it.
  for (const { path, name, start, end } of nodes.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const alike = byName.get(name);
    if (!alike || path === "") continue;
    const at = firstFree(alike.next, firstFrom(alike.sites, start));
    const site = alike.sites[at];
    if (!site || site.line > end) continue;
    claimed.set(site, path);
    alike.next[at] = at + 1;
  }
  return claimed;
}

function firstFrom(sites: readonly DefinitionSite[], line: number): number {
  let [low, high] = [0, sites.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sites[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Each entry leads towards the next that is free; on the way, they are led there at once. */
function firstFree(next: number[], from: number): number {
  let at = from;
  for (let to = next[at]; to !== undefined && to !== at; to = next[at]) {
    next[at] = next[to] ?? to;
    at = to;
  }
  return at;
}
