import { parseNodeId } from "../../base/ids/ids.js";
import type { CodeNode } from "../../codegraph/codegraph.js";
import { listByKeys } from "../../memory/read/read.js";
import type { Memory } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import { listCodeLinks, type CodeLink } from "./code-links.js";

const maxLinked = 50;
// The nearest are chosen of so many: what a file holds besides is looked at, too.
const maxCompared = 1000;

/**
 * The memories that are linked to these nodes and to the files they are in, each once, those of the first nodes first. What is
 * linked to something else of such a file is not among them.
 */
export async function listLinkedMemories(
  reader: Reader,
  project: Project,
  nodes: readonly Pick<CodeNode, "id" | "file">[],
  now: Date,
): Promise<{ memory: Memory; on: string; by: string; confidence: number }[]> {
  const ids = [...new Set(nodes.flatMap(({ id, file }) => [id, file]))];
  const placeOf = orderOf(nodes);
  const links = (await listCodeLinks(reader, project, ids, { limit: maxCompared, now }))
    .map((link) => ({ link, place: placeOf(link.on) }))
    .filter(({ place }) => place < Infinity)
    .toSorted((a, b) => a.place - b.place);
  const nearest = new Map<number, CodeLink>();
  for (const { link } of links) {
    if (!nearest.has(link.key) && nearest.size < maxLinked) nearest.set(link.key, link);
  }
  const memories = await listByKeys(reader, project, [...nearest.keys()], now);
  return memories.flatMap(({ key, memory }) => {
    const link = nearest.get(key);
    return link ? [{ memory, on: link.on, by: link.by, confidence: link.confidence }] : [];
  });
}

/** Where a name stands among the nodes: as itself, as something in one of them, or as the file that one is in. */
function orderOf(nodes: readonly Pick<CodeNode, "id" | "file">[]): (name: string) => number {
  const [places, files] = [new Map<string, number>(), new Map<string, number>()];
  nodes.forEach(({ id, file }, at) => {
    if (!places.has(id)) places.set(id, at);
    // What is known of the very symbol comes before what is known of its file.
    if (!files.has(file)) files.set(file, at + 0.5);
  });
  return (name) => {
    const { file, symbol } = parseNodeId(name);
    if (symbol === "") return places.get(name) ?? files.get(name) ?? Infinity;
    let place = places.get(file) ?? Infinity;
    for (let end = symbol.length; end > 0; end = symbol.lastIndexOf(".", end - 1)) {
      place = Math.min(place, places.get(`${file}#${symbol.slice(0, end)}`) ?? Infinity);
    }
    return place;
  };
}
