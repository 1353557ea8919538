/**
 * Lets go of what came first, half of it at once: one after the other, each would have to be found behind the holes that
 * the earlier ones left (427,000 lines of a transcript in 44 s instead of 23).
 */
export function forgetOlderHalf(held: Map<string, unknown> | Set<string>): void {
  let left = held.size / 2;
  for (const key of held.keys()) {
    if (left <= 0) return;
    left -= 1;
    held.delete(key);
  }
}
