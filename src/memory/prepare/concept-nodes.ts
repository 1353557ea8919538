import { conceptId, conceptKinds, parseConceptId } from "../../base/ids/ids.js";
import type { MemoryRecord, Relation } from "../memory.js";

type Placed = Pick<MemoryRecord, "relatedFiles" | "graphNodes" | "relations">;

/**
 * The places of a memory, with patterns and decisions as the nodes that they are: `pattern:Retry` among its files is the node
 * `pattern:retry`, and so is what a relation leads to. To be called with cleaned texts: small letters would hide a secret.
 */
export function withConceptNodes({ relatedFiles, graphNodes, relations }: Placed): Placed {
  const concepts = relatedFiles.filter((file) => findConcept(file) !== undefined);
  return {
    relatedFiles: relatedFiles.filter((file) => !concepts.includes(file)),
    graphNodes: [...new Set([...graphNodes, ...concepts].map((node) => findConcept(node) ?? node))],
    relations: relations.map(toConcept),
  };
}

/** A relation to a pattern or a decision leads to its one id, however it was written. */
export function toConcept<Stated extends Pick<Relation, "file">>(stated: Stated): Stated {
  const id = stated.file === undefined ? undefined : findConcept(stated.file);
  return id === undefined ? stated : { ...stated, file: id };
}

/** The pattern or the decision that a memory of this type is by its name. */
export function conceptOfName(type: string, name: string | null): string | undefined {
  const kind = conceptKinds.find((one) => one === type);
  return kind && name !== null && !isRedacted(name) ? conceptId(kind, name) : undefined;
}

/** The id of the pattern or the decision that somebody names. */
function findConcept(named: string): string | undefined {
  return isRedacted(named) ? undefined : parseConceptId(named)?.id;
}

function isRedacted(text: string): boolean {
  return text.includes("[redacted:");
}
