// How often a statement that contradicts an older one is recognised by rules, and how often one that only looks so is taken for it.
import * as pairs from "./contradictions/pairs.mjs";

/** For each set of pairs; `find` is the function to measure, that of the build unless given. */
export async function measureContradictions(find, print = console.log) {
  const { findContradiction = find } = find ? {} : await import("../build/memory/contradictions/find-contradiction.js");
  return Object.entries(pairs).flatMap(([set, { contradictions, lookAlikes }]) => {
    const missed = contradictions.filter(([, older, newer]) => !findContradiction(older, newer));
    const mistaken = lookAlikes.filter(([, older, newer]) => findContradiction(older, newer));
    for (const [kind, older, newer] of missed) print(`${set} missed (${kind}): ${older} / ${newer}`);
    for (const [kind, older, newer] of mistaken) print(`${set} mistaken (${kind}): ${older} / ${newer}`);
    const found = contradictions.length - missed.length;
    const count = contradictions.length + lookAlikes.length;
    return [
      {
        what: `contradictions, ${set} (${count} pairs), precision in %`,
        value: (100 * found) / (found + mistaken.length),
        atLeast: 90,
      },
      {
        what: `contradictions, ${set} (${count} pairs), recall in %`,
        value: (100 * found) / contradictions.length,
        atLeast: 70,
      },
    ];
  });
}

if (process.argv[1] === import.meta.filename) console.table(await measureContradictions());
