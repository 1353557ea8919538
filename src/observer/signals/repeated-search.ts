import { moduleOf } from "../scratchpad/module-of.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { costOf } from "./cost-of.js";
import { evidenceOf, hasFailed } from "./action-evidence.js";
import { newestText, tally, textOf } from "./past-data.js";
import { projectFiles } from "../scratchpad/project-files.js";
import { bareSearch, searchKey } from "./search-key.js";
import { countFound } from "./search-reach.js";
import type { Draft, History, PastSighting, Sighting, Signal } from "./signal.js";
import { code } from "./wording.js";

/**
 * The same thing is looked for again and again, and the search ends in the same file: saying where it is saves the next
 * one. Or it finds nothing each time, because the thing has another name.
 *
 * It must not see: searches for words that every project is full of (`TODO`, `import`), searches that end in another file
 * each time, and files that are open in every session anyway.
 */
export const repeatedSearch: Signal = {
  name: "repeated-search",
  wording: { by: "values", terms: ["text", "name"] },
  diagnostic: 0.75,
  crossSession: 0.75,
  falsePositives: 0.2,
  promotesTo: ["module_insight", "gotcha"],
  sessions: 2,
  detect,
  compose,
};

// What was searched for is opened at once or after a look at one or two other hits.
const near = 3;
// What is opened is changed some actions later, and a search that found nothing is followed by others before the right
// place comes.
const later = 10;
// A word with more hits is none that one looks for a second time to find its place.
const maxFound = 200;
const maxOfSession = 50;

interface Looked {
  by: "text" | "name";
  pattern: string;
  searches: { action: Action; index: number }[];
}

function detect({ actions }: Scratchpad): Sighting[] {
  const looked = new Map<string, Looked>();
  for (const [index, action] of actions.entries()) {
    const key = action.search && searchKey(action.search);
    if (key === undefined || !action.search) continue;
    const { pattern, by } = action.search;
    const known = looked.get(key);
    if (known) known.searches.push({ action, index });
    else looked.set(key, { pattern, by, searches: [{ action, index }] });
  }
  const edited = new Set(actions.filter(({ does }) => does === "edit").flatMap(({ files = [] }) => files));
  return [...looked]
    .toSorted(([, a], [, b]) => b.searches.length - a.searches.length)
    .slice(0, maxOfSession)
    .flatMap(([key, one]) => toSighting(actions, edited, key, one));
}

function toSighting(actions: readonly Action[], edited: ReadonlySet<string>, key: string, looked: Looked): Sighting[] {
  const { searches, pattern, by } = looked;
  const isNothing = searches.every(({ action }) => countFound(action) === 0);
  const isTooMuch = searches.every(({ action }) => (countFound(action) ?? 0) > maxFound);
  const last = searches.at(-1);
  if (!last || isTooMuch) return [];
  const following = actions.slice(last.index + 1, last.index + 1 + later);
  const end = isNothing ? findReached(following, edited) : findEnd(following, countFound(last.action));
  if (!end && !(isNothing && searches.length > 1)) return [];
  const shown = [...searches.slice(0, 5).map(({ action }) => action), ...(end ? [end.action] : [])];
  return [
    {
      signal: "repeated-search",
      subject: key,
      orders: shown.map(({ order }) => order),
      data: {
        shown: bareSearch(pattern, by),
        by,
        times: searches.length,
        isNothing,
        cost: costOf(searches.map(({ action }) => action)),
        ...(end && { file: end.file, isEdited: edited.has(end.file) }),
      },
      evidence: evidenceOf(shown),
    },
  ];
}

/**
 * The file that a search ended in: the one opened next. Where there were several hits, it may be the next but one, if that
 * one is then changed. What is left at once for the next search was not what was looked for, nor what is read on the way
 * to a third file; and what is changed without having been opened is what the search was made for.
 */
