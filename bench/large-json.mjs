// What it costs to see that a document of an agent or a client is too large to parse, beside one look at each of its letters.
import { isBoundedJson, parseBoundedObject } from "../build/base/text/bounded-json.js";
import { largeDocuments } from "./large-documents.mjs";

const rounds = 5;

export function measureLargeJson() {
  return Object.entries(largeDocuments).map(([kind, value]) => {
    const event = `{"session_id":"s1","tool_response":${value}}`;
    const judged = leastMs(() => isBoundedJson(event) || parseBoundedObject(event));
    return {
      what: `${kind}, times one look at each letter`,
      value: judged / leastMs(() => countQuotes(event)),
      atMost: 6,
    };
  });
}

function countQuotes(text) {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 34) count++;
  return count;
}

/** Of processor time. */
function leastMs(work) {
  const took = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user / 1000;
  });
  return Math.min(...took);
}

if (process.argv[1] === import.meta.filename) console.table(measureLargeJson());
