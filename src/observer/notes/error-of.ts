import { readsLikeInstruction } from "../untrusted-sources/instructions.js";
import { errorFile, firstFrame } from "./error-file.js";
import { errorHint, errorShape, type ErrorShape, type FoundError } from "./error-shapes.js";
import type { Failure } from "./failure-of.js";
import { fingerprint } from "./fingerprint.js";
import type { Call, ErrorSeen } from "../observer.js";
import { plainLine, withoutColours } from "../../base/input/input.js";
import type { PathBase } from "../tools/related-path.js";
import { refusalOf } from "./tool-refusals.js";

// As much as a person reads of an error.
const messageLength = 200;
// Errors stand at the beginning (compilers) or the end (test runners, stacks) of what is printed.
const head = 6000;
const tail = 10_000;
const maxLines = 60;

/**
 * What is known of a failure. Its message is a line of the output only where that has the shape of an error, and then
 * without what reads like an order to whoever reads it; else it is empty. Undefined where a person said no: that is no
 * error of anything.
 */
export function errorOf(
  text: string,
  call: Pick<Call, "does" | "command" | "tool"> | undefined,
  failure: Failure,
  place: PathBase,
): ErrorSeen | undefined {
  if (failure.isRefused) return undefined;
  const refusal = call?.does === "run" ? undefined : refusalOf(text);
  if (refusal) return { fingerprint: fingerprint(refusal.kind, refusal.message), ...refusal, isOurs: true };
  const looked = withoutColours(ends(text));
  const found = bestShape(looked);
  if (!found) return unknown(failure.exit, call);
  const message = messageOf(found.shape);
  const file = errorFile(looked, found, place);
  const frame = firstFrame(looked, found, place);
  return {
    fingerprint: fingerprint(found.shape.kind, message),
    message,
    kind: plainLine(found.shape.kind, 80),
    ...(file !== undefined && { file }),
    ...(frame !== undefined && { frame }),
  };
}

/** A failure that says nothing known is recognised by what was run. */
function unknown(exit: number | undefined, call: Pick<Call, "command" | "tool"> | undefined): ErrorSeen {
  const kind = exit === undefined ? "failed" : `exit ${exit}`;
  return { fingerprint: fingerprint(kind, "", call?.command?.name ?? call?.tool ?? ""), message: "", kind };
}

function ends(text: string): string {
  return text.length > head + tail ? `${text.slice(0, head)}\n${text.slice(-tail)}` : text;
}

function bestShape(text: string): FoundError | undefined {
  let best: FoundError | undefined;
  // What Python raised last stands below the last of its tracebacks; elsewhere what is told first is what went wrong.
  const isTraceback = text.includes("Traceback (most recent call last)");
  let lines = 0;
  errorHint.lastIndex = 0;
  for (let hint = errorHint.exec(text); hint !== null && lines < maxLines; hint = errorHint.exec(text)) {
    lines++;
    const start = text.lastIndexOf("\n", hint.index - 1) + 1;
    const next = text.indexOf("\n", hint.index);
    const end = next === -1 ? text.length : next;
    errorHint.lastIndex = Math.max(end, hint.index + 1);
    const shape = errorShape(text.slice(start, Math.min(end, start + 1000)));
    if (!shape) continue;
    const isBetter = best === undefined || shape.rank < best.shape.rank || (isTraceback && shape.rank === 0);
    if (isBetter) best = { shape: completed(shape, text, end), start, end };
    if (best?.shape.rank === 0 && !isTraceback) return best;
  }
  return best;
}

/** Rust says what panicked in the line below. */
function completed(shape: ErrorShape, text: string, end: number): ErrorShape {
  if (shape.kind !== "panic" || shape.rest !== "") return shape;
  const next = text.indexOf("\n", end + 1);
  return { ...shape, rest: text.slice(end + 1, Math.min(next === -1 ? text.length : next, end + 600)).trim() };
}

function messageOf({ head: start, rest }: ErrorShape): string {
  const said = plainLine(rest, messageLength);
  if (said === "" || readsLikeInstruction(said)) return plainLine(start.replace(/:$/, ""), messageLength);
  return plainLine(`${start} ${said}`, messageLength);
}
