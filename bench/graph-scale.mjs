// `node bench/graph-scale.mjs [nodes …]`: how long impact takes on made graphs of code, beside one hop and a closure table.
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { impact } from "../build/codegraph/ask/impact.js";
import { neighbours } from "../build/codegraph/ask/neighbours.js";
import { walk } from "../build/codegraph/ask/walk.js";
import { connect } from "../build/storage/connect.js";
import { Store } from "../build/storage/storage.js";
import { median, percentile, temporaryFolder } from "./measure.mjs";

const asked = 300;
const hubs = 20;
const nodesPerFile = 20;
const edgesPerNode = 3.5;
const kinds = ["symbol", "class", "file", "hub"];
const tree = { number: 1, root: "/made" };

/** 50,000 nodes, as a large repository has, and what is asked of them. */
export async function measureGraphScale() {
  const { rows } = await measureGraph(50_000, [3]);
  const [any, hub] = ["any", "hub"].map((wanted) => rows.find(({ kind }) => kind === wanted));
  return [
    { what: "impact at depth 3 of 50,000 nodes, of any, p50 ms", value: any.p50 },
    { what: "… p95 ms", value: any.p95, atMost: 20 },
    { what: "… of symbols on which 2,000 others hang directly, p95 ms", value: hub.p95 },
  ];
}

async function measureGraph(total, depths) {
  const folder = temporaryFolder();
  const file = join(folder.path, "graph.db");
  const graph = makeGraph(total);
  const filledMs = await fill(file, graph);
  const store = new Store({ db: file, timeoutMs: 10_000 });
  const targets = pickTargets(graph);
  const hop = await measureHop(store, targets);
  const rows = [];
  for (const depth of depths) rows.push(...(await measureDepth(store, targets, depth)));
  const recursive = [];
  for (const depth of depths) recursive.push({ depth, ...(await measureRecursive(store, targets, graph, depth)) });
  const around = [];
  for (const { id } of targets) {
    await timed(around, () => store.read((reader) => neighbours(reader, tree, [id.split("#")[0]])));
  }
  const closure = await measureClosure(file, graph, targets);
  await store.close();
  const bytes = statSync(file).size;
  folder.remove();
  return { rows, hop, recursive, around: summary(around), closure, filledMs, bytes, edges: graph.edges.length };
}

async function measureDepth(store, targets, depth) {
  const times = { any: [], "any, limit 50": [], "hub, limit 50": [] };
  const found = { any: [] };
  for (const { kind, id } of targets) {
    const ask = (options) => store.read((reader) => impact(reader, tree, id, { depth, ...options }));
    const { dependents } = await timed((times[kind] ??= []), () => ask({}));
    (found[kind] ??= []).push(dependents.length);
    await timed(times[kind === "hub" ? "hub, limit 50" : "any, limit 50"], () => ask({ limit: 50 }));
    if (kind === "hub") continue;
    times.any.push(times[kind].at(-1));
    found.any.push(dependents.length);
  }
  return ["any", ...kinds, "any, limit 50", "hub, limit 50"].map((kind) => ({
    depth,
    kind,
    ...summary(times[kind]),
    ...(found[kind] && { found: median(found[kind]), most: Math.max(...found[kind]) }),
  }));
}

/** The same edges by one recursive statement, of hubs; and by ours, without what is read about the nodes. */
async function measureRecursive(store, targets, { nodes }, depth) {
  const numbers = new Map(nodes.map(({ id }, n) => [id, n + 1]));
  const times = { recursive: [], levels: [] };
  for (const { id } of targets.filter(({ kind }) => kind === "hub")) {
    const start = [numbers.get(id)];
    await timed(times.levels, () => store.read((reader) => walk(reader, start, { direction: "dependents", depth })));
    await timed(times.recursive, () =>
      store.read(async (reader) => {
        const [row] = await reader.rows(
          `WITH RECURSIVE reached (node, depth) AS (
             SELECT value, 0 FROM json_each(:start)
             UNION SELECT e.from_node, r.depth + 1 FROM reached AS r CROSS JOIN code_edges AS e ON e.to_node = r.node
               AND +e.kind NOT IN ('contains', 'exports') WHERE r.depth < :depth)
           SELECT json_group_array(json_array(e.to_node, e.from_node, e.kind, e.confidence, e.line)) AS edges
           FROM (SELECT DISTINCT node FROM reached WHERE depth < :depth) AS r
           CROSS JOIN code_edges AS e ON e.to_node = r.node AND +e.kind NOT IN ('contains', 'exports')`,
          { start: JSON.stringify(start), depth },
        );
        return JSON.parse(row.edges);
      }),
    );
  }
  return { recursive: median(times.recursive), levels: median(times.levels) };
}

/** What the work gives; the milliseconds of computing it took are added to `times`. Others may use the machine too. */
async function timed(times, work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1000);
  return result;
}

function summary(times) {
  return { p50: median(times), p95: percentile(times, 0.95), worst: Math.max(...times) };
}

