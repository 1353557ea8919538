import type { Call, Note, Result } from "../observer.js";
import { countCall, countResult } from "./analytics.js";
import { bytesOf } from "./bytes-of.js";
import type { HeldNotes } from "./held-notes.js";
import { openRecentCalls } from "./recent-calls.js";
import type { Action, Analytics } from "./session-view.js";
import type { StepCount } from "./step-count.js";

/** Calls and their results, joined by their id into actions. */
export interface JoinedCalls {
  /** A call that was told before, and has no result yet, is the same one. */
  call(note: Extract<Note, { kind: "call" }>): void;
  /** A result that nobody called for is an action of its own; of several the first counts. */
  result(note: Extract<Note, { kind: "result" }>): void;
  forget(gone: ReadonlySet<object>): void;
}

export function joinCalls(notes: HeldNotes, analytics: Analytics, steps: StepCount): JoinedCalls {
  const calls = openRecentCalls();

  return {
    call({ kind: _kind, call: id, at, late, ...call }) {
      const known = calls.get(id);
      if (late && known !== undefined && known.endedAt === undefined) return;
      if (calls.isOpen(id, call.tool, at)) return;
      steps.call(notes.held.actions.length === 0);
      calls.set(id, act(call, at));
    },
    result({ kind: _kind, call: id, at, ...result }) {
      steps.interrupt();
      const known = calls.get(id);
      if (known?.endedAt !== undefined) return;
      const action = known ?? act({ tool: "", does: "other" }, at);
      if (!known) calls.set(id, action);
      const ended: Partial<Action> = Object.assign(result satisfies Result, { endedAt: at });
      // A call may say already where its answer comes from.
      const before = action.outside && ended.outside ? bytesOf({ outside: action.outside }) : bytesOf({});
      Object.assign(action, ended);
      analytics.bytes += bytesOf(ended) - before;
      if (bringsNothing(action)) {
        analytics.bytes -= bytesOf({ outside: action.outside }) - bytesOf({});
        delete action.outside;
      }
      countResult(analytics, action);
    },
    forget: (gone) => calls.forget(gone),
  };

  function act(call: Call, at: number): Action {
    const action: Action = Object.assign(call, notes.next(at));
    notes.add(notes.held.actions, action);
    countCall(analytics, action);
    return action;
  }
}

/**
 * Whether an answer from elsewhere was values alone, and nothing of it stayed in files; or a command of ours might have shown
 * what waits, and did not.
 */
function bringsNothing({ wordless, isTrusted, outside, does, files, makes }: Action): boolean {
  if (isTrusted && outside?.from === "waiting") return true;
  if (!wordless || !outside || outside.from === "download" || outside.from === "waiting") return false;
  return does !== "run" || ((files?.length ?? 0) === 0 && (makes?.length ?? 0) === 0);
}
