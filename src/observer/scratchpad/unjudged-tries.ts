import type { Action } from "./session-view.js";
import type { Try } from "./try.js";

/** The tries of which no check has said yet that they hold, and the one that is being worked on. */
export interface UnjudgedTries {
  /** The error that the last check failed with and none has passed since; as in `Try.errorBefore`. */
  errorBefore(): string | undefined;
  /** There is something new to do: edits of other files begin another try. */
  plan(): void;
  /**
   * The try that an edit of these files is part of. One goes on while the same files are edited; before any check also
   * others, unless there is something new to do.
   */
  findCurrent(files: readonly string[]): Try | undefined;
  /** An edit was made for this one. */
  edit(one: Try): void;
  /** A check failed. Where nothing was edited since the one before, it speaks against the latest try. */
  fail(check: Action, latest: Try | undefined): void;
  /** A check passed. */
  pass(check: Action): void;
  /** It was taken back or given up. */
  close(one: Try): void;
}

export function openUnjudgedTries(): UnjudgedTries {
  /** Those that no check has passed yet. */
  const open = new Set<Try>();
  /** Those that were edited since the last check. */
  const edited = new Set<Try>();
  let current: Try | undefined;
  let lastFailure: Action | undefined;
  let hasNewPlan = false;

  return {
    errorBefore: () => lastFailure && (lastFailure.error?.fingerprint ?? ""),
    plan() {
      hasNewPlan = true;
    },
    findCurrent(files) {
      if (!current || current.edits.length >= maxEdits) return undefined;
      const goesOn = files.some((file) => current?.files.has(file)) || (edited.has(current) && !hasNewPlan);
      return goesOn ? current : undefined;
    },
    edit(one) {
      current = one;
      open.add(one);
      const [oldest] = open;
      if (oldest && open.size > maxOpen) close(oldest);
      edited.add(one);
      hasNewPlan = false;
    },
    fail(check, latest) {
      lastFailure = check;
      const fingerprint = check.error?.message ? check.error.fingerprint : undefined;
      for (const one of edited) {
        one.failures.push(check);
        // Running the same once more without having changed anything is not another try.
        if (fingerprint !== undefined) one.returned.set(fingerprint, (one.returned.get(fingerprint) ?? 0) + 1);
      }
      if (edited.size === 0 && latest && !latest.reverted && !latest.givenUp) latest.failures.push(check);
      edited.clear();
    },
    pass(check) {
      for (const one of open) {
        if (!settles(check, one.failures.at(-1) ?? lastFailure)) continue;
        one.passed = check;
        close(one);
      }
      if (settles(check, lastFailure)) lastFailure = undefined;
      edited.clear();
    },
    close,
  };

  function close(one: Try): void {
    open.delete(one);
    edited.delete(one);
    if (current === one) current = undefined;
  }
}

// A check says nothing about what was tried so long ago; and each looks at all of them.
const maxOpen = 10;
// More than any way takes. It keeps undoing a thousand edits one by one from taking the square of their number.
const maxEdits = 200;

/** True when a check that passed says something about what failed: tests about everything, others about their kind. */
function settles({ command: passed }: Action, failure: Action | undefined): boolean {
  const failed = failure?.command;
  if (!passed || (failed && passed.line === failed.line)) return passed !== undefined;
  if (passed.purpose === "other") return false;
  if (!failed) return true;
  if (passed.purpose !== "test" && passed.purpose !== failed.purpose) return false;
  const [here, there] = [passed.targets, failed.targets];
  if (!here?.length || !there?.length) return true;
  return here.some((one) => there.some((other) => touch(one, other)));
}

function touch(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}
