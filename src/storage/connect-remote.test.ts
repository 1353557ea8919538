import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { openTestMemory } from "../../test/support/open-memories.js";
import { freePort, startSilence, startWebServer } from "../../test/remote/fake-servers.js";
import { Store } from "./storage.js";

describe("a server", () => {
  it("[S14] that never answers is waited for as long as it was said, by readers and writers", async () => {
    const refusals = await refusalsOf(await startSilence(), 300);

    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        code: "store-unreachable",
        message: expect.stringContaining("did not answer within 300 ms"),
      });
    }
  });

  it("[S14] that stops in the middle of its answer is waited for no longer", async () => {
    const db = await startWebServer((_, answer) => {
      answer.writeHead(200, { "content-type": "application/json" }).write('{"baton":null,');
    });

    const refusals = await refusalsOf(db, 300);

    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        code: "store-unreachable",
        message: expect.stringContaining("did not answer within 300 ms"),
      });
    }
  });

  it("[S14] that never answers is waited for once by whoever opens, uses and closes a memory", async () => {
    let asked = 0;
    const db = await startWebServer(() => (asked += 1));
    const memory = await openTestMemory({ db, timeoutMs: 300 });

    await expect(memory.recall("pool")).rejects.toMatchObject({ code: "store-unreachable" });
    await memory.close();

    expect(asked).toBe(1);
  });

  it("[S14] where nobody listens, or of a name that nobody has, cannot be reached", async () => {
    const nobody = `127.0.0.1:${await freePort()}`;

    const refusals = [...(await refusalsOf(`ws://${nobody}`)), ...(await refusalsOf("libsql://nobody.invalid"))];

    expect(refusals.map((refusal) => (refusal as Error).message)).toEqual([
      `${nobody} cannot be reached (ECONNREFUSED). Nothing was saved.`,
      `${nobody} cannot be reached (ECONNREFUSED). Nothing was saved.`,
      expect.stringContaining("nobody.invalid cannot be reached"),
      expect.stringContaining("nobody.invalid cannot be reached"),
    ]);
  });

  it.each([429, 503])("[S14] that cannot answer at present, with HTTP %i, is named as such", async (status) => {
    const db = await startWebServer((_, answer) => answer.writeHead(status).end("later"));

    for (const refusal of await refusalsOf(db)) {
      expect(refusal).toMatchObject({ code: "store-unreachable", message: expect.stringContaining(`HTTP ${status}`) });
    }
  });

  it.each([401, 403])("[S15] that denies itself, with HTTP %i, is reported with where a token goes", async (status) => {
    const db = await startWebServer((_, answer) => answer.writeHead(status).end());

    for (const refusal of await refusalsOf(db)) {
      expect(refusal).toMatchObject({ code: "store-denied", hint: expect.stringContaining("TACIT_AUTH_TOKEN") });
    }
  });

  it.each([
    [200, "<html><title>Welcome</title></html>"],
    [200, '{"hello":"world"}'],
    [200, ""],
    [404, "Not Found"],
    [400, '{"error":'],
  ])("[S16] that answers with HTTP %i and %j is no libSQL server", async (status, body) => {
    const db = await startWebServer((_, answer) =>
      answer.writeHead(status, { "content-type": "application/json" }).end(body),
    );

    for (const refusal of await refusalsOf(db)) {
      expect(refusal).toMatchObject({
        code: "store-unfit",
        message: expect.stringContaining("not as a libSQL server"),
      });
    }
  });

  it.each(["http://me:secret@127.0.0.1:8080", "libsql://secret@memory.example.com"])(
    "[S15] is never sent a password: %s is refused before anything is sent",
    (db) => {
      const refusal = refusalOf(() => new Store({ db, timeoutMs: 1000 }));

      expect(refusal).toMatchObject({ code: "invalid-input", hint: expect.stringContaining("TACIT_AUTH_TOKEN") });
      expect(wordsOf(refusal)).not.toContain("secret");
    },
  );

  it.each(["libsql://", "http://host:port", "https://two words"])(
    "needs an address that can be read, which %s is not",
    (db) => {
      expect(refusalOf(() => new Store({ db, timeoutMs: 1000 }))).toMatchObject({ code: "invalid-input" });
    },
  );

  it.each(["libsql://memory.example.com?password=secret", "https://memory.example.com?tls=0#secret"])(
    "[S15] is not asked under an address with more in it than is understood, such as %s",
    async (db) => {
      const [refusal] = await refusalsOf(db);

      expect(refusal).toMatchObject({ code: "invalid-input" });
      expect(wordsOf(refusal)).not.toContain("secret");
    },
  );

  it("[S15] is named by its host alone, wherever its token comes from", async () => {
    const db = await startWebServer((request, answer) => answer.writeHead(401).end(request.headers.authorization));

    const [refusal] = await refusalsOf(`${db}?authToken=secret`);

    expect(refusal).toMatchObject({ code: "store-denied", message: expect.stringContaining(new URL(db).host) });
    expect(wordsOf(refusal)).not.toContain("secret");
  });

  it("is not blamed for a mistake of our own", async () => {
    const db = await startWebServer((_, answer) => answer.writeHead(503).end());
    const mistake = new TypeError("undefined is not a function");
    const store = openStore(db, 1000, async () => {
      throw mistake;
    });

    await expect(store.read(async () => 1)).rejects.toBe(mistake);
  });
});

/** What a reader and a writer are told, each on a store of its own. */
async function refusalsOf(db: string, timeoutMs = 5000): Promise<unknown[]> {
  const [reader, writer] = [openStore(db, timeoutMs), openStore(db, timeoutMs)];
  const outcomes = await Promise.allSettled([
    reader.read(async (one) => one.rows("SELECT 1")),
    writer.write(async (one) => one.run("DELETE FROM store_state")),
  ]);
  return outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : "not refused"));
}

function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

/** All that anybody could read in it, causes included. */
function wordsOf(refusal: unknown): string {
  return inspect(refusal, { depth: 9, showHidden: true });
}

function openStore(db: string, timeoutMs: number, connect?: ConstructorParameters<typeof Store>[0]["connect"]): Store {
  const store = new Store({ db, timeoutMs, ...(connect && { connect }) });
  onTestFinished(() => store.close());
  return store;
}
