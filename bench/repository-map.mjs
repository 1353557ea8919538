// `node bench/repository-map.mjs [--commits N] [repository …]`: which share of the files and symbols that a commit changes are in
// the map of the tree before it, drawn for what the commit says; beside a map by names (bench/map/name-map.mjs) and plain lists of
// files. Repositories are folders or bare repositories with a history; this one, unless told.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { estimateTokens } from "../build/base/tokens/estimate-tokens.js";
import { isTestFile } from "../build/codegraph/languages/is-test-file.js";
import { drawMap } from "../build/codegraph/map/draw-map.js";
import { repositoryMap } from "../build/codegraph/map/repository-map.js";
import { openMemory } from "../dist/index.js";
import { Store } from "../build/storage/storage.js";
import { rankByNames } from "./map/name-map.mjs";
import { listPastCommits, openClone } from "./map/past-commits.mjs";
import { median, temporaryFolder } from "./measure.mjs";

const budgets = [1000, 2000];
const mapped = new Set(["class", "interface", "function", "method", "type", "enum", "variable", "namespace"]);

async function measureRepository(repository, count) {
  const folder = temporaryFolder();
  const [root, db] = [join(folder.path, "tree"), join(folder.path, "memory.db")];
  const inClone = openClone(repository, root);
  const commits = listPastCommits(inClone, count, isTestFile);
  const scores = new Map();
  const times = [];
  for (const commit of commits) {
    inClone("checkout", "--quiet", "--force", commit.parent);
    const memory = await openMemory({ db, directory: root });
    await memory.index();
    await memory.close();
    const store = new Store({ db, timeoutMs: 10_000 });
    await measureCommit(store, commit, scores, times);
    await store.close();
  }
  folder.remove();
  return { commits: commits.length, scores, drawMs: median(times) };
}

async function measureCommit(store, { message, files, lines }, scores, times) {
  const { tree, nodes } = await store.read(readNodes);
  const definitions = nodes.filter((node) => mapped.has(node.kind) && !isInside(node, nodes));
  const wanted = { files: new Set(files), symbols: changedBy(definitions, lines) };
  const texts = new Map([...new Set(nodes.map(({ file }) => file))].map((file) => [file, read(tree.root, file)]));
  const byNames = (prompt) => rankByNames({ definitions, texts }, prompt);
  const [named, plain] = [byNames(message), byNames("")];
  const imported = await store.read((reader) => listImported(reader, tree));
  for (const budgetTokens of budgets) {
    const room = { budgetTokens, countTokens: estimateTokens };
    const note = (method, map) => noteScore(scores, `${method}|${budgetTokens}`, map, wanted);
    const started = performance.now();
    note("ours, for the message", await repositoryMap(store, tree, { ...room, prompt: message }));
    times.push(performance.now() - started);
    note("ours, for nothing", await repositoryMap(store, tree, room));
    note("by names, for the message", await drawMap(tree.root, named, room));
    // It shows tests, which ours leaves out: without them, to see the ranking by itself.
    note("… without tests", await drawMap(tree.root, named.filter(isNoTest), room));
    note("by names, for nothing", await drawMap(tree.root, plain, room));
    note("… without tests, nothing", await drawMap(tree.root, plain.filter(isNoTest), room));
    note("files by importers", listFiles(imported, room));
  }
}

function isNoTest({ file }) {
  return !isTestFile(file);
}

async function readNodes(reader) {
  const [row] = await reader.rows("SELECT number, root FROM code_trees");
  const tree = { number: Number(row.number), root: String(row.root) };
  const rows = await reader.rows(
    `SELECT f.path AS file, n.path, n.name, n.kind, n.start_line, n.end_line FROM code_files AS f
     CROSS JOIN code_nodes AS n ON n.file_number = f.number WHERE f.tree_number = :tree AND f.language IS NOT NULL`,
    { tree: tree.number },
  );
  const nodes = rows.map(({ file, path, name, kind, start_line: startLine, end_line: endLine }) => ({
    id: path === "" ? file : `${file}#${path}`,
    file,
    path,
    name,
    kind,
    startLine: Number(startLine),
    endLine: Number(endLine),
  }));
  return { tree, nodes };
}

const bodies = new Map();

/** Whether it is defined inside a body. */
function isInside({ file, path }, nodes) {
  if (!path.includes(".")) return false;
  if (bodies.get("of") !== nodes) {
    bodies.clear();
    bodies.set("of", nodes);
    for (const node of nodes) if (/^(?:function|method|variable)$/.test(node.kind)) bodies.set(node.id, true);
  }
  const parts = path.split(".");
  return parts.slice(1).some((_, at) => bodies.has(`${file}#${parts.slice(0, at + 1).join(".")}`));
}

/** The innermost definitions that these lines belong to. */
function changedBy(definitions, lines) {
  const ids = lines.flatMap(({ file, first, last }) => {
    const touched = definitions.filter((node) => node.file === file && node.startLine <= last && node.endLine >= first);
    return touched
      .filter((node) => !touched.some((other) => other !== node && other.path.startsWith(`${node.path}.`)))
      .map(({ id }) => id);
  });
  return new Set(ids);
}

function read(root, file) {
  return readFileSync(join(root, file), "utf8");
}

async function listImported(reader, tree) {
  const rows = await reader.rows(
    `SELECT f.path, (SELECT count(*) FROM code_edges AS e WHERE e.to_node = n.number AND e.kind = 'imports') AS importers
     FROM code_files AS f CROSS JOIN code_nodes AS n ON n.file_number = f.number AND n.path = ''
     WHERE f.tree_number = :tree AND f.language IS NOT NULL ORDER BY importers DESC, f.path`,
    { tree: tree.number },
  );
  return rows.map(({ path }) => String(path)).filter((path) => !isTestFile(path));
}

function listFiles(paths, { budgetTokens, countTokens }) {
  const files = [];
  let left = budgetTokens;
  for (const file of paths) {
    left -= countTokens(`${file}\n`);
    if (left < 0) break;
    files.push({ file, symbols: [] });
  }
  return { files };
}

function noteScore(scores, key, { files }, wanted) {
  const score = scores.get(key) ?? { files: [], symbols: [] };
  scores.set(key, score);
  score.files.push(shareOf(wanted.files, new Set(files.map(({ file }) => file))));
  const shown = new Set(files.flatMap(({ symbols }) => symbols.map(({ id }) => id)));
  if (wanted.symbols.size > 0) score.symbols.push(shareOf(wanted.symbols, shown));
}

function shareOf(wanted, found) {
  return [...wanted].filter((one) => found.has(one)).length / wanted.size;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const { values, positionals } = parseArgs({ options: { commits: { type: "string" } }, allowPositionals: true });
const repositories = positionals.length > 0 ? positionals : [fileURLToPath(new URL("..", import.meta.url))];
for (const repository of repositories) {
  const { commits, scores, drawMs } = await measureRepository(repository, Number(values.commits ?? 30));
  console.log(`${basename(repository)}: ${commits} commits; a map in ${Math.round(drawMs)} ms`);
  for (const [key, { files, symbols }] of scores) {
    const [method, budget] = key.split("|");
    const percent = (list) => `${(100 * mean(list)).toFixed(0)} %`.padStart(6);
    console.log(`  ${budget} tokens, ${method.padEnd(26)} files ${percent(files)}  symbols ${percent(symbols)}`);
  }
}
