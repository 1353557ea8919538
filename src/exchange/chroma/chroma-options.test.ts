import { describe, expect, it } from "vitest";
import { testChroma } from "../../../test/support/chroma-contract.js";
import { startFakeChroma } from "../../../test/support/fake-chroma.js";
import { contentsOf, idOf, keep, projectContext, stored } from "../../../test/support/keep-records.js";
import { exportToChroma } from "./export-to-chroma.js";
import { importFromChroma } from "./import-from-chroma.js";

describe("[E13] a collection of a Chroma server", () => {
  testChroma(async () => (await startFakeChroma()).url);
});

describe("a Chroma server in trouble", () => {
  it.each<[string, (respond: Respond) => void, string]>([
    ["redirects", (respond) => respond(302, "", { location: "http://127.0.0.1:1/" }), "sends requests on"],
    ["wants a token", (respond) => respond(401, "{}"), "without the right token (401)"],
    ["is too old", (respond) => respond(404, '{"detail":"Not Found"}'), "no /api/v2"],
    ["is something else", (respond) => respond(200, "<html>"), "answers otherwise than a Chroma server"],
    ["fails", (respond) => respond(500, '{"message":"disk \\u001b[31m full"}'), "answered 500: disk  [31m full"],
    ["says nothing", () => undefined, "did not answer within 0.2 s"],
  ])("is told with what to do where it %s, and nothing changes", async (_what, behave, message) => {
    const chroma = await startFakeChroma();
    const context = await projectContext();
    await keep(context, [stored({ content: "a" })]);
    const before = await contentsOf(context);
    chroma.instead = (_request, response) => {
      behave((status, body, headers) => response.writeHead(status, headers).end(body));
      return true;
    };

    const taken = importFromChroma(context, chroma.url, { timeoutMs: 200 });
    await expect(taken).rejects.toMatchObject({ code: "import-refused", hint: expect.stringMatching(/\w/) });
    await expect(taken).rejects.toThrow(message);
    const sent = exportToChroma(context, chroma.url, vectorsOf, { timeoutMs: 200 });
    await expect(sent).rejects.toMatchObject({ code: "export-refused", message: expect.stringContaining(message) });
    expect(await contentsOf(context)).toEqual(before);
  });

  it("that answers without an end is not listened to for ever", async () => {
    const chroma = await startFakeChroma();
    const context = await projectContext();
    const megabyte = Buffer.alloc(1 << 20, " ");
    let sent = 0;
    chroma.instead = (_request, response) => {
      const more = () => void (!response.destroyed && (sent += 1) && response.write(megabyte, more));
      more();
      return true;
    };

    await expect(importFromChroma(context, chroma.url)).rejects.toThrow("does not end");
    expect(sent).toBeLessThan(200);
  });

  it.each<[string, unknown]>([
    ["an id that leads elsewhere", { id: "../../heartbeat", dimension: 384 }],
    ["a list of other length", { ids: ["a", "b"], documents: ["A"], metadatas: null }],
    ["ids that are none", { ids: [1], documents: ["A"], metadatas: [null] }],
    ["a page that is none", []],
  ])("that sends %s is not believed, and nothing is kept", async (_what, lie) => {
    const chroma = await startFakeChroma();
    const [context, other] = [await projectContext(), await projectContext()];
    await keep(other, [stored({ content: "a" })]);
    await exportToChroma(other, chroma.url, vectorsOf);
    chroma.instead = ({ url = "" }, response) => {
      const isLie = lie !== null && "id" in Object(lie) ? url.endsWith("/memories") : url.endsWith("/get");
      if (isLie) response.end(JSON.stringify(lie));
      return isLie;
    };

    await expect(importFromChroma(context, chroma.url)).rejects.toThrow("answers otherwise than a Chroma server");
    expect((await contentsOf(context))["memories"]).toEqual([]);
  });

  it("is refused where it holds what a newer Tacit wrote, or what no memory can be: all of it, by the id", async () => {
    const chroma = await startFakeChroma();
    const context = await projectContext();
    await keep(context, [stored({ content: "a" })]);
    await exportToChroma(context, chroma.url, vectorsOf);
    const entries = chroma.collections.get("memories")?.entries;
    const empty = await projectContext();
    const entry = { document: "b", embedding: [], metadata: { tacit_version: 1, tacit_confidence: 7 } };

    entries?.set("z", entry);
    await expect(importFromChroma(empty, chroma.url)).rejects.toThrow('memories: "z": tacit_confidence must be');
    entries?.set("z", { ...entry, metadata: { ...entry.metadata, tacit_version: 2 } });
    await expect(importFromChroma(empty, chroma.url)).rejects.toThrow("this Tacit reads version 1");
    expect((await contentsOf(empty))["memories"]).toEqual([]);
  });

  it("that goes away half-way is told with how many it has, and gets the rest the next time", async () => {
    const chroma = await startFakeChroma();
    const context = await projectContext();
    await keep(
      context,
      Array.from({ length: 500 }, (_, index) => stored({ id: idOf(index + 1), content: `Fact number ${index}` })),
    );
    let upserts = 0;
    chroma.instead = ({ url = "", socket }) => url.endsWith("/upsert") && (upserts += 1) === 2 && !!socket.destroy();

    const refused = exportToChroma(context, chroma.url, vectorsOf);
    await expect(refused).rejects.toMatchObject({ hint: expect.stringMatching(/ \d+ memories are there by now/) });
    const half = chroma.collections.get("memories")?.entries.size;
    await exportToChroma(context, chroma.url, vectorsOf);

    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(500);
    expect(chroma.collections.get("memories")?.entries.size).toBe(500);
    expect(await importFromChroma(await projectContext(), chroma.url)).toMatchObject({ added: 500 });
  });

  it("gets nothing where the model fails: not even a collection", async () => {
    const chroma = await startFakeChroma();
    const context = await projectContext();
    await keep(context, [stored({ content: "a" })]);
    const failing = () => Promise.reject(new Error("no model"));

    await expect(exportToChroma(context, chroma.url, failing)).rejects.toThrow("no model");
    expect(chroma.collections.size).toBe(0);
  });
});

