import type { MemoryContext } from "./change/change.js";
import { describe, expect, it } from "vitest";
import { halfLives } from "../../test/support/half-lives.js";
import { movableClock } from "../../test/support/open-memories.js";
import { Store } from "../storage/storage.js";
import { AccessCounter } from "./retention/access-counter.js";
import { forget } from "./retention/forget.js";
import { list } from "./read/list.js";
import { memoryTypes } from "./type-registry/memory-types.js";
import { filterConditions } from "./read/memory-filter.js";
import { statuses, type MemoryInput, type Status } from "./memory.js";
import { findProject, type Project } from "../project/projects.js";
import { pruneDaily } from "./retention/prune.js";
import { relateMemory } from "./edit/relate-memory.js";
import { remember } from "./remember/remember-memories.js";
import { restore } from "./retention/restore.js";
import { verify } from "./edit/review.js";
import { dayMs, inMemory } from "../../test/support/prune-contexts.js";

// Every day of two years: what is used is used at ten, the daily pruning comes at noon. Everything was born at nine.
const days = 730;
const [born, used, pruned] = [9 / 24, 10 / 24, 12 / 24];
const never = Infinity;

/** How a memory of the population lives. Times are days since the beginning. */
interface Life {
  input?: Partial<MemoryInput>;
  isVerified?: boolean;
  /** Something leads to it, or it to that, until a person forgets that. */
  linkedUntil?: number;
  linksItself?: boolean;
  /** What it is linked with is of its own type, and goes the same way. */
  withItsLike?: boolean;
  isArchived?: boolean;
  usedWeeklyUntil?: number;
  forgottenOn?: number;
}

const lives: Record<string, Life> = {
  unused: {},
  pinned: { input: { pinned: true } },
  verified: { isVerified: true },
  linked: { linkedUntil: never },
  "linking to another": { linkedUntil: never, linksItself: true },
  "linked for 300 days": { linkedUntil: 300 },
  "linked with its like": { linkedUntil: never, withItsLike: true },
  "linking to its like": { linkedUntil: never, linksItself: true, withItsLike: true },
  "used every week": { usedWeeklyUntil: days },
  "used every week of the first year": { usedWeeklyUntil: 364 },
  "expiring after 50 days": { input: { expiresAt: dateOf(50) } },
  "pinned and expiring": { input: { expiresAt: dateOf(50), pinned: true } },
  "verified and expiring": { input: { expiresAt: dateOf(50) }, isVerified: true },
  "linked and expiring": { input: { expiresAt: dateOf(50) }, linkedUntil: never },
  "forgotten after ten days": { forgottenOn: 10 },
  "pinned, verified, linked and forgotten": {
    input: { pinned: true },
    isVerified: true,
    linkedUntil: never,
    forgottenOn: 10,
  },
  "of a session": { input: { scope: "session", sessionId: "s" } },
  archived: { isArchived: true },
};

interface Member {
  what: string;
  id: string;
  type: string;
  life: Life;
  expires: number;
}

