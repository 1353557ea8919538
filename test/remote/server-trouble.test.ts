// A server that cannot be reached, does not let us in, or is not what we need. Tacit says which, and never a secret.
import { inspect } from "node:util";
import { createClient } from "@libsql/client/http";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import type { OpenOptions } from "../../src/index.js";
import { Store } from "../../src/storage/storage.js";
import { openTestMemory } from "../support/open-memories.js";
import { startProxy } from "./fake-servers.js";
import { signToken } from "./sign-token.js";
import { startServer } from "./start-server.js";

describe("a server", () => {
  it.each([
    ["no token", () => undefined],
    ["no real token", () => "secret-of-somebody"],
    ["a token that has ended", () => tokenWith({ exp: 1 })],
  ])("[S15] that is given %s lets nobody in, and Tacit says where a token goes, not which it was", async (_, token) => {
    const { url } = await startServer();
    useToken(token());

    const refusals = await refusalsOf({ db: url });

    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: "store-denied", hint: expect.stringContaining("TACIT_AUTH_TOKEN") });
      expect(inspect(refusal, { depth: 9 })).not.toContain(token() ?? "Bearer");
    }
  });

  it("[S15] may be given its token in the address, which is never repeated", async () => {
    const { url } = await startServer();
    useToken(undefined);

    const memory = await openTestMemory({ db: `${url}?authToken=${tokenWith({})}` });
    const kept = await memory.remember({ content: "by the token in the address" });
    const [refusal] = await refusalsOf({ db: `${url}?authToken=wrong-secret` });

    expect(kept.merged).toBe(false);
    expect(memory.db).toBe(new URL(url).host);
    expect(refusal).toMatchObject({ code: "store-denied" });
    expect(inspect(refusal, { depth: 9 })).not.toContain("wrong-secret");
  });

  it("[S15] lets a token that may only read do so, and says that it may not write", async () => {
    const { url } = await startServer();
    await (await openTestMemory({ db: url })).remember({ content: "the pool holds ten connections" });
    useToken(tokenWith({ a: "ro" }));
    const reader = await openTestMemory({ db: url });

    const found = await reader.recall("pool");
    const refused = reader.remember({ content: "not here" });

    expect(found).toHaveLength(1);
    await expect(refused).rejects.toMatchObject({
      code: "store-denied",
      hint: expect.stringContaining("TACIT_AUTH_TOKEN"),
    });
  });

  it("[S14] that falls silent in the middle of a write keeps nothing of it", async () => {
    const { url } = await startServer();
    const proxy = await startProxy(url);
    const memory = await openTestMemory({ db: proxy.url, timeoutMs: 500 });
    await memory.remember({ content: "kept before" });
    proxy.treat = (body) => (body.includes("INSERT INTO memory_words") ? "stay silent" : "pass on");

    const refusal = await memory.remember({ content: "half of it" }).catch((error: unknown) => error);

    expect(refusal).toMatchObject({ code: "store-unreachable" });
    expect((await (await openTestMemory({ db: url })).list()).map(({ content }) => content)).toEqual(["kept before"]);
  });

  it("[S14] that falls silent holds nobody up who closes the store", async () => {
    const { url } = await startServer();
    const proxy = await startProxy(url);
    const store = new Store({ db: proxy.url, timeoutMs: 600_000 });
    await store.read(async (reader) => reader.rows("SELECT 1"));
    const heard = new Promise<void>((hear) => {
      proxy.treat = () => {
        hear();
        return "stay silent";
      };
    });

    const refused = store.read(async (reader) => reader.rows("SELECT 1")).catch((error: unknown) => error);
    await heard;
    await store.close();

    expect(await refused).toMatchObject({ code: "store-closed" });
  });

  it("[S16] without full text search is refused by name of what it lacks, and nothing is left there", async () => {
    const { url } = await startServer();
    const proxy = await startProxy(url);
    proxy.treat = (body) => ({ ask: body.replaceAll("USING fts5 ", "USING fts5_of_nobody ") });

    const refusals = await refusalsOf({ db: proxy.url });

    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        code: "store-unfit",
        message: expect.stringContaining("no such module: fts5"),
        hint: expect.stringContaining("FTS5"),
      });
    }
    expect(await tablesOf(url)).toEqual([]);
  });

  it("[S16] that does not enforce foreign keys is refused, and nothing is left there", async () => {
    const { url } = await startServer();
    const proxy = await startProxy(url);
    proxy.treat = (body) => ({ ask: body.replace("SELECT foreign_keys FROM pragma_foreign_keys", "SELECT 0") });

    const refusals = await refusalsOf({ db: proxy.url });

    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: "store-unfit", message: expect.stringContaining("foreign keys") });
    }
    expect(await tablesOf(url)).toEqual([]);
  });
});

/** What a reader and a writer are told, each on a memory of its own. */
async function refusalsOf(options: OpenOptions): Promise<unknown[]> {
  const reader = await openTestMemory(options);
  const writer = await openTestMemory(options);
  const refusals = await Promise.allSettled([reader.recall("pool"), writer.remember({ content: "not here" })]);
  return refusals.map((outcome) => (outcome.status === "rejected" ? outcome.reason : outcome));
}

function tokenWith(claims: { a?: "ro"; exp?: number }): string {
  return signToken(inject("sqld")?.privateKey ?? "", claims);
}

function useToken(token: string | undefined): void {
  const before = process.env["TACIT_AUTH_TOKEN"];
  if (token === undefined) delete process.env["TACIT_AUTH_TOKEN"];
  else process.env["TACIT_AUTH_TOKEN"] = token;
  onTestFinished(() => {
    process.env["TACIT_AUTH_TOKEN"] = before;
  });
}

async function tablesOf(url: string): Promise<unknown[]> {
  const client = createClient({ url, authToken: tokenWith({}) });
  const { rows } = await client.execute("SELECT name FROM sqlite_master");
  client.close();
  return rows.map((row) => row["name"]);
}
