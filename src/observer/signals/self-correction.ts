import { moduleOf } from "../module-of.js";
import { markOf } from "../notes/edit-marks.js";
import type { Action, Scratchpad, SpokenSaying } from "../scratchpad/session-view.js";
import { during, position } from "./during.js";
import { evidenceOf, hasFailed, hasPassed } from "./evidence.js";
import { newestText, textsOf } from "./past-data.js";
import { isProjectFile, projectFiles } from "./project-files.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { byName, substanceOf } from "./substance-of.js";
import { code, sentence, shorten } from "./wording.js";

/**
 * The agent says that it was wrong about something and what is so instead, or it shows it: what it wrote fails, it writes
 * the same place anew, and then it passes.
 *
 * It must not see: a change of plan ("let me reconsider the order"), a comment ("Actually, that works"), a sentence that
 * names nothing, a slip of the keyboard, and a test that is red before it is green.
 */
export const selfCorrection: Signal = {
  name: "self-correction",
  diagnostic: 0.96,
  crossSession: 0.8,
  falsePositives: 0.2,
  promotesTo: ["gotcha", "module_insight"],
  sessions: 1,
  detect(pad) {
    const said = findSaid(pad);
    return [...said.values(), ...findRewritten(pad, [...said.values()])].slice(0, mostOfSession);
  },
  compose,
};

// One who corrects itself more often in one session is thinking aloud.
const mostOfSession = 12;
const mostCorrections = 60;
// From the brief of the signal: a correction is about what was touched within three actions.
const near = 3;

function findSaid({ actions, sayings }: Scratchpad): Map<string, Sighting> {
  const found = new Map<string, Sighting>();
  const corrections = sayings.filter(({ is }) => is === "correction").slice(0, mostCorrections);
  const touched = byName(corrections.length === 0 ? [] : actions.flatMap(filesOf));
  for (const saying of corrections) {
    const around = listAround(actions, saying);
    const substance = substanceOf(saying, touched, [...new Set(around.flatMap(filesOf))]);
    if (!substance) continue;
    const { actual, believed, files } = substance;
    const subject = shorten([files[0] ?? "", keyOf(actual)].filter((part) => part !== "").join(": "), 200);
    const rested = around.filter((action) => filesOf(action).some((file) => files.includes(file)));
    found.set(subject, {
      signal: "self-correction",
      subject,
      orders: [saying.order, ...rested.map(({ order }) => order)],
      data: { actual, ...(believed !== undefined && { believed }), files },
      evidence: evidenceOf(rested, [saying]),
    });
    if (found.size >= mostOfSession) break;
  }
  return found;
}

function filesOf(action: Action): string[] {
  return action.does === "read" || action.does === "edit" ? projectFiles(action) : [];
}

/** The actions just before a saying, the nearest first, and those just after it. */
function listAround(actions: readonly Action[], { order }: SpokenSaying): Action[] {
  const before = position(actions, order);
  return [...actions.slice(Math.max(0, before - near), before).toReversed(), ...actions.slice(before, before + near)];
}

/** A statement as it is recognised again: its words alone. */
function keyOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(" ");
}

// What an insertion replaces stands everywhere.
const nothing = markOf("");

interface Written {
  action: Action;
  index: number;
}

/** Places that were written, failed, were written anew by the same agent, and passed. Where it said why, that is enough. */
function findRewritten({ actions, sayings }: Scratchpad, said: readonly Sighting[]): Sighting[] {
  const explained = said.map(({ orders }) => ({ order: orders[0] ?? 0 }));
  const written = new Map<string, Written>();
  const found = new Map<string, Sighting>();
  const firstSeen = new Map<string, number>();
  for (const [index, action] of actions.entries()) {
    if (action.error && !firstSeen.has(action.error.fingerprint)) firstSeen.set(action.error.fingerprint, index);
    if (action.does !== "edit" || !action.edit || hasFailed(action)) continue;
    const [file] = projectFiles(action);
    if (file === undefined) continue;
    for (const [before, after] of action.edit.pairs) {
      const earlier = before === nothing ? undefined : written.get(`${file}\n${before}`);
      if (before !== after) written.set(`${file}\n${after}`, { action, index });
      const proof = earlier && proveRewriting(actions, earlier, index);
      if (!earlier || !proof) continue;
      const { failed, passed } = proof;
      const fingerprint = failed.error?.fingerprint ?? "";
      const subject = `${file} after ${fingerprint}`;
      // What failed before the first writing is an error being fixed.
      if ((firstSeen.get(fingerprint) ?? 0) < earlier.index) continue;
      if (found.has(subject) || during(explained, failed.order, passed.order).length > 0) continue;
      const causes = during(sayings, failed.order, passed.order).filter(({ is }) => is === "cause");
      found.set(subject, {
        signal: "self-correction",
        subject,
        orders: [earlier.action, failed, action, passed].map(({ order }) => order),
        data: {
          files: [file],
          message: failed.error?.message ?? "",
          command: failed.command?.name ?? failed.tool,
          ...(causes[0] && { cause: shorten(causes[0].text, 300) }),
        },
        evidence: evidenceOf([earlier.action, failed, action, passed], causes.slice(0, 2)),
      });
    }
  }
  return [...found.values()];
}

