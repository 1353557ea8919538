import type { Transaction } from "./client.js";

/**
 * Undoes what was not committed, and lets go of the lock before the caller goes on. A server that is not told keeps the
 * lock until it notices that nobody comes back (sqld: 5 seconds).
 */
export async function endTransaction(transaction: Transaction): Promise<void> {
  // Whatever is wrong with the connection was said before.
  if (!transaction.closed) await transaction.rollback().catch(() => undefined);
  transaction.close();
}
