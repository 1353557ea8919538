import { existsSync } from "node:fs";
import type { Json } from "../../base/base.js";
import { peekAt } from "../config-files/document.js";
import { asObject, homeOfServer, isCallOf, mcpServer, renewCall } from "./mcp-server.js";
import type { ConfigPart } from "../config-files/config-part.js";
import { unusualHome, usualHome, type Machine } from "./machine.js";
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
const server = ["mcpServers", "tacit"];

/**
 * Hooks in its settings, and the MCP server in its own file, as `claude mcp add --scope user` would have it. A comment or a
 * comma behind the last, in the settings, and it ignores all of them (2.1.325, tried).
 */
export const claudeCode: Agent = {
  id: "claude-code",
  title: "Claude Code",
  isWatched: true,
  speaksAs: ["claude-code"],
  commands: ["claude"],
  traces: (place) => [folderOf(place), serversFile(place)],
  targets: (place) => [
    {
      name: "settings",
      file: place.path.join(folderOf(place), "settings.json"),
      syntax: "json",
      // The environment first: whether it is ours is told by the hooks beside it, before any is put in or taken out.
      parts: [environment(place), ...hookEvents.map((event) => hook(place, event))],
      homeIn: (document) => (hasOurHooks(document) ? (homeIn(document) ?? usualHome(place)) : undefined),
    },
    {
      name: "servers",
      file: serversFile(place),
      otherNames: [serversName, oldServersName],
      syntax: "json",
      parts: [mcpServer(place, server, { type: "stdio" })],
      homeIn: (document) => homeOfServer(document, server, place),
    },
  ],
  findOtherConnection(place) {
    const { enabledPlugins } = asObject(peekAt("json", place.path.join(folderOf(place), "settings.json")));
    const [name] =
      Object.entries(asObject(enabledPlugins)).find(([key, is]) => key.startsWith("tacit@") && is === true) ?? [];
    return name === undefined ? undefined : { how: `its plug-in ${name}`, undo: `claude plugin uninstall ${name}` };
  },
  findObstacle(place) {
    const file = place.path.join(folderOf(place), "mcp-needs-auth-cache.json");
    const names = Object.keys(asObject(peekAt("json", file)));
    if (!names.some((name) => /(?:^|:)tacit$/.test(name))) return undefined;
    return {
      message: "Claude Code remembers that Tacit's server failed once, and does not start it",
      hint: `Remove ${file}`,
    };
  },
};

function folderOf({ env, home, path }: Machine): string {
  return env["CLAUDE_CONFIG_DIR"] || path.join(home, ".claude");
}

/** Beside its folder; in it where the folder is elsewhere, or where a file of an old name still is. */
function serversFile(place: Machine): string {
  const { env, home, path } = place;
  const old = path.join(folderOf(place), oldServersName);
  return existsSync(old) ? old : path.join(env["CLAUDE_CONFIG_DIR"] || home, serversName);
}

const serversName = ".claude.json";
const oldServersName = ".config.json";

function hook(place: Machine, event: string): ConfigPart {
  const { node, main } = place.installation;
  return {
    at: ["hooks", event],
    as: "item",
    value: { hooks: [{ type: "command", command: node, args: [main, ...words], timeout: timeoutSeconds }] },
    isOurs: isOurGroup,
    renew: (found) => {
      const group = found as { hooks: { [key: string]: Json }[] };
      return { ...group, hooks: group.hooks.map((each) => (isCallOf(each, words) ? renewCall(each, place) : each)) };
    },
    rest: (found) => {
      const group = found as { hooks: { [key: string]: Json }[] };
      const hooks = group.hooks.filter((each) => !isCallOf(each, words));
      return hooks.length === 0 ? undefined : { ...group, hooks };
    },
  };
}

function isOurGroup(group: unknown): boolean {
  const { hooks } = asObject(group);
  return Array.isArray(hooks) && hooks.some((each) => isCallOf(each, words));
}

function hasOurHooks(document: unknown): boolean {
  return Object.values(asObject(asObject(document)["hooks"])).some(
    (groups) => Array.isArray(groups) && groups.some(isOurGroup),
  );
}

/**
 * A hook has no environment of its own; this one holds for its sessions. It is ours where our hooks stand beside it, whatever
 * it says: hooks and server would keep two sets of memories else, and back in the usual folder it has to go.
 */
function environment(place: Machine): ConfigPart {
  const home = unusualHome(place);
  return {
    at: ["env", "TACIT_HOME"],
    as: "property",
    value: home,
    isOurs: (found, document) => typeof found === "string" && hasOurHooks(document),
    renew: () => home,
  };
}

function homeIn(document: unknown): string | undefined {
  const { TACIT_HOME: home } = asObject(asObject(document)["env"]);
  return typeof home === "string" ? home : undefined;
}
