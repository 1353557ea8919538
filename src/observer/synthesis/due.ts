// How many sessions a module has when it is looked over. From the seed of the product.
const thresholds = [5, 10, 20, 50, 100];

export interface Occasion {
  /** `*` for the pairs of all modules. */
  module: string;
  occasion: string;
  sessions: number;
}

/**
 * What is to be looked over now and has not been: each module at 5, 10, 20, 50 and 100 sessions, the highest that it has
 * reached; and once a week the pairs of modules, where there are sessions enough. `force` asks for all of it again today.
 */
export function listDue(
  modules: ReadonlyMap<string, number>,
  made: ReadonlySet<string>,
  { sessions, now, force }: { sessions: number; now: Date; force: boolean },
): Occasion[] {
  const day = now.toISOString().slice(0, 10);
  const due = [...modules].flatMap(([module, count]): Occasion[] => {
    const reached = thresholds.findLast((threshold) => count >= threshold);
    if (reached === undefined) return [];
    return [{ module, occasion: force ? `asked ${day}` : `at ${reached}`, sessions: count }];
  });
  const weekly = { module: "*", occasion: force ? `asked ${day}` : weekOf(now), sessions };
  return [...due, ...(sessions >= (thresholds[0] ?? 0) ? [weekly] : [])].filter(
    ({ module, occasion }) => force || !made.has(`${module}\n${occasion}`),
  );
}

/** `week 2026-46`, as ISO 8601 counts them: the week of a year's first Thursday is its first. */
export function weekOf(now: Date): string {
  const thursday = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  thursday.setUTCDate(thursday.getUTCDate() + 3 - ((thursday.getUTCDay() + 6) % 7));
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - first) / (7 * 86_400_000)) + 1;
  return `week ${thursday.getUTCFullYear()}-${String(week).padStart(2, "0")}`;
}
