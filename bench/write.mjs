// What one `remember` costs, beside the bare IMMEDIATE transaction that makes the same inserts.
import { join } from "node:path";
import { connect } from "../build/storage/connect.js";
import { openMemory } from "../dist/index.js";
import { median, temporaryFolder } from "./measure.mjs";

const rounds = 400;
const turn = 20;

export async function measureWrites() {
  const folder = temporaryFolder();
  const db = join(folder.path, "memory.db");
  const memory = await openMemory({ db, project: "bench" });
  await memory.rememberMany(Array.from({ length: 2000 }, (_, n) => input(n)));
  const client = await connect({ kind: "file", path: db }, 10_000);
  const [first] = (await client.execute("SELECT max(key) AS key FROM memories")).rows;
  const template = (await client.execute({ sql: "SELECT * FROM memories WHERE key = ?", args: [first.key] })).rows[0];
  const words = (
    await client.execute({
      sql: "SELECT content, name, tags, files FROM memory_words WHERE rowid = ?",
      args: [BigInt(first.key)],
    })
  ).rows[0];
  const columns = Object.keys(template);

  const ours = [];
  const bare = [];
  // In turns, so that what else the machine does hits both. Turns of one gave the same or a little less.
  for (let n = 0; n < rounds; n += turn) {
    for (let m = n; m < n + turn; m += 1) ours.push(await timed(() => memory.remember(input(10_000 + m))));
    for (let m = n; m < n + turn; m += 1) bare.push(await timed(() => bareInsert(client, columns, template, words, m)));
  }
  client.close();
  await memory.close();
  folder.remove();
  return [
    { what: "remember, ms p50", value: median(ours) },
    { what: "bare IMMEDIATE transaction with the same inserts, ms p50", value: median(bare) },
    { what: "remember / bare", value: median(ours) / median(bare), atMost: 3 },
  ];
}

async function bareInsert(client, columns, template, words, n) {
  const key = 900_000n * 4294967296n + BigInt(n);
  const row = { ...template, key, project_number: 900_000, id: `bare-${n}`, content: input(50_000 + n).content };
  const transaction = await client.transaction("write");
  if (n === 0)
    await transaction.execute(
      "INSERT INTO projects (number, id, name, created_at) VALUES (900000, 'bare', 'bare', '')",
    );
  await transaction.execute({
    sql: `INSERT INTO memories (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    args: columns.map((column) => row[column]),
  });
  await transaction.execute({
    sql: "INSERT INTO memory_words (rowid, content, name, tags, files) VALUES (?, ?, ?, ?, ?)",
    args: [key, `${words.content} bare${n}`, words.name, words.tags, words.files],
  });
  await transaction.execute({
    sql: "INSERT INTO memory_facets (project_number, kind, value, memory_key) VALUES (900000, 'tag', 'bench', ?), (900000, 'file', 'src/a.ts', ?)",
    args: [key, key],
  });
  await transaction.commit();
}

function input(n) {
  return {
    content: `Retry number ${n} of the upload must wait ${n % 97} seconds, because server${n} answers slowly after a deploy`,
    type: "gotcha",
    tags: ["bench"],
    relatedFiles: ["src/a.ts"],
    createdAt: "2026-01-01T00:00:00Z",
  };
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
