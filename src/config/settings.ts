import { MemoryError } from "../base/memory-error.js";
import { sessionTypes, type SettingName, type Settings } from "./config.js";
import { conversationSettings } from "./conversation-settings.js";
import { ignoreSetting } from "./ignore-setting.js";
import { modelSettings } from "./model-settings.js";
import { isOff, longestShown, shown, type Setting } from "./setting.js";

export type { Setting, SettingValue, ValueSchema, ValueType } from "./setting.js";

export const settings: readonly Setting[] = [
  {
    name: "enabled",
    default: true,
    purpose: "whether anything new is kept; reading, exporting and erasing always work",
    expected: "true or false",
    schema: { type: "boolean" },
    isStricter: isOff,
  },
  {
    name: "autoInject",
    default: true,
    purpose: "whether an agent is told what is worth knowing without asking for it",
    expected: "true or false",
    schema: { type: "boolean" },
    isStricter: isOff,
  },
  {
    name: "cleanupDays",
    default: 90,
    purpose: "after how many days what has expired is removed for good; null is never",
    expected: "a number from 0, or null",
    schema: { type: ["number", "null"], minimum: 0 },
  },
  {
    name: "maxEntries",
    default: null,
    purpose:
      "how many memories a project may hold, beside what was said in conversations, before the least worth keeping are forgotten; null is unlimited",
    expected: "a whole number from 1, or null",
    schema: { type: ["integer", "null"], minimum: 1 },
  },
  {
    name: "sessionType",
    default: "build",
    purpose:
      "what kind of sessions agents have here, where they do not say so; it decides how much is learned from one",
    expected: `one of ${sessionTypes.join(", ")}`,
    schema: { type: "string", enum: sessionTypes },
  },
  {
    name: "injectionConfidence",
    // Of the levels of trust in the first design the lowest that nobody has to ask for.
    default: 0.55,
    purpose: "how sure a memory must be now to be told to an agent that did not ask, from 0 to 1",
    expected: "a number from 0 to 1",
    schema: { type: "number", minimum: 0, maximum: 1 },
    isStricter: (value, than) => Number(value) >= Number(than),
  },
  {
    name: "sessionMapTokens",
    // Before anybody has said what is to be done, 1,000 tokens show one in four of the files that this repository's next commit
    // changes; of five smaller ones half to nearly all, but there a list of file names does as well (bench/repository-map.mjs,
    // 2026-11). That is not worth it in every session.
    default: 0,
    purpose: "how many model tokens of each session go to a map of the project's code; 0 is none",
    expected: "a whole number from 0 to 2000",
    // More would not fit into what Claude Code lets a hook say, with the memories.
    schema: { type: "integer", minimum: 0, maximum: 2000 },
    isStricter: (value, than) => Number(value) <= Number(than),
  },
  ignoreSetting,
  ...conversationSettings,
  ...modelSettings,
];

/** The settings where nothing is set. */
export function defaultSettings(): Settings {
  return Object.fromEntries(settings.map(({ name, default: value }) => [name, value])) as unknown as Settings;
}

/** The setting of that name. For any other name it throws, with the one that was probably meant. */
export function getSetting(name: string): Setting {
  const setting = findSetting(name);
  if (setting) return setting;
  throw new MemoryError("invalid-input", `There is no setting ${shown(name)}.`, settingHint(name));
}

export function findSetting(name: string): Setting | undefined {
  return settings.find((setting) => setting.name === name);
}

/** What to say to a name that is no setting: the nearest one, and all of them. */
export function settingHint(name: string): string {
  const nearest = findNearestSetting(name);
  const guess = nearest === undefined ? "" : `Did you mean ${nearest}? `;
  return `${guess}The settings are ${settings.map((setting) => setting.name).join(", ")}.`;
}

// Half of the pairs of letters in common is the same word to a person: max_entries, cleanup-days, autoinjects.
const near = 0.5;

function findNearestSetting(word: string): SettingName | undefined {
  const [nearest] = settings
    .map(({ name }) => ({ name, likeness: likenessOf(word, name) }))
    .toSorted((a, b) => b.likeness - a.likeness);
  return nearest && nearest.likeness >= near ? nearest.name : undefined;
}

/** The share of their pairs of letters that two words have in common, 0 to 1. */
function likenessOf(a: string, b: string): number {
  const [pairs, others] = [pairsOf(a), pairsOf(b)];
  const common = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * common) / (pairs.size + others.size);
}

function pairsOf(word: string): Set<string> {
  const letters = word
    .slice(0, longestShown)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
  return new Set(Array.from(letters, (letter, index) => letter + (letters[index + 1] ?? "")));
}
