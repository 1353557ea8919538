import type { Outcome, UntrustedSource, SessionType, SignalName } from "../observer.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { position } from "../scratchpad/during.js";
import { signalsFor } from "../signals/signals.js";
import { leastValue, signalValue, type Signal, type SignalContext, type Sighting } from "../signals/signal.js";
import type { ForeignWork } from "../trust/foreign-work.js";
import { instructionsRead } from "../trust/instructions-read.js";
import { repeatsInstruction } from "../untrusted-sources/instructions.js";
import type { Taint } from "../trust/taint.js";
import type { TrackedFiles } from "../trust/tracked-files.js";
import type { StoredSighting } from "../cross-session/subject-queries.js";
import { agree } from "./agree.js";
import { textsIn } from "./texts-in.js";

/** What is known of a session when it is looked at. */
export interface Observed {
  pads: readonly Scratchpad[];
  type: SessionType;
  root: string;
  outcome: Exclude<Outcome, "unknown"> | "running";
  taint: Taint;
  /** What of it may be others' doing although nothing came from outside; absent where nobody has looked. */
  foreign?: ForeignWork;
  /** What git had when it began, where the user has accepted the project. */
  vouchedFor?: TrackedFiles;
  /** The branch that it was on at last, where that is known. */
  branch?: string;
}

/**
 * What a session shows, by all signals and of all its agents. Of what failed only dead ends are kept; what rests on
 * content from outside says so.
 */
export function gatherSightings(observed: Observed): StoredSighting[] {
  const { pads, type, root, outcome, taint, foreign, vouchedFor, branch } = observed;
  const around: SignalContext = { pads, type, root, outcome, ...(branch !== undefined && { branch }) };
  const instructions = instructionsRead(pads, { vouchedFor });
  const used = signalsFor(type).filter((signal) => signalValue(signal) >= leastValue);
  const seen = pads.flatMap((pad) =>
    used.flatMap((signal) =>
      signal
        .detect(pad, around)
        .filter((sighting) => isValid(sighting, pad, observed) && !speaksOfSecret(sighting))
        .map((sighting) => ({ agent: pad.agentId ?? "", sighting, outside: findOutside(sighting, pad, signal) })),
    ),
  );
  const outsideOf = new Map(seen.map(({ sighting, outside }) => [sighting, outside]));

  return agree(seen).map(({ sighting, agents, from }): StoredSighting => {
    const { signal, subject, data, evidence } = sighting;
    const outside = from.map((one) => outsideOf.get(one)).find((found) => found !== undefined);
    return { signal, subject, agents, ...(outside && { outside }), data, evidence };
  });

  function findOutside(sighting: Sighting, pad: Scratchpad, { wording }: Signal): UntrustedSource | undefined {
    if (wording.by === "person") return undefined;
    const isWorded = wording.by === "agent" || wording.by === "git";
    return (
      taint.of(pad, sighting.orders) ??
      findInstruction(sighting, pad) ??
      (isWorded ? (foreign?.of(pad, sighting.orders) ?? messageOf(sighting, pad)) : undefined)
    );
  }

  /** Whose the message of a commit is, where its command did not give it. */
  function messageOf({ signal, orders }: Sighting, { commits }: Scratchpad): UntrustedSource | undefined {
    return signal === "commit" ? commits.find(({ order }) => orders.includes(order))?.outside : undefined;
  }

  function findInstruction(sighting: Sighting, pad: Scratchpad): UntrustedSource | undefined {
    if (instructions.size === 0) return undefined;
    // A step of a recipe ("run `npm test`") is an instruction by nature, and in every README; it is too short to hide one.
    const texts = textsIn([sighting.data, sighting.evidence.map(({ said }) => said)]).filter(
      (text) => sighting.signal !== "tool-sequence" || text.split(/\s+/).length >= fewestWords,
    );
    const repeated = texts.filter((text) => repeatsInstruction(text, instructions) && !isOwn(text));
    if (repeated.length === 0) return undefined;
    // What is read afterwards was repeated by nobody: `git log` tells a commit's headline.
    const before = instructionsRead(pads, { vouchedFor, until: wordedAt(sighting, pad) });
    const repeats = repeated.some((text) => repeatsInstruction(text, before));
    return repeats ? { from: "instruction", what: "something it read" } : undefined;
  }

  /** What the user asked for, and errors, whose shape was looked at when they were noted. */
  function isOwn(text: string): boolean {
    return (
      pads.some(({ actions }) => actions.some(({ error }) => error?.message === text)) ||
      pads.some(
        ({ agentId, prompts }) => agentId === undefined && prompts.some((prompt) => isWithin(text, prompt.text)),
      )
    );
  }
}

/** A task is a prompt's first sentence with other quotation marks. */
function isWithin(task: string, prompt: string): boolean {
  return prompt.replaceAll('"', "'").replace(/\s+/g, " ").includes(task.replace(/…$/, ""));
}

/** When a sighting was worded. A commit's message was when its command was called: what git answers repeats it. */
function wordedAt({ signal, orders }: Sighting, pad: Scratchpad): number {
  const at = timeOf(pad, Math.max(...orders));
  const asked = signal === "commit" ? pad.actions.findLast((one) => one.at <= at && isCommit(one)) : undefined;
  return asked ? asked.at - 1 : at;
}

function isCommit({ command }: Scratchpad["actions"][number]): boolean {
  return /\bgit\b.{0,200}\bcommit\b/.test(command?.line ?? "");
}

/** When something of a session happened; where nothing of that order is kept, at no time that ends. */
function timeOf(pad: Scratchpad, order: number): number {
  const all = [pad.actions, pad.sayings, pad.prompts, pad.commits, pad.units, pad.qa];
  const found = all.map((things) => things[position(things, order)]).find((thing) => thing?.order === order);
  return found?.at ?? Infinity;
}

const fewestWords = 6;

// What tells of failure itself, or is told by somebody else than the observer.
const holdsInFailure: ReadonlySet<SignalName> = new Set<SignalName>([
  "dead-end",
  "qa",
  "work-unit",
  "work-state",
  "e2e",
]);

/** A sentence in which a secret stood may hold another that nobody recognises: "the password is a, not b". */
function speaksOfSecret({ signal, data, evidence }: Sighting): boolean {
  if (signal !== "self-correction" && signal !== "dead-end") return false;
  return textsIn([data, evidence.map(({ said }) => said)]).some((text) => text.includes("[redacted:"));
}

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

/** False for what rests on an attempt that was given up, on a session that failed, or on an agent of it that did. */
function isValid({ signal, orders }: Sighting, pad: Scratchpad, { outcome }: Observed): boolean {
  if (holdsInFailure.has(signal)) return true;
  if ([outcome, pad.end?.outcome].some((one) => one === "failure" || one === "abandoned")) return false;
  if (aboutFailure.has(signal) || orders.length === 0) return true;
  const abandoned = pad.attempts().filter(({ fate }) => fate === "abandoned");
  const isGivenUp = (order: number) => abandoned.some(({ first, last }) => order >= first && order <= last);
  return wrongInPart.has(signal) ? !orders.some(isGivenUp) : !orders.every(isGivenUp);
}
