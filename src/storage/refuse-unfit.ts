import { MemoryError } from "../base/memory-error.js";
import type { Answer } from "./client.js";

/** Refuses a database that holds anything and is not ours, or that keeps no links. An empty one may become ours. */
export async function refuseUnfit(execute: (sql: string) => Promise<Answer>): Promise<void> {
  // One statement, because a server may be far away.
  const { rows } = await execute(
    `SELECT (SELECT count(*) FROM sqlite_master) AS things,
       (SELECT json_group_array(name) FROM (SELECT name FROM pragma_table_info('schema_migrations') ORDER BY name))
         AS columns,
       (SELECT application_id FROM pragma_application_id) AS application,
       (SELECT user_version FROM pragma_user_version) AS version,
       (SELECT foreign_keys FROM pragma_foreign_keys) AS links`,
  );
  const [found] = rows;
  // Some programs mark a database before they create their first table.
  const isEmpty = found?.["things"] === 0 && found["application"] === 0 && found["version"] === 0;
  // Others have a table of this name too, with columns of their own.
  const isOurs = found?.["columns"] === '["name","number"]';
  if (!isEmpty && !isOurs) {
    throw new MemoryError(
      "store-foreign",
      "This database belongs to another program.",
      "Nothing was changed. Name a database of its own for Tacit with --db.",
    );
  }
  // Purging a memory relies on them to take its names, relations and history along.
  if (found?.["links"] !== 1) {
    throw new MemoryError(
      "store-unfit",
      "This database server does not enforce foreign keys, without which purging would leave traces.",
      "Nothing was changed. Use a server that enforces them, as sqld does.",
    );
  }
}
