import { changeMemories, type MemoryContext, type MemoryWriter } from "../../memory/change/change.js";
import type { Json } from "../../base/base.js";
import { idFrom, newId } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import type { HygieneFlag } from "../../hygiene/hygiene.js";
import { cleanLongText } from "../../hygiene/clean-text.js";
import { stripInvisible } from "../../hygiene/invisible-characters.js";
import { dropPrivateParts } from "../../hygiene/private-parts.js";
import type { TrustFlag } from "../../memory/memory.js";
import { prepareMemories, type PreparedMemory } from "../../memory/prepare/prepare.js";
import { type Project, refuseWhenDisabled } from "../../project/project.js";
import { ignoringOf } from "../../project/ignore/ignore.js";
import { withoutPaths } from "../../observer/notes/notes.js";
import { insertMemory } from "../../memory/remember/remember.js";
import { roles, type Turn, type TurnInput } from "../conversation.js";
import { checkSession } from "./check-session.js";
import { checkWholeNumber } from "./check-whole-number.js";
import { isLong, joinParts, splitTurn } from "./split-turn.js";
import { ensureConversation, listKnownIds, type TurnRow } from "./turn-queries.js";

/** A turn that comes from elsewhere. */
export interface IncomingTurn extends TurnInput {
  /** What its id follows from, with the session; one that is there already is passed over. */
  key?: string;
  isTainted?: boolean;
}

export interface AppendOptions {
  /** How many turns stay when the rest is consolidated; kept with the conversation. */
  keepCount?: number | undefined;
}

/**
 * Adds turns to the end of a conversation, all of them or none, however many processes do so at once; tells those that were
 * added. What holds nothing that may be kept (all of it private) stands as `[private]`, so that who spoke when is not lost.
 */
export async function appendTurns(
  context: MemoryContext,
  session: string,
  turns: readonly IncomingTurn[],
  { keepCount }: AppendOptions = {},
): Promise<Turn[]> {
  turns.forEach(checkTurn);
  checkWholeNumber("keepCount", keepCount);
  if (turns.length === 0) return [];
  const sessionId = await checkSession(session);
  await refuseWhenDisabled(context);
  // Before the transaction: cleaning takes longer than writing.
  const prepared: PreparedTurn[] = [];
  const withoutIgnored = await openIgnoredTexts(context);
  for (const turn of turns) {
    prepared.push(await prepareTurn(context, sessionId, { ...turn, content: withoutIgnored(turn) }));
  }

  return changeMemories(context, async (writer, project) => {
    const now = context.now();
    const news = await withoutKnown(writer, project, sessionId, prepared);
    if (news.length === 0) return [];
    const conversation = await ensureConversation(writer, project, { sessionId, createdAt: now.toISOString() });
    // With the turn, so that it goes where the conversation goes.
    const told = keepCount === undefined || keepCount === conversation.keepCount ? {} : { keepCount };
    let sequence = conversation.lastSequence;
    const rows: TurnRow[] = [];
    for (const [place, { key, parts }] of news.entries()) {
      const first = key === undefined ? newId(now) : turnId(project, sessionId, key);
      for (const [index, memory] of parts.entries()) {
        sequence += 1;
        const data = {
          ...memory.data,
          sequence,
          ...(place === 0 && index === 0 && told),
          ...(parts.length > 1 && { turn: first, part: index + 1, parts: parts.length }),
        };
        const id = index === 0 ? first : key === undefined ? newId(now) : turnId(project, sessionId, key, index);
        await insertMemory(writer, project, { ...memory, data }, now, { id });
        rows.push(toRow(id, { ...memory, data }));
      }
    }
    return joinParts(rows);
  });
}

/** What a turn says without the paths that are ignored, where the conversation is of a work tree. */
async function openIgnoredTexts(context: MemoryContext): Promise<(turn: IncomingTurn) => string> {
  const [ignoring, { root }] = await Promise.all([ignoringOf(context), context.folder()]);
  return ({ role, content }) => {
    const text = withoutPaths(content, { root }, (path) => ignoring.path(path) !== undefined);
    // What a tool shows beside an ignored path is most likely what stands there.
    return role === "tool" && text !== content ? "[ignored]" : text;
  };
}

