import type { Call, Note, Result } from "../events/event.js";
import { soundNote } from "../notes/validate-note.js";
import { countCall, countResult, countSaying, countTokens, openAnalytics } from "./analytics.js";
import { findAttempts } from "./attempts.js";
import { bytesOf } from "./bytes-of.js";
import { evict, type Held } from "./evict.js";
import { openRecentCalls } from "./recent-calls.js";
import type { Action, Attempt, OrderedNote, Scratchpad } from "./session-view.js";

/** A scratchpad of a session that goes on. */
export interface GrowingScratchpad extends Scratchpad {
  /** Takes in what happened next. Never throws; what it cannot understand only counts as an event. */
  add(note: Note): void;
  /** The same for a note that `soundNote` made, which nobody else holds. */
  addSound(note: Note): void;
}

// 50 MB: seed of the product. What is freed at once is a quarter, so that it happens once in tens of thousands of notes.
const usualLimit = 50 * 1024 * 1024;
const keptShare = 0.75;

/**
 * What one agent does in a session, as it grows. Calls and results are joined by their id, in whatever order and however
 * incomplete they come: a result that nobody called for is an action of its own, a call told twice is one.
 *
 * A step ends where the agent says so. Where it does not, or not with its tokens, a call begins a new step when something
 * was said, asked or answered since the call before: calls made at once are one step.
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
  const held: Held = {
    prompts: [],
    actions: [],
    sayings: [],
    steps: [],
    units: [],
    qa: [],
    commits: [],
    remembered: [],
    cited: [],
    injected: [],
    compacted: [],
    subagents: [],
  };
  const analytics = openAnalytics();
  const calls = openRecentCalls();
  let start: OrderedNote<"start"> | undefined;
  let end: OrderedNote<"end"> | undefined;
  let order = 0;
  let lastAt = 0;
  let countsSteps = false;
  let isAnswered = false;
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
      const sound = soundNote(note);
      if (sound) addSound(sound);
      else analytics.events++;
    },
    addSound,
  };

  function addSound(note: Note): void {
    analytics.events++;
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
        isAnswered = true;
        keep(held.prompts, ordered(note));
        break;
      case "call":
        takeCall(note);
        break;
      case "result":
        takeResult(note);
        break;
      case "said":
        isAnswered = true;
        for (const saying of note.sayings) {
          countSaying(analytics, saying);
          keep(held.sayings, { ...saying, ...place(note.at) });
        }
        for (const shortId of note.cites ?? []) keep(held.cited, { shortId, ...place(note.at) });
        break;
      case "step":
        countTokens(analytics, note);
        keep(held.steps, ordered(note));
        countsSteps ||= note.inputTokens !== undefined || note.outputTokens !== undefined;
        isAnswered = false;
        analytics.currentStep++;
        break;
      case "unit":
        keep(held.units, ordered(note));
        break;
      case "subagent":
        keep(held.subagents, ordered(note));
        break;
      case "qa":
        keep(held.qa, ordered(note));
        break;
      case "commit":
        keep(held.commits, ordered(note));
        break;
      case "remember":
        keep(held.remembered, ordered(note));
        break;
      case "injected":
        keep(held.injected, ordered(note));
        break;
      case "compacted":
        keep(held.compacted, ordered(note));
        break;
      case "end":
        end = ordered(note);
        break;
    }
  }

  function takeCall({ kind: _kind, call: id, at, late, ...call }: NoteOf<"call">): void {
    const known = calls.get(id);
    if (late && known !== undefined && known.endedAt === undefined) return;
    if (calls.isOpen(id, call.tool, at)) return;
    if (isAnswered && !countsSteps && held.actions.length > 0) analytics.currentStep++;
    isAnswered = false;
    calls.set(id, act(call, at));
  }

  function act(call: Call, at: number): Action {
    const action: Action = Object.assign(call, place(at));
    keep(held.actions, action);
    countCall(analytics, action);
    return action;
  }

  function takeResult({ kind: _kind, call: id, at, ...result }: NoteOf<"result">): void {
    isAnswered = true;
    const known = calls.get(id);
    if (known?.endedAt !== undefined) return;
    const action = known ?? act({ tool: "", does: "other" }, at);
    if (!known) calls.set(id, action);
    const ended: Partial<Action> = Object.assign(result satisfies Result, { endedAt: at });
    // A call may say already where its answer comes from.
    const before = action.outside && ended.outside ? bytesOf({ outside: action.outside }) : bytesOf({});
    Object.assign(action, ended);
    analytics.bytes += bytesOf(ended) - before;
    countResult(analytics, action);
  }

  function keep<T extends object>(list: T[], item: T): void {
    list.push(item);
    analytics.bytes += bytesOf(item);
  }

  function ordered<K extends Note["kind"]>(note: Extract<Note, { kind: K }>): OrderedNote<K> {
    return Object.assign(note, place(note.at));
  }

  function place(at: number): { order: number; at: number; step: number } {
    return { order: order++, at, step: analytics.currentStep };
  }

  function makeRoom(): void {
    const { gone, bytes } = evict(held, analytics.bytes - limitBytes * keptShare);
    calls.forget(gone);
    analytics.evicted += gone.size;
    analytics.bytes -= bytes;
  }
}

type NoteOf<K extends Note["kind"]> = Extract<Note, { kind: K }>;
