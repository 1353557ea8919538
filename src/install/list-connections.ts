import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MemoryError } from "../base/memory-error.js";
import { agents, isFound } from "./agents/known-agents.js";
import type { Agent, AgentId, Target } from "./agents/agent.js";
import { readConfigFile } from "./config-files/config-file.js";
import { putPart, readDocument } from "./config-files/document.js";
import { readJournal } from "./journal.js";
import { asObject, filesOf, isCallOf, looksLikeOurs } from "./agents/mcp-server.js";
import { isOnPath, passingFolderOf, type Machine } from "./agents/machine.js";

/** How an agent and Tacit stand to each other. */
export interface Connection {
  agent: AgentId;
  title: string;
  /** How the names begin under which it speaks to Tacit. */
  speaksAs: readonly string[];
  /** True where Tacit sees what the agent does and tells it by itself; else the agent has to ask. */
  isWatched: boolean;
  isFound: boolean;
  isConnected: boolean;
  /** What connects it: its files, or its plug-in; empty where nothing does. */
  how: string;
  /** What keeps it from working, and the next step. */
  problem?: Obstacle;
}

interface Obstacle {
  message: string;
  hint: string;
}

/** Every agent that Tacit can be connected to, and whether it is. Reads only, and never throws for what a file says. */
export function listConnections(place: Machine): Connection[] {
  const written = writtenFiles(place);
  return agents.map((agent) => {
    const { id, title, speaksAs, isWatched } = agent;
    const about = { agent: id, title, speaksAs, isWatched, isFound: isFound(agent, place) };
    try {
      return { ...about, ...connectionOf(agent, place) };
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      const isOurs = agent.targets(place).some(({ file }) => written.has(file) || isOursUnreadable(file));
      const problem = { message: error.message, hint: `Correct it, then: tacit install ${id}` };
      return { ...about, isConnected: false, how: "", ...(isOurs && { problem }) };
    }
  });
}

/** Those that the journal has. One that cannot be read is the doctor's to tell. */
function writtenFiles({ tacitHome }: Machine): Set<string> {
  try {
    return new Set(readJournal(tacitHome).map(({ file }) => file));
  } catch {
    return new Set();
  }
}

/** A file that says nothing to anybody is our affair only where something of ours is to be seen in it. */
export function isOursUnreadable(file: string): boolean {
  try {
    return statSync(file).isFile() && looksLikeOurs(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}

function connectionOf(agent: Agent, place: Machine): Pick<Connection, "isConnected" | "how" | "problem"> {
  const other = agent.findOtherConnection?.(place);
  const targets = agent.targets(place).map((target) => ({ target, ...standing(target) }));
  const ours = targets.filter(({ there }) => there.length > 0);
  const how = [...(other ? [other.how] : []), ...ours.map(({ target }) => target.file)].join(", ");
  const isConnected = other !== undefined || ours.length > 0;
  if (!isConnected) return { isConnected, how };

  const { id, title } = agent;
  const again = `tacit install ${id}`;
  const calls = ours.flatMap(({ there }) => there);
  const named = calls.flatMap(namedFiles);
  const lost = named.find((file) => !existsSync(file));
  const passing = named.find((file) => passingFolderOf(file, place) !== undefined);
  const elsewhere = ours.map(({ home }) => home).find((home) => home !== undefined && home !== place.tacitHome);
  const needsName = other !== undefined || calls.some(isByNameAnywhere);
  const problems: (Obstacle | undefined | false)[] = [
    other !== undefined &&
      ours.length > 0 && {
        message: `${title} is connected twice, by ${how}`,
        hint: `tacit uninstall ${id}, or: ${other.undo}`,
      },
    lost !== undefined && { message: `${title} is to start ${lost}, which is not there`, hint: again },
    needsName &&
      !isOnPath("tacit", place) && {
        message: `${title} is to start tacit, which is not on the PATH here`,
        hint: other ? "npm install -g tacit-memory" : again,
      },
    elsewhere !== undefined && {
      message: `${title} keeps its memories in ${elsewhere}, not in ${place.tacitHome}`,
      hint: again,
    },
    !other && targets.some(({ missing }) => missing) && { message: `${title} is connected in part only`, hint: again },
    agent.findObstacle?.(place),
    passing !== undefined && {
      message: `${title} is to start ${passing}, in ${passingFolderOf(passing, place)}, which is emptied now and then`,
      hint: "npm install -g tacit-memory, then tacit install",
    },
  ];
  const problem = problems.find((each) => each !== undefined && each !== false);
  return { isConnected, how, ...(problem && { problem }) };
}

interface Standing {
  there: unknown[];
  missing: boolean;
  home?: string | undefined;
}

/** What of ours stands in a file, whether anything is missing, and which memories it leads to. */
function standing({ file, syntax, parts, homeIn }: Target): Standing {
  const text = readConfigFile(file);
  if (text === undefined) return { there: [], missing: true };
  const document = readDocument(syntax, file, text);
  const found = parts.map((part) => {
    const value = part.at.reduce<unknown>((inner, key) => asObject(inner)[key], document);
    if (part.as === "property") return part.isOurs(value, document) ? value : undefined;
    return Array.isArray(value) ? value.find((item) => part.isOurs(item, document)) : undefined;
  });
  const missing = parts.some((part, index) => found[index] === undefined && isMissing(syntax, file, text, part));
  return { there: found.filter((value) => value !== undefined), missing, home: homeIn?.(document) };
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
