import type { ConceptKind } from "../../base/ids/ids.js";
import type { ConceptEdgeKind } from "../../codegraph/codegraph.js";
import type { Memory } from "../../memory/memory.js";

/** A pattern or a decision among the nodes of the code, as a list tells it. */
export interface ConceptSummary {
  /** `pattern:retry`: works wherever a file or a symbol does, as in `impact`. */
  id: string;
  kind: ConceptKind;
  name: string;
  /** The beginning of the memory that says best what it is. */
  summary?: string;
  /** How many places it leads to, and how many memories hang on it. */
  places: number;
  memories: number;
  /** True where only agents that nobody watched have spoken of it. */
  isUnverified: boolean;
}

/** The same as a whole. */
export interface Concept extends Omit<ConceptSummary, "places" | "memories"> {
  /** The surest first. */
  places: ConceptPlace[];
  /** Those of its own type first, what a person taught or verified before what agents said, then what has a name, then the newest. */
  memories: Memory[];
}

/** Where a pattern applies, or what a decision is about. */
export interface ConceptPlace {
  /** A file, a folder or a symbol: `src/http.ts#Client.send`. */
  node: string;
  kind: ConceptEdgeKind;
  source: "person" | "agent";
  confidence: number;
  /** True where somebody stated it apart from any memory. */
  isStated: boolean;
  /** The ids of the memories that say so. */
  saidBy: string[];
}

export interface StateConceptOptions {
  /** What it is, in a sentence: a memory of its type, that holds the places too, and takes them along where it goes. */
  content?: string;
  /** Files, folders and symbols; a symbol may be named as in `impact`. Without a text they are stated apart from any memory. */
  places?: readonly string[];
  /** 0 to 1, default 1. */
  confidence?: number;
}

/** Patterns and decisions: nodes of the code graph that memories hang on. An id is `pattern:NAME` or `decision:NAME`. */
export interface Concepts {
  /** In the order of their ids. */
  concepts(options?: { kind?: ConceptKind }): Promise<ConceptSummary[]>;
  /** Undefined for what nobody speaks of. */
  concept(id: string): Promise<Concept | undefined>;
  /** A person states what a pattern or a decision is, where it applies, or both. */
  stateConcept(id: string, statement: StateConceptOptions): Promise<Concept>;
  /** Takes such statements back, all of them or those of these places, and tells how many there were. Memories stay. */
  unstateConcept(id: string, options?: { places?: readonly string[] }): Promise<number>;
}