describe("pruning", () => {
  it("[L1] [L2] [L3] [L4] [L5] over two years lets go of exactly what has faded or expired, on the day it is due, and loses nothing pinned, verified or linked", async () => {
    const clock = movableClock(dateOf(born));
    const context = inMemory(clock.now);
    const population = await settle(context);
    const uses = new AccessCounter(context.store, clock.now);

    for (let day = 0; day <= days; day += 1) {
      clock.moveTo(dateOf(day + used));
      await liveThrough(context, population, day, uses);
      clock.moveTo(dateOf(day + pruned));
      await pruneDaily(context, 1000);

      // Every row as it is shown takes a while; which of them a filter finds does not.
      const found = day % 30 === 0 ? await statusesShown(context) : await statusesFiltered(context);
      const wrong = population.flatMap((member) => {
        const [is, should] = [found.get(member.id) ?? "gone", statusOn(day, member)];
        return is === should ? [] : [`day ${day}: ${member.what} is ${is}, not ${should}`];
      });
      expect(wrong).toEqual([]);
    }

    expect(clock.now().toISOString()).toBe("2028-01-01T12:00:00.000Z");
    const ends = new Set(population.map((member) => statusOn(days, member)));
    expect(ends).toEqual(new Set(["active", "expired", "forgotten", "gone"]));
    await expectNothingLost(context, population);
  });

  it("[L5] by itself does a little at a time, and the next process goes on", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const context = inMemory(clock.now);
    const contents = Array.from({ length: 250 }, (_, n) => ({ type: "work_state", content: `number ${n}` }));
    await remember(context, contents);
    clock.addDays(30);

    const counts: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      await pruneDaily(context, 1000);
      counts.push((await list(context, { status: "forgotten" })).length);
    }
    await remember(context, [{ type: "work_state", content: "faded later", halfLifeDays: 0.001 }]);
    clock.addDays(0.5);
    await pruneDaily(context, 1000);

    expect(counts).toEqual([100, 200, 250, 250]);
    expect(await list(context, {})).toHaveLength(1);
  });

  it("[L5] by itself does less at a time on a server, where each statement is a round trip", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const context = inMemory(clock.now);
    const inputs = Array.from({ length: 300 }, (_, n) => ({ content: `number ${n}`, expiresAt: "2026-01-02" }));
    await remember(context, inputs);
    clock.addDays(100);
    await remember(
      context,
      inputs.slice(0, 30).map(({ content }) => ({ content, type: "work_state", halfLifeDays: 0.001 })),
    );
    clock.addDays(1);

    const counts: number[][] = [];
    for (let n = 0; n < 2; n += 1) {
      await pruneDaily(asIfOnServer(context), 1000);
      const found = await list(context, { status: ["forgotten", "expired"] });
      counts.push(["forgotten", "expired"].map((status) => found.filter((each) => each.status === status).length));
    }

    expect(counts).toEqual([
      [10, 100],
      [20, 0],
    ]);
  });
});

/** Remembers one memory of each type for each way to live. */
async function settle(context: MemoryContext): Promise<Member[]> {
  const population: Member[] = [];
  for (const [how, life] of Object.entries(lives)) {
    for (const { type } of memoryTypes) {
      if (life.isArchived && type !== "conversation") continue;
      const what = `${type} ${how}`;
      const [kept] = await remember(context, [{ type, content: what, ...life.input }]);
      const id = kept?.id ?? "";
      const expires =
        kept?.expiresAt === undefined ? never : (Date.parse(kept.expiresAt) - Date.parse(dateOf(0))) / dayMs;
      if (life.isVerified) await verify(context, id);
      if (life.isArchived) await link(context, id, "archive", false);
      else if (life.linkedUntil !== undefined) {
        const lasting = life.linkedUntil === never ? "decision" : "fact";
        await link(context, id, life.withItsLike ? type : lasting, life.linksItself ?? false);
      }
      population.push({ what, id, type, life, expires });
    }
  }
  return population;
}

/** Links a memory with another one of a type. */
async function link(context: MemoryContext, id: string, type: string, linksItself: boolean): Promise<void> {
  const [anchor] = await remember(context, [{ type, content: `an anchor for ${id}` }]);
  const [source = "", target = ""] = linksItself ? [id, anchor?.id] : [anchor?.id, id];
  await relateMemory(context, source, { kind: "required_with", memory: target });
}

/** What people do on a day. */
async function liveThrough(
  context: MemoryContext,
  population: Member[],
  day: number,
  uses: AccessCounter,
): Promise<void> {
  const inUse = population.filter(({ life }) => day % 7 === 0 && day <= (life.usedWeeklyUntil ?? -1));
  uses.count(inUse.map(({ id }) => id));
  await uses.flush();
  const due = population.filter(({ life }) => life.forgottenOn === day).map(({ id }) => id);
  if (due.length > 0) await forget(context, due);
  const anchors =
    day === 300 ? (await list(context, { type: "fact" })).filter(({ content }) => content.startsWith("an anchor")) : [];
  if (anchors.length > 0)
    await forget(
      context,
      anchors.map(({ id }) => id),
    );
}

