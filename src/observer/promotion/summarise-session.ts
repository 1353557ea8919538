import { homedir } from "node:os";
import type { SessionType } from "../observer.js";
import { moduleOf } from "../scratchpad/module-of.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { listPairs } from "../signals/co-access.js";
import { listErrors } from "../signals/error-retry.js";
import type { Pair } from "../signals/near-pairs.js";
import type { Taint } from "../trust/taint.js";
import { toCount, type SessionRecord } from "../cross-session/session-queries.js";
import type { ErrorUse, FileUse } from "../cross-session/statistics-queries.js";

/** A session in figures, of all its agents together. */
export interface SessionSummary {
  record: Omit<SessionRecord, "rereads" | "deadEndsReentered">;
  files: FileUse[];
  pairs: Pair[];
  errors: ErrorUse[];
  modules: string[];
}

// Of every session so many pairs: a session that reads a whole tree says little about any two files of it.
const maxPairs = 300;

export function summariseSession(
  pads: readonly Scratchpad[],
  session: { sessionId: string; type: SessionType; outcome: SessionRecord["outcome"]; taint: Taint; now: Date },
): SessionSummary {
  const files = countFiles(pads, session.taint);
  const used = new Set(files.map(({ path }) => path).filter(isInside));
  const pairs = new Map(
    pads.flatMap((pad) => listPairs(pad).map((pair): [string, Pair] => [`${pair.a}\n${pair.b}`, pair])),
  );
  return {
    record: recordOf(pads, session, used.size),
    files,
    pairs: [...pairs.values()].filter(({ a, b }) => used.has(a) && used.has(b)).slice(0, maxPairs),
    errors: countErrors(pads, session.taint),
    modules: [...new Set([...used].map(moduleOf))].toSorted(),
  };
}

function recordOf(
  pads: readonly Scratchpad[],
  { sessionId, type, outcome, taint, now }: Parameters<typeof summariseSession>[1],
  files: number,
): SessionSummary["record"] {
  const sum = (count: (pad: Scratchpad) => number) => toCount(pads.reduce((total, pad) => total + count(pad), 0));
  const times = pads.flatMap((pad) => [pad.start?.at, pad.end?.at, pad.actions[0]?.at, pad.actions.at(-1)?.at]);
  const known = times.filter((time) => time !== undefined && Number.isFinite(time)) as number[];
  const [main] = pads;
  const planned = main?.start?.plannedSteps ?? plannedIn(main);
  const checks = pads.flatMap(({ qa }) => qa);
  // A later part of the session has to know whether files are concerned.
  const sources = [...pads.map((pad) => taint.spreading(pad)), ...pads.map((pad) => taint.since(pad)?.outside)];
  const outside = sources.find((found) => found !== undefined);
  return {
    sessionId,
    type,
    ...(main?.start?.agent !== undefined && { agent: main.start.agent }),
    outcome,
    startedAt: toTime(known.length > 0 ? Math.min(...known) : now.getTime()),
    endedAt: toTime(known.length > 0 ? Math.max(...known) : now.getTime()),
    events: sum(({ analytics }) => analytics.events),
    toolCalls: sum(({ analytics }) => analytics.toolCalls),
    files,
    ...(planned !== undefined && { stepsPlanned: toCount(planned) }),
    stepsDone: sum(({ analytics }) => analytics.currentStep),
    inputTokens: sum(({ analytics }) => analytics.inputTokens),
    outputTokens: sum(({ analytics }) => analytics.outputTokens),
    ...(checks[0] && { qaFirstPass: checks[0].passed }),
    ...(outside && { outside }),
  };
}

function plannedIn(pad: Scratchpad | undefined): number | undefined {
  const planned = pad?.units.flatMap(({ plannedSteps }) => plannedSteps ?? []) ?? [];
  return planned.length > 0 ? planned.reduce((sum, one) => sum + one, 0) : undefined;
}

/** A time that no calendar has would not be stored. */
function toTime(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), 8.64e15)).toISOString();
}

function countFiles(pads: readonly Scratchpad[], taint: Taint): FileUse[] {
  const uses = new Map<string, FileUse>();
  for (const { actions } of pads) {
    for (const { files = [], does } of actions) {
      if (does !== "read" && does !== "edit") continue;
      for (const path of files.filter(isInside)) {
        const use = uses.get(path) ?? { path, accesses: 0, edits: 0 };
        use.accesses += 1;
        if (does === "edit") use.edits += 1;
        uses.set(path, use);
      }
    }
  }
  for (const [path, written] of taint.written) {
    if (isInside(path) || isAtHome(path))
      uses.set(path, { ...(uses.get(path) ?? { path, accesses: 0, edits: 0 }), written });
  }
  return [...uses.values()];
}

/** A plan under the agent's home, which the next session reads, is as good as the session that wrote it. */
function isAtHome(path: string): boolean {
  return path.startsWith(`${homedir().replaceAll("\\", "/")}/`);
}

function isInside(path: string): boolean {
  return path !== "" && !path.startsWith("/") && !path.startsWith("../") && !/^[a-z]:/i.test(path);
}

/** Without those that came after content from outside, which may have worded them: a model is shown what they say. */
function countErrors(pads: readonly Scratchpad[], taint: Taint): ErrorUse[] {
  const errors = new Map<string, ErrorUse>();
  const clean = pads.flatMap((pad) => listErrors(pad).filter(({ orders }) => taint.of(pad, orders) === undefined));
  for (const error of clean) {
    const { fingerprint, tool, message, file, occurrences, resolvedHow } = error;
    const before = errors.get(fingerprint);
    errors.set(fingerprint, {
      fingerprint,
      tool,
      message,
      ...(file !== undefined && { file }),
      occurrences: occurrences + (before?.occurrences ?? 0),
      ...((resolvedHow ?? before?.resolvedHow) !== undefined && { resolvedHow: resolvedHow ?? before?.resolvedHow }),
    } as ErrorUse);
  }
  return [...errors.values()];
}
