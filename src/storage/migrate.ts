import { MemoryError } from "../base/memory-error.js";
import type { Client, InStatement, Transaction } from "./client.js";
import { endTransaction } from "./end-transaction.js";
import { migrations, type Migration } from "./migrations.js";

/**
 * Brings a database up to this version's schema, in one transaction: all that is missing or nothing. Any number of processes
 * may do this at once: the first to get the write lock migrates, the others see that it is done.
 */
export async function migrate(client: Client, known: readonly Migration[] = migrations): Promise<void> {
  const newest = known.at(-1)?.number ?? 0;
  const version = await schemaVersion((sql) => client.execute(sql));
  if (version === newest) return;
  refuseNewer(version, newest);
  const transaction = await client.transaction("write");
  try {
    await apply(transaction, known, newest);
  } finally {
    await endTransaction(transaction);
  }
}

async function apply(transaction: Transaction, known: readonly Migration[], newest: number): Promise<void> {
  // Asked again under the lock: another process may have been faster.
  const version = await schemaVersion((sql) => transaction.execute(sql));
  refuseNewer(version, newest);
  const missing = known.filter(({ number }) => number > version);
  if (missing.length === 0) return;
  // All at once, because a server may be far away.
  await transaction.batch(missing.flatMap((migration) => [...migration.statements, noteOf(migration)]));
  await transaction.commit();
}

function noteOf({ number, name }: Migration): InStatement {
  return { sql: "INSERT INTO schema_migrations (number, name) VALUES (:number, :name)", args: { number, name } };
}

/** The number of the newest migration that ran; 0 for an empty database. */
async function schemaVersion(execute: (sql: string) => ReturnType<Client["execute"]>): Promise<number> {
  const { rows } = await execute("SELECT name FROM sqlite_master WHERE name = 'schema_migrations'");
  if (rows.length === 0) return 0;
  const answer = await execute("SELECT max(number) AS number FROM schema_migrations");
  return Number(answer.rows[0]?.["number"] ?? 0);
}

function refuseNewer(version: number, newest: number): void {
  if (version <= newest) return;
  throw new MemoryError(
    "store-newer",
    `This database was written by a newer Tacit (schema ${version}; this one knows ${newest}).`,
    "Update with `npm install -g tacit-memory@latest`. Nothing was changed.",
  );
}