function findEnd(following: readonly Action[], found: number | undefined) {
  const opened: { file: string; action: Action }[] = [];
  const changed = new Set<string>();
  let isLeft = false;
  for (const [index, action] of following.entries()) {
    // The next search begins something new.
    if (action.search) {
      isLeft = index <= near;
      break;
    }
    const [file] = hasFailed(action) ? [] : projectFiles(action);
    if (file !== undefined && action.does === "read" && index <= near) opened.push({ file, action });
    if (file !== undefined && action.does === "edit") changed.add(file);
  }
  const [first, second, ...others] = opened;
  if (first && changed.has(first.file)) return first;
  if (second && found !== 1 && changed.has(second.file)) return second;
  return isLeft || others.some(({ file }) => changed.has(file)) ? undefined : first;
}

/** What was opened and changed after a search that found nothing and had to be put in other words. */
function findReached(following: readonly Action[], edited: ReadonlySet<string>) {
  for (const action of following) {
    const isOpening = action.does === "read" || action.does === "edit";
    const [file] = isOpening && !hasFailed(action) ? projectFiles(action) : [];
    if (file !== undefined && edited.has(file)) return { file, action };
  }
  return undefined;
}

// In fewer sessions nobody can tell whether a file is in nearly all of them.
const sessionsToTell = 6;
const nearlyAll = 0.8;
const often = 0.3;

function compose(_subject: string, sightings: readonly PastSighting[], history: History): Draft | undefined {
  const shown = newestText(sightings, "shown");
  if (shown === undefined) return undefined;
  const nothing = sightings.filter(({ data }) => data["isNothing"] === true);
  const isNothing = nothing.length === sightings.length;
  const found = isNothing ? nothing : sightings.filter(({ data }) => data["isNothing"] !== true);
  const file = findCommonFile(found, history);
  if (isNothing) return composeNothing(shown, file, nothing);
  // Whoever looks for a file by its name has found it with the first search.
  const isName = found.every((sighting) => textOf(sighting, "by") === "name");
  if (file === undefined || isInPath(shown, file) || (isName && !found.some(({ data }) => Number(data["times"]) > 1)))
    return undefined;
  return {
    type: "module_insight",
    content: `${code(shown)} is in ${code(file)}; searches for it end there.`,
    data: { lookedFor: shown, file },
    relatedFiles: [file],
    relatedModules: [moduleOf(file)],
  };
}

/** Nobody has to be told that `openStore` is in `open-store.ts`. */
function isInPath(shown: string, file: string): boolean {
  const [name, path] = [shown, file.replace(/\.[^/]*$/, "")].map((text) =>
    text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""),
  );
  return path !== undefined && name !== undefined && path.includes(name);
}

/**
 * The file that the searches ended in, the same one in most sessions. What is only opened after a search may be something
 * else: then it must be the same in nearly all of them, and in three where the file is often open anyway.
 */
function findCommonFile(sightings: readonly PastSighting[], history: History): string | undefined {
  const [most] = tally(sightings, "file");
  if (!most || most.count < Math.min(2, sightings.length)) return undefined;
  const share = history.sessions < sessionsToTell ? 0 : history.sessionsOfFile(most.text) / history.sessions;
  const ends = sightings.filter((sighting) => textOf(sighting, "file") === most.text);
  const isEdited = ends.filter(({ data }) => data["isEdited"] === true).length >= Math.min(2, ends.length);
  const isMost = ends.length / sightings.length >= (isEdited ? 0.6 : 0.75);
  const isRare = share < often || isEdited || ends.length > 2;
  return isMost && isRare && share < nearlyAll ? most.text : undefined;
}

function composeNothing(
  shown: string,
  file: string | undefined,
  sightings: readonly PastSighting[],
): Draft | undefined {
  const isStubborn = sightings.every(({ data }) => Number(data["times"]) > 1);
  if (file === undefined && !isStubborn) return undefined;
  const instead = file === undefined ? "it must have another name here" : `what is meant is in ${code(file)}`;
  return {
    type: "gotcha",
    content: `Searching for ${code(shown)} finds nothing in this project; ${instead}.`,
    data: { lookedFor: shown, ...(file !== undefined && { file }) },
    relatedFiles: file === undefined ? [] : [file],
    ...(file !== undefined && { relatedModules: [moduleOf(file)] }),
  };
}
