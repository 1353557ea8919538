// What is promised of a file, on a server: many writers, one migration, nothing foreign touched, back-up, doctor.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { describe, expect, it } from "vitest";
import { migrations } from "../../src/storage/migrations.js";
import { built, ended, runProgram, startProgram } from "../support/child-process.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startServer } from "./start-server.js";

describe("a store on a server", () => {
  it("[S14] loses nothing and refuses nobody when two processes write 50 memories each at once", async () => {
    const { url } = await startServer();

    const codes = await Promise.all(["a", "b"].map((name) => ended(runProgram(writerOf(url, name, 50)))));

    const memory = await openTestMemory({ db: url });
    const kept = (await memory.list()).map(({ content }) => content);
    expect(codes).toEqual([0, 0]);
    expect(kept.toSorted()).toEqual(
      ["a", "b"].flatMap((name) => Array.from({ length: 50 }, (_, n) => `${name} says ${n}`)).toSorted(),
    );
    expect((await memory.store.diagnose()).checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(await numbersOfMigrations(url)).toEqual(migrations.map(({ number }) => number));
  });

  it.each(["http://HOST", "ws://HOST", "libsql://HOST?tls=0"])("is one store by whatever name: %s", async (address) => {
    const { url } = await startServer();
    await (await openTestMemory({ db: url })).remember({ content: "the pool holds ten connections" });

    const memory = await openTestMemory({ db: address.replace("HOST", new URL(url).host) });
    const again = await memory.remember({ content: "the pool holds ten connections" });

    expect(again.merged).toBe(true);
    expect(await memory.recall("pool")).toHaveLength(1);
  });

  it.each([
    ["a table", "CREATE TABLE invoices (id INTEGER)"],
    ["a table of migrations of its own", "CREATE TABLE schema_migrations (version TEXT)"],
    ["only a mark", "PRAGMA user_version = 7"],
  ])("[S7] is not made from the database of another program with %s", async (_, sql) => {
    const { url } = await startServer();
    const client = createClient({ url, authToken: process.env["TACIT_AUTH_TOKEN"] ?? "" });
    await client.execute(sql);
    const before = await client.execute("SELECT name, sql FROM sqlite_master");
    const memory = await openTestMemory({ db: url });

    await expect(memory.remember({ content: "not here" })).rejects.toMatchObject({ code: "store-foreign" });
    await expect(memory.list()).rejects.toMatchObject({ code: "store-foreign" });

    expect((await client.execute("SELECT name, sql FROM sqlite_master")).rows).toEqual(before.rows);
    client.close();
  });

  it("[S9] is backed up into a file that is a whole and sound store, while another process writes", async () => {
    const { url } = await startServer();
    const folder = temporaryFolder();
    const memory = await openTestMemory({ db: url });
    const long = "long ".repeat(13_000);
    await memory.rememberMany([
      ...Array.from({ length: 40 }, (_, n) => ({ content: `kept ${n}`, name: `n${n}`, tags: ["t"], confidence: 1 })),
      ...Array.from({ length: 40 }, (_, n) => ({ content: `${long} ${n}`, relatedFiles: [`src/f${n}.ts`] })),
    ]);
    await memory.supersede("n1", { content: "kept 1, but otherwise" });
    const writer = await startProgram(writerOf(url, "busy", 10_000));

    const report = await memory.store.backup(join(folder, "copies", "one.db"));
    writer.kill();
    await ended(writer);

    const copy = await openTestMemory({ db: report.file });
    const ofCopy = (await copy.list({ status: "any" })).filter(({ content }) => !content.startsWith("busy"));
    const ofServer = (await memory.list({ status: "any" })).filter(({ content }) => !content.startsWith("busy"));
    expect(ofCopy).toEqual(ofServer);
    expect(ofCopy).toHaveLength(81);
    expect((await copy.store.diagnose()).checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect((await copy.recall("otherwise"))[0]?.memory.name).toBe("n1");
    expect(statSync(report.file).mode & 0o077).toBe(0);
    expect(readdirSync(join(folder, "copies")).filter((name) => !name.startsWith("one.db"))).toEqual([]);
    await expect(memory.store.backup(report.file)).rejects.toMatchObject({ code: "backup-refused" });
  });

  it("[S9] that goes away leaves no half a back-up behind", async () => {
    const server = await startServer();
    const folder = temporaryFolder();
    const memory = await openTestMemory({ db: server.url });
    await memory.remember({ content: "kept" });
    await server.kill();

    await expect(memory.store.backup(join(folder, "copy.db"))).rejects.toMatchObject({ code: "store-unreachable" });

    expect(readdirSync(folder)).toEqual([]);
  });

  it("[S11] gives up what is purged, and says that the server's own log is not ours to wipe", async () => {
    const { url } = await startServer();
    const memory = await openTestMemory({ db: url });
    const { id } = await memory.remember({ content: "xylophone in the cellar", tags: ["xylophone"] });
    await memory.remember({ content: "the cache is cold" });

    const report = await memory.purge(id);

    const copy = join(temporaryFolder(), "copy.db");
    await memory.store.backup(copy);
    expect(report).toEqual({ purged: 1, erasure: "server" });
    expect(readFileSync(copy).includes("xylophon")).toBe(false);
    expect((await memory.store.diagnose()).checks.find(({ name }) => name === "erasure")).toMatchObject({
      status: "ok",
      message: expect.stringContaining("server's own"),
    });
  });

  it("[S10] is checked against its rows, and repaired from them", async () => {
    const { url } = await startServer();
    const memory = await openTestMemory({ db: url });
    await memory.rememberMany([{ content: "the pool holds ten connections" }, { content: "the cache is cold" }]);
    const client = createClient({ url, authToken: process.env["TACIT_AUTH_TOKEN"] ?? "" });
    await client.execute("DELETE FROM memory_words WHERE rowid = (SELECT min(rowid) FROM memory_words)");
    client.close();

    const before = await memory.store.diagnose();
    const after = await memory.store.repair();

    expect(before.checks.filter(({ status }) => status === "broken").map(({ name }) => name)).toEqual(["indexes"]);
    expect(after.checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(await memory.recall("pool")).toHaveLength(1);
  });
});

function writerOf(db: string, name: string, count: number): string {
  return `
    import { openMemory } from ${JSON.stringify(built("index.js"))};
    const memory = await openMemory({ db: ${JSON.stringify(db)}, project: "test" });
    for (let n = 0; n < ${count}; n += 1) {
      await memory.remember({ content: "${name} says " + n });
      if (n === 0) console.log("writing");
    }
    await memory.close();
  `;
}

async function numbersOfMigrations(url: string): Promise<unknown[]> {
  const client = createClient({ url, authToken: process.env["TACIT_AUTH_TOKEN"] ?? "" });
  const { rows } = await client.execute("SELECT number FROM schema_migrations ORDER BY number");
  client.close();
  return rows.map((row) => row["number"]);
}
