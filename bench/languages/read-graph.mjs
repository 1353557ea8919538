// The graph of a folder as Tacit has it, from a database that a process of its own has made: so its memory is that of indexing.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../measure.mjs";

/** Indexes a folder and reads everything that was found. */
export async function readGraph(directory) {
  const place = temporaryFolder();
  try {
    const db = join(place.path, "graph.db");
    const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), directory, db], {
      encoding: "utf8",
      env: { ...process.env, TACIT_EMBEDDING: "none", TACIT_HOME: place.path },
    });
    if (child.status !== 0) throw new Error(`${directory} could not be indexed: ${child.stderr}`);
    const { cpuMs, rssMb } = JSON.parse(child.stdout.trim().split("\n").at(-1));
    return { cpuMs, rssMb, ...(await readDatabase(db)) };
  } finally {
    place.remove();
  }
}

async function readDatabase(db) {
  const { Store } = await import("../../build/storage/storage.js");
  const store = new Store({ db, timeoutMs: 5000 });
  const id = (file, path) => (path === "" ? file : `${file}#${path}`);
  try {
    return await store.read(async (reader) => {
      const files = await reader.rows(
        "SELECT number, path, language, state, problem, size FROM code_files ORDER BY path",
      );
      const facts = await reader.rows(
        "SELECT f.path, a.facts FROM code_facts AS a JOIN code_files AS f ON f.number = a.file_number",
      );
      const factsOf = new Map(facts.map((row) => [row.path, JSON.parse(row.facts)]));
      const callable = new Set(
        [...factsOf].flatMap(([file, { symbols }]) =>
          symbols.filter(({ isCallable }) => isCallable).map(({ path }) => id(file, path)),
        ),
      );
      const nodes = await reader.rows(
        `SELECT f.path AS file, n.path, n.name, n.kind, n.start_line AS startLine, n.end_line AS endLine
         FROM code_nodes AS n JOIN code_files AS f ON f.number = n.file_number`,
      );
      const edges = await reader.rows(
        `SELECT e.kind, e.tier, e.line, a.path AS fromPath, fa.path AS fromFile, b.path AS toPath, fb.path AS toFile
         FROM code_edges AS e
         JOIN code_nodes AS a ON a.number = e.from_node JOIN code_files AS fa ON fa.number = a.file_number
         JOIN code_nodes AS b ON b.number = e.to_node JOIN code_files AS fb ON fb.number = b.file_number`,
      );
      const misses = await reader.rows(
        `SELECT f.path AS file, m.node_path AS path, m.kind, m.name, m.sites
         FROM code_misses AS m JOIN code_files AS f ON f.number = m.file_number`,
      );
      return {
        files,
        factsOf,
        nodes: nodes.map((node) => ({
          ...node,
          id: id(node.file, node.path),
          isCallable: callable.has(id(node.file, node.path)),
        })),
        edges: edges.map((edge) => ({
          ...edge,
          from: id(edge.fromFile, edge.fromPath),
          to: id(edge.toFile, edge.toPath),
        })),
        misses,
      };
    });
  } finally {
    await store.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [directory, db] = process.argv.slice(2);
  const { openMemory } = await import("../../dist/index.js");
  const memory = await openMemory({ db, project: "bench", directory });
  const begun = process.cpuUsage();
  await memory.index({ history: false });
  const { user, system } = process.cpuUsage(begun);
  await memory.close();
  console.log(JSON.stringify({ cpuMs: (user + system) / 1000, rssMb: process.resourceUsage().maxRSS / 1024 }));
}
