import { describe, expect, it } from "vitest";
import { fakeEmbedder } from "../../../test/support/fake-embedder.js";
import { projectContext } from "../../../test/support/keep-records.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { embedPending } from "../embed/embed-pending.js";
import { countInconsistentVectors, repairVectors } from "./repair-vectors.js";

describe("vectors", () => {
  it.each([
    ["one is missing", "DELETE FROM memory_vectors WHERE memory_key = (SELECT min(key) FROM memories)"],
    [
      "a memory does not know of its own",
      "UPDATE memories SET embedded_by = NULL WHERE key = (SELECT min(key) FROM memories)",
    ],
    [
      "one is too short",
      `UPDATE memory_vectors SET vector = substr(vector, 1, 128), code = substr(code, 1, 4)
       WHERE memory_key = (SELECT min(key) FROM memories)`,
    ],
  ])("[S10] are found out of step when %s, and made anew", async (_, damage) => {
    const context = await projectContext();
    await remember(context, [{ content: "alpha" }, { content: "beta" }]);
    await embedPending({ ...context, embedder: fakeEmbedder() });
    await context.store.write(async (writer) => writer.run(damage));

    const before = await context.store.read(countInconsistentVectors);
    await context.store.write(repairVectors);
    const after = await context.store.read(countInconsistentVectors);

    expect([before, after]).toEqual([1, 0]);
    expect(await embedPending({ ...context, embedder: fakeEmbedder() })).toMatchObject({ embedded: 1, pending: 0 });
  });
});
