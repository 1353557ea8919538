import { join } from "node:path";
import { openMemory } from "../../dist/index.js";

const page = 5000;

/** Tacit as its library is used: one file, a project a collection. By words alone it has no model to feed either. */
export async function openTacit(mode, folder, collection) {
  const memory = await openMemory({
    db: join(folder, "memory.db"),
    project: collection,
    ...(mode === "words" && { embedder: null }),
  });
  return {
    async add(items) {
      for (let n = 0; n < items.length; n += page) {
        await memory.rememberMany(items.slice(n, n + page).map((item) => inputOf(item)));
      }
      if (mode === "hybrid") await embedAll(memory);
    },
    async search(question, limit) {
      const report = await memory.recallReport(question, { limit, mode });
      if (report.mode !== mode)
        throw new Error(`asked for ${mode}, answered by ${report.mode}: ${report.notes.join(" ")}`);
      return report.results.map(({ memory: found }) => found.metadata.id);
    },
    close: async () => memory.close(),
  };
}

async function embedAll(memory) {
  const { pending, failure } = await memory.embedPending();
  if (pending > 0) throw new Error(`${pending} memories have no vector: ${failure ?? "they were refused"}`);
}

function inputOf({ id, session, text, createdAt, tags }) {
  // A turn is one of a session; what belongs to none is a note.
  const turn = session === undefined ? {} : { type: "conversation", sessionId: session, createdAt };
  return { content: text, metadata: { id }, ...turn, ...(tags && { tags }) };
}
