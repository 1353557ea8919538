import { isOurs, peers } from "./peers/peers.mjs";

/**
 * What is promised against others, from the lines of the table: `base` finds more than the best of them, and at the
 * `largest` size each takes four times as long as that mode of Tacit which is fastest and finds as much as it does.
 */
export function promisesOf(lines, { base, largest }) {
  const others = Object.keys(peers).filter((peer) => !isOurs(peer));
  const better = ["LoCoMo dev, R@10", "LoCoMo dev, held out, R@10", "Cranfield, nDCG@10"].map((what) => {
    const { values } = lines.get(what);
    const best = Math.max(...others.map((peer) => values[peer] ?? 0));
    return { what: `${what}: Tacit over the best of the others`, value: values[base] / best, atLeast: 1 };
  });
  const size = largest.toLocaleString("en");
  const { values: times, cut } = lines.get(`${size}: an answer, ms p50`);
  const faster = others
    .filter((peer) => times[peer] !== undefined)
    .map((peer) => ({
      what: `${size}: p50 of ${peers[peer].name}${cut.includes(peer) ? "\\*" : ""} over Tacit's, by its fastest mode that finds as much`,
      value: times[peer] / Math.min(...listAsGood(lines, peer, size).map((mode) => times[mode])),
      atLeast: 4,
    }));
  return [...better, ...faster];
}

/** The modes of Tacit that find as much as a peer does. */
function listAsGood(lines, peer, size) {
  const atSize = lines.get(`${size}: R@10`);
  // One that took fewer memories had fewer to search in, and fewer of the right ones: that cannot be compared.
  const compared = [lines.get("LoCoMo dev, R@10"), ...(atSize.cut.includes(peer) ? [] : [atSize])];
  return Object.keys(peers).filter(
    (mode) => isOurs(mode) && compared.every(({ values }) => values[mode] >= (values[peer] ?? 0)),
  );
}
