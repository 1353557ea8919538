import type { Scratchpad } from "./session-view.js";

/**
 * The same function, which looks at a scratchpad once for as long as nothing is added to it: several signals ask the same
 * of it. What it gives is shared, and not to be changed.
 */
export function oncePerPad<T extends object>(look: (pad: Scratchpad) => T): (pad: Scratchpad) => T {
  const known = new WeakMap<Scratchpad, { events: number; found: T }>();
  return (pad) => {
    const { events } = pad.analytics;
    const before = known.get(pad);
    if (before?.events === events) return before.found;
    const found = look(pad);
    known.set(pad, { events, found });
    return found;
  };
}
