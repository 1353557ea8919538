/**
 * storage: one libSQL database, local file or server, that never says "saved" when it was not.
 *
 * It opens the database, runs every write in an IMMEDIATE transaction, migrates, backs up, checks and erases.
 * It refuses to know the tables of the rooms above it: their SQL lives with them.
 */
import { closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { MemoryError } from "../base/memory-error.js";
import type { Answer, Client, InValue, Transaction } from "./client.js";
import { connect, describeLocation, parseLocation, walBytes, type Location } from "./connect.js";
import { endTransaction } from "./end-transaction.js";
import { makeFolder, syncFolder } from "../base/files/files.js";
import { migrate } from "./migrate.js";
import { readRows, rowsOf, type Execute } from "./read-rows.js";
import { isLate, isUnanswered } from "./server-error.js";
import { isBusy, toMemoryError } from "./store-error.js";

/** Named parameters of a statement. */
export type SqlArgs = Record<string, InValue>;

/** One row of an answer, by column. */
export type Row = Record<string, string | number | null>;

/** Runs statements that only read. */
export interface Reader {
  rows(sql: string, args?: SqlArgs): Promise<Row[]>;
}

/** Runs statements inside one write transaction. */
export interface Writer extends Reader {
  /** Returns how many rows the statement changed. */
  run(sql: string, args?: SqlArgs): Promise<number>;
}

export interface StoreOptions {
  /** A file, `:memory:`, or the URL of a libSQL server. */
  db: string;
  /**
   * SQLite blocks the event loop while it waits for a lock, so this is the longest a caller can hang. With a server, it
   * is the longest wait for one answer.
   */
  timeoutMs: number;
  /** How to reach the database, where not as usual. */
  connect?: typeof connect;
}

// Opening, using and closing a memory would otherwise wait three times for a server that does not answer. Short enough
// for whoever starts the server and tries again.
const silenceMs = 500;

interface Connection {
  client: Promise<Client>;
  /** Which file it was opened on. */
  file: string | undefined;
  isOpening: boolean;
}

/** Holds a database open. Creates no file until the first write. Close it when done. */
export class Store {
  readonly location: Location;
  readonly timeoutMs: number;
  readonly #connect: typeof connect;
  #connection: Connection | undefined;
  #emptiness: Promise<Client> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #reads = new Set<Promise<unknown>>();
  #retired: Promise<unknown> = Promise.resolve();
  #silence: { error: unknown; until: number } | undefined;
  #closed = false;

  constructor(options: StoreOptions) {
    this.location = parseLocation(options.db);
    this.timeoutMs = options.timeoutMs;
    this.#connect = options.connect ?? connect;
  }

  /** True when there is something to read; a file that was never written to is not there. */
  get exists(): boolean {
    return this.location.kind !== "file" || fileIdentity(this.location.path) !== undefined;
  }

  /** True once something was read from or written to a database that exists. */
  get isOpen(): boolean {
    return this.#connection !== undefined;
  }

  /** Reads. A database that does not exist reads as an empty one. */
  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const attempt = () =>
      this.#whileReading(this.#guard(async () => work(readerOver(await this.#readable(), this.location))));
    // A database in memory has one connection, which an open transaction holds.
    return this.location.kind === "memory" ? this.#enqueue(attempt) : attempt();
  }

  /** Reads several statements as of one moment, while others write. */
  async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#enqueue(() =>
      this.#guard(async () => {
        const transaction = await (await this.#readable()).transaction("read");
        try {
          return await work(writerOver(transaction, this.location));
        } finally {
          await endTransaction(transaction);
        }
      }),
    );
  }

  /**
   * Writes, in one IMMEDIATE transaction: all of `work` or nothing. Writes of one process queue here, because a second
   * transaction in the same process would block the event loop against the first and time out.
   *
   * `timeoutMs` shortens the wait for the lock where the write may be dropped. A server has a queue of its own.
   */
  async write<T>(work: (writer: Writer) => Promise<T>, options: { timeoutMs?: number } = {}): Promise<T> {
    return this.#enqueue(() =>
      this.#guard(async () => {
        const client = await this.#writable();
        const { timeoutMs } = options;
        if (timeoutMs === undefined || this.location.kind !== "file") return inTransaction(client, this.location, work);
        return this.#withConnection(timeoutMs, (hurried) => inTransaction(hurried, this.location, work));
      }),
    );
  }

  /**
   * Runs one statement outside a transaction, on a connection of its own, queued behind the writes: for checkpoints,
   * copies and checks of an existing database.
   */
  async maintain(sql: string, args: SqlArgs, timeoutMs: number): Promise<Row[]> {
    return this.#enqueue(() =>
      this.#guard(async () => {
        const shared = await this.#readable();
        if (this.location.kind !== "file") return rowsOf(await shared.execute({ sql, args }));
        return this.#withConnection(timeoutMs, async (client) => rowsOf(await client.execute({ sql, args })));
      }),
    );
  }

  /** Waits for queued writes, then lets go of the database. */
  async close(): Promise<void> {
    await this.#enqueue(async () => {
      this.#closed = true;
      await this.#retired;
      await this.#disconnect();
      (await this.#emptiness?.catch(() => undefined))?.close();
      this.#emptiness = undefined;
    });
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) {
      throw new MemoryError("store-closed", "This memory was closed.", "Open it again with openMemory().");
    }
    if (this.#silence && performance.now() < this.#silence.until) throw this.#silence.error;
    try {
      return await work();
    } catch (error) {
      const ours = toMemoryError(error, this.location, this.timeoutMs);
      if (isLate(error)) this.#silence = { error: ours, until: performance.now() + silenceMs };
      // After one BUSY the local client may acknowledge writes that never happen. Never use that connection again.
      if (isBusy(error) && this.location.kind !== "remote") this.#retire();
      throw ours;
    }
  }

  async #readable(): Promise<Client> {
    if (this.exists) return this.#open();
    // Not while the first write is creating it.
    if (!this.#connection?.isOpening) await this.#disconnect();
    this.#emptiness ??= this.#connectAndMigrate({ kind: "memory" });
    return this.#emptiness;
  }

  async #writable(): Promise<Client> {
    if (this.location.kind === "file" && !this.exists) createForOwner(this.location.path);
    return this.#open();
  }

  /** One connection, however many ask for it at once. */
  async #open(): Promise<Client> {
    const known = this.#connection;
    // Somebody may remove or replace the file under a long-lived process; writing to the old one would be lost.
    if (known && !known.isOpening && known.file !== this.#fileIdentity()) await this.#disconnect();
    this.#connection ??= this.#startOpening();
    return this.#connection.client;
  }

  #startOpening(): Connection {
    const connection: Connection = {
      file: undefined,
      isOpening: true,
      client: this.#connectAndMigrate(this.location).then(
        (client) => {
          Object.assign(connection, { file: this.#fileIdentity(), isOpening: false });
          return client;
        },
        (error: unknown) => {
          if (this.#connection === connection) this.#connection = undefined;
          throw error;
        },
      ),
    };
    return connection;
  }

  async #connectAndMigrate(location: Location): Promise<Client> {
    const client = await this.#connect(location, this.timeoutMs);
    try {
      await migrate(client);
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  #fileIdentity(): string | undefined {
    return this.location.kind === "file" ? fileIdentity(this.location.path) : undefined;
  }

  async #withConnection<T>(timeoutMs: number, work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.#connect(this.location, timeoutMs);
    try {
      return await work(client);
    } catch (error) {
      // Told here in our words, so that a lock it met does not cost the others the connection they are reading on.
      throw toMemoryError(error, this.location, timeoutMs);
    } finally {
      client.close();
    }
  }

  async #whileReading<T>(work: Promise<T>): Promise<T> {
    this.#reads.add(work);
    return work.finally(() => this.#reads.delete(work));
  }

  /** Lets nobody use the connection any more, and closes it when those have ended who are reading on it. */
  #retire(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#retired = closeAfter([this.#retired, ...this.#reads], connection);
  }

  async #disconnect(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    (await connection?.client.catch(() => undefined))?.close();
  }
}

