import type { EmbeddingStatus } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { renderAge } from "../terminal/render-age.js";
import { renderFields } from "../terminal/render-fields.js";

/** How it stands with the vectors of the store: whose they are, how many, and what is in the way. */
export function renderEmbedding(status: EmbeddingStatus, page: Page): string {
  const { modelId, failure, failedAt } = status;
  const when = failedAt === undefined ? "" : ` (${renderAge(failedAt, page.now)})`;
  return renderFields(
    [
      ["model", modelId ?? "none has been used yet"],
      ["vectors", countVectors(status)],
      ["meaning", useOf(status)],
      ...(failure === undefined ? [] : [["failure", `${failure}${when}`] as [string, string]]),
    ],
    page,
  );
}

function countVectors({ embedded, pending }: EmbeddingStatus): string {
  if (embedded + pending === 0) return "none; there are no memories yet";
  const all = countOf(embedded + pending, "memory");
  return pending === 0 ? `all ${all}` : `${embedded.toLocaleString("en")} of ${all}; tacit embed makes the others`;
}

function useOf({ ready, embedded, pending }: EmbeddingStatus): string {
  if (ready) return "questions are answered by words and meaning";
  return embedded + pending === 0
    ? "not yet"
    : "not yet; until every memory has a vector, questions are answered by words";
}
