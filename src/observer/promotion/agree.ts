import { stems } from "../../base/text/text.js";
import { differInSubstance } from "../../memory/relations/relations.js";
import type { Sighting } from "../signals/signal.js";
import { textsIn } from "./texts-in.js";

/** What one or several agents of a session saw. */
interface Agreed {
  /** Of those that are the same the one with the most evidence. */
  sighting: Sighting;
  /** How many different agents saw it. */
  agents: number;
  /** All that became one, this one included, so that nothing of what they rest on is lost. */
  from: readonly Sighting[];
}

// 0.85: seed of the product.
const threshold = 0.85;
// Comparing takes the square of it: 32 texts of 80 words each take 3 ms, 64 take 7 (2026-11).
const maxCompared = 32;

/**
 * Brings together what the agents of a session saw: of one signal the same subject, or nearly the same words of two
 * agents that differ in no number, name or negation.
 */
export function agree(sightings: readonly { agent: string; sighting: Sighting }[]): Agreed[] {
  const bySignal = new Map<string, Map<string, Seen>>();
  for (const { agent, sighting } of sightings) {
    const subjects = bySignal.get(sighting.signal) ?? new Map<string, Seen>();
    bySignal.set(sighting.signal, subjects);
    const seen = subjects.get(sighting.subject) ?? { agents: new Set<string>(), from: [] };
    subjects.set(sighting.subject, seen);
    seen.agents.add(agent);
    seen.from.push(sighting);
  }
  const hasSeveral = new Set(sightings.map(({ agent }) => agent)).size > 1;
  return [...bySignal.values()].flatMap((subjects) =>
    (hasSeveral ? joinSimilar([...subjects.values()]) : [...subjects.values()]).map(({ agents, from }) => ({
      sighting: from.reduce((best, one) => (one.evidence.length > best.evidence.length ? one : best)),
      agents: agents.size,
      from,
    })),
  );
}

interface Seen {
  agents: Set<string>;
  from: Sighting[];
}

function joinSimilar(all: Seen[]): Seen[] {
  // Most were seen by one agent alone and are compared with nothing: looking for words takes the most time.
  const known = new Map<Seen, Worded>();
  const wordsOf = (seen: Seen): Worded => {
    const words = known.get(seen) ?? readWords(seen);
    known.set(seen, words);
    return words;
  };
  const joined: Seen[] = [];
  for (const one of all.slice(0, maxCompared)) {
    const same = joined.find((other) => isOfOthers(one, other) && isSimilar(wordsOf(one), wordsOf(other)));
    if (!same) {
      joined.push(one);
      continue;
    }
    for (const agent of one.agents) same.agents.add(agent);
    same.from.push(...one.from);
  }
  return [...joined, ...all.slice(maxCompared)];
}

interface Worded {
  text: string;
  words: Set<string>;
}

function readWords({ from }: Seen): Worded {
  const [first] = from;
  const text = textsIn([first?.data, first?.evidence.map(({ did, said, data }) => [did, said, data])]).join("\n");
  return { text, words: stems(text) };
}

/** What one agent told apart stays apart. */
function isOfOthers(a: Seen, b: Seen): boolean {
  return ![...a.agents].some((agent) => b.agents.has(agent));
}

function isSimilar(a: Worded, b: Worded): boolean {
  const [fewer, more] = a.words.size < b.words.size ? [a.words, b.words] : [b.words, a.words];
  if (fewer.size <= threshold * more.size) return false;
  let shared = 0;
  for (const word of fewer) if (more.has(word)) shared++;
  return shared / (fewer.size + more.size - shared) > threshold && !differInSubstance(a.text, b.text);
}
