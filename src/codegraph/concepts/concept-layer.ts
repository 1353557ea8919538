import { type ConceptName, parseNodeId } from "../../base/ids/ids.js";
import type { ConceptEdgeKind } from "../codegraph.js";
import { folderOf } from "../tree/paths.js";

/** A pattern or a decision with the places that it leads to, for whoever writes the graph out. */
export interface ConceptWithPlaces extends ConceptName {
  id: string;
  places: readonly { node: string; kind: ConceptEdgeKind; source: "person" | "agent"; confidence: number }[];
}

export interface ConceptEdge {
  from: string;
  to: string;
  kind: ConceptEdgeKind;
  source: "person" | "agent";
  confidence: number;
}

/** The part of them that leads to these nodes: to a file where only files are among them, and to each file of a folder. */
export function buildConceptLayer(
  concepts: readonly ConceptWithPlaces[],
  nodes: ReadonlySet<string>,
  kinds: readonly string[] | undefined,
): { nodes: (ConceptName & { id: string })[]; edges: ConceptEdge[] } {
  const endsOf = openEnds(nodes);
  const edges = concepts.flatMap(({ id, places }) => {
    const surest = new Map<string, ConceptEdge>();
    for (const { node, kind, source, confidence } of kinds
      ? places.filter((place) => kinds.includes(place.kind))
      : places) {
      for (const to of endsOf(node)) {
        if ((surest.get(to)?.confidence ?? -1) >= confidence) continue;
        surest.set(to, { from: id, to, kind, source, confidence });
      }
    }
    return [...surest.values()].toSorted((a, b) => (a.to < b.to ? -1 : 1));
  });
  const drawn = new Set(edges.map(({ from }) => from));
  return {
    nodes: concepts.filter(({ id }) => drawn.has(id)).map(({ id, kind, name }) => ({ id, kind, name })),
    edges,
  };
}

function openEnds(nodes: ReadonlySet<string>): (place: string) => readonly string[] {
  // Only once a place is no file: a thousand folders among 50,000 nodes took 12 s, each looked for by itself (2026-11).
  let filesIn: Map<string, string[]> | undefined;
  return (place) => {
    if (nodes.has(place)) return [place];
    const { file } = parseNodeId(place);
    if (file !== place) return nodes.has(file) ? [file] : [];
    filesIn ??= groupByFolders(nodes);
    return filesIn.get(place) ?? [];
  };
}

/** The files in each folder and in all that lie in it. */
function groupByFolders(nodes: ReadonlySet<string>): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const id of nodes) {
    if (parseNodeId(id).symbol !== "") continue;
    for (let at = folderOf(id); at !== ""; at = folderOf(at)) {
      const files = folders.get(at);
      if (files) files.push(id);
      else folders.set(at, [id]);
    }
  }
  return folders;
}
