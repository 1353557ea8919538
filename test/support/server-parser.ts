import { createRequire } from "node:module";

/** As much of libSQL's binding as is used here; `@libsql/client` opens files with it. */
export interface Binding {
  new (address: string): { exec(sql: string): void };
  prototype: { prepare: (this: unknown, sql: string) => unknown };
}

export const binding = createRequire(import.meta.resolve("@libsql/client"))("libsql") as Binding;

// It reads SQL with sqld's parser before it sends any, and nobody can listen on this port.
const nowhere = new binding("http://127.0.0.1:0");
const known = new Map<string, string | undefined>();

/**
 * Why a libSQL server would refuse this statement before SQLite sees it; undefined where it would not. A server has a parser
 * of its own, which does not take all that SQLite takes.
 */
export function refusalOf(sql: string): string | undefined {
  if (!known.has(sql)) known.set(sql, ask(sql));
  return known.get(sql);
}

function ask(sql: string): string | undefined {
  try {
    nowhere.exec(sql);
  } catch (error) {
    const { message } = error as Error;
    // What was parsed is sent, and does not arrive.
    return message.startsWith("Hrana(Http(") ? undefined : message;
  }
  throw new Error("Somebody answers where nobody can be.");
}
