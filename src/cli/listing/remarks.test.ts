import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { evictedRemark, remarksOn, remarksOnText } from "./remarks.js";

const secret = "postgres://bob:hunter2@db/app";

describe("remarksOn", () => {
  it("says what was taken out of a new memory", async () => {
    const memory = await openTestMemory();

    expect(remarksOn(await memory.remember({ content: "plain" }))).toEqual([]);
    expect(remarksOn(await memory.remember({ content: `db ${secret} <private>x` }))).toEqual([
      expect.stringContaining("<private>"),
      expect.stringContaining("secret"),
    ]);
  });
});

describe("remarksOnText", () => {
  it("speaks of the new text, not of what an older one held", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: secret });
    const remarksAfter = async (content: string) => remarksOnText(content, await memory.revise(id, { content }));

    expect(await remarksAfter("plain")).toEqual([]);
    expect(await remarksAfter("in<private>visible</private>")).toEqual([expect.stringContaining("<private>")]);
    expect(await remarksAfter(`again ${secret}`)).toContainEqual(expect.stringContaining("secret"));
  });
});

describe("evictedRemark", () => {
  it("names the first few that had to go, and how they come back", async () => {
    const memory = await openTestMemory();
    const evicted = await memory.rememberMany(Array.from({ length: 7 }, (_, n) => ({ content: `number ${n}` })));

    const [remark] = evictedRemark({ evicted });

    expect(evictedRemark({})).toEqual([]);
    expect(remark).toMatch(
      /^Forgot 7 memories to stay within maxEntries: .*\(number 4\), and others; tacit restore ID/,
    );
    expect(remark).not.toContain("number 5");
  });
});