/**
 * Files of a class with methods and of functions. Most have few dependents and few have many; twenty symbols have one in
 * 25 of all nodes each. Every tenth class is derived from another, and its methods have the names of that.
 */
function makeGraph(total) {
  const random = randomFrom(20_261_115);
  const files = Math.floor(total / nodesPerFile);
  const nodes = [];
  for (let file = 0; file < files; file += 1) {
    const path = `src/part${file % 97}/file${file}.ts`;
    nodes.push({ file, id: path, path: "", name: `file${file}.ts`, kind: "file" });
    nodes.push({ file, id: `${path}#Class${file}`, path: `Class${file}`, name: `Class${file}`, kind: "class" });
    for (let n = 0; n < nodesPerFile - 2; n += 1) {
      const isMethod = n < 6;
      const name = isMethod ? `method${n}` : `run${file}x${n}`;
      const symbol = isMethod ? `Class${file}.${name}` : name;
      nodes.push({ file, id: `${path}#${symbol}`, path: symbol, name, kind: isMethod ? "method" : "function" });
    }
  }
  const symbols = nodes.flatMap(({ path }, n) => (path === "" ? [] : [n]));
  const order = shuffled(symbols, random);
  const edges = new Map();
  const add = (from, kind, to, confidence) => {
    if (from !== to) edges.set(`${from} ${kind} ${to}`, [from + 1, kind, to + 1, confidence]);
  };
  nodes.forEach(({ file }, n) => n % nodesPerFile > 0 && add(file * nodesPerFile, "contains", n, 1));
  order.slice(0, hubs).forEach((hub) => {
    for (let n = 0; n < total / 25; n += 1) add(anyOf(symbols, random), "calls", hub, 0.97);
  });
  while (edges.size < total * edgesPerNode) {
    const from = anyOf(symbols, random);
    // Half stay in the file or near it. The third power leaves most of the others to few.
    const to =
      random() < 0.5
        ? symbols[Math.floor(clamp(rankOf(from) + (random() - 0.5) * 200, symbols.length))]
        : order[Math.floor(order.length * random() ** 3)];
    add(from, random() < 0.75 ? "calls" : "references", to, random() < 0.5 ? 1 : 0.95);
    if (random() < 0.15) add(nodes[from].file * nodesPerFile, "imports", nodes[to].file * nodesPerFile, 1);
  }
  for (let file = 10; file < files; file += 10) {
    add(file * nodesPerFile + 1, "extends", Math.floor(random() * file) * nodesPerFile + 1, 1);
  }
  return { nodes, edges: [...edges.values()], order };

  function rankOf(node) {
    return node - Math.floor(node / nodesPerFile) - 1;
  }
}

function clamp(value, length) {
  return Math.min(length - 1, Math.max(0, value));
}

function anyOf(list, random) {
  return list[Math.floor(random() * list.length)];
}

function shuffled(list, random) {
  const copy = [...list];
  for (let n = copy.length - 1; n > 0; n -= 1) {
    const other = Math.floor(random() * (n + 1));
    [copy[n], copy[other]] = [copy[other], copy[n]];
  }
  return copy;
}

/** mulberry32 */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function fill(db, { nodes, edges }) {
  const times = [];
  const store = new Store({ db, timeoutMs: 10_000 });
  const files = nodes.filter(({ path }) => path === "");
  await timed(times, () =>
    store.write(async (writer) => {
      await writer.run("INSERT INTO projects (number, id, name, created_at) VALUES (1, 'made', 'made', '')");
      await writer.run(
        "INSERT INTO code_trees (number, project_number, root, settings, indexed_at) VALUES (1, 1, '/made', '', '')",
      );
      await inPages(files, (page) =>
        writer.run(
          `INSERT INTO code_files (number, tree_number, path, hash, extractor, size, modified_ms, read_ms, state, surface, is_linked)
           SELECT value ->> 0, 1, value ->> 1, '', '', 0, 0, 0, 'whole', '', 1 FROM json_each(:rows)`,
          { rows: JSON.stringify(page.map(({ file, id }) => [file + 1, id])) },
        ),
      );
      await inPages(nodes, (page, at) =>
        writer.run(
          `INSERT INTO code_nodes (number, file_number, path, name, kind, start_line, end_line)
           SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, 1, 9 FROM json_each(:rows)`,
          {
            rows: JSON.stringify(page.map(({ file, path, name, kind }, n) => [at + n + 1, file + 1, path, name, kind])),
          },
        ),
      );
      await inPages(edges, (page) =>
        writer.run(
          `INSERT INTO code_edges (from_node, kind, to_node, tier, confidence, source, line)
           SELECT value ->> 0, value ->> 1, value ->> 2, 'import', value ->> 3, 'ast', 5 FROM json_each(:rows)`,
          { rows: JSON.stringify(page) },
        ),
      );
    }),
  );
  await store.close();
  return times[0];
}

