import { createHash } from "node:crypto";
import type { Reader } from "../../storage/storage.js";
import { rankNodes } from "../ask/rank-nodes.js";
import { readNodes } from "../ask/read-nodes.js";
import type { CodeNode } from "../codegraph.js";
import { isTestFile } from "../languages/is-test-file.js";
import { listEntryPoints } from "./list-entry-points.js";
import { findFlows } from "./find-flows.js";
import { listStoredEdges, type StoredModuleEdges } from "./module-edge-queries.js";
import { listTogether } from "./module-queries.js";
import type { EntryPoint, Flow, Module } from "./module-types.js";
import { findModule, numbersOf, type Modules } from "./read-modules.js";
import { listStoredPurposes, purposeByNames, readPurpose, type StoredPurpose, type Purpose } from "./read-purpose.js";

/** A part of the program in short. */
export interface CodeDigest extends Module {
  /** The modules that it consists of, where they are several. */
  parts: string[];
  purpose: Purpose;
  /** What others enter it by, most used first. */
  entryPoints: EntryPoint[];
  /** Where that leads in other modules. */
  flows: Flow[];
  /** By PageRank over the whole tree, most central first; the ranks of all nodes of the tree add up to 1. */
  central: { node: CodeNode; rank: number }[];
  /** Other modules that it imports from and that import from it, with how many imports that are. */
  uses: { module: string; imports: number }[];
  usedBy: { module: string; imports: number }[];
  /** Test files of its own, and others that take files of it to test them. */
  testedBy: string[];
  /** What changes in the same commits: files outside of it, and other modules. Commits count once for each pair of files. */
  changesWith: { files: { file: string; commits: number }[]; modules: { module: string; commits: number }[] };
  /** A hash of its files and what they define: what is said of it holds for this state. */
  state: string;
}

const maxCentral = 30;
const maxTogether = 30;

export interface Digesting {
  reader: Reader;
  project: number;
  modules: Modules;
  ranks: Map<number, number>;
  purposes: Map<string, StoredPurpose>;
  edges: StoredModuleEdges;
}

/** What every digest of a tree needs, read once. */
export async function openDigesting(reader: Reader, project: number, modules: Modules): Promise<Digesting> {
  return {
    reader,
    project,
    modules,
    ranks: await rankNodes(reader, modules.tree),
    purposes: await listStoredPurposes(reader, project),
    edges: await listStoredEdges(reader, modules.tree),
  };
}

/** The digest of the module that a person names. */
export async function readDigest(digesting: Digesting, name: string): Promise<CodeDigest> {
  const { reader, modules, edges } = digesting;
  const module = findModule(modules, name);
  const { nodes, state } = await listOwnNodes(digesting, module);
  const entries = await listEntryPoints(reader, modules, module);
  const flows = await findFlows(reader, modules, module, entries);
  const central = await listCentral(digesting, nodes);
  const told = edges.of(module, modules);
  return {
    ...module,
    purpose: await choosePurpose(
      digesting,
      module,
      central.map(({ node }) => node.name),
    ),
    entryPoints: withTold(
      entries.map(({ number: _number, ...entry }) => entry),
      told.entryPoints,
      ({ node }) => node.id,
    ),
    flows: withTold(flows, told.flows, ({ from, to }) => `${from}\n${to}`),
    central,
    ...listImports(modules, module),
    testedBy: listTests(modules, module),
    changesWith: await listPartners(digesting, module),
    state,
  };
}

/** What the rules found, and behind it what a language model said besides. */
function withTold<T>(found: readonly T[], told: readonly T[], keyOf: (one: T) => string): T[] {
  const known = new Set(found.map(keyOf));
  return [...found, ...told.filter((one) => !known.has(keyOf(one)))];
}

/** In few words what each module is for, as it is known without looking at its edges. */
export async function readShortPurpose(digesting: Digesting, module: Module): Promise<Purpose> {
  const { nodes } = await listOwnNodes(digesting, module);
  const central = await listCentral(digesting, nodes, 2);
  return choosePurpose(
    digesting,
    module,
    central.map(({ node }) => node.name),
  );
}

