/**
 * codegraph: what the code of a work tree consists of and how it hangs together. It parses files, keeps their symbols,
 * edges and chunks, follows every change of them, and answers who depends on what.
 *
 * It refuses to know of memories: what hangs on a file or a symbol is joined to it by whoever opens both.
 */

/** What a file may define. */
export type SymbolKind =
  | "class"
  | "interface"
  | "function"
  | "method"
  | "property"
  | "variable"
  | "type"
  | "enum"
  | "namespace";

/** What a node is: a file, or something that is defined in one. */
export type NodeKind = "file" | SymbolKind;

export interface CodeNode {
  /** `src/store.ts`, `src/store.ts#Store.read`: the file from the root, and what it is called there. Never a line. */
  id: string;
  kind: NodeKind;
  name: string;
  /** From the root of the work tree, with slashes. */
  file: string;
  /** From 1. */
  startLine: number;
  endLine: number;
}

export const edgeKinds = [
  /** A file or a symbol holds another. */
  "contains",
  /** One file names another as a module. */
  "imports",
  /** A file lets others have a symbol, its own or one that it passes on. */
  "exports",
  /** The body of one runs the other, makes one of it, or renders it. */
  "calls",
  "extends",
  "implements",
  /** It is mentioned: passed as a value, used as a type, called through an interface. */
  "references",
  /** A test file takes another to test it. */
  "tests",
  /** Two files that git saw changing in the same commits. */
  "changes_with",
] as const;
export type EdgeKind = (typeof edgeKinds)[number];

/** What code means beyond what is written in it: by rule from the edges above, or told by a language model. */
export const meaningKinds = [
  /** Whoever comes from outside enters the module by this file or symbol. */
  "is_entrypoint_for",
  /** What enters a module by one symbol comes to the other, which belongs to another module. */
  "flows_to",
] as const;
export type MeaningKind = (typeof meaningKinds)[number];

/** What people and agents know of code: from a pattern or a decision, `pattern:retry`, to a file, a folder or a symbol. */
export const conceptEdgeKinds = [
  /** It is built in this way. */
  "applies_pattern",
  /** It is so because of this decision. */
  "documents",
] as const;
export type ConceptEdgeKind = (typeof conceptEdgeKinds)[number];

/**
 * How an edge was found, from sure to likely: written there; by the language's own compiler, in a SCIP index; by scopes in a
 * file; through imports; by the type of what is left of the dot; by what parameters of that name are elsewhere; by git.
 */
export const tiers = ["syntax", "precise", "scope", "import", "receiver", "vote", "history"] as const;
export type Tier = (typeof tiers)[number];

/** Who says so. `scip`, `llm` and `agent` are for what others bring. */
export type EdgeSource = "ast" | "git" | "scip" | "llm" | "agent";

export interface CodeEdge {
  from: string;
  to: string;
  kind: EdgeKind;
  tier: Tier;
  /** 0 to 1: how often edges of this tier were right where it could be checked. */
  confidence: number;
  source: EdgeSource;
  /** Where it is first written in the file it comes from. */
  line?: number;
}

/** A work tree as it is indexed. Worktrees of one project have different files, and so each has its own graph. */
export interface Tree {
  number: number;
  /** Real path of its root. */
  root: string;
}
