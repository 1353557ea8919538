import type { Reader } from "../../storage/storage.js";
import { readNodes, selectNodes, type NumberedNode } from "../ask/read-nodes.js";
import { languageOf } from "../languages/language-of.js";
import { languages } from "../languages/languages.js";
import { listOutsideUses } from "./module-queries.js";
import type { EntryPoint, Module } from "./module-types.js";
import { numbersOf, testNumbers, type Modules } from "./read-modules.js";

/** An entry point with the number that the tables know it by. */
export interface NumberedEntry extends EntryPoint {
  number: number;
}

const most = 50;
// One enters by what runs. Of this repository's `memory` the ten most used names are six types and four functions (2026-11).
const runs: ReadonlySet<string> = new Set(["function", "method", "class"]);

// A library may be used by nobody in its own tree. With fewer than these, what its tests use is told, too: of gin's main package others
// in its tree use two helpers, and its tests name Context, RouterGroup, Engine and New first (2026-11).
const fewEntries = 5;
const maxOfTests = 10;

/**
 * What others enter a module by: what a program begins with, then what they call of it and what else they use, by how many of
 * their files do. Who uses a member uses its class. A file is named itself where nothing in it is known to be used.
 */
export async function listEntryPoints(
  reader: Reader,
  modules: Modules,
  { files, by }: Pick<Module, "files" | "by">,
): Promise<NumberedEntry[]> {
  const tests = testNumbers(modules);
  const used = await listUsed(reader, modules, files, tests);
  const byId = new Map(used.map((entry) => [entry.node.id, entry]));
  for (const { number, node, program } of await listBeginnings(reader, modules, files)) {
    const known = byId.get(node.id);
    byId.set(node.id, { ...(known ?? { node, number, users: 0 }), program, source: "ast", confidence: 1 });
  }
  const entries = [...byId.values()].toSorted(byWorth).slice(0, most);
  if (by !== "package" || used.length >= fewEntries) return entries;
  const isTest = new Set(tests);
  const others = [...modules.numbers.values()].filter((number) => !isTest.has(number));
  const tested = (await listUsed(reader, modules, files, others))
    .filter(({ node }) => runs.has(node.kind) && !byId.has(node.id))
    .map(({ users, ...entry }) => ({ ...entry, users: 0, testers: users }));
  return [...entries, ...tested.slice(0, maxOfTests)];
}

/** What files beyond these use of them, but for those that are left out. */
async function listUsed(
  reader: Reader,
  modules: Modules,
  files: readonly string[],
  leftOut: readonly number[],
): Promise<NumberedEntry[]> {
  const uses = await listOutsideUses(reader, numbersOf(modules, files), leftOut);
  const outermost = new Map<string, { users: Set<number>; confidence: number; isFile: boolean }>();
  for (const { path, file, user, confidence } of uses) {
    const key = `${file}\n${outermostOf(path)}`;
    const known = outermost.get(key) ?? { users: new Set(), confidence: 0, isFile: path === "" };
    known.users.add(user);
    known.confidence = Math.max(known.confidence, confidence);
    outermost.set(key, known);
  }
  const withSymbols = new Set([...outermost].filter(([, { isFile }]) => !isFile).map(([key]) => key.split("\n")[0]));
  const wanted = [...outermost].filter(([key, { isFile }]) => !isFile || !withSymbols.has(key.split("\n")[0]));
  const nodes = await readOutermost(
    reader,
    modules,
    wanted.map(([key]) => key),
  );
  return wanted
    .flatMap(([key, { users, confidence }]): NumberedEntry[] => {
      const found = nodes.get(key);
      return found ? [{ node: found.node, number: found.number, users: users.size, source: "ast", confidence }] : [];
    })
    .toSorted(byWorth);
}

function byWorth(a: NumberedEntry, b: NumberedEntry): number {
  return (
    Number(b.program !== undefined) - Number(a.program !== undefined) ||
    Number(runs.has(b.node.kind)) - Number(runs.has(a.node.kind)) ||
    b.users - a.users ||
    (a.node.id < b.node.id ? -1 : 1)
  );
}

function outermostOf(path: string): string {
  return path.split(".")[0] ?? "";
}

async function readOutermost(
  reader: Reader,
  { tree }: Modules,
  keys: readonly string[],
): Promise<Map<string, NumberedNode>> {
  const wanted = keys.map((key) => {
    const end = key.indexOf("\n");
    return [Number(key.slice(0, end)), key.slice(end + 1)] as const;
  });
  const rows = await reader.rows(
    `SELECT n.number, wanted.key AS at FROM json_each(:wanted) AS wanted
     CROSS JOIN code_nodes AS n ON n.file_number = wanted.value ->> 0 AND n.path = wanted.value ->> 1`,
    { wanted: JSON.stringify(wanted) },
  );
  const nodes = await readNodes(
    reader,
    tree,
    rows.map((row) => Number(row["number"])),
  );
  return new Map(
    rows.flatMap((row) => {
      const [key, node] = [keys[Number(row["at"])], nodes.get(Number(row["number"]))];
      return key !== undefined && node ? [[key, node] as const] : [];
    }),
  );
}

interface Beginning extends NumberedNode {
  program: string;
}

/** What a program begins with: what manifests name, `main` where the language calls it, and files that are run by their name. */
async function listBeginnings(reader: Reader, modules: Modules, files: readonly string[]): Promise<Beginning[]> {
  const named = listNamed(modules, new Set(files));
  const own = await selectNodes(
    reader,
    `FROM json_each(:files) AS wanted CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = wanted.value
     CROSS JOIN code_nodes AS n ON n.file_number = f.number AND (n.path = '' OR n.name IN ('main', 'Main'))`,
    { tree: modules.tree.number, files: JSON.stringify(files) },
  );
  return own.flatMap((found): Beginning[] => {
    const { node, path } = found;
    const program = path === "" ? (named.get(node.file) ?? runByName(node.file)) : isMain(found) ? "main" : undefined;
    return program === undefined ? [] : [{ ...found, program }];
  });
}

/** Files that the manifests of the tree name, by path, as their language finds them. */
function listNamed({ manifests, numbers }: Modules, files: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  const all = new Set(numbers.keys());
  for (const { folder, targets } of manifests) {
    for (const named of targets) {
      const [file] = languages.flatMap(({ layout }) => layout?.findTarget?.(named, folder, all) ?? []);
      if (file !== undefined && files.has(file) && !found.has(file)) found.set(file, named.as);
    }
  }
  return found;
}

function runByName(file: string): string | undefined {
  return languageOf(file)?.layout?.mainFiles?.test(file) ? "main" : undefined;
}

/** A `main` that no other code has to call: of a file, or the static one of a class. In scripts it is a name like any other. */
function isMain({ node, path }: NumberedNode): boolean {
  if (languageOf(node.file)?.layout?.isScript) return false;
  return (node.kind === "function" && path === "main") || (node.kind === "method" && /^[^.]+\.[mM]ain$/.test(path));
}