// The next run after an edit tells about it; one that comes much later tells about other work as well.
const mostBetween = 15;

/** The failure between two writings of one place, and the same command passing after the second. */
function proveRewriting(actions: readonly Action[], earlier: Written, index: number) {
  const from = Math.max(earlier.index + 1, index - mostBetween);
  const failed = actions.slice(from, index).findLast((action) => isVerification(action) && hasFailed(action));
  if (!failed?.error || failed.error.message === "" || isOrdinary(failed.error)) return undefined;
  const passed = actions
    .slice(index + 1, index + 1 + mostBetween)
    .find(({ command }) => command?.name === failed.command?.name);
  return passed && hasPassed(passed) ? { failed, passed } : undefined;
}

function isVerification({ command }: Action): boolean {
  return command?.purpose === "test" || command?.purpose === "build" || command?.purpose === "other";
}

/** Failed assertions are how tests are written; slips of the keyboard and what a checker of types says teach nothing. */
function isOrdinary({ kind, message }: { kind: string; message: string }): boolean {
  return ordinary.test(kind) || ordinary.test(message);
}

const ordinary =
  /^(?:Assertion|FAIL|SyntaxError|IndentationError|NameError|ReferenceError|(?:error )?TS\d+\b|error\[E\d+\])|\bexpected\b.*\b(?:to|but|received|got)\b|unexpected token|is not defined|unused/i;

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const newest = sightings.at(-1);
  if (!newest) return undefined;
  const files = textsOf(newest, "files").filter(isProjectFile);
  const actual = newestText([newest], "actual");
  const draft = actual === undefined ? composeRewritten(newest, files) : composeSaid(newest, files, actual);
  return draft && { ...draft, relatedFiles: files, relatedModules: [...new Set(files.map(moduleOf))] };
}

function composeSaid(newest: PastSighting, files: string[], actual: string): Omit<Draft, "relatedFiles"> {
  const believed = newestText([newest], "believed");
  const [file] = files;
  const isNamed = file === undefined || files.some((one) => actual.includes(one.slice(one.lastIndexOf("/") + 1)));
  const parts = [
    sentence(actual),
    believed === undefined ? "" : sentence(`What was believed first: ${believed}`),
    isNamed ? "" : `It came up in ${code(file)}.`,
  ];
  return {
    type: explains.test(actual) && !warns.test(actual) ? "module_insight" : "gotcha",
    content: parts.filter((part) => part !== "").join(" "),
    data: { actual, ...(believed !== undefined && { believed }) },
  };
}

const explains =
  /\b(?:is|are|gets?) (?:handled|defined|stored|called|created|built|generated|loaded|read|written|kept|computed|registered|derived|done)\b|\b(?:lives?|comes from|returns|stores|reads|calls|handles|delegates|wraps|implements|works by|consists)\b/i;
const warns =
  /\b(?:must|never|not|cannot|can't|don't|doesn't|isn't|aren't|won't|fails?|breaks?|throws?|needs?|requires?|only|before|unless|instead)\b/i;

function composeRewritten(newest: PastSighting, files: string[]): Omit<Draft, "relatedFiles"> | undefined {
  const [message, command, cause] = ["message", "command", "cause"].map((name) => newestText([newest], name));
  const [file] = files;
  if (file === undefined || message === undefined || command === undefined) return undefined;
  const failure = `the first version of a change in ${code(file)} failed in ${code(command)} with ${code(message)}`;
  return {
    type: "gotcha",
    content:
      cause === undefined
        ? sentence(`${failure} and had to be written anew`)
        : `${sentence(cause)} ${sentence(failure)}`,
    data: { error: message, command, ...(cause !== undefined && { cause }) },
    // Without a word of why, it says where to be careful and no more.
    sureness: cause === undefined ? -0.2 : 0,
  };
}
