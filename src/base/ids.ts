import { v7 } from "uuid";

/** A new id. Version 7, so that ids made later sort later. */
export function newId(now: Date): string {
  return v7({ msecs: now.getTime() });
}

/** The last characters of an id: random, hence short and still telling, where the first ones are the time. */
export function shortId(id: string): string {
  return id.slice(-8);
}
