import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, insertMultiple, load, save, search } from "@orama/orama";

/** orama with its defaults: an index in memory, kept as JSON between two processes. */
export async function openOrama(folder, collection) {
  const file = join(folder, `${collection}.json`);
  const index = create({ schema: { text: "string" } });
  if (existsSync(file)) load(index, JSON.parse(readFileSync(file, "utf8")));
  let isChanged = false;
  return {
    async add(items) {
      await insertMultiple(
        index,
        items.map(({ id, text }) => ({ id: JSON.stringify(id), text })),
      );
      isChanged = true;
    },
    async search(question, limit) {
      const { hits } = await search(index, { term: question, limit });
      return hits.map(({ id }) => JSON.parse(id));
    },
    async close() {
      if (isChanged) writeFileSync(file, JSON.stringify(save(index)));
    },
  };
}
