import type { Reader } from "../../storage/storage.js";
import { readNodes, selectNodes } from "../ask/read-nodes.js";
import { isTestFile } from "../languages/is-test-file.js";
import type { NumberedEntry } from "./list-entry-points.js";
import { gatherBy } from "./gather-by.js";
import { listCallers, listCalls, type Call } from "./module-queries.js";
import type { Flow, Module } from "./module-types.js";
import { numbersOf, type Modules } from "./read-modules.js";

// Longer ways say that everything hangs together. Of one entry point, and of all of them, the strongest.
const maxSteps = 6;
const maxOfOne = 4;
const most = 30;
const maxEntries = 20;

/**
 * Where one comes to who enters a module: from each entry point along the calls inside of it to the first things of other
 * modules. The surest first; what is called from everywhere says little and comes later.
 */
export async function findFlows(
  reader: Reader,
  modules: Modules,
  module: Module,
  entries: readonly NumberedEntry[],
): Promise<Flow[]> {
  const own = new Set(numbersOf(modules, module.files));
  const callsOf = gatherBy(await listCalls(reader, [...own]), ({ from }) => from);
  const begun = entries.slice(0, maxEntries);
  const starts = await listStarts(reader, modules, begun);
  const ways = begun.flatMap((entry) =>
    leadOut(starts.get(entry.number) ?? [entry.number], callsOf, own).map((way) => ({ ...way, entry })),
  );
  const nodes = await readNodes(reader, modules.tree, new Set(ways.flatMap(({ steps }) => steps)));
  const callers = await listCallers(reader, [...new Set(ways.map(({ steps }) => steps.at(-1) ?? 0))]);
  const pathOf = new Map([...modules.numbers].map(([path, number]) => [number, path]));
  const callingModules = (node: number): number =>
    new Set((callers.get(node) ?? []).map((file) => modules.nameOf(pathOf.get(file) ?? ""))).size;
  const flows = ways.flatMap(({ entry, steps, confidence }) => {
    const last = nodes.get(steps.at(-1) ?? 0)?.node;
    const name = last && modules.nameOf(last.file);
    if (!last || name === undefined || isTestFile(last.file)) return [];
    const through = steps.slice(1).flatMap((step) => nodes.get(step)?.node.id ?? []);
    const [first] = steps;
    // Of a class it is one of its members that calls.
    const from = first === entry.number ? [] : [nodes.get(first ?? 0)?.node.id ?? ""];
    const flow: Flow = {
      from: entry.node.id,
      to: last.id,
      module: name,
      way: [entry.node.id, ...from, ...through],
      source: "ast",
      confidence: Math.round(confidence * 100) / 100,
    };
    const worth = confidence / (1 + Math.log2(callingModules(steps.at(-1) ?? 0) || 1));
    return [{ flow, worth, entry: entry.number }];
  });
  return choose(flows);
}

function choose(flows: readonly { flow: Flow; worth: number; entry: number }[]): Flow[] {
  const counts = new Map<number, number>();
  const chosen = new Map<string, Flow>();
  for (const { flow, entry } of flows.toSorted(
    (a, b) => b.worth - a.worth || a.flow.way.length - b.flow.way.length || (a.flow.to < b.flow.to ? -1 : 1),
  )) {
    const key = `${flow.from}\n${flow.to}`;
    const count = counts.get(entry) ?? 0;
    if (count >= maxOfOne || chosen.has(key)) continue;
    counts.set(entry, count + 1);
    chosen.set(key, flow);
    if (chosen.size === most) break;
  }
  return [...chosen.values()];
}

/** What runs when it is entered: itself, and the members of a class. */
async function listStarts(
  reader: Reader,
  { tree }: Modules,
  entries: readonly NumberedEntry[],
): Promise<Map<number, number[]>> {
  const ids = entries.filter(({ node }) => node.kind === "class").map(({ number }) => number);
  const members = await selectNodes(
    reader,
    `FROM json_each(:ids) AS wanted CROSS JOIN code_nodes AS own ON own.number = wanted.value
     CROSS JOIN code_nodes AS n ON n.file_number = own.file_number AND substr(n.path, 1, length(own.path) + 1) = own.path || '.'
     CROSS JOIN code_files AS f ON f.number = n.file_number AND f.tree_number = :tree`,
    { ids: JSON.stringify(ids), tree: tree.number },
  );
  const starts = new Map(ids.map((id) => [id, [id]]));
  for (const { number, node } of members) {
    const entry = entries.find((one) => node.id.startsWith(`${one.node.id}.`));
    if (entry) starts.get(entry.number)?.push(number);
  }
  return starts;
}

interface Way {
  steps: number[];
  confidence: number;
}

/** The shortest ways to what lies outside, of the shortest the surest. */
function leadOut(starts: readonly number[], callsOf: ReadonlyMap<number, Call[]>, own: ReadonlySet<number>): Way[] {
  const seen = new Set(starts);
  const found = new Map<number, Way>();
  let ways: Way[] = starts.map((start) => ({ steps: [start], confidence: 1 }));
  for (let step = 0; step < maxSteps && ways.length > 0; step += 1) {
    const next = new Map<number, Way>();
    for (const { steps, confidence } of ways) {
      for (const { to, toFile, confidence: sure } of callsOf.get(steps.at(-1) ?? 0) ?? []) {
        if (seen.has(to)) continue;
        const way = { steps: [...steps, to], confidence: confidence * sure };
        const into = own.has(toFile) ? next : found;
        const known = into.get(to);
        if (!known || (known.steps.length === way.steps.length && known.confidence < way.confidence)) into.set(to, way);
      }
    }
    for (const node of next.keys()) seen.add(node);
    ways = [...next.values()];
  }
  return [...found.values()];
}
