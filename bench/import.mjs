// Importing 100,000 memories, beside the bare batches that insert the same rows: how fast, and with how much memory.
import { spawnSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openMemory } from "../dist/index.js";
import { cite } from "../build/memory/record/cite.js";
import { connect } from "../build/storage/connect.js";
import { migrate } from "../build/storage/migrate.js";
import { median, temporaryFolder } from "./measure.mjs";

const total = 100_000;
const rounds = 3;
const batch = 500;
const program = fileURLToPath(import.meta.url);

// A process of its own for each run, so that none has the memory or the warmth of another.
if (process.argv[1] === program) {
  const [, , what, ...args] = process.argv;
  console.log(JSON.stringify(await { ours: importFile, bare: insertRows }[what](...args)));
}

export async function measureImport() {
  const folder = temporaryFolder();
  const file = join(folder.path, "memories.jsonl");
  await writeMemories(file);
  const runs = { ours: [], bare: [] };
  // Turn by turn, so that what else the machine does hits both.
  for (let round = 0; round < rounds; round += 1) {
    const db = join(folder.path, `ours-${round}.db`);
    runs.ours.push(run("ours", file, db));
    runs.bare.push(run("bare", db, join(folder.path, `bare-${round}.db`)));
  }
  folder.remove();

  const middle = (value) => median(runs.ours.map(value));
  const ours = middle(({ perSecond }) => perSecond);
  const bare = median(runs.bare.map(({ perSecond }) => perSecond));
  const growth = (phase) => middle(({ rssMb }) => rssMb[`${phase} ${total}`] - rssMb[`${phase} ${total / 5}`]);
  return [
    { what: "import, memories a second", value: ours },
    { what: `client.batch() of ${batch} with the same rows, memories a second`, value: bare },
    { what: "import / batch", value: ours / bare },
    { what: "of 10,000 a second or 80 % of the batch", value: Math.max(ours / 10_000, ours / bare / 0.8), atLeast: 1 },
    { what: "reading, checking and cleaning, seconds", value: middle(({ readingSeconds }) => readingSeconds) },
    { what: "writing, with the store locked, seconds", value: middle(({ writingSeconds }) => writingSeconds) },
    ...["reading", "writing"].flatMap((phase) => [
      ...[total / 10, total / 2, total].map((done) => ({
        what: `${phase}, resident after ${done}, MB`,
        value: middle(({ rssMb }) => rssMb[`${phase} ${done}`]),
      })),
      { what: `${phase}, growth from ${total / 5} to ${total}, MB`, value: growth(phase), atMost: 50 },
    ]),
  ];
}

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${args[0]} failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** As somebody would who calls the library. */
async function importFile(file, db) {
  const rssMb = {};
  let read = 0;
  const memory = await openMemory({ db, project: "bench" });
  const started = performance.now();
  const report = await memory.exchange.import(file, {
    onProgress: (done, phase) => {
      if (phase === "reading") read = performance.now();
      if (done % (total / 10) === 0) rssMb[`${phase} ${done}`] = process.memoryUsage.rss() / 1e6;
    },
  });
  const ended = performance.now();
  await memory.close();
  if (report.added !== total) throw new Error(`of ${total} memories ${report.added} were added`);
  return {
    perSecond: total / ((ended - started) / 1000),
    readingSeconds: (read - started) / 1000,
    writingSeconds: (ended - read) / 1000,
    rssMb,
  };
}

/** As somebody would by hand: the same rows, words and facets into the same tables. They are in memory already. */
async function insertRows(from, db) {
  const source = await connect({ kind: "file", path: from }, 10_000);
  const rowsOf = async (sql) => (await source.execute(sql)).rows;
  const memories = await rowsOf("SELECT * FROM memories ORDER BY key");
  const words = await rowsOf("SELECT rowid, content, name, tags, files FROM memory_words ORDER BY rowid");
  const facets = new Map(memories.map(({ key }) => [key, []]));
  for (const facet of await rowsOf("SELECT * FROM memory_facets")) facets.get(facet.memory_key).push(facet);
  const client = await connect({ kind: "file", path: db }, 10_000);
  await migrate(client);
  await client.execute("INSERT INTO projects (number, id, name, created_at) VALUES (1, 'bench', 'bench', '')");

  const started = performance.now();
  for (let n = 0; n < memories.length; n += batch) {
    const statements = memories
      .slice(n, n + batch)
      .flatMap((memory, index) => [
        insert("memories", memory),
        insert("memory_words", words[n + index]),
        ...facets.get(memory.key).map((facet) => insert("memory_facets", facet)),
      ]);
    await client.batch(statements, "write");
  }
  const seconds = (performance.now() - started) / 1000;
  source.close();
  client.close();
  return { perSecond: memories.length / seconds };
}

function insert(table, row) {
  const columns = Object.keys(row);
  const values = Object.values(row).map((value) => (Number.isInteger(value) ? BigInt(value) : value));
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    args: values,
  };
}

/** Memories as an export holds them: 80 to 200 characters, one to three tags, up to two files, no text twice. */
async function writeMemories(file) {
  const random = seeded(7);
  const any = (list) => list[Math.floor(random() * list.length)];
  const some = (list, least, most) =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () => any(list)).filter(
      (entry, index, all) => all.indexOf(entry) === index,
    );
  const vocabulary = [...commonWords, ...Array.from({ length: 6000 }, () => madeUpWord(random))];
  // Common words are as common as in real text.
  const word = () => vocabulary[Math.floor(random() ** 3 * vocabulary.length)];
  const tags = Array.from({ length: 200 }, (_, n) => `${word()}-${n}`);
  const files = Array.from({ length: 2000 }, (_, n) => `src/${word()}/${word()}-${n}.ts`);
  const output = createWriteStream(file);
  output.write(`${JSON.stringify({ format: "tacit-memories", version: 1 })}\n`);
  for (let n = 0; n < total; n += 1) {
    const length = 80 + Math.floor(random() * 120);
    let content = `${word()} ${n}`;
    while (content.length < length) content += ` ${word()}`;
    const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
    const record = {
      id: idOf(n, random),
      type: any(types),
      content,
      tags: some(tags, 1, 3),
      relatedFiles: some(files, 0, 2),
      confidence: 0.8,
      branch: "main",
      validFrom: at,
      citationText: cite(content),
      createdAt: at,
      storedAt: at,
      updatedAt: at,
    };
    if (!output.write(`${JSON.stringify(record)}\n`)) await once(output, "drain");
  }
  output.end();
  await once(output, "close");
}

const types = ["gotcha", "decision", "pattern", "convention", "fact", "note", "error_pattern", "module_insight"];
const commonWords =
  `the of and to in a is that for it on with as are this be at by from or not have which an use when if run test build
  server file error cache must before after because user function module never always should only database request
  deploy config value name path queue worker service token session retry timeout schema index query lock write read
  client version update remove change add check fail return null default branch commit review merge release`.split(
    /\s+/,
  );

function madeUpWord(random) {
  const syllables = "ba be co da de fi go ka la li ma mo na no pa po ra ri sa so ta ti va vi".split(" ");
  const count = 2 + Math.floor(random() * 3);
  return Array.from({ length: count }, () => syllables[Math.floor(random() * syllables.length)]).join("");
}

/** Ids made later sort later; the rest is chance. */
function idOf(n, random) {
  const hex = (value, digits) => Math.floor(value).toString(16).padStart(digits, "0");
  const time = hex(Date.UTC(2026, 0, 1) + n * 60_000, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(random() * 4096, 3)}-8${hex(random() * 4096, 3)}-${hex(random() * 2 ** 48, 12)}`;
}

function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