async function closeAfter(others: Promise<unknown>[], connection: Connection | undefined): Promise<void> {
  await Promise.allSettled(others);
  (await connection?.client.catch(() => undefined))?.close();
}

/**
 * Which file this path names right now; undefined when there is none, or one without a single byte, unless a log with
 * changes lies beside it: opening that one will be refused.
 */
function fileIdentity(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat && (stat.size > 0 || walBytes(path) > 0) ? `${stat.dev}:${stat.ino}` : undefined;
  } catch {
    // A folder that may not be entered: opening the file will say so.
    return "out of reach";
  }
}

/** Memories are nobody else's business: only the owner may enter a new folder and read a new file. */
function createForOwner(path: string): void {
  const folder = dirname(path);
  makeFolder(folder);
  // SQLite syncs the folder of its file, not the one above. Before the file is there: a hook may have just made this folder
  // without waiting for the disk, and whoever finds the file relies on its folder.
  syncFolder(dirname(folder));
  try {
    // Before SQLite opens it, and only if it is new: closing a file that this process has open drops SQLite's locks.
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // Another process was faster; or SQLite will say what is wrong.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

async function inTransaction<T>(client: Client, location: Location, work: (writer: Writer) => Promise<T>): Promise<T> {
  const transaction = await client.transaction("write");
  try {
    // Off again on every new connection, so it cannot be set once. A server decides this for itself.
    if (location.kind !== "remote") await transaction.execute("PRAGMA secure_delete = ON");
    const writer = writerOver(transaction, location);
    const result = await work(writer);
    await writer.settled();
    await commit(transaction, location);
    return result;
  } finally {
    await endTransaction(transaction);
  }
}

async function commit(transaction: Transaction, location: Location): Promise<void> {
  try {
    await transaction.commit();
  } catch (error) {
    if (location.kind !== "remote" || !isUnanswered(error)) throw error;
    throw new MemoryError(
      "store-unsure",
      `${describeLocation(location)} was asked to save this and did not answer: it may be saved, or not.`,
      "Look before you repeat it. The same text is not kept twice.",
    );
  }
}

function readerOver(client: Client, location: Location): Reader {
  return rowsThrough(async (sql, args) => client.execute({ sql, args }), location);
}

function rowsThrough(execute: Execute, { kind }: Location): Reader {
  return {
    rows: async (sql, args = {}) =>
      kind === "remote" ? rowsOf(await execute(sql, args)) : readRows(execute, sql, args),
  };
}

/**
 * Runs one statement after the other, and none after one that failed: a server that has given up a transaction says so
 * once, and would run the next statement outside of any.
 */
function writerOver(transaction: Transaction, location: Location): Writer & { settled(): Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve();
  const execute = async (sql: string, args: SqlArgs = {}): Promise<Answer> => {
    const result = last.then(() => transaction.execute({ sql, args }));
    last = result;
    return result;
  };
  return {
    ...rowsThrough(execute, location),
    run: async (sql, args) => (await execute(sql, args)).rowsAffected,
    settled: () => last,
  };
}
