const unitsMs: [name: string, ms: number][] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/**
 * How long ago, or how far ahead, in the largest unit that fits.
 *
 * @example
 * renderAge("2026-01-01T00:00:00Z", new Date("2026-01-03T00:00:00Z")) // "2 days ago"
 */
export function renderAge(time: string, now: Date): string {
  const differenceMs = now.getTime() - new Date(time).getTime();
  const [name, ms] = unitsMs.find(([, unitMs]) => Math.abs(differenceMs) >= unitMs) ?? [];
  if (name === undefined || ms === undefined) return "just now";
  const count = Math.floor(Math.abs(differenceMs) / ms);
  const span = `${count} ${name}${count === 1 ? "" : "s"}`;
  return differenceMs > 0 ? `${span} ago` : `in ${span}`;
}
