import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Note } from "../observer.js";
import { validateNote } from "../notes/validate-note.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { partsAmong } from "./part-names.js";
import { parseLine } from "./read-spool.js";
import { fileOf, othersName } from "./append-notes.js";
import { spoolsFolder, type SpoolPlace } from "./spool-place.js";

type InjectedNote = Extract<Note, { kind: "injected" }>;

/** What is noted of a session that is not taken in yet about what one of its agents was told. */
export interface NotedInjections {
  /** Those since its memory was last compacted, oldest first. */
  injected: readonly InjectedNote[];
  isCompacted: boolean;
  /** What each memory took that it was told unasked, since the session began. */
  took: ReadonlyMap<string, number>;
  /** How many calls of tools were answered. */
  steps: number;
}

/**
 * Looks for these lines alone: a hook asks at every call of a tool, and to parse all of a long session takes thirty times
 * as long. Also what somebody is about to take in counts. Nothing where there is no spool.
 */
export function readInjected(place: SpoolPlace, sessionId: string, agentId: string | undefined): NotedInjections {
  const parts = readParts(place, sessionId, agentId);
  const notes = parts
    .flatMap((bytes) => [...linesWith(bytes, ["injected", "compacted"])])
    .map((line) => validateNote(parseLine(line)))
    .filter((note) => note?.kind === "injected" || note?.kind === "compacted");
  const compacted = notes.findLastIndex(({ kind }) => kind === "compacted");
  return {
    injected: notes.slice(compacted + 1).filter((note) => note.kind === "injected"),
    isCompacted: compacted !== -1,
    took: tookOf(notes.filter((note) => note.kind === "injected")),
    steps: parts.reduce((sum, bytes) => sum + countOf(bytes, '"kind":"result"'), 0),
  };
}

/** The same of agents whose notes are in memory only. */
export function injectedIn(pads: readonly Scratchpad[], agentId?: string): NotedInjections {
  const named = (id: string | undefined) => pads.find((pad) => pad.agentId === id);
  const pad = named(agentId) ?? (agentId === undefined ? undefined : named(othersName));
  const compacted = pad?.compacted.at(-1)?.order ?? -1;
  const injected = pad?.injected ?? [];
  return {
    injected: injected.filter(({ order }) => order > compacted),
    isCompacted: compacted !== -1,
    took: tookOf(injected),
    steps: pad?.actions.filter(({ endedAt }) => endedAt !== undefined).length ?? 0,
  };
}

/**
 * A time for a note by which it is found again: two that are made in the same millisecond have different ones.
 */
export function uniqueTime(now: number): number {
  return now + Math.random();
}

/**
 * The memories that others told before the note with this time: whose note stands first has told them. Undefined where that
 * note is not there, and it cannot be said who was first.
 */
export function injectedByOthers({ injected }: NotedInjections, at: number): ReadonlySet<string> | undefined {
  const own = injected.findIndex((note) => note.at === at);
  if (own === -1) return undefined;
  return new Set(injected.slice(0, own).flatMap(({ memories }) => memories.map(({ id }) => id)));
}

/** What was asked for is not counted, nor what had to be told again. */
function tookOf(injected: readonly InjectedNote[]): Map<string, number> {
  const unasked = injected.filter(({ point }) => point !== "asked");
  return new Map(unasked.flatMap(({ memories }) => memories.map(({ id, tokens }) => [id, tokens])));
}

/** An agent's file of each part of a session, oldest first. */
function readParts(place: SpoolPlace, sessionId: string, agentId: string | undefined): Buffer[] {
  for (let attempt = 1; ; attempt++) {
    const folders = partsAmong(namesIn(spoolsFolder(place.home)), place, sessionId);
    const parts = folders.map((folder) => readAgent(folder, agentId));
    // Claimed while it was looked for, and under another name now; or taken in, and in the store.
    if (attempt === 3 || folders.every((folder, index) => parts[index] || existsSync(folder))) {
      return parts.filter((bytes) => bytes !== undefined);
    }
  }
}

function readAgent(folder: string, agentId: string | undefined): Buffer | undefined {
  const own = readBytes(join(folder, fileOf(agentId)));
  return own ?? (agentId === undefined ? undefined : readBytes(join(folder, fileOf(othersName))));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** The whole lines of notes of these kinds, in their order. */
function* linesWith(bytes: Buffer, kinds: readonly string[]): Generator<string> {
  const places = kinds.flatMap((kind) => [...placesOf(bytes, `"kind":"${kind}"`)]).toSorted((a, b) => a - b);
  let done = 0;
  for (const place of places) {
    if (place < done) continue;
    const start = bytes.lastIndexOf(0x0a, place) + 1;
    const end = bytes.indexOf(0x0a, place);
    // Somebody is still writing it, or was killed while doing so.
    if (end === -1) return;
    yield bytes.toString("utf8", start, end);
    done = end;
  }
}

function* placesOf(bytes: Buffer, text: string): Generator<number> {
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + text.length)) yield at;
}

function countOf(bytes: Buffer, text: string): number {
  return [...placesOf(bytes, text)].length;
}
