import type { Answer, Client, InStatement, Transaction } from "./client.js";
import { loadLibsql } from "./load-libsql.js";
import { LocalConnection } from "./local-connection.js";
import { SqliteError } from "./sqlite-error.js";

/**
 * Opens a database file, or one in memory with `:memory:`, with libSQL's driver. A command starts 20 ms sooner than with
 * `@libsql/client`, which loads what only servers need (Node 20, 2026-11).
 *
 * A transaction has a connection to itself, so whoever else reads meanwhile gets another one and sees what was there before.
 */
export function openLocalClient(path: string, timeoutMs: number): Client {
  const Database = loadLibsql();
  const open = () => new LocalConnection(new Database(path, { timeout: timeoutMs }));
  return new LocalClient(open, path === ":memory:");
}

class LocalClient implements Client {
  readonly #open: () => LocalConnection;
  readonly #isAlone: boolean;
  readonly #idle: LocalConnection[] = [];
  readonly #lent = new Set<LocalConnection>();
  #isClosed = false;

  constructor(open: () => LocalConnection, isAlone: boolean) {
    this.#open = open;
    this.#isAlone = isAlone;
    // At once, so that a file that cannot be opened is noticed here.
    this.#idle.push(open());
  }

  async execute(statement: InStatement): Promise<Answer> {
    const connection = this.#borrow();
    try {
      return connection.run(statement);
    } finally {
      this.#giveBack(connection);
    }
  }

  async transaction(mode: "read" | "write"): Promise<Transaction> {
    const connection = this.#borrow();
    try {
      connection.run(mode === "write" ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED");
    } catch (error) {
      this.#giveBack(connection);
      throw error;
    }
    return new LocalTransaction(connection, () => this.#giveBack(connection));
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of [...this.#idle.splice(0), ...this.#lent]) connection.close();
  }

  #borrow(): LocalConnection {
    if (this.#isClosed) throw new SqliteError("The client is closed", "CLIENT_CLOSED");
    // A second connection to a database in memory would be a second database.
    if (this.#isAlone && this.#lent.size > 0) throw new SqliteError("A transaction is open", "TRANSACTION_ACTIVE");
    const connection = this.#idle.pop() ?? this.#open();
    this.#lent.add(connection);
    return connection;
  }

  /** Nobody inherits a transaction or a refused lock: a connection that cannot end its own, or met one, is closed. */
  #giveBack(connection: LocalConnection): void {
    this.#lent.delete(connection);
    if (connection.wasRefused && !this.#isAlone) connection.close();
    try {
      if (connection.inTransaction) connection.run("ROLLBACK");
    } catch {
      connection.close();
    }
    if (this.#isClosed) connection.close();
    if (connection.isOpen) this.#idle.push(connection);
  }
}

class LocalTransaction implements Transaction {
  readonly #connection: LocalConnection;
  readonly #giveBack: () => void;
  #isOver = false;

  constructor(connection: LocalConnection, giveBack: () => void) {
    this.#connection = connection;
    this.#giveBack = giveBack;
  }

  /** True as well when SQLite has given it up by itself, or its client was closed. */
  get closed(): boolean {
    return this.#isOver || !this.#connection.inTransaction;
  }

  async execute(statement: InStatement): Promise<Answer> {
    if (this.closed) throw new SqliteError("The transaction is closed", "TRANSACTION_CLOSED");
    return this.#connection.run(statement);
  }

  async batch(statements: InStatement[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const statement of statements) answers.push(await this.execute(statement));
    return answers;
  }

  async commit(): Promise<void> {
    try {
      await this.execute("COMMIT");
    } finally {
      this.close();
    }
  }

  async rollback(): Promise<void> {
    this.close();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#giveBack();
  }
}
