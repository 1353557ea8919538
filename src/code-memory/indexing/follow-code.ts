import type { MemoryContext } from "../../memory/change/change.js";
import { followStatedEdges } from "../../codegraph/concepts/concepts.js";
import type { Indexed } from "../../codegraph/indexing/indexing.js";
import { listNews, listPresent, removeNews } from "../../codegraph/tree/tree.js";
import { readProject } from "../../project/project.js";
import { listUngrounded } from "../drift/ground-queries.js";
import { followMoves } from "../links/follow-moves.js";
import { linkMemories } from "../links/link-memories.js";
import { listOtherTrees } from "../tree/list-other-trees.js";

/**
 * Lets memories follow what indexings have done: what was moved, and which symbols their texts name. Takes in what a process
 * that has ended did not compare with the code any more, whether or not anything has changed.
 */
export async function followCode(context: MemoryContext, { tree }: Indexed): Promise<void> {
  const { store } = context;
  const pending = await store.read(async (reader) => listNews(reader, tree));
  const others = pending.length === 0 ? [] : await listOtherTrees(context, tree);
  for (const { number, news } of pending) {
    const { changed = [], removed = [], ...moves } = news;
    const places = [...moves.files, ...moves.symbols].map((move) => move.from);
    const present = await store.read(async (reader) => listPresent(reader, others, places));
    // What another work tree still has where it was is in both places.
    await followMoves(context, moves, { occasion: `${tree.root} ${number}`, keepOld: (place) => present.has(place) });
    await linkMemories(context, tree, changed === "all" ? "all" : { files: [...changed, ...removed] }, removed);
    await (await import("../drift/follow-drift.js")).followDrift(context, { tree, others }, news);
    await store.write(async (writer) => {
      // Once, by whoever takes the news away: two files that changed places must not change back.
      if (await removeNews(writer, number)) await followStatedEdges(writer, tree, moves, (place) => present.has(place));
    });
  }
  const keys = tree.completedAt === undefined ? [] : await readProject(context, [], listUngrounded);
  if (keys.length === 0) return;
  const trees = { tree, others: await listOtherTrees(context, tree) };
  await (await import("../drift/follow-drift.js")).checkAgainstTrees(context, { keys }, trees, { isFirst: true });
}
