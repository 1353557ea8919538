import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import MiniSearch from "minisearch";

const options = { fields: ["text"] };

/** minisearch with its defaults: an index in memory, kept as JSON between two processes. */
export async function openMiniSearch(folder, collection) {
  const file = join(folder, `${collection}.json`);
  const index = existsSync(file) ? MiniSearch.loadJSON(readFileSync(file, "utf8"), options) : new MiniSearch(options);
  let isChanged = false;
  return {
    async add(items) {
      index.addAll(items.map(({ id, text }) => ({ id, text })));
      isChanged = true;
    },
    search: async (question, limit) =>
      index
        .search(question)
        .slice(0, limit)
        .map(({ id }) => id),
    async close() {
      if (isChanged) writeFileSync(file, JSON.stringify(index));
    },
  };
}
