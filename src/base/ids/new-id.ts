import { createHash } from "node:crypto";
import { stringify, v7 } from "uuid";

/** A new id. Version 7, so that ids made later sort later. */
export function newId(now: Date): string {
  return v7({ msecs: now.getTime() });
}

/** The id that follows from these texts: the same for everybody who starts from the same. Version 8, made by a rule of ours. */
export function idFrom(...texts: string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(texts)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return stringify(bytes);
}

/** The last characters of an id: random, hence short and still telling, where the first ones are the time. */
export function shortId(id: string): string {
  return id.slice(-8);
}
