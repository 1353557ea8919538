import type { Source } from "../../memory/memory.js";
import { type KnownSubject, type StoredSighting, subjectKey } from "../cross-session/subject-queries.js";
import type { UntrustedSource, SignalName } from "../observer.js";
import { allSignals } from "../signals/signals.js";
import { signalValue, type Draft, type History, type PastSighting, type Signal } from "../signals/signal.js";

/** A memory that a session would lead to, before it is known whether it is new. */
export interface Candidate extends Draft {
  signal: SignalName;
  subject: string;
  source: Source;
  /** Of the signal, 0 to 1. */
  value: number;
  confidence: number;
  /** Which sessions showed it, oldest first. */
  sessionIds: string[];
  /** Where its content came from, if not from the project: it waits for a person then. */
  outside?: UntrustedSource;
}

const byName = new Map(allSignals.map((signal) => [signal.name, signal]));

/**
 * What the sightings of this session, together with those of earlier ones, add up to; the most valuable first. A subject
 * of which a memory was made already leads to none.
 */
export function composeCandidates(
  seen: readonly StoredSighting[],
  known: ReadonlyMap<string, KnownSubject>,
  history: History,
  session: { sessionId: string; at: string },
): Candidate[] {
  return seen
    .flatMap((sighting) => {
      const signal = byName.get(sighting.signal);
      const before = known.get(subjectKey(sighting));
      if (!signal || before?.memoryId !== undefined) return [];
      const all = [...(before?.sightings ?? []), { ...sighting, ...session }];
      const candidate = composeOne(signal, sighting.subject, all, history);
      return candidate ? [candidate] : [];
    })
    .toSorted((a, b) => b.value - a.value || b.confidence - a.confidence || (a.content < b.content ? -1 : 1));
}

/** Two agents of one session who agree stand for the sessions that would be needed. */
function composeOne(
  signal: Signal,
  subject: string,
  all: KnownSubject["sightings"],
  history: History,
): Candidate | undefined {
  const clean = all.filter(({ outside }) => outside === undefined);
  const isEnough = (some: KnownSubject["sightings"]) =>
    some.length >= signal.sessions || some.some(({ agents }) => agents >= 2);
  // What came from outside counts for nothing as long as enough else speaks for it, and taints it where it does not.
  const used = isEnough(clean) ? clean : isEnough(all) ? all : [];
  if (used.length === 0) return undefined;
  const draft = signal.compose(subject, used.map(toPast), history);
  if (!draft) return undefined;
  const outside = used === clean ? undefined : used.find((sighting) => sighting.outside)?.outside;
  const value = signalValue(signal);
  return {
    ...draft,
    signal: signal.name,
    subject,
    source: draft.source ?? "observer_inferred",
    value,
    confidence: confidenceOf(value, used, signal, draft),
    sessionIds: used.map(({ sessionId }) => sessionId),
    ...(outside && { outside }),
  };
}

function toPast({ sessionId, at, data }: KnownSubject["sightings"][number]): PastSighting {
  return { sessionId, at, data };
}

// What is only inferred counts for this much, from the seed of the product; every session more than needed, and a second
// agent who agrees, for a little.
const trustInInference = 0.85;
const eachFurtherSession = 0.03;
const agreement = 0.05;
const [least, most] = [0.3, 0.95];

function confidenceOf(value: number, used: KnownSubject["sightings"], signal: Signal, draft: Draft): number {
  const further = Math.min(3, Math.max(0, used.length - signal.sessions));
  const agreed = used.some(({ agents }) => agents >= 2) ? agreement : 0;
  const trust = draft.source === undefined || draft.source === "observer_inferred" ? trustInInference : 1;
  const sum = value * trust + eachFurtherSession * further + agreed + (draft.confidenceOffset ?? 0);
  return Math.round(Math.min(most, Math.max(least, sum)) * 100) / 100;
}
