import type { Scratchpad } from "../scratchpad/session-view.js";
import { purposes } from "../tools/command-purpose.js";
import { costOf } from "./cost-of.js";
import { evidenceOf } from "./action-evidence.js";
import { newestText, tally, textOf, textsOf } from "./past-data.js";
import { isProjectFile } from "../scratchpad/project-files.js";
import { findErrors, type Fix, type SeenError, type SolvedError } from "./seen-errors.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { code, codes, sentence, shorten } from "./wording.js";

/**
 * A command fails with an error, something is done, and the same command runs without it; in another session the error
 * comes back and goes away again. What helped is worth knowing.
 *
 * It must not see: errors that are never resolved, a test that passes by itself, errors of the agent's own tools (an edit
 * that did not match), everyday failing tests and what compilers and linters say every day. A failed assertion counts only
 * with the very same words, the same sole file and a word about its cause; what a compiler or the language itself says only
 * with the very same words; an error without a message only where the same command helped, or the cause is known. And in
 * most sessions the same must have helped.
 */
export const errorRetry: Signal = {
  name: "error-retry",
  wording: { by: "command", optional: ["kind"], terms: purposes },
  diagnostic: 0.9,
  crossSession: 0.8,
  falsePositives: 0.2,
  promotesTo: ["error_pattern", "gotcha"],
  sessions: 2,
  detect: (pad) => findErrors(pad).flatMap(toSighting),
  compose,
};

/** Every error of a session, with what was done about it where it went away; for the project's statistics. */
export function listErrors(pad: Scratchpad): SeenError[] {
  return findErrors(pad).map(({ fingerprint, tool, message, file, occurrences, resolvedHow, orders }) => ({
    fingerprint,
    tool,
    message,
    ...(file !== undefined && { file }),
    occurrences,
    ...(resolvedHow !== undefined && { resolvedHow }),
    orders,
  }));
}

// A fix is small; what edits more between two runs is the work itself.
const maxFiles = 8;

function toSighting(seen: SolvedError): Sighting[] {
  const { fix, actions, message, file, fingerprint } = seen;
  const failed = actions.at(-1);
  if (!fix || !failed?.command || failed.command.purpose === "look" || fix.files.length > maxFiles) return [];
  return [
    {
      signal: "error-retry",
      subject: fingerprint,
      orders: seen.orders,
      data: {
        message,
        kind: failed.error?.kind ?? "",
        ...(failed.error?.words !== undefined && { words: failed.error.words }),
        command: failed.command.name,
        purpose: failed.command.purpose,
        ...(file !== undefined && { file }),
        files: tellingFiles(fix),
        commands: fix.commands.slice(0, 5),
        causes: fix.causes.map(({ text }) => shorten(text, 200)),
        // Whoever knows it beforehand still edits, and runs the command once.
        cost: costOf([...actions, ...fix.looks]),
      },
      evidence: evidenceOf([...actions.slice(-3), ...shortOf(fix), fix.retry], fix.causes),
    },
  ];
}

/**
 * What was mended where it had just been changed, or where the error says, is how everybody works; without a word about
 * its cause it tells nothing.
 */
function tellingFiles({ files, ownFiles, causes }: Fix): string[] {
  return causes.length > 0 ? files : files.filter((file) => !ownFiles.includes(file));
}

/** Four of what was done: a file that was edited five times says so once. */
function shortOf({ actions }: Fix): Fix["actions"] {
  const byPlace = new Map(actions.map((action) => [action.command?.line ?? action.files?.join() ?? "", action]));
  return [...byPlace.values()].slice(-4);
}

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const common = findCommon(sightings);
  if (!common) return undefined;
  const { files, commands } = common;
  const message = newestText(sightings, "message");
  const command = newestText(sightings, "command") ?? "";
  const cause = newestText(sightings, "causes");
  const isCommand = files.length === 0 && commands.length > 0;
  const failure = message === undefined ? `${code(command)} fails` : `${code(command)} fails with ${code(message)}`;
  const then = commands.length > 0 ? `, and then ${codes(commands.slice(0, 2))}` : "";
  const remedy = isCommand
    ? `When ${failure}, run ${codes(commands.slice(0, 2))}`
    : `${failure}; the fix was in ${codes(files.slice(0, 3))}${then}`;
  const where = newestText(sightings, "file");
  return {
    type: isCommand ? "gotcha" : "error_pattern",
    content: [sentence(remedy), cause === undefined ? "" : sentence(cause)].filter((part) => part !== "").join(" "),
    data: {
      ...(message !== undefined && { error: message }),
      command,
      fixedIn: files,
      fixedBy: commands,
      ...(cause !== undefined && { cause }),
    },
    relatedFiles: [...new Set([...files, ...(where !== undefined && isProjectFile(where) ? [where] : [])])],
  };
}

