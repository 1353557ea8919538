import type { Check } from "./diagnose.js";
import type { Embedding } from "./embedding/embedding.js";
import { suggestEmbedder } from "./embedding/suggest-embedder.js";
import type { ProjectStore } from "./memory/project-store.js";

const name = "meaning";

/** How it stands with the vectors and the models. Asks no model: what it last said is written down. */
export async function checkMeaning({ settings }: ProjectStore, embedding: Embedding): Promise<Check> {
  const { embeddingProvider } = await settings("user");
  if (embeddingProvider === "none") {
    return { name, status: "ok", message: "switched off: memories are found by words only" };
  }
  const { modelId, embedded, pending, ready, failure, failedAt } = await embedding.status();
  if (failure !== undefined) {
    const when = failedAt === undefined ? "" : ` (${failedAt})`;
    const hint = "Memories are found by words until it answers; `tacit embed` tries again.";
    return { name, status: "warning", message: `${failure}${when}`, hint };
  }
  const suggestion = embeddingProvider === null ? await suggestEmbedder(process.env) : undefined;
  const hint = suggestion === undefined ? {} : { hint: suggestion };
  const count = `${embedded} ${embedded === 1 ? "vector" : "vectors"}`;
  if (modelId === undefined) {
    const waiting = pending === 0 ? "no memory has a vector yet" : `${pending} memories wait for their first vector`;
    return { name, status: "ok", message: `${waiting}; tacit embed makes them`, ...hint };
  }
  if (!ready || pending > 0) {
    const how = ready ? "" : "; until then memories are found by words";
    return { name, status: "ok", message: `${modelId}, ${count}, ${pending} to come${how}: tacit embed`, ...hint };
  }
  return { name, status: "ok", message: `${modelId}, ${count}`, ...hint };
}
