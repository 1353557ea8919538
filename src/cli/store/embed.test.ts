import { afterEach, describe, expect, it } from "vitest";
import { fakeEmbedder } from "../../../test/support/fake-embedder.js";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { allowModels, openWithMeaning } from "../../../test/support/open-with-meaning.js";
import { runLine, textOf } from "../../../test/support/run-line.js";
import type { MemoryInput, OpenOptions, TacitMemory } from "../../index.js";
import { addEmbed } from "./embed.js";

const two: MemoryInput[] = [{ content: "ships leave on monday" }, { content: "mind the tide" }];

// Of the whole test run, which must not fail by it.
afterEach(() => (process.exitCode = undefined));

describe("tacit embed", () => {
  it("gives every memory its vector, and says of which model and how it went on", async () => {
    const memory = await openUnembedded(two, { embedder: fakeEmbedder() });

    const { answer, told } = await embed(memory);

    expect(textOf(answer)).toMatch(/^Embedded 2 memories with fake:words:64 in \d+\.\d s\.$/);
    expect(answer.document).toEqual({
      embedded: 2,
      pending: 0,
      refused: 0,
      modelId: "fake:words:64",
      isStopped: false,
      tookMs: expect.any(Number),
    });
    expect(told).toEqual(["Embedded 2 of 2 memories …", ""]);
    expect((await memory.stats()).embedding).toMatchObject({ embedded: 2, ready: true });
  });

  it("has nothing to do the second time, and nothing at all where nothing is kept", async () => {
    allowModels();
    const [done, empty] = [
      await openWithMeaning(fakeEmbedder(), two),
      await openTestMemory({ embedder: fakeEmbedder() }),
    ];

    expect(textOf((await embed(done)).answer)).toBe("Nothing to do: 2 memories embedded with fake:words:64.");
    expect(textOf((await embed(empty)).answer)).toMatch(/^There is nothing to embed yet\. .*tacit remember/);
  });

  it("--limit embeds so many, and says what is left", async () => {
    const memory = await openUnembedded(two, { embedder: fakeEmbedder() });

    const { answer } = await embed(memory, "--limit", "1");

    expect(textOf(answer).split("\n")).toEqual([
      expect.stringMatching(/^Embedded 1 memory with fake:words:64 in \d+\.\d s; 1 still waits\.$/),
      "tacit embed goes on with the others.",
    ]);
    expect(answer.ok).not.toBe(false);
  });

  it("tells what failed and what to do, and is not well", async () => {
    const embedder = fakeEmbedder();
    embedder.fail("The model is on holiday.");
    const memory = await openUnembedded(two, { embedder });

    const { answer } = await embed(memory);

    expect(textOf(answer).split("\n")).toEqual([
      "Nothing was embedded; 2 memories wait.",
      "The model is on holiday.",
      "Wait for the test to end.",
      expect.stringMatching(/found by words meanwhile.*tacit doctor.*tacit embed/),
    ]);
    expect(answer.document).toMatchObject({ embedded: 0, pending: 2, failure: "The model is on holiday." });
    expect(answer.ok).toBe(false);
  });

  it("says how to get a model where none is configured", async () => {
    const memory = await openUnembedded(two, { embedder: null });
    const { settings, ...config } = await memory.projects.config();

    const projects: TacitMemory["projects"] = {
      ...memory.projects,
      config: async () => ({ ...config, settings: { ...settings, embeddingProvider: "none" } }),
    };
    const { answer } = await embed({ ...memory, projects });

    expect(textOf(answer).split("\n")).toEqual([
      "Nothing was embedded; 2 memories wait.",
      "No embedding model is configured.",
      "To choose the bundled one: tacit config set embeddingProvider bundled",
    ]);
    expect(answer.ok).toBe(false);
  });

  it("tells of what the model refused, and does not offer to try it again", async () => {
    const embedder = fakeEmbedder();
    embedder.refuse(/tide/);
    const memory = await openUnembedded(two, { embedder });

    const text = textOf((await embed(memory)).answer);

    expect(text).toContain("The model refused 1 memory, which is found by its words only.");
    expect(text).not.toContain("goes on");
  });

  it("stops when it is told to, with the exit code that a shell expects", async () => {
    const embedder = fakeEmbedder();
    embedder.hang();
    const memory = await openUnembedded(two, { embedder });

    const embedding = embed(memory);
    while (embedder.calls.length === 0) await new Promise((next) => setTimeout(next, 5));
    process.emit("SIGINT");
    const { answer } = await embedding;

    expect(textOf(answer)).toBe(
      "Stopped. Nothing was embedded; 2 memories wait.\ntacit embed goes on with the others.",
    );
    expect(answer.document).toMatchObject({ isStopped: true, embedded: 0 });
    expect(process.exitCode).toBe(130);
    expect(process.listenerCount("SIGINT")).toBe(0);
  });
});

describe("tacit embed --status", () => {
  it("tells how it stands and embeds nothing", async () => {
    const embedder = fakeEmbedder();
    const memory = await openWithMeaning(embedder, two);
    await memory.remember({ content: "ships carry grain" });
    const before = embedder.calls.length;

    const { answer } = await embed(memory, "--status");

    expect(textOf(answer).split("\n")).toEqual([
      "model    fake:words:64",
      "vectors  2 of 3 memories; tacit embed makes the others",
      "meaning  questions are answered by words and meaning",
    ]);
    expect(answer.document).toMatchObject({ modelId: "fake:words:64", embedded: 2, pending: 1, ready: true });
    expect(embedder.calls).toHaveLength(before);
  });

  it("reads well before anything was embedded, and after a failure", async () => {
    const embedder = fakeEmbedder();
    const [empty, failing] = [await openTestMemory(), await openUnembedded(two, { embedder })];
    embedder.fail("The model is on holiday.");
    await failing.embedPending();

    expect(textOf((await embed(empty, "--status")).answer).split("\n")).toEqual([
      "model    none has been used yet",
      "vectors  none; there are no memories yet",
      "meaning  not yet",
    ]);
    expect(textOf((await embed(failing, "--status")).answer).split("\n")).toEqual([
      "model    fake:words:64",
      "vectors  0 of 2 memories; tacit embed makes the others",
      "meaning  not yet; until every memory has a vector, questions are answered by words",
      "failure  The model is on holiday. (just now)",
    ]);
  });
});

async function embed(memory: TacitMemory, ...line: string[]) {
  return runLine(memory, addEmbed, ["embed", ...line]);
}

async function openUnembedded(inputs: MemoryInput[], options: OpenOptions): Promise<TacitMemory> {
  allowModels();
  const memory = await openTestMemory(options);
  await memory.rememberMany(inputs);
  return memory;
}
