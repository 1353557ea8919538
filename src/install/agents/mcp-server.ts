import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../base/base.js";
import type { ConfigPart } from "../config-files/config-part.js";
import { unusualHome, usualHome, type Machine } from "./machine.js";

/**
 * The entry of our MCP server, under `at`. It names this Node and this file by their whole paths, not `tacit`: programs with
 * windows are started with another PATH than a terminal's (on macOS without Homebrew's and nvm's folders), the command of npm
 * is a script on Windows that cannot be started without a shell, and whoever switches Node with nvm has another `tacit` on
 * the PATH, or none. Where the paths go, `tacit doctor` says so, and `tacit install` puts them right.
 */
export function mcpServer(place: Machine, at: readonly string[], more: JsonObject = {}): ConfigPart {
  const { node, main } = place.installation;
  const home = unusualHome(place);
  return {
    at,
    as: "property",
    value: {
      ...more,
      command: node,
      args: [main, ...serverWords],
      ...(home !== undefined && { env: { TACIT_HOME: home } }),
    },
    isOurs: isServer,
    renew: (found) => {
      const { env, ...old } = renewCall(found as JsonObject, place);
      const { TACIT_HOME: _, ...others } = asObject(env) as JsonObject;
      const renewed = home === undefined ? others : { ...others, TACIT_HOME: home };
      const isNeeded = Object.keys(renewed).length > 0 || isDeepStrictEqual(env, {});
      return { ...old, ...(isNeeded && { env: renewed }) };
    },
  };
}

type JsonObject = { [key: string]: Json };

const serverWords = ["mcp"];

function isServer(found: unknown): boolean {
  return isCallOf(found, serverWords);
}

/** The folder that our server keeps its memories in, by what a document says at these keys; undefined where it is not there. */
export function homeOfServer(document: unknown, at: readonly string[], place: Machine): string | undefined {
  const found = at.reduce<unknown>((inner, key) => asObject(inner)[key], document);
  if (!isServer(found)) return undefined;
  const { TACIT_HOME: home } = asObject(asObject(found)["env"]);
  return typeof home === "string" ? home : usualHome(place);
}

/** A call of ours with this installation in it, and with everything else that it says. */
export function renewCall(found: JsonObject, { installation: { node, main } }: Machine): JsonObject {
  if (isByName(found)) return found;
  const args = found["args"] as Json[];
  const said = isNameOfOurs(found["command"]) ? args : args.slice(1);
  return { ...found, command: node, args: [main, ...said] };
}

/** True for what starts Tacit with these words: by its name, or by its file in any installation. */
export function isCallOf(found: unknown, words: readonly string[]): boolean {
  const { command, args } = asObject(found);
  if (typeof command !== "string" || !Array.isArray(args)) return false;
  const isName = isNameOfOurs(command);
  const said: unknown[] = isName ? args : args.slice(1);
  const isFile = typeof args[0] === "string" && /[\\/]dist[\\/]cli[\\/]main\.js$/.test(args[0]);
  return (isName || isFile) && isDeepStrictEqual(said.slice(0, words.length), words);
}

function isNameOfOurs(command: unknown): boolean {
  return typeof command === "string" && /(?:^|[\\/])tacit(?:\.cmd|\.exe)?$/i.test(command);
}

/** Somebody wrote `tacit` there, by hand or by the plug-in's example: it works where the PATH has it, and is theirs to change. */
export function isByName(found: JsonObject): boolean {
  return found["command"] === "tacit";
}

/** True for a text, right or broken, in which a call or an address stands that Tacit has written. */
export function looksLikeOurs(text: string): boolean {
  return /dist[\\/]+cli[\\/]+main\.js"\s*,\s*"(?:mcp|hook)"|dist\/agents\/opencode\/opencode\.js"/.test(text);
}

/** What a call names that has to be there: the program, if it is a path, and our file. */
export function filesOf(found: unknown): string[] {
  const { command, args } = found as { command: string; args: string[] };
  return [command, ...args.slice(0, 1)].filter((path) => /[\\/]/.test(path));
}

export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
