import { idFrom } from "../../base/ids.js";
import type { Json } from "../../base/base.js";
import { MemoryError } from "../../base/memory-error.js";
import { cleanText } from "../../hygiene/hygiene.js";
import { stripInvisible } from "../../hygiene/invisible-characters.js";
import { dropPrivateParts } from "../../hygiene/private-parts.js";
import { forgetRows } from "../../memory/forget.js";
import { prepareMemories, type PreparedMemory } from "../../memory/prepare-memory.js";
import { refuseWhenDisabled, writeProject, type ProjectStore } from "../../memory/project-store.js";
import type { Project } from "../../memory/projects.js";
import { listLeastWorth } from "../../memory/prune-queries.js";
import { keepNew } from "../../memory/remember.js";
import type { Writer } from "../../storage/storage.js";
import { roles, type Turn, type TurnInput } from "../conversation.js";
import { joinParts, splitTurn } from "./split-turn.js";
import { ensureConversation, type TurnRow } from "./turn-queries.js";

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
  from: ProjectStore,
  session: string,
  turns: readonly IncomingTurn[],
  { keepCount }: AppendOptions = {},
): Promise<Turn[]> {
  turns.forEach(checkTurn);
  if (turns.length === 0) return [];
  const sessionId = await checkSession(session);
  await refuseWhenDisabled(from);
  const { maxEntries } = await from.settings();
  // Before the transaction: cleaning takes longer than writing.
  const prepared = await prepareTurns(from, sessionId, turns);

  return writeProject(from, async (writer, project) => {
    const now = from.now();
    const news = await withoutKnown(writer, project, prepared.map(identify(project, sessionId)));
    if (news.length === 0) return [];
    const createdAt = news[0]?.memory.createdAt ?? now.toISOString();
    let { lastSequence: sequence } = await ensureConversation(writer, project, { sessionId, createdAt, keepCount });
    const rows: TurnRow[] = [];
    const keys: number[] = [];
    for (const { id, memory } of news) {
      sequence += 1;
      const data = { ...memory.data, sequence };
      const kept = await keepNew(writer, project, { ...memory, data }, now, id === undefined ? {} : { id });
      keys.push(kept.key);
      rows.push(toRow(kept.record.id, { ...memory, data }));
    }
    if (maxEntries !== null) {
      await forgetRows(
        writer,
        project,
        await listLeastWorth(writer, project, maxEntries, now, { coming: keys }),
        now,
        "evicted",
      );
    }
    return joinParts(rows);
  });
}

/** The id of a session as it is stored. */
export async function checkSession(sessionId: unknown): Promise<string> {
  if (typeof sessionId === "string" && sessionId.trim() !== "" && sessionId.length <= longestSession) {
    return (await cleanText(sessionId, "sessionId")).text;
  }
  throw new MemoryError(
    "invalid-input",
    "A conversation needs the id of its session: a text of at most 200 characters.",
    'For example conversation("2026-11-16-refactoring").',
  );
}

const longestSession = 200;

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
  if (!isText || (turn.content.trim() === "" && tools.length === 0)) {
    throw new MemoryError("invalid-input", "A turn has no content.", "Say what was said.");
  }
}

interface PreparedPart {
  /** What its id follows from. */
  key?: string;
  memory: PreparedMemory;
}

interface IdentifiedPart extends PreparedPart {
  id?: string;
}

async function prepareTurns(
  from: ProjectStore,
  sessionId: string,
  turns: readonly IncomingTurn[],
): Promise<PreparedPart[]> {
  const parts: PreparedPart[] = [];
  for (const { role, content, timestamp, toolsUsed = [], key, isTainted = false } of turns) {
    const texts = textsOf(content, toolsUsed);
    const inputs = texts.map((text, index) => ({
      type: "conversation",
      content: text,
      sessionId,
      data: {
        role,
        ...(toolsUsed.length > 0 && index === 0 && { toolsUsed }),
        ...(texts.length > 1 && { part: index + 1 }),
      } satisfies Record<string, Json>,
      ...(timestamp !== undefined && { createdAt: timestamp }),
    }));
    const memories = await prepareMemories(from, inputs);
    parts.push(
      ...memories.map((memory, index) => ({
        ...(key !== undefined && { key: `${key} ${index}` }),
        memory: isTainted ? tainted(memory) : memory,
      })),
    );
  }
  return parts;
}

/** What is kept of it: parts, or a word in the place of a turn that has none. */
function textsOf(content: string, toolsUsed: readonly string[]): string[] {
  if (content.trim() === "") return [`[used ${toolsUsed.join(", ")}]`];
  // A part of which nothing is left is nothing that was said.
  const parts = splitTurn(content).filter((part) => stripInvisible(dropPrivateParts(part)).trim() !== "");
  return parts.length > 0 ? parts : ["[private]"];
}

/** It does not wait for a person, as nobody reviews talk; but it is not found by whoever does not ask for it. */
function tainted(memory: PreparedMemory): PreparedMemory {
  return { ...memory, trustFlags: [...new Set([...memory.trustFlags, "tainted" as const])].toSorted() };
}

/** Two projects may take in the same session, and an id is one memory's alone. */
function identify({ id: project }: Project, sessionId: string) {
  return (part: PreparedPart): IdentifiedPart =>
    part.key === undefined ? part : { ...part, id: idFrom("turn", project, sessionId, part.key) };
}

async function withoutKnown(writer: Writer, project: Project, parts: IdentifiedPart[]): Promise<IdentifiedPart[]> {
  const ids = parts.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return parts;
  const rows = await writer.rows(
    "SELECT id FROM memories WHERE project_number = :project AND id IN (SELECT value FROM json_each(:ids))",
    { project: project.number, ids: JSON.stringify(ids) },
  );
  const known = new Set(rows.map((row) => String(row["id"])));
  return parts.filter(({ id }) => id === undefined || !known.has(id));
}

function toRow(id: string, memory: PreparedMemory): TurnRow {
  const { role, sequence, toolsUsed = [], part } = memory.data as unknown as TurnRow;
  const isTainted = memory.trustFlags.includes("tainted");
  return { id, role, sequence, toolsUsed, part, isTainted, content: memory.content, timestamp: memory.createdAt };
}
