/** What is measured: units, days and numerals. */

export const unitsOf: ReadonlyMap<string, [kind: string, factor: number]> = new Map(
  Object.entries({
    time: {
      ms: 1,
      millisecond: 1,
      s: 1000,
      sec: 1000,
      second: 1000,
      min: 60_000,
      minute: 60_000,
      h: 3.6e6,
      hr: 3.6e6,
      hour: 3.6e6,
      d: 8.64e7,
      day: 8.64e7,
      week: 6.048e8,
      month: 2.592e9,
      year: 3.1536e10,
    },
    size: {
      b: 1,
      byte: 1,
      kb: 1e3,
      kib: 1024,
      mb: 1e6,
      mib: 1_048_576,
      gb: 1e9,
      gib: 1_073_741_824,
      tb: 1e12,
      tib: 1.1e12,
    },
    share: { "%": 1, percent: 1 },
    length: { px: 1, em: 16, rem: 16, cm: 40, km: 1e6, m: 1e3 },
    money: { "€": 1, $: 1, euro: 1, dollar: 1, eur: 1, usd: 1 },
  } as Record<string, Record<string, number>>).flatMap(([kind, units]) =>
    Object.entries(units).map(([unit, factor]) => [unit, [kind, factor] as [string, number]] as const),
  ),
);

export const calendar: ReadonlyMap<string, string> = new Map(
  [
    ["weekday", "monday tuesday wednesday thursday friday saturday sunday"],
    ["month", "january february march april may june july august september october november december"],
    ["often", "daily weekly monthly quarterly yearly hourly nightly biweekly fortnightly"],
  ].flatMap(([kind = "", days = ""]) => days.split(" ").map((day) => [day, kind] as const)),
);

export const numerals: ReadonlyMap<string, string> = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((word, index) => [word, String(index)]),
);
