import { nodeId } from "../../base/ids/ids.js";
import { addEdges } from "./add-edges.js";
import { EdgeList } from "./edge-list.js";
import type { LinkedFile, LinkSources, Vote } from "./linked-file.js";
import { createLinking } from "./create-linking.js";
import { findSourceFile, resolving } from "./linking-context.js";
import { voteName } from "./source-file.js";
import { typesOfFact } from "./read-type.js";
import { addImplemented } from "./add-implemented.js";

export { surfaceOf } from "./surface-of.js";

/**
 * Links one file: from its facts and those it leads to. The same facts give the same edges; what they were found from is
 * in the dependencies. Facts that are not at hand yet count as absent, so whoever lacks some asks again with them.
 */
export function linkFile(file: string, sources: LinkSources): LinkedFile {
  const linking = createLinking(sources);
  const place = findSourceFile(linking, file);
  const list = new EdgeList();
  if (place) {
    addEdges(linking, place, list);
    addImplemented(linking, place, list);
  }
  linking.dependencies.delete(`file:${file}`);
  return { edges: list.edges(), misses: list.misses(), dependencies: [...linking.dependencies].toSorted() };
}

/** What the typed parameters of a file say about names. */
export function votesOf(file: string, sources: LinkSources): Vote[] {
  const linking = createLinking(sources, true);
  const place = findSourceFile(linking, file);
  const votes = new Map<string, Vote>();
  place?.facts.scopes.forEach(({ names }, scope) => {
    for (const [name, binding] of names) {
      if (binding[0] !== "parameter" || !binding[1]) continue;
      const parameter = voteName(place, name);
      const type = binding[1];
      const spot = { place, scope, around: undefined };
      const shape = resolving(linking, () => classOf(typesOfFact(linking, spot, type)));
      const key = `${parameter}\n${shape}`;
      const vote = votes.get(key) ?? { parameter, shape, votes: 0 };
      vote.votes += 1;
      votes.set(key, vote);
    }
  });
  return [...votes.values()];
}

/** The id of the class, if it is one that others can see. */
function classOf(types: ReturnType<typeof typesOfFact>): string {
  const [type] = types;
  if (type?.is !== "instance") return "";
  const { symbol, kind } = type.place.facts.shapes[type.shape] ?? { symbol: -1, kind: "object" };
  const fact = type.place.facts.symbols[symbol];
  return kind === "class" && fact?.parent === -1 ? nodeId(type.place.path, fact.path) : "";
}

// On hono, voting found 7.5 % of all calls and none of what it found was wrong; a lower share began to be.
const leastVotes = 3;
const leastShare = 0.7;

/** The class that most parameters of a name have, where they agree. */
export function winnerOf(votes: readonly Vote[]): string | undefined {
  const counts = new Map<string, number>();
  let total = 0;
  for (const vote of votes) {
    counts.set(vote.shape, (counts.get(vote.shape) ?? 0) + vote.votes);
    total += vote.votes;
  }
  for (const [shape, count] of counts) {
    if (shape !== "" && count >= leastVotes && count >= total * leastShare) return shape;
  }
  return undefined;
}
