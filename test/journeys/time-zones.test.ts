import { spawnSync } from "node:child_process";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { built } from "../support/child-process.js";
import { movableClock, openTestMemory } from "../support/open-memories.js";

/** Zones, and days on which something is odd about their midnight or their length, with an ordinary one. */
const oddDays: Record<string, string[]> = {
  UTC: ["2026-02-28"],
  "America/New_York": ["2026-03-07", "2026-03-08", "2026-11-01", "2026-07-04"],
  "Europe/Berlin": ["2026-03-28", "2026-03-29", "2026-10-25", "2026-12-31"],
  // Half an hour of daylight saving.
  "Australia/Lord_Howe": ["2026-04-05", "2026-10-04", "2026-10-03"],
  // Off by a quarter of an hour, and as far from UTC as it goes.
  "Asia/Kathmandu": ["2026-05-05"],
  "Pacific/Kiritimati": ["2026-05-05"],
  "Pacific/Niue": ["2026-05-05"],
  // No midnight: the clock goes from 23:59 to 01:00.
  "America/Sao_Paulo": ["2018-11-03", "2018-11-04"],
  "Asia/Beirut": ["2022-03-26", "2022-03-27"],
  "Africa/Cairo": ["2023-04-27", "2023-04-28"],
  "America/Santiago": ["2025-09-06", "2025-09-07"],
  "America/Havana": ["2026-03-07", "2026-03-08", "2026-11-01"],
  // The last hour of the day comes twice.
  "America/Asuncion": ["2024-03-23", "2024-03-24"],
  "America/Scoresbysund": ["2025-10-25", "2025-10-26"],
  // A day that does not exist: 30 December 2011.
  "Pacific/Apia": ["2011-12-29", "2011-12-31"],
};

const zones = Object.keys(oddDays);

describe("the end of the user's day", () => {
  it.each(zones)("[L4] is when context of a session expires: the first moment of the next day in %s", async (zone) => {
    standIn(zone);
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const found: Record<string, string | undefined> = {};
    const expected: Record<string, string | undefined> = {};

    for (const now of momentsOf(zone)) {
      clock.moveTo(now);
      const { expiresAt } = await memory.remember({ type: "context", scope: "session", sessionId: now, content: "x" });
      found[now] = expiresAt;
      expected[now] = nextDayBegins(now, zone);
    }

    expect(Object.keys(found).length).toBeGreaterThanOrEqual(10);
    expect(found).toEqual(expected);
  });

  it("[L4] is what it is for a process that is started in the zone", () => {
    const inSaoPaulo = expiryIn("America/Sao_Paulo", "2018-11-03T20:00:00Z");
    const inApia = expiryIn("Pacific/Apia", "2011-12-30T09:59:59Z");

    expect(inSaoPaulo).toBe("2018-11-04T03:00:00.000Z");
    expect(inApia).toBe("2011-12-30T10:00:00.000Z");
  });

  it("[L4] ends context of a session to the millisecond, and of the whole project never", async () => {
    standIn("Europe/Berlin");
    const clock = movableClock("2026-10-25T00:30:00Z");
    const memory = await openTestMemory({ now: clock.now });
    await memory.remember({ type: "context", scope: "session", sessionId: "s", content: "of today" });
    await memory.remember({ type: "context", content: "of the project" });
    const contents = async () => (await memory.list()).map(({ content }) => content).toSorted();

    clock.moveTo("2026-10-25T22:59:59.999Z");
    const before = await contents();
    clock.moveTo("2026-10-25T23:00:00Z");
    const after = await contents();
    clock.moveTo("2126-01-01T00:00:00Z");

    expect(before).toEqual(["of the project", "of today"]);
    expect(after).toEqual(["of the project"]);
    expect(await contents()).toEqual(["of the project"]);
  });
});

describe("days without use", () => {
  it.each(zones)("[L1] [L4] are 24 hours each in %s, whatever the clocks do", async (zone) => {
    standIn(zone);
    for (const day of oddDays[zone] ?? []) {
      const clock = movableClock(`${day}T12:00:00Z`);
      clock.addDays(-3);
      const memory = await openTestMemory({ now: clock.now });
      await memory.remember({ type: "work_state", content: "x" });
      const turn = await memory.remember({ type: "conversation", content: "y" });
      const start = clock.now().getTime();

      clock.addDays(7);
      const [left] = await memory.list({ type: "work_state" });
      clock.addDays(14);
      const onTheDay = await memory.store.prune();
      clock.addDays(0.001);
      const justAfter = await memory.store.prune();

      expect(left?.currentConfidence).toBe(0.4);
      expect([onTheDay, justAfter].map(({ faded }) => faded.length)).toEqual([0, 1]);
      expect(Date.parse(turn.expiresAt ?? "") - start).toBe(30 * 86_400_000);
      await memory.close();
    }
  });
});

/** Makes a zone the one of this process; Node follows the variable while it runs. */
function standIn(zone: string): void {
  vi.stubEnv("TZ", zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  const canonical = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(canonical);
}

/** Moments all over the odd days: 50 hours from before their beginning, however long they are. */
function momentsOf(zone: string): string[] {
  return (oddDays[zone] ?? []).flatMap((day) =>
    Array.from({ length: 10 }, (_, n) => {
      const noon = Date.parse(`${day}T12:00:00Z`);
      return new Date(noon + (n - 5) * 5 * 3_600_000 + n * 61_007).toISOString();
    }),
  );
}

/** Found by looking at every minute's date in the zone, not by asking for a midnight. */
function nextDayBegins(now: string, zone: string): string {
  const dates = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });
  const today = dates.format(new Date(now));
  const minuteMs = 60_000;
  for (let minute = Math.floor(Date.parse(now) / minuteMs) + 1; ; minute += 1) {
    if (dates.format(minute * minuteMs) > today) return new Date(minute * minuteMs).toISOString();
  }
}

/** What a process of its own says, started with this TZ. */
function expiryIn(zone: string, now: string): string {
  const program = `
    import { openMemory } from ${JSON.stringify(built("index.js"))};
    const memory = await openMemory({ db: ":memory:", project: "test", now: () => new Date(${JSON.stringify(now)}) });
    const { expiresAt } = await memory.remember({ type: "context", scope: "session", content: "x" });
    console.log(expiresAt);
    await memory.close();
  `;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    env: { ...process.env, TZ: zone },
  });
  return `${run.stdout}${run.stderr}`.trim();
}
