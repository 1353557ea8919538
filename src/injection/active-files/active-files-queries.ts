import type { Memory } from "../../memory/memory.js";
import { keyRange } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import { moduleOf } from "../../observer/scratchpad/scratchpad.js";
import type { Reader } from "../../storage/storage.js";
import type { Recipient } from "../eligibility/is-eligible.js";
import { isOfUnit, memoriesOf, eligibleConditions } from "../eligibility/eligibility-queries.js";

/** The modules and files that a piece of work is about, relative to the root. */
export interface ActiveFiles {
  modules: readonly string[];
  files: readonly string[];
}

// More modules than any project has that memories are filed under; a list from outside may have any number.
const maxModules = 2000;

/**
 * The modules that memories are filed under, by themselves or by their files. Goes from each to the next in the index, and not
 * through all that are filed there.
 */
export async function listModules(reader: Reader, project: Project): Promise<string[]> {
  const rows = await reader.rows(
    `WITH RECURSIVE module (name) AS (
       SELECT min(value) FROM memory_facets WHERE project_number = :project AND kind = 'module'
       UNION ALL
       SELECT (SELECT min(value) FROM memory_facets
               WHERE project_number = :project AND kind = 'module' AND value > module.name)
       FROM module WHERE module.name IS NOT NULL
       LIMIT :most),
     file (path) AS (
       SELECT min(value) FROM memory_facets WHERE project_number = :project AND kind = 'file'
       UNION ALL
       SELECT (SELECT min(value) FROM memory_facets
               WHERE project_number = :project AND kind = 'file' AND value > ${endOfModule})
       FROM file WHERE file.path IS NOT NULL
       LIMIT :most)
     SELECT name, NULL AS path FROM module WHERE name IS NOT NULL
     UNION ALL SELECT NULL, path FROM file WHERE path IS NOT NULL`,
    { project: project.number, most: maxModules },
  );
  return [...new Set(rows.map(({ name, path }) => (name === null ? moduleOf(String(path)) : String(name))))];
}

/**
 * What comes behind everything in the first two folders of a file, which `moduleOf` takes for its module: "0" is the next
 * character after "/". Behind the file itself where it does not lie so deep.
 */
const afterFirst = "substr(file.path, instr(file.path, '/') + 1)";
const endOfModule = `CASE WHEN instr(file.path, '/') > 0 AND instr(${afterFirst}, '/') > 0
  THEN substr(file.path, 1, instr(file.path, '/') + instr(${afterFirst}, '/') - 1) || '0' ELSE file.path END`;

/**
 * What may be told of these types and is filed under a module or a file in play, or under any file of such a module: the newest
 * of each type, so many at most.
 */
export async function listOfActiveFiles(
  reader: Reader,
  project: Project,
  { types, modules, files, most }: ActiveFiles & { types: string[]; most: number },
  listener: Recipient,
  now: Date,
): Promise<Memory[]> {
  const { conditions, args } = eligibleConditions({ types }, listener, project, now);
  const rows = await reader.rows(
    // A file of a module lies between "module/" and "module0", which is the next character; of one folder, right in it.
    `WITH near (key) AS (
       SELECT f.memory_key FROM json_each(:modules) AS module CROSS JOIN memory_facets AS f
       WHERE f.project_number = :project AND f.kind = 'module' AND f.value = module.value
       UNION
       SELECT f.memory_key FROM json_each(:modules) AS module CROSS JOIN memory_facets AS f
       WHERE f.project_number = :project AND f.kind = 'file'
         AND f.value > module.value || '/' AND f.value < module.value || '0'
         AND (instr(module.value, '/') > 0 OR instr(substr(f.value, length(module.value) + 2), '/') = 0)
       UNION
       SELECT f.memory_key FROM json_each(:files) AS file CROSS JOIN memory_facets AS f
       WHERE f.project_number = :project AND f.kind = 'file' AND f.value = file.value)
     SELECT key FROM (
       SELECT m.key, row_number() OVER (PARTITION BY m.type ORDER BY m.created_at DESC, m.key DESC) AS place
       FROM near CROSS JOIN memories AS m ON m.key = near.key
       WHERE +${conditions.join(" AND ")})
     WHERE place <= :most ORDER BY place`,
    { ...args, modules: JSON.stringify(modules), files: JSON.stringify(files), most },
  );
  return memoriesOf(reader, project, rows, now);
}

/** The newest of these types that may be told and are about the project as a whole: filed under no file and no module. */
export async function listProjectWide(
  reader: Reader,
  project: Project,
  { types, most }: { types: string[]; most: number },
  listener: Recipient,
  now: Date,
): Promise<Memory[]> {
  const { conditions, args } = eligibleConditions({ types }, listener, project, now);
  const rows = await reader.rows(
    `SELECT key FROM (
       SELECT m.key, row_number() OVER (PARTITION BY m.type ORDER BY m.created_at DESC, m.key DESC) AS place
       FROM memories AS m
       WHERE m.key BETWEEN :first AND :last AND m.related_files = '[]' AND m.related_modules = '[]'
         AND +${conditions.join(" AND ")})
     WHERE place <= :most ORDER BY place`,
    { ...args, ...keyRange(project), most },
  );
  return memoriesOf(reader, project, rows, now);
}

/** What may be told of the listener's piece of work, the newest first. */
export async function listOfUnit(
  reader: Reader,
  project: Project,
  { without, most }: { without: readonly string[]; most: number },
  listener: Recipient,
  now: Date,
): Promise<Memory[]> {
  const { conditions, args } = eligibleConditions({}, listener, project, now);
  const rows = await reader.rows(
    `SELECT m.key FROM memories AS m
     WHERE m.key BETWEEN :first AND :last AND ${isOfUnit}
       AND m.type NOT IN (SELECT value FROM json_each(:without))
       AND +${conditions.join(" AND ")}
     ORDER BY m.created_at DESC, m.key DESC LIMIT :most`,
    { ...args, ...keyRange(project), without: JSON.stringify(without), most },
  );
  return memoriesOf(reader, project, rows, now);
}
