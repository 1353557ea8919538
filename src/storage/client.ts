/** As much of a database's client as storage uses. Servers are reached with `@libsql/client`, files with `local-client.ts`. */
export interface Client {
  execute(statement: InStatement): Promise<Answer>;
  transaction(mode: "read" | "write"): Promise<Transaction>;
  close(): void;
}

export interface Transaction {
  execute(statement: InStatement): Promise<Answer>;
  /** Runs one statement after the other, and none after one that failed. */
  batch(statements: InStatement[]): Promise<Answer[]>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Undoes what was not committed. */
  close(): void;
  readonly closed: boolean;
}

export type InStatement = string | { sql: string; args: Record<string, InValue> | InValue[] };

export type InValue = null | string | number | bigint | boolean | ArrayBuffer | Uint8Array;

export interface Answer {
  columns: string[];
  rows: Record<string, OutValue>[];
  rowsAffected: number;
}

export type OutValue = null | string | number | bigint | ArrayBuffer;
