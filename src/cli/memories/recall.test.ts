import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeEmbedder } from "../../../test/support/fake-embedder.js";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { allowModels, openWithMeaning, withSynonyms } from "../../../test/support/open-with-meaning.js";
import { runLine, textOf } from "../../../test/support/run-line.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { MemoryInput, TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { addRecall } from "./recall.js";

const rules: MemoryInput[] = [
  { content: "ships leave on monday", name: "monday", source: "user_taught", confidence: 0.9 },
  { content: "ships leave from the north quay", name: "quay", source: "commit_auto", confidence: 0.5 },
];

describe("tacit recall", () => {
  it("answers programs with the whole report", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), rules);

    const { answer } = await recall(memory, ["when do ships leave"], { json: true });

    expect(answer.document).toMatchObject({
      query: "when do ships leave",
      mode: "hybrid",
      kind: "semantic",
      notes: [],
      heldBack: [],
      isLifted: false,
      codeChangedTop: false,
    });
    expect(contentsOf(answer)).toEqual(["ships leave on monday", "ships leave from the north quay"]);
  });

  it("--words and --mode words ask no model, neither for the question nor afterwards", async () => {
    const embedder = fakeEmbedder();
    const memory = await openWithMeaning(embedder, rules);
    await memory.remember({ content: "ships carry grain" });
    const before = embedder.calls.length;

    const answers = [await recall(memory, ["ships", "--words"]), await recall(memory, ["ships", "--mode", "words"])];
    for (const { answer } of answers) await answer.afterwards?.();

    expect(answers.map(({ answer }) => answer.document)).toMatchObject([{ mode: "words" }, { mode: "words" }]);
    expect(embedder.calls).toHaveLength(before);
  });

  it("filters by source and confidence, and orders as told", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), rules);
    const found = async (...flags: string[]) => contentsOf((await recall(memory, ["ships leave", ...flags])).answer);

    expect(await found("--source", "commit_auto")).toEqual(["ships leave from the north quay"]);
    expect(await found("--source", "commit_auto", "--source", "user_taught")).toHaveLength(2);
    expect(await found("--min-confidence", "0.7")).toEqual(["ships leave on monday"]);
    expect(await found("--sort", "confidence")).toEqual(["ships leave on monday", "ships leave from the north quay"]);
  });

  it("--exclude takes names, ids and short ids, and says which of them there is not", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), rules);
    const { id = "" } = (await memory.get("monday")) ?? {};

    for (const reference of ["monday", id, id.slice(-8)]) {
      const { answer } = await recall(memory, ["ships leave", "--exclude", reference]);
      expect(contentsOf(answer)).toEqual(["ships leave from the north quay"]);
    }
    await expect(recall(memory, ["ships", "--exclude", "tuesday"])).rejects.toMatchObject({ code: "memory-not-found" });
  });

  it("brings back what was replaced when it is told to", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), rules);
    await memory.supersede("monday", { content: "ships leave on tuesday" });
    const found = async (...flags: string[]) => contentsOf((await recall(memory, ["ships leave", ...flags])).answer);

    expect(await found()).not.toContain("ships leave on monday");
    expect(await found("--include-superseded")).toContain("ships leave on monday");
  });

  it("--recent-file finds what is known about a file in play, whatever was asked", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), [{ content: "mind the tide", relatedFiles: ["harbour.ts"] }]);

    const [without, inPlay] = [
      await recall(memory, ["zebra", "--words"]),
      await recall(memory, ["zebra", "--words", "--recent-file", "harbour.ts"]),
    ];

    expect(contentsOf(without.answer)).toEqual([]);
    expect(contentsOf(inPlay.answer)).toEqual(["mind the tide"]);
  });

  it("--explain says how each was found, what was held back, and how the question was read", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), rules);
    await memory.supersede("monday", { content: "ships leave on tuesday" });
    await memory.embedPending();

    const text = textOf((await recall(memory, ["when do ships leave", "--explain"])).answer);

    expect(text).toMatch(/^Looked for: ships, leave; left out: /);
    expect(text).toContain("\nSearched by words and meaning, as a question about what is meant\n");
    expect(text).toMatch(/^ +words #1 [01]\.\d\d · meaning #\d [01]\.\d\d · evidence [01]\.\d\d$/m);
    expect(text).toMatch(/^ +weights: .*source ×/m);
    expect(text).toMatch(/\n\nHeld back:\n[0-9a-f]{8} {2}ships leave on monday · is superseded by [0-9a-f]{8}$/);
  });
});

