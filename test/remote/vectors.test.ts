// What embedding needs of a server beyond the suites that run on both: bytes there and back, a back-up, few journeys.
import { join } from "node:path";
import { expect, it } from "vitest";
import { remember } from "../../src/memory/remember/remember-memories.js";
import { backUp } from "../../src/storage/backup.js";
import { Store } from "../../src/storage/storage.js";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { projectContext } from "../support/keep-records.js";
import { askNearest, openEmbedding } from "../support/open-embedding.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startProxy } from "./fake-servers.js";
import { startServer } from "./start-server.js";

it("[S9] a back-up of a server brings the vectors along, byte for byte", async () => {
  const context = await projectContext();
  await remember(context, [{ content: "the pool holds ten connections" }, { content: "the cache is cold" }]);
  await openEmbedding(context, fakeEmbedder()).embedPending();
  const file = join(temporaryFolder(), "copy.db");

  await backUp(context.store, file);

  const copy = await projectContext({ db: file });
  const vectors = async (store: Store) =>
    store.read((reader) =>
      reader.rows("SELECT memory_key, change, hex(code) AS code, hex(vector) AS vector FROM memory_vectors"),
    );
  expect(await vectors(copy.store)).toEqual(await vectors(context.store));
  expect(await askNearest(copy, openEmbedding(copy, fakeEmbedder()), "ten connections", { limit: 1 })).toEqual([
    "the pool holds ten connections",
  ]);
});

it("[S14] a hundred memories are embedded and searched in a handful of journeys, not hundreds", async () => {
  const { url } = await startServer();
  const proxy = await startProxy(url);
  const context = await projectContext({ db: proxy.url });
  await remember(
    context,
    Array.from({ length: 100 }, (_, n) => ({ content: `text ${n}` })),
  );
  const embedding = openEmbedding(context, fakeEmbedder());

  const before = proxy.requests.length;
  const report = await embedding.embedPending();
  const embedded = proxy.requests.length;
  await askNearest(context, embedding, "text 7");
  const searched = proxy.requests.length;

  expect(report).toEqual({ embedded: 100, pending: 0, refused: 0 });
  expect(embedded - before).toBeLessThan(60);
  expect(searched - embedded).toBeLessThan(10);
});
