// How long indexing takes, beside a bare parse of the same files in the same run; what one changed file costs; how much memory
// 5,000 files take; and whether every line is in exactly one chunk.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = (path) => new URL(`../dist/${path}`, import.meta.url).href;
const build = (path) => new URL(`../build/${path}`, import.meta.url).href;
const script = ["export function tacitBench() { return 1; }", "tacitBench"];
const c = ["int tacit_bench(void) { return 1; }", "tacit_bench"];
// The grammar of each extension, a definition that a file may end with, and what that is called.
const languages = {
  ".ts": ["typescript", ...script],
  ".tsx": ["tsx", ...script],
  ".js": ["javascript", ...script],
  ".mjs": ["javascript", ...script],
  ".py": ["python", "def tacit_bench():\n    return 1", "tacit_bench"],
  ".c": ["c", ...c],
  ".h": ["cpp", ...c],
  ".cc": ["cpp", ...c],
  ".cpp": ["cpp", ...c],
  ".hpp": ["cpp", ...c],
  ".cs": ["c_sharp", "class TacitBench { }", "TacitBench"],
  ".go": ["go", "func tacitBench() int { return 1 }", "tacitBench"],
  ".java": ["java", "class TacitBench { }", "TacitBench"],
  ".php": ["php", "function tacitBench() { return 1; }", "tacitBench"],
  ".rb": ["ruby", "def tacit_bench\n  1\nend", "tacit_bench"],
  ".rs": ["rust", "fn tacit_bench() -> u8 { 1 }", "tacit_bench"],
};
const grammars = Object.fromEntries(Object.entries(languages).map(([extension, [grammar]]) => [extension, grammar]));
const rounds = 5;
const manyFiles = 5000;

/** Measures with the sources in these folders, which are copied beside each other. */
export async function measureSpeed(...folders) {
  const place = mkdtempSync(join(tmpdir(), "tacit-bench-"));
  try {
    const sources = join(place, "sources");
    folders.forEach((folder, n) => copySources(folder, join(sources, folders.length > 1 ? `of${n}` : "")));
    const files = listSources(sources);
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    const parse = [];
    const index = [];
    const change = [];
    for (let round = 0; round < rounds; round += 1) {
      parse.push(inChild("parse", sources));
      index.push(inChild("index", sources, join(place, `${round}.db`)));
      change.push(inChild("change", sources, join(place, `${round}.db`)));
    }
    const many = join(place, "many");
    for (let copy = 0; listSources(many).length < manyFiles; copy += 1)
      copySources(sources, join(many, `part${copy}`), manyFiles - listSources(many).length);
    const large = inChild("index", many, join(place, "many.db"));
    return {
      files: files.length,
      bytes,
      parseMs: median(parse.map(({ ms }) => ms)),
      indexMs: median(index.map(({ ms }) => ms)),
      ratio: median(index.map(({ ms }) => ms)) / median(parse.map(({ ms }) => ms)),
      changeCpuMs: median(change.map(({ cpuMs }) => cpuMs)),
      worstChangeCpuMs: Math.max(...change.map(({ worstMs }) => worstMs)),
      manyFiles: listSources(many).length,
      manyMs: large.ms,
      manyRssMb: large.rssMb,
      chunks: inChild("chunks", sources),
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function copySources(from, to, most = Infinity) {
  let left = most;
  cpSync(from, to, {
    recursive: true,
    filter: (path) =>
      statSync(path).isDirectory()
        ? !path.endsWith("node_modules")
        : /(?:go\.mod|Cargo\.toml)$/.test(path) || (extname(path) in grammars && (left -= 1) >= 0),
  });
}

function listSources(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && extname(entry.name) in grammars)
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
  } catch {
    return [];
  }
}

function inChild(what, ...args) {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), what, ...args], {
    encoding: "utf8",
    env: { ...process.env, TACIT_EMBEDDING: "none", TACIT_HOME: join(tmpdir(), "tacit-bench-home") },
    maxBuffer: 1 << 28,
  });
  if (child.status !== 0) throw new Error(`${what} failed: ${child.stderr}`);
  return JSON.parse(child.stdout.trim().split("\n").at(-1));
}