interface Common {
  files: string[];
  commands: string[];
}

// Where every third session found something else, the error does not say what helps.
const clearMajority = 2 / 3;

/** What helped in most sessions; where the very same error was fixed in different places, all of them. */
function findCommon(sightings: readonly PastSighting[]): Common | undefined {
  // Two agents of one session can agree where there is no second session.
  const enough = Math.min(2, sightings.length);
  const isMost = (count: number) => count >= enough && count >= sightings.length * clearMajority;
  const shared = (name: string) =>
    tally(sightings, name)
      .filter(({ count }) => isMost(count))
      .map(({ text }) => text);
  const [files, commands] = [shared("files"), shared("commands")];
  // Where the text is withheld, its mark tells whether it was the same.
  const marks = tally(sightings, "words");
  const messages = marks.length > 0 ? marks : tally(sightings, "message");
  const isVerbatim = messages.some(({ count }) => count >= enough);
  const isOnlyFile = sightings.every((sighting) => textsOf(sighting, "files").length <= 1);
  if (sightings.some(isOrdinary)) {
    const isExplained = sightings.some((sighting) => textsOf(sighting, "causes").length > 0);
    const isTelling = commands.length > 0 || (files.length > 0 && isVerbatim && isOnlyFile && isExplained);
    return isTelling ? { files: isOnlyFile ? files : [], commands } : undefined;
  }
  // Without a message two failures of a command may have nothing in common; what is edited in both may be so by chance.
  if (messages.length === 0) {
    const isTest = sightings.some((sighting) => textOf(sighting, "purpose") === "test");
    const isExplained = sightings.some((sighting) => textsOf(sighting, "causes").length > 0);
    const sole = isOnlyFile && !isTest && isExplained ? files : [];
    return sole.length + commands.length > 0 ? { files: sole, commands } : undefined;
  }
  if (sightings.some(isEveryday) && !messages.some(({ count }) => isMost(count))) {
    return commands.length > 0 ? { files: [], commands } : undefined;
  }
  if (files.length + commands.length > 0) return { files, commands };
  // The very same error with another fix each time is worth telling only with its causes.
  const isExplained = sightings.every((sighting) => textsOf(sighting, "causes").length > 0);
  const all = [...new Set(sightings.flatMap((sighting) => textsOf(sighting, "files")))];
  return isVerbatim && isExplained && all.length > 0 && all.length <= 3 ? { files: all, commands: [] } : undefined;
}

/** A failed assertion, which is how tests are written and says the same in every project. */
function isOrdinary(sighting: PastSighting): boolean {
  return assertion.test(textOf(sighting, "kind") ?? "") || assertion.test(textOf(sighting, "message") ?? "");
}

const assertion =
  /^(?:AssertionError|Assertion|FAIL\b|FAILED\b|✕|×|--- FAIL)|\bexpect(?:ed)?\(?\b.*\b(?:to (?:be|equal|have|match)|received)\b/i;

/** What a compiler, a linter or the language itself says: about any code, and each time for another reason. */
function isEveryday(sighting: PastSighting): boolean {
  return everyday.test(textOf(sighting, "kind") ?? "");
}

const everyday =
  /^(?:[A-Z]{1,4}\d{3,5}|lint|go|[a-z@][\w@]*[-/][\w/-]+|(?:Type|Reference|Range|Syntax|Name|Attribute|Key|Index|Value)Error|(?:NullPointer|ClassCast|IndexOutOfBounds)Exception)$/;
