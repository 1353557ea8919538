import { parseNodeId } from "../../base/ids/ids.js";
import type { Reader, Writer } from "../../storage/storage.js";
import { selectNodes } from "../ask/read-nodes.js";
import type { CodeNode, EdgeSource, MeaningKind, Tree } from "../codegraph.js";
import { moduleId, type EntryPoint, type Flow, type ModuleEdge, type Module } from "./module-types.js";
import type { Modules } from "./read-modules.js";

/** What was said of the modules of a project beyond what rules find, as far as its ends are still in the tree. */
export interface StoredModuleEdges {
  of: (module: Module, modules: Modules) => { entryPoints: EntryPoint[]; flows: Flow[] };
}

export async function listStoredEdges(reader: Reader, tree: Tree): Promise<StoredModuleEdges> {
  const rows = await reader.rows(
    `SELECT from_id, kind, to_id, source, confidence FROM code_meanings
     WHERE project_number = (SELECT project_number FROM code_trees WHERE number = :tree)
       AND kind IN ('is_entrypoint_for', 'flows_to') ORDER BY confidence DESC, from_id, to_id`,
    { tree: tree.number },
  );
  const edges = rows.map((row): ModuleEdge => ({
    from: String(row["from_id"]),
    kind: String(row["kind"]) as MeaningKind,
    to: String(row["to_id"]),
    source: String(row["source"]) as EdgeSource,
    confidence: Number(row["confidence"]),
  }));
  const nodes = await readByIds(
    reader,
    tree,
    edges.flatMap(({ from, to }) => [from, to]),
  );
  return {
    of: (module, modules) => {
      const files = new Set(module.files);
      const isOwn = (id: string) => files.has(nodes.get(id)?.file ?? "");
      return {
        entryPoints: edges.flatMap(({ from, kind, to, source, confidence }): EntryPoint[] => {
          const node = nodes.get(to);
          const isMine = kind === "is_entrypoint_for" && isOwn(to) && from.toLowerCase().startsWith("module:");
          return isMine && node ? [{ node, users: 0, source, confidence }] : [];
        }),
        flows: edges.flatMap(({ from, kind, to, source, confidence }): Flow[] => {
          const name = modules.nameOf(nodes.get(to)?.file ?? "");
          if (kind !== "flows_to" || !isOwn(from) || name === undefined) return [];
          return [{ from, to, module: name, way: [from, to], source, confidence }];
        }),
      };
    },
  };
}

/** The nodes of a tree that have these ids; what is not there is not in the answer. */
export async function readByIds(reader: Reader, tree: Tree, ids: readonly string[]): Promise<Map<string, CodeNode>> {
  const wanted = [...new Set(ids)].map((id) => {
    const { file, symbol } = parseNodeId(id);
    return [file, symbol];
  });
  if (wanted.length === 0) return new Map();
  const found = await selectNodes(
    reader,
    `FROM json_each(:wanted) AS w CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = w.value ->> 0
     CROSS JOIN code_nodes AS n ON n.file_number = f.number AND n.path = w.value ->> 1`,
    { tree: tree.number, wanted: JSON.stringify(wanted) },
  );
  return new Map(found.map(({ node }) => [node.id, node]));
}

/** What a language model says of a module. */
export interface Description {
  purpose: string;
  confidence: number;
  edges: Omit<ModuleEdge, "source">[];
}

/** Keeps what a model says of a module in the place of what it said before. What a person said stays. */
export async function storeDescription(
  writer: Writer,
  project: number,
  module: Pick<Module, "name" | "files">,
  { purpose, confidence, edges }: Description,
  made: { from: string; at: Date },
): Promise<void> {
  const at = made.at.toISOString();
  await writer.run(
    `INSERT INTO module_purposes (project_number, name, purpose, confidence, made_at, made_from)
     VALUES (:project, :name, :purpose, :confidence, :at, :madeFrom)
     ON CONFLICT DO UPDATE SET purpose = excluded.purpose, confidence = excluded.confidence,
       made_at = excluded.made_at, made_from = excluded.made_from`,
    { project, name: module.name, purpose, confidence, at, madeFrom: made.from },
  );
  await writer.run(
    `DELETE FROM code_meanings WHERE project_number = :project AND source = 'llm' AND (
       (kind = 'is_entrypoint_for' AND from_id = :id COLLATE NOCASE)
       OR (kind = 'flows_to' AND EXISTS (SELECT 1 FROM json_each(:files)
         WHERE from_id = value OR substr(from_id, 1, length(value) + 1) = value || '#')))`,
    { project, id: moduleId(module.name), files: JSON.stringify(module.files) },
  );
  await writer.run(
    `INSERT INTO code_meanings (project_number, from_id, kind, to_id, source, confidence, made_at)
     SELECT :project, value ->> 0, value ->> 1, value ->> 2, 'llm', value ->> 3, :at FROM json_each(:edges) WHERE true
     ON CONFLICT (project_number, from_id, kind, to_id) DO NOTHING`,
    {
      project,
      at,
      edges: JSON.stringify(edges.map(({ from, kind, to, confidence: sure }) => [from, kind, to, sure])),
    },
  );
}
