// Holds a database in the way that `holds` says until the test says to let go, as a process that hangs would:
// "write" keeps the write lock, "read" a read transaction on the pages of now, "exclusive" the whole file, and
// "open" nothing but an open file, so that its log is not tidied away by whoever closes it last.
import { createClient } from "@libsql/client/sqlite3";
import { pathToFileURL } from "node:url";
import { say, settings, told } from "./speak.mjs";

const { db, holds } = settings;
const client = createClient({ url: pathToFileURL(db).href, timeout: 5000 });
if (holds === "exclusive") await client.execute("PRAGMA locking_mode = EXCLUSIVE");
const transaction = holds === "open" ? undefined : await client.transaction(holds === "read" ? "read" : "write");
// A read transaction begins with its first read, and an exclusive lock is taken with the first use.
await (transaction ?? client).execute("SELECT count(*) FROM sqlite_master");

say({ held: true });
await told();
await transaction?.rollback();
client.close();
say({ held: false });
