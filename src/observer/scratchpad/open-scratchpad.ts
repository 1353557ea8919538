import type { Note } from "../observer.js";
import { validateNote } from "../notes/validate-note.js";
import { countSaying, countTokens, openAnalytics } from "./analytics.js";
import { findAttempts } from "./find-attempts.js";
import { evict } from "./evict.js";
import { openHeldNotes } from "./held-notes.js";
import { joinCalls } from "./join-calls.js";
import type { Attempt, OrderedNote, Scratchpad } from "./session-view.js";
import { openStepCount } from "./step-count.js";

/** A scratchpad of a session that goes on. */
export interface GrowingScratchpad extends Scratchpad {
  /** Takes in what happened next. Never throws; what it cannot understand only counts as an event. */
  add(note: Note): void;
  /** The same for a note that was validated already, and that nobody else holds. */
  addValidated(note: Note): void;
}

// 50 MB: seed of the product. What is freed at once is a quarter, so that it happens once in tens of thousands of notes.
const usualLimit = 50 * 1024 * 1024;
const keptShare = 0.75;

/**
 * What one agent does in a session, as it grows. Calls and results are joined by their id, in whatever order and however
 * incomplete they come: a result that nobody called for is an action of its own, a call told twice is one.
 *
 * @example
 * const pad = openScratchpad(undefined);
 * pad.add({ kind: "call", at: 0, call: "1", tool: "Read", does: "read", files: ["src/a.ts"] });
 * pad.actions[0]?.files; // ["src/a.ts"]
 */
export function openScratchpad(
  agentId: string | undefined,
  { limitBytes = usualLimit }: { limitBytes?: number } = {},
): GrowingScratchpad {
  const analytics = openAnalytics();
  const notes = openHeldNotes(analytics);
  const { held, ordered, add } = notes;
  const steps = openStepCount(analytics);
  const calls = joinCalls(notes, analytics, steps);
  let start: OrderedNote<"start"> | undefined;
  let end: OrderedNote<"end"> | undefined;
  let lastAt = 0;
  let attempts: { events: number; found: readonly Attempt[] } | undefined;

  return {
    agentId,
    get start() {
      return start;
    },
    get end() {
      return end;
    },
    ...held,
    analytics,
    attempts() {
      if (attempts?.events !== analytics.events) attempts = { events: analytics.events, found: findAttempts(held) };
      return attempts.found;
    },
    add(note) {
      const valid = validateNote(note);
      if (valid) addValidated(valid);
      else analytics.events++;
    },
    addValidated,
  };

  function addValidated(note: Note): void {
    // A call that is told once more with its result is no event of its own.
    if (note.kind !== "call" || !note.late) analytics.events++;
    if (!Number.isFinite(note.at)) note.at = lastAt;
    lastAt = note.at;
    take(note);
    if (analytics.bytes > limitBytes) makeRoom();
  }

  function take(note: Note): void {
    switch (note.kind) {
      case "start":
        // One that is resumed starts again: what the first start left out counts, where it is now, and it is not over any
        // more.
        start = { ...ordered(note), ...start, ...(note.branch !== undefined && { branch: note.branch }) };
        end = undefined;
        break;
      case "prompt":
        steps.interrupt();
        add(held.prompts, ordered(note));
        break;
      case "call":
        calls.call(note);
        break;
      case "result":
        calls.result(note);
        break;
      case "said":
        steps.interrupt();
        for (const saying of note.sayings) {
          countSaying(analytics, saying);
          add(held.sayings, { ...saying, ...notes.next(note.at) });
        }
        for (const shortId of note.cites ?? []) add(held.cited, { shortId, ...notes.next(note.at) });
        break;
      case "step":
        countTokens(analytics, note);
        add(held.steps, ordered(note));
        steps.end(note.inputTokens !== undefined || note.outputTokens !== undefined);
        break;
      case "unit":
        add(held.units, ordered(note));
        break;
      case "subagent":
        add(held.subagents, ordered(note));
        break;
      case "qa":
        add(held.qa, ordered(note));
        break;
      case "commit":
        add(held.commits, ordered(note));
        break;
      case "remember":
        add(held.remembered, ordered(note));
        break;
      case "injected":
        add(held.injected, ordered(note));
        break;
      case "compacted":
        add(held.compacted, ordered(note));
        break;
      case "end":
        end = ordered(note);
        break;
    }
  }

  function makeRoom(): void {
    const { gone, bytes } = evict(held, analytics.bytes - limitBytes * keptShare);
    calls.forget(gone);
    analytics.evicted += gone.size;
    analytics.bytes -= bytes;
  }
}
