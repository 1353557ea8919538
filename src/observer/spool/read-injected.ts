import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Note } from "../notes/note.js";
import { soundNote } from "../notes/sound-note.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { parseLine } from "./read-spool.js";
import { fileOf } from "./spool.js";
import { spoolFolder, type SpoolPlace } from "./spool-place.js";

type InjectedNote = Extract<Note, { kind: "injected" }>;

/** What is noted of a running session about what one of its agents was told. */
export interface NotedInjections {
  /** Those since its memory was last compacted, oldest first. */
  injected: readonly InjectedNote[];
  isCompacted: boolean;
  /** What the memories among all of it took, since the session began. */
  tokens: number;
  /** How many calls of tools were answered. */
  steps: number;
}

/**
 * Looks for these lines alone: a hook asks at every call of a tool, and to parse all of a long session takes thirty times
 * as long. Nothing where there is no spool.
 */
export function readInjected(place: SpoolPlace, sessionId: string, agentId: string | undefined): NotedInjections {
  const bytes = readBytes(join(spoolFolder(place, sessionId), fileOf(agentId)));
  const notes = [...linesWith(bytes, ["injected", "compacted"])]
    .map((line) => soundNote(parseLine(line)))
    .filter((note) => note?.kind === "injected" || note?.kind === "compacted");
  const compacted = notes.findLastIndex(({ kind }) => kind === "compacted");
  return {
    injected: notes.slice(compacted + 1).filter((note) => note.kind === "injected"),
    isCompacted: compacted !== -1,
    tokens: tokensOf(notes.filter((note) => note.kind === "injected")),
    steps: countOf(bytes, '"kind":"result"'),
  };
}

/** The same of an agent whose notes are in memory only. */
export function injectedIn(pad: Scratchpad | undefined): NotedInjections {
  const compacted = pad?.compacted.at(-1)?.order ?? -1;
  const injected = pad?.injected ?? [];
  return {
    injected: injected.filter(({ order }) => order > compacted),
    isCompacted: compacted !== -1,
    tokens: tokensOf(injected),
    steps: pad?.actions.filter(({ endedAt }) => endedAt !== undefined).length ?? 0,
  };
}

function tokensOf(injected: readonly InjectedNote[]): number {
  return injected.reduce((sum, { memories }) => sum + memories.reduce((all, { tokens }) => all + tokens, 0), 0);
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
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
