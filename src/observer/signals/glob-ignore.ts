import { moduleOf } from "../scratchpad/module-of.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf } from "./action-evidence.js";
import { newestText, tally, textOf } from "./past-data.js";
import { isProjectFile } from "../scratchpad/project-files.js";
import { bareSearch, wholeKey } from "./search-key.js";
import { countFound, excludedFolders, ignoringNothing, seesEverything } from "./search-reach.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { code, codes } from "./wording.js";

/**
 * A search finds nothing, because what it looks for lies in a hidden or ignored folder, or far too much, because of what
 * is generated; it is made again with another reach, and then it works. The next search should begin there.
 *
 * It must not see: another pattern, a search in the wrong folder that is made again in the right one, and one that still
 * finds nothing.
 */
export const globIgnore: Signal = {
  name: "glob-ignore",
  wording: { by: "values", optional: ["lookedFor"], terms: ["missed", "flooded", "narrowed", "in", "by", "to"] },
  diagnostic: 0.64,
  crossSession: 0.6,
  falsePositives: 0.3,
  promotesTo: ["gotcha"],
  sessions: 2,
  detect,
  compose,
};

// More than an agent reads; what it then narrows, it narrows because of that.
const tooMuch = 200;
// One look at something else, or two, may lie between.
const near = 4;

function detect({ actions }: Scratchpad): Sighting[] {
  const sightings = new Map<string, Sighting>();
  for (const [index, first] of actions.entries()) {
    if (!first.search || !isUseless(countFound(first))) continue;
    const key = keyOf(first.search);
    const again = actions
      .slice(index + 1, index + 1 + near)
      .findIndex(({ search }) => search !== undefined && key.length >= 3 && keyOf(search) === key);
    const second = actions[index + 1 + again];
    if (again === -1 || !second?.search || isUseless(countFound(second)) || countFound(second) === undefined) continue;
    const opened = actions
      .slice(index + 2 + again, index + 5 + again)
      .find(({ does, files }) => does === "read" && files?.[0]);
    const lesson = countFound(first) === 0 ? learnOfMissed(first, second, opened, key) : learnOfFlood(first, second);
    if (!lesson || sightings.has(lesson.subject)) continue;
    const shown = [first, second, ...(lesson.isOpened && opened ? [opened] : [])];
    sightings.set(lesson.subject, {
      signal: "glob-ignore",
      subject: lesson.subject,
      orders: shown.map(({ order }) => order),
      data: { ...lesson.data, lookedFor: bareSearch(first.search.pattern, first.search.by) || first.search.pattern },
      evidence: evidenceOf(shown),
    });
  }
  return [...sightings.values()];
}

/** What is looked for; of `*.yml`, which names nothing else, the ending. */
function keyOf(search: NonNullable<Action["search"]>): string {
  return wholeKey(search) || (/\.\w{2,5}$/.exec(search.pattern)?.[0] ?? "");
}

function isUseless(found: number | undefined): boolean {
  return found === 0 || (found ?? 0) > tooMuch;
}

interface Lesson {
  subject: string;
  data: Record<string, string | string[]>;
  isOpened?: boolean;
}

/** Nothing was found at first: what made the difference, and where the thing lies. */
function learnOfMissed(first: Action, second: Action, opened: Action | undefined, key: string): Lesson | undefined {
  const [before, after] = [ignoringNothing(first), ignoringNothing(second)];
  const option = after.find((one) => !before.includes(one));
  const [file] = opened?.files ?? [];
  const [ofFile, named] = [hiddenFolder(file), hiddenFolder(second.search?.where)];
  const folder = named !== undefined && named !== hiddenFolder(first.search?.where) ? named : ofFile;
  const isWider = seesEverything(second) && !seesEverything(first);
  if (option === undefined && !(folder !== undefined && (folder === named || isWider))) return undefined;
  return {
    subject: folder === undefined ? `missed: ${key}` : `missed in ${folder}`,
    data: {
      kind: "missed",
      ...(option !== undefined && { option }),
      ...(folder !== undefined && { folder }),
      ...(file !== undefined && folder === ofFile && { file }),
    },
    isOpened: folder !== undefined && folder === ofFile,
  };
}

/** The first hidden or generated folder of a path, with what leads to it. */
function hiddenFolder(path: string | undefined): string | undefined {
  const folder =
    /^(?:.*?\/)?(?:\.[\w-]+|node_modules|dist|build|out|target|vendor|generated|__generated__|gen|coverage|tmp)(?=\/|$)/;
  return path?.startsWith("/") ? undefined : folder.exec(path?.replace(/^(?:\.\/)+/, "") ?? "")?.[0];
}

/** Too much was found at first: what was left out then, or the one folder that was left. */
function learnOfFlood(first: Action, second: Action): Lesson | undefined {
  const before = excludedFolders(first);
  const folders = excludedFolders(second).filter((folder) => !before.includes(folder));
  if (folders.length > 0) return { subject: `flooded by ${folders.join(", ")}`, data: { kind: "flooded", folders } };
  const [from, to] = [first.search?.where ?? ".", second.search?.where];
  if (to === undefined || to === "." || from !== "." || !isProjectFile(to) || to.includes("*")) return undefined;
  return { subject: `narrowed to ${to}`, data: { kind: "narrowed", to } };
}

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const newest = sightings.at(-1);
  const kind = newest && textOf(newest, "kind");
  const folders = tally(sightings, "folders").map(({ text }) => text);
  const [folder, option, to, file] = ["folder", "option", "to", "file"].map((name) => newestText(sightings, name));
  const lookedFor = newestText(sightings, "lookedFor");
  const content = contentOf();
  if (content === undefined) return undefined;
  const related = [file, to].filter((path) => path !== undefined && isProjectFile(path)) as string[];
  return {
    type: "gotcha",
    content,
    data: {
      ...(lookedFor !== undefined && { lookedFor }),
      ...(folder !== undefined && { folder }),
      ...(folders.length > 0 && { folders }),
      ...(option !== undefined && { option }),
    },
    relatedFiles: file !== undefined && isProjectFile(file) ? [file] : [],
    relatedModules: [...new Set(related.map((path) => (path === to ? path : moduleOf(path))))],
    // A search that is narrowed to a folder may just have been too wide.
    confidenceOffset: kind === "narrowed" ? -0.1 : 0,
  };

  function contentOf(): string | undefined {
    if (kind === "flooded") {
      return `Searches over the whole project drown in ${codes(folders)}. Leave ${folders.length > 1 ? "them" : "it"} out when you search.`;
    }
    if (kind === "narrowed" && to !== undefined) {
      const example = lookedFor === undefined ? "" : `, for ${code(lookedFor)} for example`;
      return `Searches over the whole project find far too much${example}. Search in ${code(to)}.`;
    }
    const how =
      option === undefined
        ? "name the folder"
        : `use ${code(option)}${folder === undefined ? "" : ", or name the folder"}`;
    if (folder !== undefined) return `A plain search does not see ${code(folder)}, which is hidden or ignored: ${how}.`;
    return option === undefined || lookedFor === undefined
      ? undefined
      : `A plain search for ${code(lookedFor)} finds nothing, because it lies where searches do not look: ${how}.`;
  }
}
