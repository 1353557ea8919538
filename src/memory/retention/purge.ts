import { MemoryError } from "../../base/memory-error.js";
import { eraseTraces, markErasure } from "../../storage/erasure.js";
import type { Writer } from "../../storage/storage.js";
import { changeStore } from "../change/change-memories.js";
import type { MemoryWriter } from "../change/changed-memory.js";
import type { MemoryContext } from "../change/memory-context.js";
import { refuseAgent } from "../change/refuse-agent.js";
import { findMemory, notFound, notFoundHere } from "../read/get-memory.js";
import { countMemories, keyRange } from "../read/memory-queries.js";
import type { PurgeReport } from "../memory.js";
import { findProject, type Project } from "../../project/project.js";

/** What to purge: one memory by reference, everything of this project, or everything of all projects. */
export type PurgeTarget = string | { project: true } | { all: true };

/**
 * Removes memories so that not one byte stays in the database, its log or its side files. Cannot be undone. When
 * another process still reads old pages, the report says `pending`, and a later write, close or doctor finishes it.
 */
export async function purge(context: MemoryContext, target: PurgeTarget): Promise<PurgeReport> {
  checkTarget(target);
  refuseAgent(context, `tacit purge ${typeof target === "string" ? target : "--help"}`);
  // A store that does not exist holds nothing, and purging must not create it.
  if (!context.store.exists) {
    if (typeof target === "string") throw notFound(target, undefined);
    return { purged: 0, erasure: "done" };
  }
  const purged = await changeStore(context, async (writer) => {
    const removed = await remove(writer, context, target);
    if (removed > 0) await wipe(writer);
    return removed;
  });
  // What was purged is purged, whether or not its traces can be wiped at this moment.
  const erasure = await eraseTraces(context.store).catch(() => "pending" as const);
  return { purged, erasure };
}

/** Erasing takes no hints: exactly one of the three forms, or nothing happens. */
function checkTarget(target: unknown): void {
  if (typeof target === "string" && target !== "") return;
  if (typeof target === "object" && target !== null) {
    const entries = Object.entries(target);
    const [[key, value] = []] = entries;
    if (entries.length === 1 && (key === "project" || key === "all") && value === true) return;
  }
  throw new MemoryError(
    "invalid-input",
    "purge() takes a reference, { project: true } or { all: true }. Nothing was erased.",
    "purge({ project: true }) erases the project that was opened; open another one to erase it.",
  );
}

async function remove(writer: MemoryWriter, context: MemoryContext, target: PurgeTarget): Promise<number> {
  const { project } = await findProject(writer, context.project);
  if (typeof target === "object" && "all" in target) {
    const everything = await countMemories(writer);
    if (project) writer.changes.emptied(project, await countMemories(writer, project));
    await writer.run("DELETE FROM memory_words");
    await writer.run("DELETE FROM memories");
    await writer.run("DELETE FROM projects");
    await writer.run("DELETE FROM quarantine");
    return everything;
  }
  if (typeof target === "object") {
    if (!project) return 0;
    const count = await countMemories(writer, project);
    writer.changes.emptied(project, count);
    await writer.run("DELETE FROM memory_words WHERE rowid BETWEEN :first AND :last", keyRange(project));
    await writer.run("DELETE FROM memories WHERE project_number = :project", { project: project.number });
    await writer.run("DELETE FROM projects WHERE number = :project", { project: project.number });
    return count;
  }
  const found = project && (await findMemory(writer, project, target, context.now()));
  if (!project) throw notFound(target, project);
  if (!found) throw await notFoundHere(writer, project, target, context.now());
  await removeFrom(writer, project, [found.key]);
  return 1;
}

/** Removes memories of a project for good, as part of a larger write; `eraseTraces` is to follow it. */
export async function removeRows(writer: MemoryWriter, project: Project, keys: number[]): Promise<void> {
  if (keys.length === 0) return;
  await removeFrom(writer, project, keys);
  await wipe(writer);
}

async function wipe(writer: Writer): Promise<void> {
  await rebuildIfTokensRemain(writer);
  await markErasure(writer);
}

/**
 * FTS5 tells its pages apart by terms that its secure-delete does not touch, so that a purged word may remain as such a
 * separator. The index is built anew when one of them is the beginning of no word that is left.
 */
async function rebuildIfTokensRemain(writer: Writer): Promise<void> {
  const stray = await writer.rows(
    `SELECT 1 FROM (SELECT CAST(substr(term, 2) AS TEXT) AS separator FROM memory_words_idx WHERE length(term) > 1) AS s
     WHERE NOT EXISTS (SELECT 1 FROM memory_vocabulary AS v
       WHERE v.term >= s.separator AND v.term < s.separator || char(1114111))
     LIMIT 1`,
  );
  if (stray.length > 0) await writer.run("INSERT INTO memory_words (memory_words) VALUES ('rebuild')");
}

async function removeFrom(writer: MemoryWriter, project: Project, keys: number[]): Promise<void> {
  const chosen = JSON.stringify(keys);
  writer.changes.removed(project, keys);
  await writer.run("DELETE FROM memory_words WHERE rowid IN (SELECT value FROM json_each(:chosen))", { chosen });
  await writer.run(
    "DELETE FROM memories WHERE key IN (SELECT value FROM json_each(:chosen)) AND +project_number = :project",
    { chosen, project: project.number },
  );
}