describe("tacit recall --pack", () => {
  it("gives one text for a model, and nothing that does not belong into a prompt", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), rules);

    const { answer, told } = await recall(memory, ["ships leave", "--pack", "--phase", "implement"]);

    const text = textOf(answer);
    expect(text.split("\n").every((line) => /^(###|-) /.test(line))).toBe(true);
    expect(text.match(/\[Memory #[0-9a-f]{8}: /g)).toHaveLength(2);
    expect(answer.document).toMatchObject({ query: "ships leave", budgetTokens: 3000, leftOut: [] });
    expect(answer.ids).toHaveLength(2);
    expect(told).toEqual([expect.stringMatching(/^2 memories, \d+ of 3000 tokens\.$/)]);
  });

  it("keeps to the tokens it is given, and tells the person how many did not fit", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), rules);

    const { answer, told } = await recall(memory, ["ships leave", "--pack", "30"]);

    expect(answer.document).toMatchObject({ budgetTokens: 30, leftOut: [{ id: expect.any(String) }] });
    expect((answer.document as { tokens: number }).tokens).toBeLessThanOrEqual(30);
    expect(told).toEqual([expect.stringMatching(/^1 memory, \d+ of 30 tokens; 1 memory did not fit\.$/)]);
  });

  it("says that nothing was found", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), rules);

    expect(textOf((await recall(memory, ["zebra", "--pack", "--words"])).answer)).toContain("Nothing found");
  });

  it("is not made of a question that stands behind it", async () => {
    const memory = await openTestMemory();

    await expect(recall(memory, ["--pack", "ships leave"])).rejects.toMatchObject({
      code: "commander.invalidArgument",
      message: expect.stringContaining('tacit recall "…" --pack'),
    });
  });
});

describe("vectors that are missing", () => {
  it("are made after the answer, so that the next question is answered by meaning", async () => {
    allowModels();
    const embedder = fakeEmbedder();
    const memory = await openTestMemory({ embedder: withSynonyms(embedder, { boats: "ships" }) });
    await memory.rememberMany(rules);

    const { answer: first } = await recall(memory, ["monday"]);
    const asked = embedder.calls.length;
    await first.afterwards?.();
    const { answer: second } = await recall(memory, ["boats"]);

    expect(asked).toBe(0);
    expect(first.document).toMatchObject({ mode: "words" });
    expect(second.document).toMatchObject({ mode: "hybrid", notes: [] });
    expect(contentsOf(second)).toContain("ships leave on monday");
  });

  it("are made first where nothing is found without them", async () => {
    allowModels();
    const memory = await openTestMemory({ embedder: withSynonyms(fakeEmbedder(), { boats: "ships" }) });
    await memory.rememberMany(rules);

    const { answer } = await recall(memory, ["boats"]);

    expect(answer.document).toMatchObject({ mode: "hybrid", notes: [] });
    expect(contentsOf(answer)).toContain("ships leave on monday");
  });

  it("are no news where something was found, and told with --explain and to programs", async () => {
    allowModels();
    const memory = await openTestMemory({ embedder: fakeEmbedder() });
    await memory.rememberMany(rules);

    const { answer } = await recall(memory, ["ships"]);

    expect(textOf(answer)).not.toContain("Searched by words only");
    expect(answer.document).toMatchObject({ notes: [expect.stringContaining("Searched by words only")] });
    expect(textOf((await recall(memory, ["ships", "--explain"])).answer)).toContain("Searched by words only");
  });

  it("of a model that fails are told below the answer, and it is not asked a second time", async () => {
    const embedder = fakeEmbedder();
    const memory = await openWithMeaning(embedder, rules);
    await memory.remember({ content: "ships carry grain" });
    embedder.fail("The model is on holiday.");

    const { answer } = await recall(memory, ["ships"]);
    const asked = embedder.calls.length;
    await answer.afterwards?.();

    expect(textOf(answer)).toMatch(/\n\nSearched by words only: The model is on holiday\. Wait for the test to end\.$/);
    expect(contentsOf(answer)).toContain("ships leave on monday");
    expect(embedder.calls).toHaveLength(asked);
  });

  it("of a model that has never answered are told with its reason", async () => {
    allowModels();
    const embedder = fakeEmbedder();
    const memory = await openTestMemory({ embedder });
    await memory.rememberMany(rules);
    embedder.fail("The model is on holiday.");
    await (await recall(memory, ["ships"])).answer.afterwards?.();

    const { answer } = await recall(memory, ["ships"]);

    expect(textOf(answer)).toMatch(/\n\nSearched by words only: .+\nThe model is on holiday\.$/);
  });

  it("are made anew after another model was configured", async () => {
    const db = join(temporaryFolder(), "memory.db");
    await (await openWithMeaning(fakeEmbedder(), rules, { db })).close();
    const memory = await openTestMemory({ db, embedder: fakeEmbedder({ modelId: "other:words:64" }) });

    const { answer } = await recall(memory, ["ships"]);
    await answer.afterwards?.();

    expect(textOf(answer)).toContain("other:words:64 has not embedded the memories yet");
    expect((await memory.stats()).embedding).toMatchObject({ modelId: "other:words:64", embedded: 2, ready: true });
  });

  it("stay missing where the store cannot be written, and nobody hears of it", async () => {
    const memory = {
      ...(await openWithMeaning(fakeEmbedder(), rules)),
      embedPending: async () => Promise.reject(new Error("read-only")),
    };
    await memory.remember({ content: "ships carry grain" });

    const { answer } = await recall(memory, ["ships"]);

    await expect(answer.afterwards?.()).resolves.toBeUndefined();
  });
});

async function recall(memory: TacitMemory, line: string[], flags: { json?: boolean } = {}) {
  return runLine(memory, addRecall, ["recall", ...line], flags);
}

function contentsOf({ document }: Answer): string[] {
  const { results } = document as { results: { memory: { content: string } }[] };
  return results.map(({ memory }) => memory.content);
}
