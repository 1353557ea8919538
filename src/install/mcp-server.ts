import { isDeepStrictEqual } from "node:util";
import type { Json } from "../base/base.js";
import type { Part } from "./part.js";
import { unusualHome, type Place } from "./place.js";

/**
 * The entry of our MCP server, under `at`. It names this Node and this file by their whole paths, not `tacit`: programs with
 * windows are started with another PATH than a terminal's (on macOS without Homebrew's and nvm's folders), the command of npm
 * is a script on Windows that cannot be started without a shell, and whoever switches Node with nvm has another `tacit` on
 * the PATH, or none. Where the paths go, `tacit doctor` says so, and `tacit install` puts them right.
 */
export function mcpServer(place: Place, at: readonly string[], more: { [key: string]: Json } = {}): Part {
  const { node, main } = place.installation;
  const home = unusualHome(place);
  const call = { command: node, args: [main, "mcp"] };
  return {
    at,
    as: "property",
    value: { ...more, ...call, ...(home !== undefined && { env: { TACIT_HOME: home } }) },
    isOurs: (found) => isCallOf(found, ["mcp"]),
    renew: (found) => {
      const old = found as { [key: string]: Json };
      if (isByName(old)) return found;
      const env = home === undefined ? old["env"] : { ...(old["env"] as object), TACIT_HOME: home };
      return { ...old, ...keepEqual(old, call), ...(env !== undefined && { env }) };
    },
  };
}

/** True for what starts Tacit with these words: by its name, or by its file in any installation. */
export function isCallOf(found: unknown, words: readonly string[]): boolean {
  if (typeof found !== "object" || found === null) return false;
  const { command, args } = found as { command?: unknown; args?: unknown };
  if (typeof command !== "string" || !Array.isArray(args)) return false;
  const isName = /(?:^|[\\/])tacit(?:\.cmd|\.exe)?$/i.test(command);
  const said: unknown[] = isName ? args : args.slice(1);
  const isFile = typeof args[0] === "string" && /[\\/]dist[\\/]cli[\\/]main\.js$/.test(args[0]);
  return (isName || isFile) && isDeepStrictEqual(said.slice(0, words.length), words);
}

/** Somebody wrote `tacit` there, by hand or by the plug-in's example: it works where the PATH has it, and is theirs to change. */
export function isByName(found: { [key: string]: Json }): boolean {
  return found["command"] === "tacit";
}

/** What a call names that has to be there: the program, if it is a path, and our file. */
export function filesOf(found: unknown): string[] {
  const { command, args } = found as { command: string; args: string[] };
  return [command, ...args.slice(0, 1)].filter((path) => /[\\/]/.test(path));
}

function keepEqual(old: { [key: string]: Json }, call: { [key: string]: Json }): { [key: string]: Json } {
  return isDeepStrictEqual({ command: old["command"], args: old["args"] }, call) ? {} : call;
}
