import { createHash } from "node:crypto";
import { runGit, shareLimits, type GitLimits } from "../../base/git/git.js";
import { saysNothingToReader, withheldText } from "../notes/error-text.js";
import type { ErrorSeen } from "../observer.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { namesIn, readMessage, showMessage, type ReadMessage } from "./read-message.js";
import { plainKind } from "./usual-kinds.js";

/** What is known of a project's files when a session is over. */
export interface ErrorPlace {
  root: string;
  /** Whether the project has this file, by its path from the root. */
  isOwn: (path: string) => boolean;
  /** Git's head when the session began. */
  commit?: string | undefined;
  /** Which of these stand as words in what the project tracks. */
  findNames: (names: Iterable<string>, limits: GitLimits) => Promise<ReadonlySet<string>>;
}

// Each other text takes a search through the repository.
const maxSearched = 30;

/**
 * Withholds what errors say, unless it is the project's or the language's own: the place that the error was thrown at is a
 * file of the project, the text stands in the project's code or is a whole message of compilers and runtimes, and it says
 * nothing to its reader. What a program put into it, in quotes or not, is left out where it is no name that the project
 * tracks: any page or dependency can have worded it. What is kept of the others is their kind, the file if the project has
 * it, and the fingerprint.
 */
export async function settleErrors(pads: readonly Scratchpad[], place: ErrorPlace, all: GitLimits): Promise<void> {
  const actions = pads.flatMap((pad) => pad.actions).filter(({ error }) => error !== undefined && !error.words);
  if (actions.length === 0) return;
  const edited = new Set(
    pads.flatMap((pad) => pad.actions).flatMap(({ does, files = [] }) => (does === "edit" ? files : [])),
  );
  const isOwn = (path: string) => place.isOwn(path) || edited.has(path);
  const limits = shareLimits(all);
  const keyOf = ({ kind, frame, message }: ErrorSeen) => `${kind}\n${frame ?? ""}\n${message}`;
  const judged = new Map<string, ReadMessage | undefined>();
  for (const action of actions) {
    const error = action.error as ErrorSeen;
    const key = keyOf(error);
    if (judged.has(key)) continue;
    const isLate = judged.size >= maxSearched || limits().timeoutMs <= 0;
    judged.set(key, await readQuotable(error, place, isOwn, isLate ? undefined : limits));
  }
  const isName = await openNames([...judged.values()], place, limits());
  for (const action of actions) {
    const error = action.error as ErrorSeen;
    const read = judged.get(keyOf(error));
    const shown = read && { ...error, message: showMessage(read, isName) };
    action.error = shown ? withOwnFile(shown, isOwn) : withheld(error, isOwn);
  }
}

async function readQuotable(
  { message, kind, frame, isOurs }: ErrorSeen,
  place: ErrorPlace,
  isOwn: (path: string) => boolean,
  limits: (() => GitLimits) | undefined,
): Promise<ReadMessage | undefined> {
  const whole = { lead: message, kinds: [], parts: [], isOfLanguage: true };
  if (message === "") return plainKind(kind) === kind ? whole : undefined;
  if (isOurs) return whole;
  if (frame === undefined || !isOwn(frame) || !saysNothingToReader(message)) return undefined;
  const read = readMessage(message);
  const unusual = [...new Set([kind, ...read.kinds])].filter((name) => plainKind(name) !== name);
  if (unusual.length === 0 && read.isOfLanguage) return read;
  if (limits === undefined) return undefined;
  for (const name of unusual) if (!(await hasCode(name, place, limits))) return undefined;
  return read.isOfLanguage || (await isInCode(read, place, limits)) ? read : undefined;
}

const maxFragments = 4;

/** Whether all that the text says besides values stands in the code that the session began with. */
async function isInCode({ parts }: ReadMessage, place: ErrorPlace, limits: () => GitLimits): Promise<boolean> {
  const fragments = parts
    .filter(({ isValue }) => !isValue)
    .map(({ text }) => text.trim())
    .filter((text) => /\p{L}/u.test(text));
  if (fragments.length === 0 || fragments.length > maxFragments) return false;
  if (!fragments.some((fragment) => fragment.length >= 10)) return false;
  for (const fragment of fragments) if (!(await hasCode(fragment, place, limits))) return false;
  return true;
}

function treeOf({ commit }: ErrorPlace): string {
  return commit !== undefined && /^[\da-f]{7,64}$/i.test(commit) ? commit : "HEAD";
}

async function hasCode(text: string, place: ErrorPlace, limits: () => GitLimits): Promise<boolean> {
  const left = limits();
  if (left.timeoutMs <= 0) return false;
  return (await runGit(place.root, ["grep", "-F", "-l", "-e", text, treeOf(place), "--"], left)).output !== "";
}

/** Which of the values that were put into these texts are names of the project, as it was when the session began. */
async function openNames(
  read: readonly (ReadMessage | undefined)[],
  place: ErrorPlace,
  limits: GitLimits,
): Promise<(name: string) => boolean> {
  const names = new Set(read.flatMap((one) => (one ? namesIn(one) : [])));
  if (names.size === 0) return () => false;
  const known = await place.findNames(names, limits);
  return (name) =>
    known.has(name) || isShortName(name) || place.isOwn(name.replace(/^\.\//, "").replace(/:\d+(?::\d+)?$/, ""));
}

/** A name too short to say anything with: `rate`, `./generated/prices.js`. What a program makes of many words is none. */
function isShortName(name: string): boolean {
  if (!/^[\w$@./#:~-]{1,60}$/.test(name)) return false;
  const words = name.replace(/\.\w{1,5}$/, "").match(/[A-Z]?[a-z]+|[A-Z]{2,}/g) ?? [];
  return words.length <= maxNameWords;
}

const maxNameWords = 2;

function withOwnFile(seen: ErrorSeen, isOwn: (path: string) => boolean): ErrorSeen {
  const { fingerprint, message, kind, file, frame, isOurs } = seen;
  return {
    fingerprint,
    message,
    kind,
    ...(file !== undefined && isOwn(file) && { file }),
    // A build that goes on is looked at again.
    ...(frame !== undefined && isOwn(frame) && { frame }),
    ...(isOurs && { isOurs }),
  };
}

function withheld(error: ErrorSeen, isOwn: (path: string) => boolean): ErrorSeen {
  const kind = plainKind(error.kind);
  const { message } = error;
  // Enough to see that another session met the very same words.
  const words = createHash("sha1").update(message).digest("hex").slice(0, 16);
  return { ...withOwnFile(error, isOwn), kind, message: message === "" ? "" : withheldText(kind), words };
}
