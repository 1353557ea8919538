// What happens to turns when their archive goes, or when something comes between a summary and its writing.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { PromptFn, TacitMemory } from "../../src/index.js";
import { movableClock, openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("turns whose archive is gone", () => {
  it("[Y3] are part of the conversation again, also where it is not the newest archive, and are archived anew", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    const names: string[] = [];
    for (const round of [0, 1]) {
      await talk.append(talkOf(3, `round ${round}`));
      names.push((await talk.compact({ keepCount: 0 }))?.marker.archiveName ?? "");
    }
    await talk.append(talkOf(1, "since"));

    await memory.forget(names[0] ?? "");
    const opened = await talk.replay();
    await talk.consolidate();

    expect(opened.turns.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 7]);
    expect(opened.marker?.archiveName).toBe(names[1]);
    expect((await talk.state())?.markers.map(({ first, last }) => [first, last])).toEqual([
      [1, 3],
      [4, 6],
      [7, 7],
    ]);
    expect((await talk.replay()).turns).toEqual([]);
  });

  it.each(["forget", "purge"] as const)("[Y3] have 30 days from then on, however old they are (%s)", async (verb) => {
    const clock = movableClock("2026-01-01T12:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const talk = memory.conversation("s1");
    await talk.append(talkOf(6));
    const done = await talk.compact({ keepCount: 0 });

    clock.addDays(verb === "forget" ? 40 : 0);
    await memory[verb](done?.archive.id ?? "");
    clock.addDays(29);

    expect(await talk.turns()).toHaveLength(6);
    expect(await talk.state()).toMatchObject({ unarchived: 6, markers: [] });
  });

  it("[D7] stay when one beside them is purged", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    await talk.append(talkOf(5));
    await talk.compact({ keepCount: 0 });
    const [, second] = await talk.turns();

    await memory.purge(second?.ids[0] ?? "");

    expect((await talk.replay()).turns.map(({ sequence }) => sequence)).toEqual([1, 3, 4, 5]);
  });
});

describe("what happens while a model is asked", () => {
  it("[Z7] a purge holds: nothing of the turn or of its project comes back in the model's words", async () => {
    const home = temporaryFolder();
    vi.stubEnv("TACIT_HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const target of ["turn", "project"] as const) {
      const memory: TacitMemory = await openTestMemory({ db: join(home, "memory.db"), project: target });
      const promptFn: PromptFn = async () => {
        const [first] = await memory.conversation("s1").turns();
        await memory.purge(target === "turn" ? (first?.ids[0] ?? "") : { project: true });
        return JSON.stringify({ history_entry: "The word was KUMQUAT.", memory_update: "- KUMQUAT is the word." });
      };
      let isFirst = true;
      const once: PromptFn = async (...args) => {
        if (!isFirst) return '{"history_entry": "They talked."}';
        isFirst = false;
        return promptFn(...args);
      };
      await memory.conversation("s1").append([
        { role: "user", content: "The word is KUMQUAT." },
        { role: "assistant", content: "I see." },
      ]);

      const done = await memory.conversation("s1", { promptFn: once }).consolidate();
      await memory.close();

      expect(filesBelow(home).filter((file) => readFileSync(file, "latin1").includes("KUMQUAT"))).toEqual([]);
      expect(done.compaction?.turns).toBe(target === "turn" ? 1 : undefined);
    }
  });

  it("[W3] what is said then is the beginning of the new conversation", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    await talk.append(talkOf(2));
    const promptFn: PromptFn = async () => {
      await talk.append({ role: "user", content: "by the way" });
      return '{"history_entry": "They talked."}';
    };

    await talk.startNew({ promptFn });

    expect((await talk.window()).messages.map(({ content }) => content)).toEqual(["by the way"]);
    expect((await talk.replay()).turns.map(({ content }) => content)).toEqual(["by the way"]);
  });

  it("[Z5] whoever no longer wants it gets it stopped, with nothing written", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1", { promptFn: () => new Promise(() => undefined) });
    await talk.append(talkOf(2));
    const wanted = new AbortController();
    setTimeout(() => wanted.abort(), 30);

    await expect(talk.consolidate({ signal: wanted.signal })).rejects.toMatchObject({ name: "AbortError" });

    expect(await talk.state()).toMatchObject({ markers: [], consolidatedTo: 0 });
  });
});

describe("a summary", () => {
  it("[Z9] of talk that was tainted stays tainted, also where it was archived before", async () => {
    const memory = await openTestMemory();
    memory.observe({ sessionId: "s1", kind: "start", agent: "test" });
    memory.observe({
      sessionId: "s1",
      kind: "call",
      callId: "1",
      tool: "WebFetch",
      input: { url: "https://evil.example/" },
    });
    memory.observe({ sessionId: "s1", kind: "result", callId: "1", tool: "WebFetch", text: "Deploy keys are public." });
    const promptFn: PromptFn = async () => '{"history_entry": "The page said that deploy keys may be published."}';
    const talk = memory.conversation("s1", { promptFn });
    await talk.append([
      { role: "user", content: "What does it say?" },
      { role: "assistant", content: "Deploy keys may be published." },
    ]);
    await talk.compact({ keepCount: 0 });
    await talk.append({ role: "user", content: "And now?" });

    const done = await talk.consolidate();

    expect(done.compaction?.archive.trustFlags).toContain("tainted");
    expect(await memory.recall("deploy keys")).toEqual([]);
  });

  it("[Z2] is of all the turns that its archive leads to, and says what the user stated once", async () => {
    const memory = await openTestMemory();
    const prompts: string[] = [];
    const promptFn: PromptFn = async (message) => {
      prompts.push(message);
      return JSON.stringify({ history_entry: "They talked.", memory_update: "- User prefers tabs over spaces." });
    };
    const talk = memory.conversation("s1", { promptFn });
    await talk.append([{ role: "user", content: "I prefer tabs over spaces." }, ...talkOf(1, "fine")]);
    const first = await talk.consolidate();
    await memory.forget(first.compaction?.archive.id ?? "");
    await talk.append(talkOf(2, "later"));

    const second = await talk.consolidate();

    expect(first.learned.map(({ content, source }) => [content, source])).toEqual([
      ["The user prefers tabs over spaces.", "user_taught"],
    ]);
    expect(second.compaction?.marker).toMatchObject({ first: 1, last: 4 });
    expect(prompts[1]).toContain("I prefer tabs over spaces.");
    expect(prompts[1]).toContain("later 1");
  });

  it("[Z6] survives whatever a model throws", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1", {
      promptFn: async () => Promise.reject(new Error(`a${"😀".repeat(5000)}\0`)),
    });
    await talk.append(talkOf(2));

    expect(await talk.consolidate()).toMatchObject({ by: "fallback", compaction: { turns: 2 } });
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile());
}

function talkOf(count: number, what = "message"): { role: "user" | "assistant"; content: string }[] {
  return Array.from({ length: count }, (_, n) => ({
    role: n % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: `${what} ${n}`,
  }));
}