const tasks = {
  async parse(folder) {
    const { Parser, Language } = createRequire(join(root, "package.json"))("web-tree-sitter");
    await Parser.init();
    const parsers = {};
    for (const name of new Set(Object.values(grammars))) {
      parsers[name] = new Parser();
      parsers[name].setLanguage(await Language.load(join(root, "dist", "grammars", `${name}.wasm`)));
    }
    const sources = listSources(folder).map((file) => [grammars[extname(file)], readFileSync(file, "utf8")]);
    const begun = performance.now();
    for (const [grammar, text] of sources) parsers[grammar].parse(text).delete();
    return { ms: performance.now() - begun };
  },
  async index(directory, db) {
    const { openMemory } = await import(dist("index.js"));
    const memory = await openMemory({ db, project: "bench", directory });
    const begun = performance.now();
    const { files, symbols, edges, chunks, unresolved } = await memory.index();
    const ms = performance.now() - begun;
    await memory.close();
    return { ms, files, symbols, edges, chunks, unresolved, rssMb: process.resourceUsage().maxRSS / 1024 };
  },
  /** One file after the other gets a new function; until its impact is known. Processor time of all threads. */
  async change(directory, db) {
    const { openMemory } = await import(dist("index.js"));
    const memory = await openMemory({ db, project: "bench", directory });
    await memory.index();
    const files = listSources(directory).filter((file) => !/[.]d[.]ts$/.test(file));
    const step = Math.max(1, Math.floor(files.length / 12));
    const taken = [];
    for (let at = 0; at < files.length; at += step) {
      const file = files[at];
      const text = readFileSync(file, "utf8");
      const path = file.slice(directory.length + 1);
      const [, added, name] = languages[extname(file)];
      writeFileSync(file, `${text}\n${added}\n`);
      // The question takes the change in by itself.
      const before = process.cpuUsage();
      const { target } = await memory.impact(`${path}#${name}`);
      const { user, system } = process.cpuUsage(before);
      if (target.length !== 1) throw new Error(`${path} was not taken in`);
      taken.push((user + system) / 1000);
      writeFileSync(file, text);
      await memory.index();
    }
    await memory.close();
    return { cpuMs: median(taken), worstMs: Math.max(...taken), taken };
  },
  async chunks(directory) {
    const { parseInOrder } = await import(build("codegraph/indexing/parse-file.js"));
    let lines = 0;
    let wrong = 0;
    const files = listSources(directory).map((file) => ({ path: file.slice(directory.length + 1) }));
    for await (const parsed of parseInOrder(directory, files)) {
      const count = readFileSync(join(directory, parsed.path), "utf8").replace(/\n$/, "").split("\n").length;
      const covered = new Uint8Array(count);
      for (const { startLine, endLine } of parsed.chunks)
        for (let line = startLine; line <= endLine; line += 1) covered[line - 1] += 1;
      lines += count;
      if (parsed.state !== "skipped") wrong += covered.filter((times) => times !== 1).length;
    }
    return { lines, wrong };
  },
};

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Prints what was measured beside what is promised, and tells how many promises were missed. */
export async function reportSpeed(...folders) {
  const found = await measureSpeed(...folders);
  const rows = [
    [`bare parse of ${found.files} files, ${(found.bytes / 1e6).toFixed(1)} MB, one thread, ms`, found.parseMs],
    ["index of the same, ms", found.indexMs],
    ["index / bare parse", found.ratio, 2.5],
    ["one changed file until its impact is known, ms of CPU, median", found.changeCpuMs, 150],
    ["… worst", found.worstChangeCpuMs],
    [`index of ${found.manyFiles} files, s`, found.manyMs / 1000],
    ["… most memory, MB", found.manyRssMb, 400],
    [`lines of ${found.chunks.lines} that are not in exactly one chunk`, found.chunks.wrong, 0],
  ];
  console.log("| speed | measured | promised |\n| --- | ---: | ---: |");
  for (const [name, value, most] of rows) {
    console.log(`| ${name} | ${Number(value.toFixed(2))} | ${most === undefined ? "" : `at most ${most}`} |`);
  }
  return rows.filter(([, value, most]) => most !== undefined && value > most).length;
}

const [what, ...args] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (what in tasks) console.log(JSON.stringify(await tasks[what](...args)));
  else process.exitCode = (await reportSpeed(what)) > 0 ? 1 : 0;
}
