import { moduleOf } from "../scratchpad/module-of.js";
import { isConfigFile } from "../scratchpad/config-files.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf, hasFailed, hasPassed } from "./action-evidence.js";
import { importKeys, keyOf, readImports } from "./import-keys.js";
import { tally, textOf } from "./past-data.js";
import { projectFiles } from "../scratchpad/project-files.js";
import { bareSearch, searchKey } from "./search-key.js";
import type { Draft, History, PastSighting, Sighting, Signal } from "./signal.js";
import { areCompanions } from "./touched-files.js";
import { code } from "./wording.js";

/**
 * A file is opened, left at once to look elsewhere, and never touched again; what was needed is then changed in another
 * file. When three sessions go the same way round, the first file only looks like the right place.
 *
 * It must not see: reading what is then changed, reading on purpose before a change (what the changed file imports, its
 * tests, a README, configuration), and sessions that read their way through many files.
 */
export const readAbandon: Signal = {
  name: "read-abandon",
  wording: { by: "values", optional: ["lookedFor"] },
  diagnostic: 0.8,
  crossSession: 0.75,
  falsePositives: 0.175,
  promotesTo: ["gotcha"],
  sessions: 3,
  detect,
  compose,
};

// The search goes on for some actions before the right file is found; what is changed much later is other work.
const maxBetween = 15;
// Reading so much, or in several pieces, is no glance.
const manyBytes = 8_000;
// A look at the state of things, or at a list of what is to be done, leads nowhere; who takes more of them does other work.
const maxGlances = 6;
// Who passes through more files on the way to one explores.
const maxOnTheWay = 3;

interface Visit {
  file: string;
  actions: Action[];
  /** Index of the first and the last of them. */
  first: number;
  last: number;
}

function detect({ actions }: Scratchpad): Sighting[] {
  const imports = readImports(actions);
  const onTheWay = new Map<string, Sighting[]>();
  for (const visit of findSingleVisits(actions)) {
    const next = actions.slice(visit.last + 1, visit.last + 2 + maxGlances).find((action) => !isGlance(action));
    const edit = actions.slice(visit.last + 1, visit.last + 1 + maxBetween).find(isGoodEdit);
    const [goal] = edit ? projectFiles(edit) : [];
    if (!next || !edit || goal === undefined || !isLeft(visit, next, goal) || isHelpful(visit.file, goal, imports))
      continue;
    const search = findSearch(actions, visit, next);
    const shown = [...visit.actions.slice(0, 3), ...(search ? [search] : []), ...(next === search ? [] : [next]), edit];
    const distinct = [...new Set(shown)];
    const sighting: Sighting = {
      signal: "read-abandon",
      subject: `${visit.file} → ${goal}`,
      orders: distinct.map(({ order }) => order).toSorted((a, b) => a - b),
      data: {
        left: visit.file,
        goal,
        ...(search?.search && { lookedFor: bareSearch(search.search.pattern, search.search.by) }),
      },
      evidence: evidenceOf(distinct),
    };
    onTheWay.set(goal, [...(onTheWay.get(goal) ?? []), sighting]);
  }
  return [...onTheWay.values()].filter(({ length }) => length <= maxOnTheWay).flat();
}

/** Files that were read in one go and at no other time, and never changed. */
function findSingleVisits(actions: readonly Action[]): Visit[] {
  const visits = new Map<string, Visit | "more">();
  for (const [index, action] of actions.entries()) {
    const isRead = action.does === "read" && !hasFailed(action) && action.files?.length === 1;
    for (const file of action.does === "search" ? [] : projectFiles(action)) {
      const visit = visits.get(file);
      if (isRead && !visit) visits.set(file, { file, actions: [action], first: index, last: index });
      else if (isRead && visit !== "more" && visit?.last === index - 1) {
        visit.actions.push(action);
        visit.last = index;
      } else visits.set(file, "more");
    }
  }
  return [...visits.values()].filter((visit) => visit !== "more");
}

/** Whether an action looks at no file and for nothing; `cat` and `grep` are reading and searching however they are run. */
function isGlance({ does, command, search }: Action): boolean {
  if (does === "search") return search === undefined;
  return (
    does === "other" || (does === "run" && (command?.purpose === "look" || command?.purpose === "version-control"))
  );
}

function isGoodEdit(action: Action): boolean {
  return action.does === "edit" && hasPassed(action) && projectFiles(action).length > 0;
}

/** Whether a file was left for another place: by a search, or for the goal after a good deal of reading. */
function isLeft({ file, actions }: Visit, next: Action, goal: string): boolean {
  if (file === goal || unhelpful.test(file) || isConfigFile(file)) return false;
  if (next.does === "search") return true;
  const bytes = actions.reduce((sum, action) => sum + (action.bytes ?? 0), 0);
  return next.does === "read" && (actions.length > 1 || bytes >= manyBytes);
}

const unhelpful =
  /\.(?:mdx?|rst|txt|adoc|json|ya?ml|toml|svg|lock|log)$|(?:^|\/)(?:README|CHANGELOG|LICENSE|CONTRIBUTING)[^/]*$/i;

/** Whether a file was read for the sake of the other: one imports the other, or it is its test. */
function isHelpful(file: string, goal: string, imports: ReadonlyMap<string, readonly string[]>): boolean {
  return areCompanions(file, goal) || importKeys(goal, imports.get(goal) ?? []).includes(keyOf(file));
}

/** The search that led to the file, or away from it. */
function findSearch(actions: readonly Action[], { first }: Visit, next: Action): Action | undefined {
  const around = [actions[first - 1], actions[first - 2], next];
  return around.find((action) => action?.search && searchKey(action.search) !== undefined);
}

// Where sessions as often stay with the file, it is no wrong turning.
const leastShare = 0.5;

function compose(_subject: string, sightings: readonly PastSighting[], history: History): Draft | undefined {
  const newest = sightings.at(-1);
  const [left, goal] = newest ? [textOf(newest, "left"), textOf(newest, "goal")] : [];
  if (left === undefined || goal === undefined) return undefined;
  if (sightings.length / Math.max(1, history.sessionsOfFile(left)) < leastShare) return undefined;
  const [lookedFor] = tally(sightings, "lookedFor");
  const place = lookedFor && lookedFor.count > 1 ? `the place for ${code(lookedFor.text)}` : "the right place";
  return {
    type: "gotcha",
    content: `${code(left)} looks like ${place}, but sessions that open it leave it again: what they needed was in ${code(goal)}.`,
    data: { left, goal, ...(lookedFor && { lookedFor: lookedFor.text }) },
    relatedFiles: [goal, left],
    relatedModules: [...new Set([moduleOf(goal), moduleOf(left)])],
  };
}
