/** Chance that can be repeated: the same seed gives the same run (mulberry32). */
export function openRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  /** A whole number, both ends included. */
  const int = (from, to) => from + Math.floor(next() * (to - from + 1));
  const chance = (share) => next() < share;
  const pick = (list) => list[int(0, list.length - 1)];
  const shuffle = (list) => {
    const all = [...list];
    for (let last = all.length - 1; last > 0; last--) {
      const other = int(0, last);
      [all[last], all[other]] = [all[other], all[last]];
    }
    return all;
  };
  const sample = (list, count) => shuffle(list).slice(0, count);
  const hex = (length) => Array.from({ length }, () => int(0, 15).toString(16)).join("");
  return { next, int, chance, pick, shuffle, sample, hex };
}
