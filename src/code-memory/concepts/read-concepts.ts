import { parseConceptId } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import { closeNames } from "../../codegraph/ask/ask.js";
import { edgeOf, listStated, touching } from "../../codegraph/concepts/concepts.js";
import type { ImpactConcept } from "../code-memory.js";
import type { ConceptPlace, ConceptSummary } from "./concept.js";
import { listConceptMembers, type ConceptMember } from "./concept-members.js";
import { type Project, type ProjectContext, readProject } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";

/** A pattern or a decision, and the memories that hang on it, those first that say best what it is. */
export interface FoundConcept extends Pick<ConceptSummary, "id" | "kind" | "name" | "isUnverified"> {
  places: ConceptPlace[];
  members: ConceptMember[];
}

/**
 * Every pattern and decision of a project, by id. What memories say of them is read from the memories: what is forgotten,
 * purged or waits says nothing here either, and nothing has to be kept in step.
 */
export async function readConcepts(reader: Reader, project: Project, now: Date): Promise<Map<string, FoundConcept>> {
  const [members, stated] = [await listConceptMembers(reader, project, now), await listStated(reader, project.number)];
  const found = new Map<string, FoundConcept>();
  const open = (id: string): FoundConcept | undefined => {
    const known = found.get(id);
    const name = known ?? parseConceptId(id);
    if (known || !name) return known;
    const concept = { ...name, isUnverified: true, places: [], members: [] };
    found.set(id, concept);
    return concept;
  };
  for (const member of members) for (const id of member.concepts) open(id)?.members.push(member);
  for (const { from, to, confidence } of stated) {
    const concept = open(from);
    concept?.places.push(placeOf(concept, to, { confidence, source: "person", isStated: true }));
  }
  for (const concept of found.values()) {
    concept.isUnverified = concept.places.length === 0 && concept.members.every(({ isUnverified }) => isUnverified);
    concept.members = concept.members.toSorted(byWeight(concept.kind));
    concept.places = joinPlaces([...concept.places, ...concept.members.flatMap((member) => saidBy(member, concept))]);
  }
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The one that an id in any spelling names; one that nobody speaks of is refused with what may have been meant. */
export function getConcept(concepts: ReadonlyMap<string, FoundConcept>, id: string): FoundConcept {
  const found = concepts.get(parseConceptId(id)?.id ?? id);
  if (found) return found;
  const close = closeNames(id, [...concepts.keys()], 3);
  throw new MemoryError(
    "node-not-found",
    `Nobody has spoken of ${id}.`,
    close.length > 0
      ? `Did you mean ${close.join(", ")}?`
      : "tacit pattern and tacit decision list those that there are.",
  );
}

/** Those that concern one of these nodes, each once, by its surest place. */
export function listTouching(concepts: Iterable<FoundConcept>, nodes: readonly string[]): ImpactConcept[] {
  const isTouching = touching(nodes);
  return [...concepts].flatMap(({ id, kind, name, isUnverified, places }) => {
    const place = places.find(({ node }) => isTouching(node));
    return place ? [{ id, kind, name, isUnverified, on: place.node, confidence: place.confidence }] : [];
  });
}

/** The ids of the memories that hang on those which concern one of these files. */
export async function listMembersAround(context: ProjectContext, files: readonly string[]): Promise<string[]> {
  return readProject(context, [], async (reader, project) => {
    const concepts = await readConcepts(reader, project, context.now());
    const found = listTouching(concepts.values(), files);
    return [...new Set(found.flatMap(({ id }) => (concepts.get(id)?.members ?? []).map((member) => member.id)))];
  });
}

function placeOf(
  { kind }: Pick<FoundConcept, "kind">,
  node: string,
  said: Pick<ConceptPlace, "confidence" | "source" | "isStated"> & { by?: string },
): ConceptPlace {
  const { by, ...rest } = said;
  return { node: node.replace(/(?<=.)\/+$/, ""), kind: edgeOf[kind], ...rest, saidBy: by === undefined ? [] : [by] };
}

/** A gotcha that hangs on a pattern tells of one place where it went wrong; where it applies, memories of its own type tell. */
function saidBy(member: ConceptMember, concept: FoundConcept): ConceptPlace[] {
  if (member.type !== concept.kind) return [];
  const source = member.isOfPerson ? "person" : "agent";
  return member.places.map(({ node, confidence }) =>
    placeOf(concept, node, { confidence, source, isStated: false, by: member.id }),
  );
}

function joinPlaces(places: readonly ConceptPlace[]): ConceptPlace[] {
  const joined = new Map<string, ConceptPlace>();
  for (const place of places) {
    const other = joined.get(place.node);
    joined.set(place.node, {
      ...place,
      ...(other && {
        source: [other, place].some(({ source }) => source === "person") ? "person" : "agent",
        confidence: Math.max(other.confidence, place.confidence),
        isStated: other.isStated || place.isStated,
        saidBy: [...other.saidBy, ...place.saidBy],
      }),
    });
  }
  return [...joined.values()].toSorted((a, b) => b.confidence - a.confidence || (a.node < b.node ? -1 : 1));
}

function byWeight(kind: string): (a: ConceptMember, b: ConceptMember) => number {
  const weight = ({ type, isOfPerson, isNamed }: ConceptMember) =>
    (type === kind ? 4 : 0) + (isOfPerson ? 2 : 0) + (isNamed ? 1 : 0);
  return (a, b) => weight(b) - weight(a) || b.key - a.key;
}
