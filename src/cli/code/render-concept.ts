import type { Concept, ConceptKind, ConceptPlace, ConceptSummary } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { oneLine } from "../terminal/one-line.js";
import { renderMemoryList } from "../listing/render-memory-list.js";
import { shortId } from "../terminal/short-id.js";

const nothing: Record<ConceptKind, string> = {
  pattern: `No pattern is known. State one: tacit pattern retry "…" --applies-to src/http.ts`,
  decision: `No decision has a name. State one: tacit decision jwt-over-sessions "…" --about src/auth`,
};

const headings: Record<ConceptPlace["kind"], string> = { applies_pattern: "Applies to", documents: "Is about" };

// Two pages; --json names all.
const placesShown = 40;

/** `retry  Calls to the outside go through … (2 places, 1 memory)`, a line each. */
export function renderConcepts(kind: ConceptKind, concepts: readonly ConceptSummary[], page: Page): string {
  if (concepts.length === 0) return nothing[kind];
  return concepts
    .map(({ name, summary, places, memories, isUnverified }) => {
      const counts = `(${countOf(places, "place")}, ${countOf(memories, "memory")})`;
      const text = summary === undefined ? "" : `${oneLine(summary, page)} `;
      const mark = isUnverified ? "(unverified) " : "";
      return `${page.paint("cyan", oneLine(name, page))}  ${mark}${text}${page.paint("dim", counts)}`;
    })
    .join("\n");
}

/** What it is, where it leads, and the memories that hang on it. */
export function renderConcept(concept: Concept, page: Page): string {
  const mark = concept.isUnverified ? " (unverified)" : "";
  return [
    `${page.paint("bold", oneLine(concept.id, page))}${mark}`,
    renderPlaces(concept.places, page),
    concept.memories.length === 0
      ? page.paint("dim", "No memory says what it is.")
      : `${page.paint("bold", "Memories")}\n${renderMemoryList(concept.memories, page)}`,
  ].join("\n\n");
}

function renderPlaces(places: readonly ConceptPlace[], page: Page): string {
  const [first] = places;
  if (!first) return page.paint("dim", "No code is known that it leads to.");
  const lines = places.slice(0, placesShown).map((place) => {
    const said = place.saidBy.length === 0 ? [] : [`said by ${place.saidBy.map(shortId).join(", ")}`];
    const who = [...(place.isStated ? ["stated"] : []), ...said].join(", ");
    const details = page.paint("dim", `(${place.confidence.toFixed(2)}, ${who})`);
    return `  ${page.paint("cyan", oneLine(place.node, page))}  ${details}`;
  });
  const left = places.length - placesShown;
  const more = left > 0 ? [page.paint("dim", `  … and ${countOf(left, "more place")}; --json names all`)] : [];
  return [page.paint("bold", headings[first.kind]), ...lines, ...more].join("\n");
}
