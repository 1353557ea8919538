import { isFull } from "../torture/scale.js";

/**
 * How many examples a costly property is tried with. Their seed is fixed in `npm test` and `npm run test:hard`, so that the
 * same few say the same each time; `npm run torture` tries all of them, and others each time.
 */
export function runs(full: number): number {
  return isFull ? full : Math.ceil(full / 4);
}
