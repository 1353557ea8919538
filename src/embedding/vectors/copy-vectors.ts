import { findProject, type Project, type ProjectContext } from "../../project/project.js";
import type { Reader, Row, Writer } from "../../storage/storage.js";
import { activateModel, findActiveModel, markReady, type ActiveModel } from "./active-model.js";
import { vectorOf } from "./binary-vector.js";
import { storeVectors } from "./store-vectors.js";

// A page of the longest vectors in use (4,096 numbers) is 4 MB as SQL gives it.
const pageSize = 128;

/** Whose vectors a copy has, and how many. */
export interface CopiedVectors {
  modelId: string;
  vectors: number;
}

/**
 * Gives the copies of a project's memories in a store of their own the vectors of the originals, so that nobody has to pay for
 * them again: those of the active model, with its name and size, and only where the copy says what was embedded. What has
 * none, or a damaged one, waits for it there as well. Undefined where no model has been used yet.
 */
export async function copyVectors(context: ProjectContext, to: ProjectContext): Promise<CopiedVectors | undefined> {
  return context.store.snapshot(async (reader) => {
    const model = await findActiveModel(reader);
    const { project } = await findProject(reader, context.project);
    if (!model || !project) return undefined;
    return to.store.write(async (writer) => {
      const theirs = await activateModel(writer, { ...model, modelId: model.id }, to.now());
      let vectors = 0;
      for await (const page of listEmbedded(reader, project, model)) {
        vectors += await storePage(writer, theirs, page);
      }
      await markReady(writer, theirs, [], to.now());
      return { modelId: model.id, vectors };
    });
  });
}

/** A vector, by the id of its memory, with what its text is made of. */
interface Embedded {
  id: string;
  parts: string[];
  vector: Float32Array;
}

async function* listEmbedded(reader: Reader, project: Project, model: ActiveModel): AsyncGenerator<Embedded[]> {
  for (let after = 0; ;) {
    const rows = await reader.rows(
      `SELECT m.key, m.id, m.content, m.type, m.related_files, m.related_modules, hex(v.vector) AS vector
       FROM memory_vectors AS v CROSS JOIN memories AS m ON m.key = v.memory_key
       WHERE v.memory_key > :after AND v.project_number = :project AND v.model_number = :model AND m.embedded_by = :model
         AND length(v.vector) = :bytes
       ORDER BY v.memory_key LIMIT ${pageSize}`,
      {
        after: BigInt(after),
        project: BigInt(project.number),
        model: BigInt(model.number),
        bytes: BigInt(4 * model.dimensions),
      },
    );
    yield rows.map(toEmbedded).filter(({ vector }) => vector.every(Number.isFinite));
    if (rows.length < pageSize) return;
    after = Number(rows.at(-1)?.["key"]);
  }
}

function toEmbedded(row: Row): Embedded {
  return {
    id: String(row["id"]),
    parts: [row["content"], row["type"], row["related_files"], row["related_modules"]].map(String),
    vector: vectorOf(String(row["vector"])),
  };
}

async function storePage(writer: Writer, model: ActiveModel, page: readonly Embedded[]): Promise<number> {
  const rows = await writer.rows(
    "SELECT m.key, m.id FROM json_each(:ids) AS wanted CROSS JOIN memories AS m ON m.id = wanted.value",
    { ids: JSON.stringify(page.map(({ id }) => id)) },
  );
  const keys = new Map(rows.map((row) => [String(row["id"]), Number(row["key"])]));
  const made = page.flatMap(({ id, parts, vector }) => {
    const key = keys.get(id);
    return key === undefined ? [] : [{ memory: { key, parts }, vector }];
  });
  return (await storeVectors(writer, model, made)).size;
}