/** What is written, then what a model said, then names. */
async function choosePurpose(digesting: Digesting, module: Module, central: readonly string[]): Promise<Purpose> {
  const { modules, purposes } = digesting;
  const written = await readPurpose(module, modules);
  const told = purposes.get(module.name.toLowerCase());
  if (written || !told) return written ?? purposeByNames(module, central);
  // It was asked about all that the name stands for.
  const { state } = await listOwnNodes(digesting, findModule(modules, module.name));
  const { text, confidence, madeFrom } = told;
  return { text, confidence, source: "llm", ...(madeFrom !== state && { isOutdated: true }) };
}

/** The symbols of a module, by number, and a hash of what they are. A body that changes is no other module. */
export async function listOwnNodes(
  { reader, modules }: Pick<Digesting, "reader" | "modules">,
  module: Module,
): Promise<{ nodes: number[]; state: string }> {
  const [row] = await reader.rows(
    `SELECT json_group_array(number) AS numbers, json_group_array(name) AS names FROM (
       SELECT n.number, f.path || '#' || n.path || ' ' || n.kind AS name, n.path AS symbol
       FROM json_each(:files) AS wanted CROSS JOIN code_files AS f ON f.number = wanted.value
       CROSS JOIN code_nodes AS n ON n.file_number = f.number
       WHERE n.path <> '' ORDER BY f.path, n.path)`,
    { files: JSON.stringify(numbersOf(modules, module.files)) },
  );
  const names = String(row?.["names"] ?? "[]");
  const state = createHash("sha1").update(JSON.stringify(module.files)).update(names).digest("hex");
  return { nodes: JSON.parse(String(row?.["numbers"] ?? "[]")) as number[], state };
}

async function listCentral(
  { reader, modules, ranks }: Digesting,
  nodes: readonly number[],
  most = maxCentral,
): Promise<CodeDigest["central"]> {
  // Properties and variables among them: some are passed over below.
  const best = nodes.toSorted((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0)).slice(0, most * 4);
  const read = await readNodes(reader, modules.tree, best);
  return best
    .flatMap((number) => {
      const found = read.get(number)?.node;
      return found && found.kind !== "property" ? [{ node: found, rank: ranks.get(number) ?? 0 }] : [];
    })
    .slice(0, most);
}

function listImports({ imports, nameOf }: Modules, module: Module): Pick<CodeDigest, "uses" | "usedBy"> {
  const own = new Set(module.files);
  const [uses, usedBy] = [new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, name: string | undefined) => {
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const [from, targets] of imports) {
    if (isTestFile(from)) continue;
    for (const to of targets) {
      if (own.has(from) && !own.has(to)) count(uses, nameOf(to));
      if (!own.has(from) && own.has(to)) count(usedBy, nameOf(from));
    }
  }
  const sorted = (counts: Map<string, number>) =>
    [...counts]
      .map(([name, n]) => ({ module: name, imports: n }))
      .toSorted((a, b) => b.imports - a.imports || byName(a, b));
  return { uses: sorted(uses), usedBy: sorted(usedBy) };
}

function listTests({ tests }: Modules, module: Module): string[] {
  const own = new Set(module.files);
  const others = [...tests].filter(([, targets]) => targets.some((target) => own.has(target))).map(([test]) => test);
  return [...new Set([...module.tests, ...others.toSorted()])];
}

async function listPartners({ reader, modules }: Digesting, module: Module): Promise<CodeDigest["changesWith"]> {
  const own = [...module.files, ...module.tests];
  const [files, names] = [new Map<string, number>(), new Map<string, number>()];
  for (const { other, commits } of await listTogether(reader, modules.tree, own)) {
    files.set(other, (files.get(other) ?? 0) + commits);
    const name = modules.nameOf(other);
    if (name !== undefined) names.set(name, (names.get(name) ?? 0) + commits);
  }
  return {
    files: [...files]
      .map(([file, commits]) => ({ file, commits }))
      .toSorted((a, b) => b.commits - a.commits || (a.file < b.file ? -1 : 1))
      .slice(0, maxTogether),
    modules: [...names]
      .map(([name, commits]) => ({ module: name, commits }))
      .toSorted((a, b) => b.commits - a.commits || byName(a, b))
      .slice(0, maxTogether),
  };
}

function byName(a: { module: string }, b: { module: string }): number {
  return a.module < b.module ? -1 : 1;
}
