import type { SelectionOptions } from "../../src/injection/injection.js";

/** What a point asks usually, in a session that was told nothing so far and has taken many steps. */
export function askedAs(some: Partial<SelectionOptions> & { told?: readonly string[] } = {}): SelectionOptions {
  const { told = [], ...others } = some;
  return {
    minConfidence: 0.55,
    soFar: { ids: new Set(told), tokens: 0, hasPrefetched: false, steps: 9 },
    deadline: { left: () => 10_000 },
    ...others,
  };
}
