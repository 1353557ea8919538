import { describe, expect, it } from "vitest";
import { movableClock, openTestMemory } from "../../../test/support/open-memories.js";

describe("turns of a conversation", () => {
  it("are counted as turns, not as the memories that hold them", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    const long = "line of a log\n".repeat(9000);
    const said = ["first", long, "second", long];
    await talk.append(said.map((content) => ({ role: "user" as const, content })));

    const last = await Promise.all([0, 1, 2, 3, 4, 9].map((count) => talk.turns({ last: count })));

    expect(last.map((turns) => turns.map(({ content }) => content.length))).toEqual(
      [0, 1, 2, 3, 4, 4].map((count) => (count === 0 ? [] : said.slice(-count).map(({ length }) => length))),
    );
    expect(await talk.state()).toMatchObject({ unarchived: 4, lastSequence: 8 });
    expect((await memory.conversations.list())[0]).toMatchObject({ turns: 4 });
  });

  it("are refused by numbers that are none", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    await talk.append({ role: "user", content: "hello" });

    for (const query of [{ last: 1.5 }, { last: -1 }, { after: -1 }, { upTo: Number.NaN }, { after: "2" as never }]) {
      await expect(talk.turns(query)).rejects.toMatchObject({ code: "invalid-input" });
    }
    for (const limit of [1.5, -1, 0]) {
      await expect(memory.conversations.list({ limit })).rejects.toMatchObject({ code: "invalid-input" });
    }
  });

  it("that expired are not counted as waiting to be archived", async () => {
    const clock = movableClock("2026-01-01T12:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const talk = memory.conversation("s1");
    await talk.append({ role: "user", content: "long ago" });
    clock.addDays(40);
    await talk.append({ role: "user", content: "now" });

    expect(await talk.turns()).toHaveLength(1);
    expect(await talk.state()).toMatchObject({ unarchived: 1 });
  });
});
