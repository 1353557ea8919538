import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { TacitMemory } from "../../index.js";

describe("a conversation that arrives", () => {
  it("[E7] goes to a session of its own where its session holds another one, and there again when it comes again", async () => {
    const here = await openTestMemory({ db: join(temporaryFolder(), "here.db") });
    const there = await openTestMemory({ db: join(temporaryFolder(), "there.db") });
    await say(here, "here", 3);
    await say(there, "there", 4);
    await there.conversation("s1").compact({ keepCount: 2 });
    const first = await exported(there);
    await say(there, "there again", 1);
    const grown = await exported(there);

    const report = await here.exchange.import(first);
    const again = await here.exchange.import(first);
    const more = await here.exchange.import(grown);

    const renamedSessions = [{ from: "s1", to: "s1-2" }];
    expect(report).toMatchObject({ added: 5, renamedSessions });
    expect(again).toMatchObject({ added: 0, updated: 0, unchanged: 5, renamedSessions });
    expect(more).toMatchObject({ added: 1, renamedSessions });
    expect(await sayings(here, "s1")).toEqual(["here 0", "here 1", "here 2"]);
    expect(await sayings(here, "s1-2")).toEqual(["there 0", "there 1", "there 2", "there 3", "there again 0"]);
    expect((await here.conversation("s1").state())?.markers).toEqual([]);
    expect((await here.conversation("s1-2").state())?.markers).toMatchObject([{ first: 1, last: 2 }]);
  });

  it("[E7] goes on in its own session, and is not renamed where it is the same one", async () => {
    const there = await openTestMemory({ db: join(temporaryFolder(), "there.db") });
    const here = await openTestMemory({ db: join(temporaryFolder(), "here.db") });
    await say(there, "there", 2);
    await here.exchange.import(await exported(there));
    await say(there, "later", 2);
    const [turn] = await there.conversation("s1").turns();
    await there.flag(turn?.ids[0] ?? "", "Nobody said so.");

    const report = await here.exchange.import(await exported(there));

    expect(report).toMatchObject({ added: 2, updated: 1, unchanged: 1 });
    expect(report).not.toHaveProperty("renamedSessions");
    expect(await sayings(here, "s1")).toEqual(["there 0", "there 1", "later 0", "later 1"]);
  });

  it("[Y5] brings along when it began, how many stay, and up to where it was consolidated", async () => {
    const there = await openTestMemory({ db: join(temporaryFolder(), "there.db") });
    const here = await openTestMemory({ db: join(temporaryFolder(), "here.db") });
    await there.conversation("s1", { keepCount: 7 }).append([
      { role: "user", content: "the beginning", timestamp: "2026-11-01T08:00:00Z" },
      { role: "assistant", content: "an answer", timestamp: "2026-11-02T08:00:00Z" },
    ]);
    const talk = there.conversation("s1", { keepCount: 1 });
    await talk.append([{ role: "user", content: "and more", timestamp: "2026-11-03T08:00:00Z" }]);
    await talk.consolidate();

    await here.exchange.import(await exported(there));

    const state = await here.conversation("s1").state();
    expect(state).toEqual(await talk.state());
    expect(state).toMatchObject({ createdAt: "2026-11-01T08:00:00.000Z", keepCount: 1 });
    expect(state?.consolidatedTo).toBeGreaterThan(0);
  });
});

async function say(memory: TacitMemory, what: string, count: number): Promise<void> {
  const turns = Array.from({ length: count }, (_, n) => ({ role: "user" as const, content: `${what} ${n}` }));
  await memory.conversation("s1", { autoConsolidate: false }).append(turns);
}

async function sayings(memory: TacitMemory, session: string): Promise<string[]> {
  return (await memory.conversation(session).turns()).map(({ content }) => content);
}

async function exported(memory: TacitMemory): Promise<string> {
  const output = join(temporaryFolder(), "all.jsonl");
  await memory.exchange.export({ format: "jsonl", output, status: "any" });
  return output;
}
