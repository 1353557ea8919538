import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { openTestMemory } from "../support/open-memories.js";
import { allowModels, contentsOf, openWithMeaning, withSynonyms } from "../support/open-with-meaning.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const cars = "automobiles need petrol every week";
const others = ["tea is served at noon", "the office closes at night"];
const synonyms = { automobiles: "car", cars: "car", petrol: "fuel" };
const inputs = [cars, ...others].map((content) => ({ content }));

describe("recall by meaning", () => {
  it("[R8] finds a memory that shares no word with the question, and says why it came", async () => {
    const memory = await openWithMeaning(withSynonyms(fakeEmbedder(), synonyms), inputs);

    const { results, mode, notes } = await memory.recallReport("fuel cars", { explain: true });

    expect(results[0]).toMatchObject({
      memory: { content: cars },
      matched: [],
      why: "means something similar",
      explanation: { paths: { meaning: { rank: 1 } } },
    });
    expect(results[0]?.explanation?.paths.words).toBeUndefined();
    expect({ mode, notes }).toEqual({ mode: "hybrid", notes: [] });
    expect(await memory.recall("fuel cars", { mode: "words" })).toEqual([]);
  });

  it("[R8] finds by the model that is bundled, without any configuration", async () => {
    allowModels();
    const memory = await openTestMemory();
    await memory.rememberMany(
      [
        "Never push without linting first",
        "Concurrent writers have to wait for SQLite",
        "The office is closed on Fridays",
      ].map((content) => ({ content })),
    );
    const early = await memory.recallReport("database locked by another process");

    const { embedded, failure } = await memory.embedPending();
    const [best] = await memory.recall("database locked by another process");

    expect(early).toMatchObject({ mode: "words", results: [], notes: [expect.stringContaining("not embedded yet")] });
    expect({ embedded, failure }).toEqual({ embedded: 3, failure: undefined });
    expect(best).toMatchObject({ memory: { content: "Concurrent writers have to wait for SQLite" }, matched: [] });
    expect((await memory.stats()).embedding).toMatchObject({
      modelId: expect.stringMatching(/^bundled:/),
      ready: true,
    });
  });

  it("[R8] counts words and meaning together: what has both comes before what has one", async () => {
    const memory = await openWithMeaning(withSynonyms(fakeEmbedder(), { lorry: "truck" }), [
      { content: "the truck is in depot seven" },
      { content: "the lorry is in depot seven" },
      { content: "depot nine has room" },
    ]);

    expect(contentsOf(await memory.recall("lorry depot")).slice(0, 2)).toEqual([
      "the lorry is in depot seven",
      "the truck is in depot seven",
    ]);
  });

  it("[R9] asks no model in the mode words", async () => {
    const embedder = fakeEmbedder();
    const memory = await openWithMeaning(embedder, inputs);
    const before = embedder.calls.length;

    const report = await memory.recallReport("petrol for automobiles", { mode: "words" });

    expect(report).toMatchObject({ mode: "words", notes: [] });
    expect(contentsOf(report.results)).toEqual([cars]);
    expect(embedder.calls).toHaveLength(before);
  });

  it("[R9] searches by words and says so until every memory has had a vector", async () => {
    allowModels();
    const embedder = fakeEmbedder();
    const memory = await openTestMemory({ embedder });
    await memory.rememberMany(inputs);

    const early = await memory.recallReport("petrol for automobiles");
    await memory.embedPending();
    const late = await memory.recallReport("petrol for automobiles");

    expect(early).toMatchObject({
      mode: "words",
      notes: [expect.stringMatching(/^Searched by words only: .*not embedded/)],
    });
    expect(contentsOf(early.results)).toEqual([cars]);
    expect(late).toMatchObject({ mode: "hybrid", notes: [] });
  });

  it("[R9] finds by words what was remembered a moment ago, beside what has its vector", async () => {
    const memory = await openWithMeaning(withSynonyms(fakeEmbedder(), synonyms), inputs);
    await memory.remember({ content: "fuel is sold in litres" });

    const { results, mode } = await memory.recallReport("fuel cars");

    expect(mode).toBe("hybrid");
    expect(contentsOf(results)).toEqual(expect.arrayContaining(["fuel is sold in litres", cars]));
  });

  it("[R9] does not put what has no vector yet behind what answers less", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), [{ content: "staging has a blue logo and a motto" }]);
    await memory.remember({ content: "we deploy billing to staging with make ship" });

    const { results, mode } = await memory.recallReport("how do we deploy billing to staging");

    expect(mode).toBe("hybrid");
    expect(contentsOf(results)[0]).toBe("we deploy billing to staging with make ship");
  });

  it.each([
    ["fails", "fail", "The fake model is down."],
    ["lies", "lie", "fake:words:64 answered with a vector of 65 dimensions where 64 were expected."],
  ] as const)("[R9] loses only the meaning to a model that %s", async (_what, misbehave, problem) => {
    const embedder = fakeEmbedder();
    const memory = await openWithMeaning(embedder, inputs);
    embedder[misbehave]();

    const report = await memory.recallReport("petrol for automobiles");
    const kept = await memory.remember({ content: "petrol is cheap on Monday" });

    expect(report).toMatchObject({
      mode: "words",
      notes: [expect.stringContaining(`Searched by words only: ${problem}`)],
    });
    expect(contentsOf(report.results)).toEqual([cars]);
    expect(await memory.get(kept.id)).toMatchObject({ content: "petrol is cheap on Monday" });
    expect(contentsOf(await memory.recall("petrol", { limit: 1 }))).toEqual(["petrol is cheap on Monday"]);
  });

  it("[R9] waits two seconds for a model that hangs, once, and makes no memory wait", async () => {
    const embedder = fakeEmbedder();
    const memory = await openWithMeaning(embedder, inputs);
    embedder.hang();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());

    const answer = memory.recallReport("petrol for automobiles");
    await vi.waitUntil(() => embedder.calls.flat().includes("petrol for automobiles"));
    const kept = await memory.remember({ content: "petrol is cheap on Monday" });
    await vi.advanceTimersByTimeAsync(2000);
    const first = await answer;
    const second = await memory.recallReport("petrol on Monday");

    const note = "Searched by words only: fake:words:64 did not answer within 2 s.";
    expect([first, second].map(({ mode, notes }) => ({ mode, notes }))).toEqual([
      { mode: "words", notes: [note] },
      { mode: "words", notes: [note] },
    ]);
    expect(contentsOf(first.results)).toEqual([cars]);
    expect(second.results[0]?.memory.id).toBe(kept.id);
    expect(embedder.calls.flat()).not.toContain("petrol on Monday");
  });

  it("[R9] loses nothing where no model is wanted", async () => {
    allowModels();
    const memory = await openTestMemory({ embedder: null });
    await memory.rememberMany(inputs);

    const report = await memory.recallReport("petrol for automobiles");

    expect(report.mode).toBe("words");
    expect(contentsOf(report.results)).toEqual([cars]);
    expect(await memory.embedPending()).toMatchObject({ embedded: 0, pending: 3 });
  });

  it("[R9] never compares two models: after a switch, words until the new one has embedded everything", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const old = await openWithMeaning(withSynonyms(fakeEmbedder({ modelId: "fake:old:64" }), synonyms), inputs, { db });
    const before = await old.recallReport("fuel cars");
    await old.close();
    const fresh = fakeEmbedder({ modelId: "fake:new:64" });
    const memory = await openTestMemory({ db, embedder: withSynonyms(fresh, synonyms) });

    const meanwhile = await memory.recallReport("fuel cars");
    await memory.embedPending();
    const after = await memory.recallReport("fuel cars");

    expect(contentsOf(before.results)[0]).toBe(cars);
    expect(meanwhile).toMatchObject({
      mode: "words",
      results: [],
      notes: ["Searched by words only: fake:new:64 has not embedded the memories yet."],
    });
    expect(after).toMatchObject({ mode: "hybrid", notes: [] });
    expect(contentsOf(after.results)[0]).toBe(cars);
  });

  it("[R8] [P1] finds nothing of another project by its meaning", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const embedder = withSynonyms(fakeEmbedder(), synonyms);
    await openWithMeaning(embedder, inputs, { db, project: "theirs" });
    const mine = await openWithMeaning(embedder, [{ content: "something else altogether" }], { db, project: "mine" });

    const { results, mode } = await mine.recallReport("fuel cars");

    expect(mode).toBe("hybrid");
    expect(results.map(({ memory }) => memory.project).filter((project) => project !== "mine")).toEqual([]);
  });
});
