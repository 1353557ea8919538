import type { IgnoreSetting } from "./config.js";
import { type Setting, shown } from "./setting.js";

const lists = ["paths", "commands", "projects"] as const;
// Far more than anybody writes by hand, and few enough to be compared with every path and command.
const maxPatterns = 500;
const longestPattern = 500;

// A folder or a remote: a name alone, such as `shop`, could be either, and of many.
const place = String.raw`^(?:~(?:[\\/]|$)|\/|[A-Za-z]:[\\/]|[^/]*[.:*][^/]*\/.)`;

const patternList = {
  type: "array",
  items: { type: "string", minLength: 1, maxLength: longestPattern },
  maxItems: maxPatterns,
} as const;

export const ignoreSetting: Setting = {
  name: "ignore",
  default: { paths: [], commands: [], projects: [] },
  purpose:
    "what is never observed, indexed or injected: paths as in .gitignore, commands as globs over what runs, projects by folder or remote",
  expected: 'an object with lists of patterns: {"paths": […], "commands": […], "projects": […]}',
  schema: {
    type: "object",
    properties: {
      paths: patternList,
      commands: patternList,
      projects: { ...patternList, items: { ...patternList.items, pattern: place } },
    },
    additionalProperties: false,
  },
  check: problemIn,
  // A project's patterns are added to the user's: they only hide more.
  isStricter: () => true,
};

/** Why it is no such setting, beginning with the place; undefined where it is one. */
function problemIn(value: object): string | undefined {
  for (const [name, list] of Object.entries(value) as [string, unknown][]) {
    if (!lists.some((known) => known === name)) {
      return `ignore has no ${shown(name)}; it has ${lists.join(", ")}`;
    }
    if (!Array.isArray(list)) return `ignore.${name} must be a list of patterns; it is ${shown(list)}`;
    if (list.length > maxPatterns) return `ignore.${name} has more than ${maxPatterns} patterns`;
    const wrong = list.findIndex(
      (pattern) => typeof pattern !== "string" || pattern === "" || pattern.length > longestPattern,
    );
    if (wrong !== -1) {
      return `ignore.${name}[${wrong}] must be a pattern of 1 to ${longestPattern} characters; it is ${shown(list[wrong])}`;
    }
    const unclear =
      name === "projects" ? list.findIndex((pattern: string) => !new RegExp(place, "u").test(pattern)) : -1;
    if (unclear !== -1) {
      return `ignore.projects[${unclear}] must be a folder (~/clients/*, /srv/app) or a remote (github.com/acme/*); it is ${shown(list[unclear])}`;
    }
  }
  return undefined;
}

/** Everything that any of them ignores: a clone's file may hide more, and never shows what its user hides. */
export function joinIgnored(...given: readonly (Partial<IgnoreSetting> | undefined)[]): IgnoreSetting {
  const join = (name: (typeof lists)[number]) => [...new Set(given.flatMap((one) => one?.[name] ?? []))];
  return { paths: join("paths"), commands: join("commands"), projects: join("projects") };
}
