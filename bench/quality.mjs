// How often the right memory is among the first, and what is promised of it.
import { measurePeerQuality } from "./peer-quality.mjs";

/** A floor for all questions; the two halves are shown beside it, because constants were tuned on one of them. */
const floors = {
  "tacit-hybrid": {
    name: "hybrid",
    locomo: { "R@5": 69, "R@10": 78, "session-level R@5": 88 },
    cranfield: 0.42,
  },
  "tacit-words": {
    name: "words",
    locomo: { "R@5": undefined, "R@10": 74, "session-level R@5": undefined },
    cranfield: 0.38,
  },
};

export async function measureQuality() {
  const rows = [];
  for (const [peer, { name, locomo, cranfield }] of Object.entries(floors)) {
    const scores = await measurePeerQuality(peer);
    for (const [measure, floor] of Object.entries(locomo)) {
      rows.push(
        { what: `LoCoMo dev, ${name}, ${measure}`, value: scores[`LoCoMo dev, ${measure}`], atLeast: floor },
        { what: `… tuned on`, value: scores[`LoCoMo dev, tuned on, ${measure}`] },
        { what: `… held out`, value: scores[`LoCoMo dev, held out, ${measure}`] },
      );
    }
    rows.push({ what: `Cranfield, ${name}, nDCG@10`, value: scores["Cranfield, nDCG@10"], atLeast: cranfield });
  }
  return rows;
}
