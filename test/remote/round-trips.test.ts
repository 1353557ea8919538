// Each question to a server costs one journey there and back: 1 ms in a house, 100 ms around the world.
import { expect, it } from "vitest";
import { openMemory } from "../../src/index.js";
import { startProxy } from "./fake-servers.js";
import { startServer } from "./start-server.js";

it("[S14] what is done every day asks a server a handful of times, not dozens", async () => {
  const { url } = await startServer();
  const proxy = await startProxy(url);
  const trips: Record<string, number> = {};
  const count = async <T>(what: string, work: Promise<T>): Promise<T> => {
    const before = proxy.requests.length;
    const result = await work;
    trips[what] = proxy.requests.length - before;
    return result;
  };
  const options = { db: proxy.url, project: "test" };

  await (await count("open a new store", openMemory(options))).close();
  const memory = await count("open", openMemory(options));
  await count("remember", memory.remember({ content: "the pool holds ten connections", name: "pool", tags: ["db"] }));
  await count("remember again", memory.remember({ content: "the cache is cold on Mondays" }));
  const texts = Array.from({ length: 10 }, (_, n) => ({ content: `text number ${n}` }));
  await count("remember ten", memory.rememberMany(texts));
  await count("recall", memory.recall("which pool is cold", { limit: 5 }));
  await count("get", memory.get("pool"));
  await count("list", memory.list());
  await count("close", memory.close());

  console.log(`round trips: ${JSON.stringify(trips)}`);
  expect(Object.entries(trips).filter(([what, trip]) => trip > (what === "remember ten" ? 60 : 20))).toEqual([]);
});
