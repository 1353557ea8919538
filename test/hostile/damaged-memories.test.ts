// Texts as a disk may leave them, written past Tacit while nobody has the store open.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client/sqlite3";
import { describe, expect, it } from "vitest";
import type { MemoryInput, TacitMemory } from "../../src/index.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const rule: MemoryInput = { content: "Deploys go out on Friday", name: "rule", visibility: "project" };

describe("a damaged memory", () => {
  it.each([
    ["its text is not UTF-8", "content = CAST(x'4465706CEF79' AS TEXT)"],
    ["its text is another", "content = 'Deploys go out on Fridax'"],
    ["its id is not UTF-8", "id = CAST(substr(id, 1, 30) || x'E1' || substr(id, 32) AS TEXT)"],
  ])(
    "[S18] neither overwrites nor removes its shared file where %s, before a repair and after it",
    async (_, change) => {
      const { memory, reopenedAfter, files } = await opened(rule);
      await memory.exchange.share();
      const before = files();

      const hurt = await reopenedAfter(`UPDATE memories SET ${change}`);
      await hurt.exchange.share();
      const unrepaired = files();
      await hurt.store.repair();
      await hurt.exchange.share();

      expect(Object.keys(before)).toHaveLength(1);
      expect(unrepaired).toEqual(before);
      expect(files()).toEqual(before);
    },
  );

  it("[S18] is not published where its visibility is not known", async () => {
    const { reopenedAfter, files } = await opened({ content: "My own note" });

    const hurt = await reopenedAfter("UPDATE memories SET visibility = CAST(x'706572736F6EE16C' AS TEXT)");
    await hurt.exchange.share();
    const { ok } = await hurt.store.repair();
    await hurt.exchange.share();

    expect(ok).toBe(true);
    expect(files()).toEqual({});
    expect(await hurt.list({ status: "any" })).toMatchObject([{ visibility: "personal", status: "flagged" }]);
  });

  it.each([
    ["a flag is not UTF-8", `trust_flags = CAST('["ta' || x'E9' || 'nted"]' AS TEXT)`],
    ["its flags are no JSON", `trust_flags = '["tainted#]'`],
    ["its review is not known", "review_state = CAST(x'E66C6167676564' AS TEXT)"],
  ])("[S18] is told to nobody where %s", async (_, change) => {
    const { reopenedAfter } = await opened({ content: "Deploys go out on Friday" });

    const hurt = await reopenedAfter(`UPDATE memories SET ${change}`);

    expect(await hurt.recall("deploys")).toEqual([]);
    expect((await hurt.store.repair()).ok).toBe(true);
    expect(await hurt.recall("deploys")).toEqual([]);
  });

  it("[S18] costs no question an answer where its text became a blob, and is repaired", async () => {
    const { reopenedAfter } = await opened({ content: "Deploys go out on Friday" }, { content: "Deploys need a tag" });

    const hurt = await reopenedAfter(
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')') WHERE name = 'memories'",
      "PRAGMA writable_schema = RESET",
      "UPDATE memories SET content = CAST(content AS BLOB) WHERE content LIKE '%Friday'",
    );

    expect((await hurt.recall("deploys")).length).toBeGreaterThan(0);
    expect((await hurt.list({ status: "any" })).map(({ content }) => content).toSorted()).toEqual([
      "Deploys go out on Friday",
      "Deploys need a tag",
    ]);
    expect((await hurt.store.diagnose()).checks.flatMap(({ damaged = [] }) => damaged)).toMatchObject([
      { column: "content" },
    ]);
    expect((await hurt.store.repair()).checks).toContainEqual(expect.objectContaining({ name: "texts", status: "ok" }));
  });

  it("[S18] can be shown with its history, and exported, where a step of it is no JSON", async () => {
    const { memory, reopenedAfter } = await opened(rule);
    await memory.pin("rule");

    const hurt = await reopenedAfter("UPDATE memory_changes SET fields = 'x' || fields");

    expect(await hurt.history("rule")).toHaveLength(2);
    expect(await hurt.exchange.export({ format: "jsonl", output: join(temporaryFolder(), "all.jsonl") })).toMatchObject(
      {
        memories: 1,
      },
    );
    expect((await hurt.store.diagnose()).checks.flatMap(({ damaged = [] }) => damaged)).toMatchObject([
      { table: "memory_changes", column: "fields" },
    ]);
    expect((await hurt.store.repair()).ok).toBe(true);
  });

  it("[S19] stays repaired where what it need not have was damaged", async () => {
    const { reopenedAfter } = await opened({ content: "Deploys go out on Friday" });

    const hurt = await reopenedAfter("UPDATE memories SET work_unit = '{', chunk = '[1]'");
    const first = await hurt.store.repair();

    expect(first.checks.flatMap(({ damaged = [] }) => damaged)).toMatchObject([
      { column: "work_unit" },
      { column: "chunk" },
    ]);
    expect((await hurt.store.repair()).checks.flatMap(({ damaged = [] }) => damaged)).toEqual([]);
  });

  it("[S18] of a conversation ends no process that goes on with it", async () => {
    const { memory, reopenedAfter } = await opened();
    await memory.conversation("talk").append({ role: "user", content: "Which port?" });

    const hurt = await reopenedAfter("UPDATE conversations SET created_at = CAST(x'32E1' AS TEXT)");
    await hurt.conversation("talk").append({ role: "assistant", content: "8080" });

    expect(await hurt.conversation("talk").turns()).toHaveLength(2);
  });

  it("[S19] does not keep others from being repaired where a reference or a name cannot be", async () => {
    const { memory, reopenedAfter } = await opened(
      { content: "One", name: "one", aliases: ["first"] },
      { content: "Two", name: "two", aliases: ["second"] },
    );
    await memory.relate("one", { kind: "validates", memory: "two" });

    const hurt = await reopenedAfter(
      "PRAGMA foreign_keys = OFF",
      "UPDATE memory_relations SET target_memory = CAST(x'E1' AS TEXT)",
      "UPDATE memory_names SET name = CAST(x'E1' AS TEXT) WHERE name = 'first'",
      "UPDATE memory_names SET name = CAST(x'E2' AS TEXT) WHERE name = 'second'",
      "UPDATE memories SET content = CAST(x'4FEE' AS TEXT) WHERE content = 'One'",
    );
    const { ok, checks } = await hurt.store.repair();

    expect({ ok, broken: checks.filter(({ status }) => status === "broken") }).toEqual({ ok: true, broken: [] });
    expect(await hurt.get("two")).toMatchObject({ content: "Two", status: "active" });
  });

  it("[S19] leaves no byte of any table in quarantine when everything is purged", async () => {
    const { db, memory, reopenedAfter } = await opened(rule);
    await memory.pin("rule");
    const hurt = await reopenedAfter(
      "UPDATE projects SET name = CAST(x'736563726574E1' AS TEXT)",
      "UPDATE memories SET content = CAST(x'736563726574E1' AS TEXT)",
    );
    await hurt.store.repair();

    await hurt.purge({ all: true });
    await hurt.close();

    expect(readFileSync(db).includes("secret")).toBe(false);
  });
});

interface Opened {
  db: string;
  memory: TacitMemory;
  /** Closes it, runs the statements, and opens it again. */
  reopenedAfter: (...statements: string[]) => Promise<TacitMemory>;
  /** The shared files, by name. */
  files: () => Record<string, string>;
}

async function opened(...inputs: MemoryInput[]): Promise<Opened> {
  const [folder, db] = [temporaryFolder(), join(temporaryFolder(), "memory.db")];
  execFileSync("git", ["init", "-q"], { cwd: folder });
  const open = async () => openTestMemory({ db, project: undefined, directory: folder });
  const memory = await open();
  if (inputs.length > 0) await memory.rememberMany(inputs);
  return {
    db,
    memory,
    reopenedAfter: async (...statements) => {
      await memory.close();
      const client = createClient({ url: `file:${db}` });
      for (const sql of statements) await client.execute(sql);
      client.close();
      return open();
    },
    files: () => filesIn(join(folder, ".tacit", "memories")),
  };
}

function filesIn(folder: string): Record<string, string> {
  try {
    return Object.fromEntries(
      readdirSync(folder)
        .filter((name) => name.endsWith(".md"))
        .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
    );
  } catch {
    return {};
  }
}
