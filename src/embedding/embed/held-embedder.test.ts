import { expect, it } from "vitest";
import { fakeEmbedder } from "../../../test/support/fake-embedder.js";
import type { Embedder } from "../embedding.js";
import { HeldEmbedder } from "./held-embedder.js";

it("gives nobody a model that was closed while it was opened", async () => {
  let open: (embedder: Embedder) => void = () => undefined;
  const held = new HeldEmbedder(() => new Promise((resolve) => (open = resolve)), 1000);
  const embedder = fakeEmbedder();

  const given = held.get(undefined);
  const closed = held.close();
  open(embedder);

  await expect(given).rejects.toMatchObject({ code: "model-failed", message: "The memory is closed." });
  await closed;
  expect(embedder.isClosed).toBe(true);
});
