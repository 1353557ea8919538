import { idFrom } from "../../base/ids/ids.js";
import { hashOf } from "../../memory/record/record.js";
import type { Memory } from "../../memory/memory.js";

/**
 * Whether a memory says what one of these files of its project says, as it was learned from there. What a person worded
 * otherwise is no longer the file's, and what they pinned stays when the file says it no longer: both are told.
 */
export function isReadByAgent(
  { id, project, content, pinned, metadata }: Memory,
  reads: readonly string[] = [],
): boolean {
  const { project_fact: key, project_text: text } = metadata;
  if (reads.length === 0 || pinned || typeof key !== "string") return false;
  if (!reads.includes(key.slice(0, key.lastIndexOf(" ")))) return false;
  // By an id that follows from the project's own: what only says that it is from a file, or came from elsewhere, is not.
  return id === idFrom("project-fact", project, key) && hashOf(content) === text;
}

/** The same over `memories AS m`, the other way round, but for the id. */
export const notReadByAgent = `ifnull(m.pinned = 0 AND json_valid(m.metadata) AND m.content_hash = m.metadata ->> '$.project_text'
  AND EXISTS (SELECT 1 FROM json_each(:reads) AS file
    WHERE substr(m.metadata ->> '$.project_fact', 1, length(file.value) + 1) = file.value || ' '
      AND instr(substr(m.metadata ->> '$.project_fact', length(file.value) + 2), ' ') = 0), 0) = 0`;
