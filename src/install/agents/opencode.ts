import { peekAt } from "../config-files/document.js";
import { unusualHome, type Machine } from "./machine.js";
import type { Agent } from "./agent.js";

/** The address of the plug-in in the list of plug-ins. */
export const opencode: Agent = {
  id: "opencode",
  title: "opencode",
  isWatched: true,
  speaksAs: ["opencode"],
  commands: ["opencode"],
  traces: (place) => [folderOf(place)],
  targets: (place) => [
    {
      name: "config",
      file: configFile(place),
      otherNames: names,
      syntax: "jsonc",
      parts: [
        {
          at: ["plugin"],
          as: "item",
          value: place.installation.plugin,
          isOurs: (found) => isByAddress(specOf(found)) || isByName(specOf(found)),
          renew: (found) => {
            if (!isByAddress(specOf(found))) return found;
            return Array.isArray(found) ? [place.installation.plugin, ...found.slice(1)] : place.installation.plugin;
          },
        },
      ],
    },
  ],
  remark(place) {
    const home = unusualHome(place);
    if (home === undefined) return undefined;
    return `opencode hands its plug-ins no environment: start it with TACIT_HOME=${home}, as now.`;
  },
};

const names = ["opencode.jsonc", "opencode.json", "config.json"];

/**
 * It reads three files of this folder, and of their lists of plug-ins only that of the first here counts (1.18, tried): the
 * one that has a list, else the first that is there. OPENCODE_CONFIG and OPENCODE_CONFIG_DIR add to them and take nothing away.
 */
function configFile(place: Machine): string {
  const files = names.map((name) => place.path.join(folderOf(place), name));
  // One that cannot be read is there all the same, and whoever wants to write to it is told why.
  const read = files
    .map((file) => ({ file, config: peekAt("jsonc", file) }))
    .filter(({ config }) => config !== undefined);
  const withList = read.find(({ config }) => typeof config === "object" && config !== null && "plugin" in config);
  return (withList ?? read[0])?.file ?? (files[0] as string);
}

/** The same folder on every system, Windows and macOS included. */
function folderOf({ env, home, path }: Machine): string {
  return path.join(env["XDG_CONFIG_HOME"] || path.join(home, ".config"), "opencode");
}

/** A plug-in with options is a list of two. */
function specOf(found: unknown): unknown {
  return Array.isArray(found) ? found[0] : found;
}

function isByAddress(found: unknown): boolean {
  return typeof found === "string" && /^file:.*\/dist\/agents\/opencode\/opencode\.js$/.test(found);
}

function isByName(found: unknown): boolean {
  return typeof found === "string" && /^tacit-memory(?:$|[@/])/.test(found);
}
