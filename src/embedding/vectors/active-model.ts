import type { Reader, Row, Writer } from "../../storage/storage.js";
import { MemoryError } from "../../base/memory-error.js";
import { withoutQuotedAnswer } from "../../language-model/quote-answer.js";
import type { Embedder } from "../embedding.js";
import { isPending } from "./pending.js";

/** The model whose vectors count in this store. */
export interface ActiveModel {
  /** Stands for its id in the rows. */
  number: number;
  id: string;
  dimensions: number;
  candidateDimensions?: number;
  /** When every memory had a vector of this model; until then meanings are not compared. */
  readyAt?: string;
  failedAt?: string;
  failure?: string;
}

const selectModel =
  "SELECT number, id, dimensions, candidate_dimensions, ready_at, failed_at, failure FROM embedding_models";

/** Undefined before the first memory is embedded. */
export async function findActiveModel(reader: Reader): Promise<ActiveModel | undefined> {
  const [row] = await reader.rows(
    `${selectModel}
     WHERE number = (SELECT CAST(value AS INTEGER) FROM store_state WHERE name = 'embedding_model')`,
  );
  return row && toModel(row);
}

/** A model that counts in this store, or did once. */
export async function findModel(reader: Reader, id: string): Promise<ActiveModel | undefined> {
  const [row] = await reader.rows(`${selectModel} WHERE id = :id`, { id });
  return row && toModel(row);
}

/** Throws `model-failed` for a model that goes by the id of another one: their vectors cannot be compared. */
export function refuseOtherSize({ modelId, dimensions }: Embedder, known: ActiveModel | undefined): void {
  if (known?.id !== modelId || known.dimensions === dimensions) return;
  throw new MemoryError(
    "model-failed",
    `${modelId} has ${dimensions} dimensions, and had ${known.dimensions} when it embedded the memories.`,
    "Give a model of another size another id.",
  );
}

/**
 * Makes this model the one that counts. Vectors of another one stay until each is overwritten, and are compared with
 * nothing meanwhile.
 */
export async function activateModel(
  writer: Writer,
  { modelId, dimensions, candidateDimensions }: Pick<Embedder, "modelId" | "dimensions" | "candidateDimensions">,
  now: Date,
): Promise<ActiveModel> {
  const active = await findActiveModel(writer);
  await writer.run(
    `INSERT INTO embedding_models (id, dimensions, candidate_dimensions) VALUES (:id, :dimensions, :candidates)
     ON CONFLICT (id) DO UPDATE SET candidate_dimensions = excluded.candidate_dimensions`,
    {
      id: modelId,
      dimensions: BigInt(dimensions),
      candidates: candidateDimensions ? BigInt(candidateDimensions) : null,
    },
  );
  if (active?.id === modelId) return (await findModel(writer, modelId)) as ActiveModel;
  await writer.run(
    `INSERT INTO store_state (name, value) SELECT 'embedding_model', CAST(number AS TEXT) FROM embedding_models WHERE id = :id
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    { id: modelId },
  );
  // It may have been active before, and others have overwritten its vectors since.
  await writer.run("UPDATE embedding_models SET ready_at = NULL, failed_at = NULL, failure = NULL WHERE id = :id", {
    id: modelId,
  });
  const model = (await findModel(writer, modelId)) as ActiveModel;
  await markReady(writer, model, [], now);
  return (await findModel(writer, modelId)) as ActiveModel;
}

/** Notes that every memory has a vector, those aside which the model refused, if that is so. */
export async function markReady(writer: Writer, model: ActiveModel, refused: number[], now: Date): Promise<void> {
  await writer.run(
    `UPDATE embedding_models SET ready_at = :now
     WHERE number = :model AND ready_at IS NULL AND NOT EXISTS (
       SELECT 1 FROM memories AS m WHERE ${isPending} AND m.key NOT IN (SELECT value FROM json_each(:refused)))`,
    { now: now.toISOString(), model: BigInt(model.number), refused: JSON.stringify(refused) },
  );
}

/** Notes what a model could not do, for `doctor`, in our own words only; undefined when it answers again. */
export async function noteFailure(
  writer: Writer,
  model: ActiveModel,
  failure: string | undefined,
  now: Date,
): Promise<void> {
  const words = failure === undefined ? null : withoutQuotedAnswer(failure);
  await writer.run(
    `UPDATE embedding_models SET failure = :failure, failed_at = :at
     WHERE number = :model AND (failure IS NOT NULL OR :failure IS NOT NULL)`,
    { model: BigInt(model.number), failure: words, at: words === null ? null : now.toISOString() },
  );
}

/**
 * Notes, for `doctor`, why a model that is to take the place of the active one could not begin; undefined when there is
 * nothing of that kind any more. It has no row of its own before its first vectors.
 */
export async function noteReplacement(writer: Writer, failure: string | undefined, now: Date): Promise<void> {
  if (failure === undefined) {
    await writer.run("DELETE FROM store_state WHERE name = 'embedding_replacement'");
    return;
  }
  await writer.run(
    `INSERT INTO store_state (name, value) VALUES ('embedding_replacement', :value)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    { value: JSON.stringify({ failure: withoutQuotedAnswer(failure), failedAt: now.toISOString() }) },
  );
}

export async function findReplacementFailure(
  reader: Reader,
): Promise<{ failure: string; failedAt: string } | undefined> {
  const [row] = await reader.rows("SELECT value FROM store_state WHERE name = 'embedding_replacement'");
  return row && (JSON.parse(String(row["value"])) as { failure: string; failedAt: string });
}

function toModel(row: Row): ActiveModel {
  return {
    number: Number(row["number"]),
    id: String(row["id"]),
    dimensions: Number(row["dimensions"]),
    ...(row["candidate_dimensions"] !== null && { candidateDimensions: Number(row["candidate_dimensions"]) }),
    ...(row["ready_at"] !== null && { readyAt: String(row["ready_at"]) }),
    ...(row["failed_at"] !== null && { failedAt: String(row["failed_at"]) }),
    ...(row["failure"] !== null && { failure: String(row["failure"]) }),
  };
}