describe("the address of a Chroma server", () => {
  it.each([
    ["http://user:secret@127.0.0.1:8000", "carries a user or a password"],
    ["ftp://127.0.0.1", "cannot be read"],
    ["8000", "cannot be read"],
    ["http://127.0.0.1:8000?token=secret", "says more than"],
    ["http://127.0.0.1:8000?collection=../x", "no collection of that name"],
  ])("is refused as %s, and never repeated", async (address, message) => {
    const context = await projectContext();

    const refused = importFromChroma(context, address);

    await expect(refused).rejects.toMatchObject({ code: "import-refused", message: expect.stringContaining(message) });
    await expect(refused).rejects.not.toThrow("secret");
  });

  it("may name tenant, database and collection, and a token goes with every request, but not where others read it", async () => {
    const chroma = await startFakeChroma();
    const context = await projectContext();
    const tokens = new Set<unknown>();
    chroma.instead = ({ headers }) => !tokens.add(headers["x-chroma-token"]);

    const there = `${chroma.url}/api/v2/?tenant=acme&database=robots&collection=notes`;
    await expect(importFromChroma(context, there, { token: "t0ken" })).rejects.toThrow("no collection notes");

    expect(chroma.requests.at(-1)).toBe("GET /api/v2/tenants/acme/databases/robots/collections/notes");
    expect([...tokens]).toEqual(["t0ken"]);
    await expect(importFromChroma(context, "http://chroma.example", { token: "t0ken" })).rejects.toThrow("without TLS");
    await expect(importFromChroma(context, chroma.url, { token: "a\nb" })).rejects.toThrow("the token has blanks");
  });
});

type Respond = (status: number, body: string, headers?: Record<string, string>) => void;

const vectorsOf = async (memories: unknown[]) => memories.map(() => Array.from({ length: 384 }, () => 0.5));
