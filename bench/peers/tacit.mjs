import { join } from "node:path";
import { openMemory } from "../../dist/index.js";

const page = 5000;

/** Tacit as its library is used: one file, a project a collection. */
export async function openTacit(mode, folder, collection) {
  const memory = await openMemory({ db: join(folder, "memory.db"), project: collection });
  const knowsModes = typeof memory.embedPending === "function";
  return {
    async add(items) {
      for (let n = 0; n < items.length; n += page) {
        await memory.rememberMany(items.slice(n, n + page).map((item) => inputOf(item)));
      }
      if (knowsModes && mode === "hybrid") await memory.embedPending();
    },
    async search(question, limit) {
      const results = await memory.recall(question, { limit, ...(knowsModes && { mode }) });
      return results.map(({ memory: found }) => found.metadata.id);
    },
    close: async () => memory.close(),
  };
}

function inputOf({ id, session, text, createdAt }) {
  // A turn is one of a session; what belongs to none is a note.
  const turn = session === undefined ? {} : { type: "conversation", sessionId: session, createdAt };
  return { content: text, metadata: { id }, ...turn };
}
