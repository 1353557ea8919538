import { moduleOf } from "../scratchpad/module-of.js";
import { findReverts } from "../scratchpad/reverts.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { during } from "../scratchpad/during.js";
import { evidenceOf, hasFailed } from "./action-evidence.js";
import { newestText, tally } from "./past-data.js";
import { isProjectFile } from "../scratchpad/project-files.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { code } from "./wording.js";

/**
 * A file's edits are taken back after something failed because of them, in one session and again in another: changing it
 * breaks something.
 *
 * It must not see: what is taken back without any failure (a debug print, a second thought), and a few lines tried out
 * while something fails that failed before them too, which is how one looks for the cause.
 */
export const backtrack: Signal = {
  name: "backtrack",
  wording: { by: "command", optional: ["message", "by"] },
  diagnostic: 0.7,
  crossSession: 0.65,
  falsePositives: 0.325,
  promotesTo: ["gotcha"],
  sessions: 2,
  detect,
  compose,
};

// A print or two and their brackets.
const maxLinesOfProbe = 4;

function detect({ actions }: Scratchpad): Sighting[] {
  const sightings = new Map<string, Sighting>();
  const failures = actions.filter((action) => action.command && hasFailed(action));
  for (const { file, edit, revert, by } of failures.length === 0 ? [] : findReverts(actions)) {
    if (!isProjectFile(file) || sightings.has(file)) continue;
    const failed = during(failures, edit.order, revert.order).at(-1);
    if (!failed) continue;
    const isProbe = by === "edit" && (edit.edit?.lines ?? 0) <= maxLinesOfProbe;
    if (isProbe && failures.some((earlier) => earlier.order < edit.order && isSameFailure(earlier, failed))) continue;
    sightings.set(file, {
      signal: "backtrack",
      subject: file,
      orders: [edit.order, failed.order, revert.order],
      data: { file, command: failed.command?.name ?? "", message: failed.error?.message ?? "", by },
      evidence: evidenceOf([edit, failed, revert]),
    });
  }
  return [...sightings.values()];
}

function isSameFailure(a: Action, b: Action): boolean {
  return a.command?.name === b.command?.name && a.error?.fingerprint === b.error?.fingerprint;
}

function compose(file: string, sightings: readonly PastSighting[]): Draft {
  const [command] = tally(sightings, "command");
  const message = newestText(sightings, "message");
  const reason = message === undefined ? "" : ` with ${code(message)}`;
  const failure = command ? `${code(command.text)} failed${reason}` : "something failed";
  const advice = command ? `Run ${code(command.text)} right after the first change there.` : "";
  const times = sightings.length > 1 ? "more than once" : "by two agents";
  return {
    type: "gotcha",
    content: `Changes in ${code(file)} had to be taken back ${times}, because ${failure}. ${advice}`.trim(),
    data: { file, ...(command && { command: command.text }), ...(message !== undefined && { error: message }) },
    relatedFiles: [file],
    relatedModules: [moduleOf(file)],
  };
}
