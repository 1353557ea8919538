import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { movableClock, openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";

const limit = 48 * 1024;
const token = ["ghp", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"].join("_");

describe("a long turn", () => {
  it("[T3] holds no secret, wherever it is cut", async () => {
    const memory = await openTestMemory();
    const key = privateKey();
    const texts = [-1800, -1200, -600, -20].flatMap((offset) => [
      `${"a line of the log\n".repeat(3000).slice(0, limit + offset)}\n${key}\nthe end\n`,
      `{"data":"${"x".repeat(limit + offset)}","token":"${token}","more":"${"y".repeat(2000)}"}`,
      `${"z".repeat(limit + offset)},${token} the end`,
    ]);

    const turns = await memory.conversation("s1").append(texts.map((content) => ({ role: "tool", content })));

    const lines = key.split("\n").filter((line) => line.length > 20);
    for (const { content, ids } of turns) {
      expect(lines.filter((line) => content.includes(line))).toEqual([]);
      // Compared as truths: a failure must not print what it found, nor 48 KiB.
      expect(content.includes(token)).toBe(false);
      expect(/\[redacted:[\w-]+\]/.test(content)).toBe(true);
      expect((await memory.get(ids.at(-1) ?? ""))?.trustFlags).toContain("secret-redacted");
    }
    expect(turns.map(({ ids }) => ids.length > 1)).toContain(true);
  });

  it("of a megabyte is cleaned and kept in a moment, whatever it is made of", async () => {
    const memory = await openTestMemory();
    const contents = ["<private>a</private>b ".repeat(45_000), "a\u200Bb ".repeat(250_000)];
    const start = performance.now();

    const turns = await memory.conversation("s1").append(contents.map((content) => ({ role: "user", content })));

    // It took minutes, with time for a slow machine.
    expect(performance.now() - start).toBeLessThan(15_000);
    const expected = ["b ".repeat(45_000), "ab ".repeat(250_000)];
    expect(turns.map(({ content }, index) => content === expected[index])).toEqual([true, true]);
  });

  it("is forgotten, restored, undone and purged as one, by any of its parts", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    const long = "line of a log\n".repeat(9000);
    await talk.append([
      { role: "user", content: "before" },
      { role: "user", content: long },
      { role: "user", content: long },
    ]);
    const [, { ids, sequence, lastSequence }] = (await talk.turns()) as [unknown, Turn];
    const kept = async () => (await talk.turns()).map(({ content }) => content.length);

    const forgotten = await memory.forget(ids[1] ?? "");
    const without = await kept();
    await memory.restore(ids[2] ?? "");
    const restored = await kept();
    await memory.forgetMany([ids[0] ?? "", ids[2] ?? ""]);
    await memory.undo(ids[1] ?? "");
    const undone = await kept();
    const { purged } = await memory.purge(ids[2] ?? "");

    expect(ids).toHaveLength(3);
    expect([sequence, lastSequence]).toEqual([2, 4]);
    expect(forgotten.id).toBe(ids[1]);
    expect(without).toEqual([6, long.length]);
    expect(restored).toEqual([6, long.length, long.length]);
    expect(undone).toEqual(restored);
    expect(purged).toBe(3);
    expect(await kept()).toEqual([6, long.length]);
  });
});

describe("appending", () => {
  it("refuses a number of turns that is none, and a session that holds what may not be stored", async () => {
    const memory = await openTestMemory();
    const say = { role: "user", content: "hello" } as const;

    for (const keepCount of [1.5, -1, Number.NaN, "3" as never]) {
      await expect(memory.conversation("s1", { keepCount }).append(say)).rejects.toMatchObject({
        code: "invalid-input",
        message: expect.stringContaining("keepCount"),
      });
    }
    for (const sessionId of [token, "s\u200B1", "<private>s</private>1"]) {
      await expect(memory.conversation(sessionId).append(say)).rejects.toMatchObject({ code: "invalid-input" });
    }

    expect(await memory.conversations.list()).toEqual([]);
  });

  it("begins a session no later than now, whatever the turn says", async () => {
    const clock = movableClock("2026-11-16T09:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const talk = memory.conversation("s1");

    await talk.append({ role: "user", content: "from afar", timestamp: "2999-01-01T00:00:00Z" });

    expect(await talk.state()).toMatchObject({ createdAt: "2026-11-16T09:00:00.000Z" });
    expect((await talk.turns())[0]?.timestamp).toBe("2999-01-01T00:00:00.000Z");
  });

  it("[L7] goes on whatever maxEntries says: nothing that was said makes room, and it takes none", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "tacit.config.json"), '{ "maxEntries": 2 }');
    vi.stubEnv("TACIT_HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const memory = await openTestMemory();
    const talk = memory.conversation("s1", { autoConsolidate: false });
    await talk.append(Array.from({ length: 8 }, (_, n) => ({ role: "user" as const, content: `message ${n}` })));
    const done = await talk.compact({ keepCount: 4 });

    for (const content of ["one fact", "two facts"]) await memory.remember({ type: "fact", content });
    const { evicted } = await memory.remember({ type: "fact", content: "three of them" });

    expect(evicted).toHaveLength(1);
    expect(await talk.turns()).toHaveLength(8);
    expect(await memory.get(done?.archive.id ?? "")).toMatchObject({ status: "active" });
  });
});

interface Turn {
  ids: string[];
  sequence: number;
  lastSequence: number;
}

function privateKey(): string {
  const encoding = { type: "pkcs8", format: "pem" } as const;
  const publicKeyEncoding = { type: "spki", format: "pem" } as const;
  return generateKeyPairSync("rsa", { modulusLength: 2048, privateKeyEncoding: encoding, publicKeyEncoding })
    .privateKey;
}