/** The id of a turn with a key, or of a part of it. Two projects may take in the same session, and an id is one memory's alone. */
export function turnId({ id: project }: Project, sessionId: string, key: string, part = 0): string {
  return idFrom("turn", project, sessionId, `${key} ${part}`);
}

function checkTurn(turn: IncomingTurn): void {
  const isText = typeof turn?.content === "string";
  const tools: unknown = turn?.toolsUsed ?? [];
  const hasTools = Array.isArray(tools) && tools.every((tool) => typeof tool === "string" && tool.trim() !== "");
  if (!roles.includes(turn?.role)) {
    throw new MemoryError("invalid-input", "A turn has no role that is known.", `Give one of ${roles.join(", ")}.`);
  }
  if (!hasTools) {
    throw new MemoryError("invalid-input", "toolsUsed is no list of names.", 'For example ["Bash", "Edit"].');
  }
  if (!isText && turn?.content !== undefined) {
    throw new MemoryError("invalid-input", "The content of a turn is no text.", "Join the texts of its parts.");
  }
  if (!isText || (turn.content.trim() === "" && tools.length === 0)) {
    throw new MemoryError("invalid-input", "A turn has no content.", "Say what was said.");
  }
}

interface PreparedTurn {
  /** What its ids follow from. */
  key: string | undefined;
  parts: PreparedMemory[];
}

async function prepareTurn(
  context: MemoryContext,
  sessionId: string,
  { role, content, timestamp, toolsUsed = [], key, isTainted = false, isPasted = false }: IncomingTurn,
): Promise<PreparedTurn> {
  const { texts, flags } = await textsOf(content, toolsUsed);
  const inputs = texts.map((text, index) => ({
    type: "conversation",
    content: text,
    sessionId,
    data: {
      role,
      ...(toolsUsed.length > 0 && index === 0 && { toolsUsed }),
      ...(isPasted && { pasted: true }),
    } satisfies Record<string, Json>,
    ...(timestamp !== undefined && { createdAt: timestamp }),
  }));
  const memories = await prepareMemories(context, inputs);
  // A tainted one does not wait for a person, as nobody reviews talk; but it is not found by whoever does not ask for it.
  const own: TrustFlag[] = [...flags, ...(isTainted ? (["tainted"] as const) : [])];
  const parts = memories.map((memory) => ({
    ...memory,
    trustFlags: [...new Set([...memory.trustFlags, ...own])].toSorted(),
  }));
  return { key, parts };
}

/** What is kept of it: parts, or a word in the place of a turn that has none; and what was taken out before it was cut. */
async function textsOf(
  content: string,
  toolsUsed: readonly string[],
): Promise<{ texts: string[]; flags: HygieneFlag[] }> {
  if (content.trim() === "") return { texts: [`[used ${toolsUsed.join(", ")}]`], flags: [] };
  const { text, flags } = isLong(content) ? await cleanLongText(content, "content") : { text: content, flags: [] };
  // A part of which nothing is left is nothing that was said.
  const texts = splitTurn(text).filter((part) => stripInvisible(dropPrivateParts(part)).trim() !== "");
  return { texts: texts.length > 0 ? texts : ["[private]"], flags };
}

/** One is known by its beginning, whatever became of the other parts. */
async function withoutKnown(
  writer: MemoryWriter,
  project: Project,
  sessionId: string,
  turns: readonly PreparedTurn[],
): Promise<PreparedTurn[]> {
  const ids = turns.map(({ key }) => (key === undefined ? undefined : turnId(project, sessionId, key)));
  const asked = ids.filter((id) => id !== undefined);
  if (asked.length === 0) return [...turns];
  const known = await listKnownIds(writer, project, asked);
  return turns.filter((_, index) => {
    const id = ids[index];
    if (id === undefined) return true;
    const isNew = !known.has(id);
    known.add(id);
    return isNew;
  });
}

function toRow(id: string, memory: PreparedMemory): TurnRow {
  const { role, sequence, toolsUsed, part, turn, pasted } = memory.data as unknown as Partial<TurnRow> &
    Pick<TurnRow, "role" | "sequence"> & { pasted?: boolean };
  const isTainted = memory.trustFlags.includes("tainted");
  return {
    id,
    role,
    sequence,
    toolsUsed: toolsUsed ?? [],
    part,
    turn,
    isTainted,
    content: memory.content,
    timestamp: memory.createdAt,
    ...(pasted === true && { isPasted: true }),
  };
}