/** What is pinned, verified or linked is there, or can be brought back, however long ago it was let go. */
async function expectNothingLost(context: MemoryContext, population: Member[]): Promise<void> {
  for (const { id } of await list(context, { status: "forgotten" })) await restore(context, id);
  const left = new Set((await list(context, { status: ["active", "expired"] })).map(({ id }) => id));
  const lost = population.filter(({ id, life }) => life.forgottenOn === undefined && !left.has(id));
  const worthKeeping = ({ life }: Member) => life.input?.pinned || life.isVerified || life.linkedUntil === never;

  expect(population.filter(worthKeeping).length).toBeGreaterThan(100);
  expect(lost.length).toBeGreaterThan(20);
  expect(lost.filter(worthKeeping).map(({ what }) => what)).toEqual([]);
}

/** The status of every memory, as it is shown. */
async function statusesShown(context: MemoryContext): Promise<Map<string, Status>> {
  return new Map((await list(context, { status: "any" })).map(({ id, status }) => [id, status]));
}

/** The same by asking for each status. */
async function statusesFiltered({ store, now }: MemoryContext): Promise<Map<string, Status>> {
  return store.read(async (reader) => {
    const { project } = await findProject(reader, { id: "test" });
    const found = new Map<string, Status>();
    for (const status of statuses) {
      const { conditions, args } = filterConditions({ status }, project as Project, now());
      const rows = await reader.rows(`SELECT m.id FROM memories AS m WHERE ${conditions.join(" AND ")}`, args);
      for (const row of rows) found.set(String(row["id"]), status);
    }
    return found;
  });
}

/** How a memory stands after the pruning of a day, by arithmetic. */
function statusOn(day: number, { type, life, expires }: Member): Status | "gone" {
  const now = day + pruned;
  const isPinned = life.input?.pinned ?? false;
  const lastUse =
    life.usedWeeklyUntil === undefined ? born : Math.floor(Math.min(day, life.usedWeeklyUntil) / 7) * 7 + used;
  const fades = isPinned ? never : firstPruningAfter(lastUse + 3 * (halfLives[type] ?? never));
  const isKept = isPinned || life.isVerified || life.linkedUntil === never;
  const keptUntil = isKept ? never : (life.linkedUntil ?? 0) + used;

  if (life.forgottenOn !== undefined) {
    return now > life.forgottenOn + used + 30 ? "gone" : now > life.forgottenOn + used ? "forgotten" : "active";
  }
  const cleaned = life.isArchived ? never : firstPruningAfter(Math.max(expires + 90, keptUntil));
  if (day >= cleaned && cleaned <= fades) return "gone";
  if (day >= fades) return day >= firstPruningAfter(Math.max(fades + pruned + 30, keptUntil)) ? "gone" : "forgotten";
  if (now >= expires && !life.isArchived) return "expired";
  return "active";
}

function firstPruningAfter(time: number): number {
  return Math.floor(time - pruned) + 1;
}

function dateOf(day: number): string {
  return new Date(Date.parse("2026-01-01T00:00:00Z") + Math.round(day * dayMs)).toISOString();
}

/** The same store, which says that it is on a server. */
function asIfOnServer(context: MemoryContext): MemoryContext {
  const { store } = context;
  const distant: Pick<Store, "location" | "exists" | "read" | "write"> = {
    location: { kind: "remote", url: "http://server.invalid" },
    exists: true,
    read: (work) => store.read(work),
    write: (work, options) => store.write(work, options),
  };
  return { ...context, store: distant as Store };
}
