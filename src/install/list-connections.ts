import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MemoryError } from "../base/memory-error.js";
import { agents, isFound } from "./agents/agents.js";
import type { Agent, AgentId, Target } from "./agents/agent.js";
import { readConfigFile } from "./config-file.js";
import { putPart, readDocument } from "./document.js";
import { filesOf, isCallOf } from "./mcp-server.js";
import { isOnPath, type Place } from "./place.js";

/** How an agent and Tacit stand to each other. */
export interface Connection {
  agent: AgentId;
  title: string;
  /** How the names begin under which it speaks to Tacit. */
  speaksAs: readonly string[];
  isFound: boolean;
  isConnected: boolean;
  /** What connects it: its files, or its plug-in; empty where nothing does. */
  how: string;
  /** What keeps it from working, and the next step. */
  problem?: { message: string; hint: string };
}

/** Every agent that Tacit can be tied to, and whether it is. Reads only, and never throws for what a file says. */
export function listConnections(place: Place): Connection[] {
  return agents.map((agent) => {
    const { id, title, speaksAs } = agent;
    const about = { agent: id, title, speaksAs, isFound: isFound(agent, place) };
    try {
      return { ...about, ...connectionOf(agent, place) };
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      const problem = { message: error.message, hint: `Correct it, then: tacit install ${id}` };
      return { ...about, isConnected: false, how: "", ...(mentionsTacit(agent, place) && { problem }) };
    }
  });
}

/** A file that cannot be read is our affair only where we are in it. */
function mentionsTacit(agent: Agent, place: Place): boolean {
  return agent.targets(place).some(({ file }) => {
    try {
      return readFileSync(file, "utf8").includes("tacit");
    } catch {
      return false;
    }
  });
}

function connectionOf(agent: Agent, place: Place): Pick<Connection, "isConnected" | "how" | "problem"> {
  const tie = agent.findOtherTie?.(place);
  const targets = agent.targets(place).map((target) => ({ target, ...standing(target) }));
  const tied = targets.filter(({ there }) => there.length > 0);
  const how = [...(tie ? [tie.how] : []), ...tied.map(({ target }) => target.file)].join(", ");
  const isConnected = tie !== undefined || tied.length > 0;
  if (!isConnected) return { isConnected, how };

  const calls = tied.flatMap(({ there }) => there);
  const lost = calls.flatMap(namedFiles).find((file) => !existsSync(file));
  const needsName = tie !== undefined || calls.some(isByNameAnywhere);
  const again = `tacit install ${agent.id}`;
  const problem =
    tie && tied.length > 0
      ? {
          message: `${agent.title} is connected twice, by ${how}`,
          hint: `tacit uninstall ${agent.id}, or: ${tie.undo}`,
        }
      : lost !== undefined
        ? { message: `${agent.title} is to start ${lost}, which is not there`, hint: again }
        : needsName && !isOnPath("tacit", place)
          ? {
              message: `${agent.title} is to start tacit, which is not on the PATH here`,
              hint: tie ? "npm install -g tacit-memory" : again,
            }
          : !tie && targets.some(({ missing }) => missing)
            ? { message: `${agent.title} is connected in part only`, hint: again }
            : agent.findGrudge?.(place);
  return { isConnected, how, ...(problem && { problem }) };
}

/** What of ours stands in a file, and whether anything is missing. */
function standing({ file, syntax, parts }: Target): { there: unknown[]; missing: boolean } {
  const text = readConfigFile(file);
  if (text === undefined) return { there: [], missing: true };
  const document = readDocument(syntax, file, text);
  const found = parts.map((part) => {
    const value = part.at.reduce<unknown>(
      (inner, key) =>
        typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
      document,
    );
    if (part.as === "property") return part.isOurs(value) ? value : undefined;
    return Array.isArray(value) ? value.find((item) => part.isOurs(item)) : undefined;
  });
  const there = found.filter((value) => value !== undefined);
  return { there, missing: there.length < parts.length && parts.some((part) => isMissing(syntax, file, text, part)) };
}

/** What is not ours and has our name is somebody's decision; it is not missing. */
function isMissing(syntax: Target["syntax"], file: string, text: string, part: Target["parts"][number]): boolean {
  const put = putPart(syntax, file, text, part, { mayReplace: false });
  return put.kind === "put" && put.isNew;
}

/** The paths that calls of ours name, wherever they stand in a value. */
function namedFiles(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("file:") ? [fileURLToPath(value)] : [];
  return callsIn(value).flatMap(filesOf);
}

function isByNameAnywhere(value: unknown): boolean {
  return callsIn(value).some((call) => (call as { command: string }).command === "tacit");
}

function callsIn(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if (isCallOf(value, [])) return [value];
  return Object.values(value).flatMap(callsIn);
}
