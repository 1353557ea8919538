import { isConfigFile } from "../scratchpad/config-files.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { chanceOfMeeting } from "./chance.js";
import { evidenceOf } from "./action-evidence.js";
import { tally, textOf } from "./past-data.js";
import type { Draft, History, PastSighting, Sighting, Signal } from "./signal.js";
import { isTestFile, listTouches, type Touch } from "./touched-files.js";
import { code, codes } from "./wording.js";

/**
 * A configuration file that is changed together with the same part of the source. It must not see configuration that is
 * only read, one that is changed at another time of the session for another reason, nor one that changes with
 * everything.
 */
export const configTouch: Signal = {
  name: "config-touch",
  wording: { by: "values" },
  diagnostic: 0.7,
  crossSession: 0.6,
  falsePositives: 0.35,
  promotesTo: ["causal_dependency"],
  sessions: 2,
  detect,
  compose,
};

// With more edits in between, the one is not the reason for the other any more.
const maxBetween = 5;
const maxFiles = 8;

function detect(pad: Scratchpad): Sighting[] {
  const edits = listTouches(pad).filter(({ isEdit }) => isEdit);
  const changed = new Map<string, { module: string; config: string; near: Set<Touch> }>();
  for (const [index, edit] of edits.entries()) {
    if (!isConfigFile(edit.file)) continue;
    const around = edits.slice(Math.max(0, index - maxBetween), index + 1 + maxBetween).filter(isSource);
    // What was changed right before or right after is the reason; more of the same module belongs to it.
    const nearest = [
      around.findLast(({ place }) => place <= edit.place),
      around.find(({ place }) => place > edit.place),
    ];
    for (const module of new Set(nearest.flatMap((source) => source?.module ?? []))) {
      const key = `${module}\n${edit.file}`;
      const known = changed.get(key) ?? { module, config: edit.file, near: new Set<Touch>() };
      changed.set(key, known);
      known.near.add(edit);
      for (const source of around) if (source.module === module) known.near.add(source);
    }
  }
  return [...changed.values()].map(({ module, config, near }) => {
    const actions = [...new Set([...near].map(({ action }) => action))].toSorted((a, b) => a.order - b.order);
    const files = [...near].filter(isSource).map(({ file }) => file);
    return {
      signal: "config-touch",
      subject: `${module} + ${config}`,
      orders: actions.map(({ order }) => order),
      data: { module, config, files: [...new Set(files)].slice(0, maxFiles) },
      evidence: evidenceOf(actions),
    };
  });
}

function isSource({ file }: Touch): boolean {
  return !isConfigFile(file) && !isTestFile(file) && !/\.(?:md|mdx|txt|rst|adoc|snap|svg|png)$/i.test(file);
}

// Of the sessions that touched the source, so many have to have changed the configuration.
const leastShare = 0.5;
// Where there are fewer sessions than it takes to rule out chance, the configuration must hardly ever be seen without.
const sessionsToTell = 12;
const maxChance = 0.02;

function compose(_subject: string, sightings: readonly PastSighting[], history: History): Draft | undefined {
  const last = sightings.at(-1);
  const config = last && textOf(last, "config");
  const module = last && textOf(last, "module");
  if (config === undefined || module === undefined) return undefined;
  const together = sightings.length;
  const files = tally(sightings, "files")
    .filter(({ text, count }) => count === together && isTied(history.sessionsOfFile(text), config, together, history))
    .map(({ text }) => text)
    .slice(0, 3);
  // A list of dependencies changes with any source; only one and the same file makes that more than chance.
  const mayBeWhole = module !== "." && !isManifest(config);
  const isWhole = mayBeWhole && isTied(history.sessionsOfModule(module), config, together, history);
  if (files.length === 0 && !isWhole) return undefined;
  const what = files.length > 0 ? codes(files) : `something in ${code(module)}`;
  return {
    type: "causal_dependency",
    content: `When ${what} ${files.length > 1 ? "change" : "changes"}, ${code(config)} has to follow: sessions changed them together.`,
    data: { changed: files[0] ?? module, affected: config, sessionCount: together },
    relatedFiles: [...files, config],
    relatedModules: [module],
  };
}

/** Whether enough of the sessions that had the one changed the configuration too, and not by chance. */
function isTied(sessionsOfSource: number, config: string, together: number, history: History): boolean {
  if (together / Math.max(1, sessionsOfSource) < leastShare) return false;
  const counts = { a: sessionsOfSource, b: history.sessionsOfFile(config) };
  if (history.sessions < sessionsToTell) return together / Math.max(1, counts.b) >= leastShare;
  return chanceOfMeeting({ sessions: history.sessions, ...counts, together }) <= maxChance;
}

function isManifest(config: string): boolean {
  return /(?:^|\/)(?:package\.json|cargo\.toml|go\.mod|pyproject\.toml|requirements[^/]*\.txt|pom\.xml|build\.gradle(?:\.kts)?)$/i.test(
    config,
  );
}
