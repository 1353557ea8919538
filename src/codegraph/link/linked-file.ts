import type { EdgeKind, Tier } from "../codegraph.js";
import type { FileFacts } from "../facts/facts.js";
import type { ModuleResolver } from "../languages/module-resolver.js";
import type { ScipAnswers } from "./scip-answers.js";

/** What linking asks about other files. Asked for facts that are not at hand, it says so, and linking is tried again. */
export interface LinkSources {
  /** The facts of a file of the tree; undefined where they are not at hand yet, or there are none. */
  facts(file: string): FileFacts | undefined;
  modules: ModuleResolver;
  /** The class that parameters of this name have elsewhere, as a node's id, where most agree. */
  winner(parameter: string): string | undefined;
  /** Absent where no language of the tree has any. */
  spaces?: Spaces;
  /** What a precise index says of the file that is linked. */
  scip?: ScipAnswers;
}

/** Who adds what to the spaces of a tree. */
export interface Spaces {
  /** The files that add a name to a space; none where that is not at hand yet. */
  declaring(space: string, name: string): readonly string[];
  /** The space of the tree that a file means by one it names; undefined for what lies outside. */
  resolve(from: string, space: string): string | undefined;
}

/** An edge that leaves a file. The symbols are paths within their files, empty for the file itself. */
export interface LinkedEdge {
  from: string;
  toFile: string;
  to: string;
  kind: EdgeKind;
  tier: Tier;
  line?: number;
}

/** Places that use something which was not found: it may be outside, or appear later. */
export interface Miss {
  from: string;
  /** The last name: `read` of `store.read()`. */
  name: string;
  kind: "call" | "import";
  sites: number;
}

/** How a file hangs on the others. */
export interface LinkedFile {
  edges: LinkedEdge[];
  misses: Miss[];
  /** What this was found from: `file:src/a.ts`, `stem:src/a`, `vote:store`, `name:go:Store`. When one of these changes, it is to be linked anew. */
  dependencies: string[];
}

/** What the parameters of one file say: so many of that name have that class. */
export interface Vote {
  parameter: string;
  /** The id of a class, or empty for any other type: it counts against. */
  shape: string;
  votes: number;
}
