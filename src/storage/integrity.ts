import { setTimeout } from "node:timers/promises";
import type { Store } from "./storage.js";

// While others write, a check now and then sees the full text index between two of its states and calls it malformed; the
// next one does not. Damage stays.
const looks = 3;
const pauseMs = 100;

/** What SQLite finds wrong with a database, its links and its full text index; empty when all is well. */
export async function findDamage(store: Store): Promise<string[]> {
  if (!store.exists) return [];
  let found = await look(store);
  for (let again = 1; again < looks && found.length > 0; again += 1) {
    await setTimeout(pauseMs);
    found = await look(store);
  }
  return found;
}

async function look(store: Store): Promise<string[]> {
  // On connections of their own: one that was open while another process wrote has old notions of the full text index,
  // and calls a healthy one malformed. As functions, because a server takes the statement PRAGMA for a write.
  const pages = await store.maintain("SELECT * FROM pragma_integrity_check(20)", {}, store.timeoutMs);
  const links = await store.maintain("SELECT * FROM pragma_foreign_key_check", {}, store.timeoutMs);
  return [
    ...pages.map((row) => String(row["integrity_check"])).filter((finding) => finding !== "ok"),
    ...links.map((row) => `a row of ${String(row["table"])} points to a missing row of ${String(row["parent"])}`),
  ];
}
