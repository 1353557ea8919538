import type { Outcome, SessionType } from "../events/event.js";
import type { Outside } from "../notes/note.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { signalsFor } from "../signals/signals.js";
import { leastValue, signalValue, type Around, type Sighting, type SignalName } from "../signals/signal.js";
import { repeatsInstruction } from "../trust/instructions.js";
import type { Taint } from "../trust/taint.js";
import type { KeptSighting } from "../across/subject-queries.js";
import { agree } from "./agree.js";

/** What is known of a session when it is looked at. */
export interface Observed {
  pads: readonly Scratchpad[];
  type: SessionType;
  root: string;
  outcome: Exclude<Outcome, "unknown"> | "running";
  taint: Taint;
}

/**
 * What a session shows, by all signals and of all its agents. Of what failed only dead ends are kept; what rests on
 * content from outside says so.
 */
export function gatherSightings(observed: Observed): KeptSighting[] {
  const { pads, type, root, taint } = observed;
  const around: Around = { pads, type, root };
  const instructions = new Set(pads.flatMap(({ actions }) => actions.flatMap((action) => action.instructions ?? [])));
  const used = signalsFor(type).filter((signal) => signalValue(signal) >= leastValue);
  const seen = pads.flatMap((pad) =>
    used.flatMap((signal) =>
      signal
        .detect(pad, around)
        .filter((sighting) => isValid(sighting, pad, observed))
        .map((sighting) => ({ agent: pad.agentId ?? "", sighting, outside: findOutside(sighting, pad) })),
    ),
  );
  const outsideOf = new Map(seen.map(({ sighting, outside }) => [sighting, outside]));

  return agree(seen).map(({ sighting, agents, from }): KeptSighting => {
    const { signal, subject, data, evidence } = sighting;
    const outside = from.map((one) => outsideOf.get(one)).find((found) => found !== undefined);
    return { signal, subject, agents, ...(outside && { outside }), data, evidence };
  });

  function findOutside(sighting: Sighting, pad: Scratchpad): Outside | undefined {
    const tainted = taint.of(pad, sighting.orders);
    if (tainted || instructions.size === 0) return tainted;
    // A step of a recipe ("run `npm test`") is an instruction by nature, and in every README; it is too short to hide one.
    const texts = textsOf([sighting.data, sighting.evidence.map(({ said }) => said)]).filter(
      (text) => sighting.signal !== "tool-sequence" || text.split(/\s+/).length >= fewestWords,
    );
    const marks = sighting.signal === "commit" ? marksBefore(sighting, pad) : instructions;
    if (process.env["M1"])
      for (const text of texts)
        if (repeatsInstruction(text, marks))
          console.error(
            "REP " +
              sighting.signal +
              " | " +
              text +
              " | " +
              pads
                .flatMap(({ actions }) =>
                  actions
                    .filter((a) => a.instructions && repeatsInstruction(text, new Set(a.instructions)))
                    .map((a) => a.files?.join() ?? a.command?.line),
                )
                .join(" ; "),
          );
    const repeats = texts.some((text) => repeatsInstruction(text, marks));
    return repeats ? { from: "instruction", what: "something it read" } : undefined;
  }

  /** A commit's message says what to do, as headlines do, and `git log` repeats it: only what came before it counts. */
  function marksBefore({ orders }: Sighting, pad: Scratchpad): ReadonlySet<string> {
    const made = pad.commits.findLast(({ order }) => orders.includes(order))?.at ?? Infinity;
    const earlier = pads.flatMap(({ actions }) => actions.filter(({ at }) => at <= made));
    return new Set(earlier.flatMap((action) => action.instructions ?? []));
  }
}

const fewestWords = 6;

// What tells of failure itself, or is told by somebody else than the observer.
const holdsInFailure: ReadonlySet<SignalName> = new Set<SignalName>(["dead-end", "qa", "work-unit"]);

// These join several things that were done; one of them being taken back makes the whole wrong.
const wrongInPart: ReadonlySet<SignalName> = new Set<SignalName>([
  "co-access",
  "config-touch",
  "error-retry",
  "import-chase",
  "tool-sequence",
]);
// Edits that were taken back are what these are about; and what an agent sees to be wrong is often why it gives up.
const aboutFailure: ReadonlySet<SignalName> = new Set<SignalName>([
  "backtrack",
  "parallel-conflict",
  "self-correction",
]);

/** False for what rests on an attempt that was given up, or on a session that failed. */
function isValid({ signal, orders }: Sighting, pad: Scratchpad, { outcome }: Observed): boolean {
  if (holdsInFailure.has(signal)) return true;
  if (outcome === "failure" || outcome === "abandoned") return false;
  if (aboutFailure.has(signal) || orders.length === 0) return true;
  const abandoned = pad.attempts().filter(({ fate }) => fate === "abandoned");
  const isGivenUp = (order: number) => abandoned.some(({ first, last }) => order >= first && order <= last);
  return wrongInPart.has(signal) ? !orders.some(isGivenUp) : !orders.every(isGivenUp);
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
