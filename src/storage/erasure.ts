import { randomUUID } from "node:crypto";
import type { Reader, Store, Writer } from "./storage.js";

/** Notes, in the transaction that removes something, that its old pages are still to be wiped. */
export async function markErasure(writer: Writer): Promise<void> {
  await writer.run(
    `INSERT INTO store_state (name, value) VALUES ('erasure', :mark)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    { mark: randomUUID() },
  );
}

export async function findPendingErasure(reader: Reader): Promise<string | undefined> {
  const [row] = await reader.rows("SELECT value FROM store_state WHERE name = 'erasure'");
  return row && String(row["value"]);
}

/**
 * How far it is wiped. `server`: the rows are gone from a server, whose log and copies are out of our hands; sqld keeps
 * the old pages in its log.
 */
export type Erasure = "done" | "pending" | "server";

/**
 * Wipes what removed rows left behind: the write-ahead log still holds the old pages until it is copied back and cut
 * to nothing, which has to wait for readers of those pages. Safe to repeat.
 */
export async function eraseTraces(store: Store, patienceMs = 1000): Promise<Erasure> {
  if (store.location.kind === "remote") return "server";
  const mark = await store.read(findPendingErasure);
  if (mark === undefined) return "done";
  if (store.location.kind === "file") {
    const [checkpoint] = await store.maintain("PRAGMA wal_checkpoint(TRUNCATE)", {}, patienceMs);
    if (checkpoint?.["busy"] !== 0) return "pending";
  }
  // Only the mark that was seen: somebody may have removed more meanwhile.
  await store.write(async (writer) =>
    writer.run("DELETE FROM store_state WHERE name = 'erasure' AND value = :mark", { mark }),
  );
  return "done";
}