async function inPages(list, put) {
  for (let at = 0; at < list.length; at += 10_000) await put(list.slice(at, at + 10_000), at);
}

function pickTargets({ nodes, order }) {
  const random = randomFrom(7);
  const ofKind = (...wanted) => nodes.filter(({ kind }) => wanted.includes(kind));
  const lists = {
    symbol: ofKind("function", "method"),
    class: ofKind("class"),
    file: ofKind("file"),
    hub: order.slice(0, hubs).map((n) => nodes[n]),
  };
  // Hubs are one in fifteen of what is asked, far more than of what there is: they are what people ask about.
  const counts = { symbol: 140, class: 40, file: 100, hub: hubs };
  const targets = kinds.flatMap((kind) =>
    Array.from({ length: counts[kind] }, (_, n) => ({
      kind,
      id: kind === "hub" ? lists.hub[n].id : anyOf(lists[kind], random).id,
    })),
  );
  if (targets.length !== asked) throw new Error(`${targets.length} targets`);
  return shuffled(targets, random);
}

/** What no way of keeping the graph can do without: the edges to one node, by its number. */
async function measureHop(store, targets) {
  const times = [];
  for (const { id } of targets) {
    const [path, symbol = ""] = id.split("#");
    await timed(times, () =>
      store.read((reader) =>
        reader.rows(
          `SELECT json_group_array(e.from_node) AS found FROM code_files AS f
           CROSS JOIN code_nodes AS n ON n.file_number = f.number AND n.path = :symbol
           CROSS JOIN code_edges AS e ON e.to_node = n.number
           WHERE f.tree_number = 1 AND f.path = :path`,
          { path, symbol },
        ),
      ),
    );
  }
  return summary(times);
}

const sampled = 500;

/** A table of who reaches whom within three steps: made for a sample, and reckoned up for all. */
async function measureClosure(file, { nodes }, targets) {
  const client = await connect({ kind: "file", path: file }, 10_000);
  const random = randomFrom(3);
  const sample = Array.from({ length: sampled }, () => Math.floor(random() * nodes.length) + 1);
  await client.execute(
    "CREATE TABLE closure (start INTEGER, node INTEGER, depth INTEGER, PRIMARY KEY (start, node)) WITHOUT ROWID",
  );
  const built = [];
  await timed(built, () =>
    client.execute({
      sql: `INSERT INTO closure WITH RECURSIVE reached (start, node, depth) AS (
              SELECT DISTINCT value, value, 0 FROM json_each(:sample)
              UNION SELECT r.start, e.from_node, r.depth + 1 FROM reached AS r CROSS JOIN code_edges AS e ON e.to_node = r.node
                AND +e.kind NOT IN ('contains', 'exports') WHERE r.depth < 3)
            SELECT start, node, min(depth) FROM reached WHERE depth > 0 GROUP BY start, node`,
      args: { sample: JSON.stringify(sample) },
    }),
  );
  const { rows } = await client.execute("SELECT count(*) AS rows, count(DISTINCT start) AS starts FROM closure");
  const scale = nodes.length / new Set(sample).size;
  const looked = [];
  for (const start of sample.slice(0, targets.length)) {
    await timed(looked, () =>
      client.execute({ sql: "SELECT json_group_array(node) FROM closure WHERE start = ?", args: [start] }),
    );
  }
  client.close();
  return { rows: Math.round(Number(rows[0].rows) * scale), buildMs: built[0] * scale, ...summary(looked) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = process.argv.slice(2).map(Number);
  for (const total of sizes.length > 0 ? sizes : [50_000, 200_000, 500_000]) {
    const { rows, hop, recursive, around, closure, filledMs, bytes, edges } = await measureGraph(
      total,
      total > 50_000 ? [1, 3] : [1, 2, 3, 5],
    );
    const ms = (value) => value.toFixed(2);
    const all = ({ p50, p95, worst }) => `p50 ${ms(p50)}  p95 ${ms(p95)}  worst ${ms(worst)} ms`;
    console.log(
      `\n${total} nodes, ${edges} edges: ${(bytes / 2 ** 20).toFixed(0)} MiB, filled in ${ms(filledMs / 1000)} s`,
    );
    console.log(`one hop: ${all(hop)}\nneighbours of a file: ${all(around)}`);
    for (const { depth, kind, found, most, ...times } of rows) {
      const counts = found === undefined ? "" : `  found ${found} (most ${most})`;
      console.log(
        `depth ${depth} ${kind.padEnd(13)} ${all(times)}  ×${(times.p50 / hop.p50).toFixed(1)} of one hop${counts}`,
      );
    }
    for (const { depth, ...times } of recursive) {
      console.log(
        `hubs at depth ${depth}: one recursive statement ${ms(times.recursive)} ms, a statement a step ${ms(times.levels)} ms`,
      );
    }
    console.log(
      `closure at depth 3: ${closure.rows} rows, ${ms(closure.buildMs / 1000)} s to build; asked ${all(closure)}`,
    );
  }
}
