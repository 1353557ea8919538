/** Enough of an id to be told apart by a person; every command takes it. */
export function shortId(id: string): string {
  return id.slice(-8);
}
