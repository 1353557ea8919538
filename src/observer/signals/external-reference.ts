import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf, hasFailed } from "./evidence.js";
import { findMainModule, moduleName } from "./main-module.js";
import { tally, textOf } from "./past-data.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";

// As far as work belongs to what was looked up for it; not measured.
const actionsAround = 30;
const longestAddress = 200;
// Each one is looked at with what was done around it.
const mostFetches = 100;

/**
 * Work on a module goes back to the same page outside of the project. A page that was looked up once, whatever the work
 * was about, pages of a search engine, a host's bare front page, the own machine, and a fetch that failed show nothing.
 *
 * What it says rests on outside content by nature, so that a person decides over it.
 */
export const externalReference: Signal = {
  name: "external-reference",
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
    if (++fetches > mostFetches) break;
    const where = findMainModule(actions.slice(Math.max(0, index - actionsAround), index + actionsAround + 1));
    if (!where) continue;
    const subject = `${where.module} -> ${page}`;
    if (bySubject.has(subject)) continue;
    const edits = where.edits.slice(0, 9);
    bySubject.set(subject, {
      signal: "external-reference",
      subject,
      orders: [action.order, ...where.edits.map(({ order }) => order)],
      data: { module: where.module, page, files: where.files.slice(0, 10) },
      evidence: evidenceOf([action, ...edits]),
    });
  }
  return [...bySubject.values()];
}

/** Host and path of a page that was fetched, the same however it was written; undefined where it is no page to go back to. */
function pageOf(action: Action): string | undefined {
  if (action.does !== "fetch" || !action.url || action.url.length > longestAddress || hasFailed(action))
    return undefined;
  const [, host = "", path = ""] = /^(?:https?:\/\/)?(?:www\.)?([^/?#]+)([^?#]*)/i.exec(action.url.trim()) ?? [];
  const page = path.replace(/\/(?:index\.html?)?$/, "");
  const isAddress =
    /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?$/i.test(host) && /^(?:\/[\w.~!$&'()*+,;=:@%-]*)+$/.test(page);
  if (!isAddress || ownMachine.test(host) || searchEngine.test(host)) return undefined;
  return `${host.toLowerCase()}${page}`;
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
