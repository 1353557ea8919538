import { describe, expect, it } from "vitest";
import { fakeEmbedder } from "../../test/support/fake-embedder.js";
import { projectContext } from "../../test/support/keep-records.js";
import { remember } from "../memory/remember/remember-memories.js";
import { openModels } from "./open-models.js";
import { openMemory } from "../api/open-memory.js";
import type { Embedder } from "../embedding/embedding.js";

describe("an embedder that a program brings", () => {
  it("is the program's to close: another memory may use it", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "a" }]);
    const embedder = fakeEmbedder();
    const models = openModels(context, { embedder }, undefined);

    const report = await (await models.embedding()).embedPending();
    await models.close();

    expect(report).toMatchObject({ embedded: 1 });
    expect(embedder.isClosed).toBe(false);
  });

  it.each([
    ["nothing", {}],
    ["no id", { modelId: "" }],
    ["no dimensions", { dimensions: 0 }],
    ["half a dimension", { dimensions: 1.5 }],
    ["nothing to embed with", { embed: undefined }],
  ])("is refused when the memory is opened if it has %s", async (what, part) => {
    const whole = { modelId: "own:model:4", dimensions: 4, embed: async () => [] };
    const embedder = (what === "nothing" ? {} : { ...whole, ...part }) as Embedder;

    const opening = openMemory({ db: ":memory:", project: "p", embedder });

    await expect(opening).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("embedder"),
    });
  });
});
