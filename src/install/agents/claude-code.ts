import { existsSync } from "node:fs";
import type { Json } from "../../base/base.js";
import { MemoryError } from "../../base/memory-error.js";
import { readConfigFile } from "../config-file.js";
import { readDocument } from "../document.js";
import { isByName, isCallOf, mcpServer } from "../mcp-server.js";
import type { Part } from "../part.js";
import { unusualHome, type Place } from "../place.js";
import type { Agent } from "./agent.js";

/** What Tacit wants to hear of; the plug-in asks for the same. */
const hookEvents = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PreCompact",
  "SubagentStart",
  "SubagentStop",
  "Stop",
  "SessionEnd",
];
const timeoutSeconds = 10;
const words = ["hook", "claude-code"];

/** Hooks in its settings, and the MCP server in its own file, as `claude mcp add --scope user` would have it. */
export const claudeCode: Agent = {
  id: "claude-code",
  title: "Claude Code",
  speaksAs: ["claude-code"],
  commands: ["claude"],
  traces: (place) => [folderOf(place), serversFile(place)],
  targets: (place) => [
    {
      name: "settings",
      file: place.path.join(folderOf(place), "settings.json"),
      syntax: "jsonc",
      parts: [...hookEvents.map((event) => hook(place, event)), ...environment(place)],
    },
    {
      name: "servers",
      file: serversFile(place),
      syntax: "jsonc",
      parts: [mcpServer(place, ["mcpServers", "tacit"], { type: "stdio" })],
    },
  ],
  findOtherTie(place) {
    const { enabledPlugins } = settingsOf(place);
    if (typeof enabledPlugins !== "object" || enabledPlugins === null) return undefined;
    const [name] = Object.entries(enabledPlugins).find(([key, is]) => key.startsWith("tacit@") && is === true) ?? [];
    return name === undefined ? undefined : { how: `its plug-in ${name}`, undo: `claude plugin uninstall ${name}` };
  },
  findGrudge(place) {
    const file = place.path.join(folderOf(place), "mcp-needs-auth-cache.json");
    const names = Object.keys(asObject(readQuietly(file)));
    if (!names.some((name) => /(?:^|:)tacit$/.test(name))) return undefined;
    return {
      message: "Claude Code remembers that Tacit's server failed once, and does not start it",
      hint: `Remove ${file}`,
    };
  },
};

function folderOf({ env, home, path }: Place): string {
  return env["CLAUDE_CONFIG_DIR"] || path.join(home, ".claude");
}

/** Beside its folder; in it where the folder is elsewhere, or where a file of an old name still is. */
function serversFile(place: Place): string {
  const { env, home, path } = place;
  const old = path.join(folderOf(place), ".config.json");
  return existsSync(old) ? old : path.join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json");
}

function hook(place: Place, event: string): Part {
  const { node, main } = place.installation;
  const call = { command: node, args: [main, ...words] };
  return {
    at: ["hooks", event],
    as: "item",
    value: { hooks: [{ type: "command", ...call, timeout: timeoutSeconds }] },
    isOurs: (found) => callsOf(found).some((each) => isCallOf(each, words)),
    renew: (found) => {
      const group = found as { hooks: { [key: string]: Json }[] };
      return {
        ...group,
        hooks: group.hooks.map((each) => (isCallOf(each, words) && !isByName(each) ? { ...each, ...call } : each)),
      };
    },
    rest: (found) => {
      const group = found as { hooks: { [key: string]: Json }[] };
      const hooks = group.hooks.filter((each) => !isCallOf(each, words));
      return hooks.length === 0 ? undefined : { ...group, hooks };
    },
  };
}

function callsOf(group: unknown): unknown[] {
  const { hooks } = asObject(group);
  return Array.isArray(hooks) ? hooks : [];
}

/** A hook has no environment of its own; this one holds for its sessions, and means something to Tacit only. */
function environment(place: Place): Part[] {
  const home = unusualHome(place);
  if (home === undefined) return [];
  return [
    {
      at: ["env", "TACIT_HOME"],
      as: "property",
      value: home,
      isOurs: (found) => found === home,
      renew: (found) => found,
    },
  ];
}

function settingsOf(place: Place): Record<string, unknown> {
  return asObject(readQuietly(place.path.join(folderOf(place), "settings.json")));
}

/** Undefined for a file that cannot be read: whoever wants to write to it is told why. */
function readQuietly(file: string): unknown {
  try {
    const text = readConfigFile(file);
    return text === undefined ? undefined : readDocument("jsonc", file, text);
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
