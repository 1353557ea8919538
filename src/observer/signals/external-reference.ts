import { moduleOf } from "../scratchpad/module-of.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf, hasFailed } from "./action-evidence.js";
import { findMainModule, moduleName, type MainModule } from "./main-module.js";
import { tally, textOf } from "./past-data.js";
import { projectFiles } from "../scratchpad/project-files.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";

// As far as work belongs to what was looked up for it; not measured.
const actionsAround = 30;
const longestAddress = 200;
// Each one is looked at with what was done around it.
const maxFetches = 100;

/**
 * Work on a module goes back to the same page outside of the project. A page that was looked up once, whatever the work
 * was about, pages of a search engine, a host's bare front page, the own machine, and a fetch that failed show nothing.
 *
 * What it says rests on outside content by nature, so that a person decides over it.
 */
export const externalReference: Signal = {
  name: "external-reference",
  wording: { by: "agent", onlyPersonReleases: true },
  diagnostic: 0.5,
  crossSession: 0.7,
  falsePositives: 0.25,
  promotesTo: ["module_insight"],
  sessions: 3,
  detect,
  compose,
};

function detect({ actions }: Scratchpad): Sighting[] {
  const bySubject = new Map<string, Sighting>();
  let fetches = 0;
  for (const [index, action] of actions.entries()) {
    const page = pageOf(action);
    if (page === undefined) continue;
    if (++fetches > maxFetches) break;
    for (const { module, files, edits } of listWork(actions, index)) {
      const subject = `${module} -> ${page}`;
      if (bySubject.has(subject)) continue;
      bySubject.set(subject, {
        signal: "external-reference",
        subject,
        orders: [action.order, ...edits.map(({ order }) => order)],
        data: { module, page, files: files.slice(0, 10) },
        evidence: evidenceOf([action, ...edits.slice(0, 9)]),
      });
    }
  }
  return [...bySubject.values()];
}

/**
 * What a page may have been looked up for: the module of the next edit, and of the last one before. Which of them it was
 * is told by the other sessions.
 */
function listWork(actions: readonly Action[], index: number): MainModule[] {
  const [earlier, later] = [
    actions.slice(Math.max(0, index - actionsAround), index).filter(isEdit),
    actions.slice(index + 1, index + actionsAround + 1).filter(isEdit),
  ];
  const nearest = [later[0], earlier.at(-1)].flatMap((edit) => (edit ? projectFiles(edit).slice(0, 1) : []));
  return [...new Set(nearest.map(moduleOf))].flatMap((module) => {
    const own = [...earlier, ...later].filter((edit) => projectFiles(edit).some((file) => moduleOf(file) === module));
    const work = findMainModule(own);
    return work?.module === module ? [work] : [];
  });
}

function isEdit(action: Action): boolean {
  return action.does === "edit" && !hasFailed(action) && projectFiles(action).length > 0;
}

/** Host and path of a page that was fetched, the same however it was written; undefined where it is no page to go back to. */
function pageOf(action: Action): string | undefined {
  const address = action.does === "fetch" ? action.url : addressIn(action);
  if (!address || address.length > longestAddress || hasFailed(action)) return undefined;
  const [, host = "", path = ""] = /^(?:https?:\/\/)?(?:www\.)?([^/?#]+)([^?#]*)/i.exec(address.trim()) ?? [];
  const page = path.replace(/\/(?:index\.html?)?$/, "");
  const isAddress =
    /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?$/i.test(host) && /^(?:\/[\w.~!$&'()*+,;=:@%-]*)+$/.test(page);
  if (!isAddress || ownMachine.test(host) || searchEngine.test(host)) return undefined;
  return `${host.toLowerCase()}${page}`;
}

/** The page that a command looks at: not what it sends something to, nor what it keeps in a file. */
function addressIn({ command }: Action): string | undefined {
  if (command?.purpose !== "network" || !/^(?:curl|wget|https?|xh)\b/.test(command.name)) return undefined;
  if (/\s(?:-[a-zA-Z]*[XdFTo]\b|-O\b|--(?:request|data|form|upload|output|post|method|json)|>)/.test(command.line))
    return undefined;
  return /https?:\/\/[^\s'"<>|;&]+/i.exec(command.line)?.[0];
}

const ownMachine = /^(?:127\.|10\.|192\.168\.|0\.0\.0\.0|169\.254\.)|\.(?:localhost|local|internal|test)(?::\d+)?$/i;
const searchEngine =
  /^(?:(?:html|lite|search)\.)?(?:google|bing|duckduckgo|ecosia|kagi|startpage|yahoo|brave)\.[a-z.]+$/i;

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const [module, page] = ["module", "page"].map((name) => sightings[0] && textOf(sightings[0], name));
  if (!module || !page) return undefined;
  const files = tally(sightings, "files").filter(({ count }) => count * 2 > sightings.length);
  return {
    type: "module_insight",
    content: `Work on ${moduleName(module)} goes back to ${page}: sessions that changed it looked there again and again.`,
    data: { module, page, sampleCount: sightings.length },
    relatedFiles: files.slice(0, 5).map(({ text }) => text),
    relatedModules: [module],
    tags: ["reference"],
  };
}
