import { keyRange } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import type { Reader, Row } from "../../storage/storage.js";
import type { ActiveModel } from "./active-model.js";
import { contextualText } from "./contextual-text.js";

/** A memory without a vector of the active model, as it was when it was read. */
export interface PendingMemory {
  key: number;
  /** What its text is made of, as it stands in the row: content, type, files and modules. */
  parts: string[];
  text: string;
}

/**
 * True for a memory that waits for a vector of `:model`. As SQL over `memories AS m`. Spelled as ranges, because no index
 * helps with "is not".
 */
export const isPending = `m.forgotten_at IS NULL
  AND (m.embedded_by IS NULL OR m.embedded_by < :model OR m.embedded_by > :model)`;

/** Memories that wait for a vector, newest first; those that have none at all before those with one of another model. */
export async function listPending(
  reader: Reader,
  model: ActiveModel,
  { count, except }: { count: number; except: Iterable<number> },
): Promise<PendingMemory[]> {
  const args = { count: BigInt(count), except: JSON.stringify([...except]) };
  const without = await reader.rows(selectWhere("m.embedded_by IS NULL"), args);
  const left = BigInt(count - without.length);
  const ofOthers =
    left > 0n
      ? await reader.rows(
          selectWhere("m.embedded_by IN (SELECT number FROM embedding_models WHERE number <> :model)"),
          { ...args, count: left, model: BigInt(model.number) },
        )
      : [];
  return [...without, ...ofOthers].map(toPending);
}

/** What the texts of these memories are now; those that are gone are missing. */
export async function listTexts(reader: Reader, keys: Iterable<number>): Promise<Map<number, string>> {
  const rows = await reader.rows(
    `SELECT m.key, m.content, m.type, m.related_files, m.related_modules FROM memories AS m
     WHERE m.key IN (SELECT value FROM json_each(:keys))`,
    { keys: JSON.stringify([...keys]) },
  );
  return new Map(rows.map(toPending).map(({ key, text }) => [key, text]));
}

/** How many memories, of a project or of all, have a vector of the model, and how many wait for one. */
export async function countEmbedded(
  reader: Reader,
  model: ActiveModel | undefined,
  project?: Project,
): Promise<{ embedded: number; pending: number }> {
  // The plus keeps SQLite from walking through the rows: the index knows the keys.
  const within = project ? "AND +m.key BETWEEN :first AND :last" : "";
  const [row] = await reader.rows(
    `SELECT (SELECT count(*) FROM memories AS m WHERE ${isPending} ${within}) AS pending,
       (SELECT count(*) FROM memories AS m
        WHERE m.forgotten_at IS NULL AND m.embedded_by = :model ${within}) AS embedded`,
    { model: BigInt(model?.number ?? 0), ...(project && keyRange(project)) },
  );
  return { embedded: Number(row?.["embedded"] ?? 0), pending: Number(row?.["pending"] ?? 0) };
}

export async function hasPending(reader: Reader, model: ActiveModel | undefined): Promise<boolean> {
  const rows = await reader.rows(`SELECT 1 FROM memories AS m WHERE ${isPending} LIMIT 1`, {
    model: BigInt(model?.number ?? 0),
  });
  return rows.length > 0;
}

function selectWhere(condition: string): string {
  return `SELECT m.key, m.content, m.type, m.related_files, m.related_modules FROM memories AS m
    WHERE m.forgotten_at IS NULL AND ${condition} AND m.key NOT IN (SELECT value FROM json_each(:except))
    ORDER BY m.embedded_by DESC, m.key DESC LIMIT :count`;
}

function toPending(row: Row): PendingMemory {
  const parts = [row["content"], row["type"], row["related_files"], row["related_modules"]].map(String);
  const [content = "", type = "", files = "", modules = ""] = parts;
  const relatedFiles = JSON.parse(files) as string[];
  const relatedModules = JSON.parse(modules) as string[];
  return { key: Number(row["key"]), parts, text: contextualText({ content, type, relatedFiles, relatedModules }) };
}
