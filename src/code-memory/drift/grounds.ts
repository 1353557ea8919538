/**
 * Drift: what a memory says of the code may no longer be true. What it rests on (its grounds) is noted when it is stored,
 * and compared with the code after every change: it holds, it moved, or it is in doubt, and why.
 *
 * A memory is neither rewritten nor hidden for it. Nor does it judge what code does: a body that changed is no reason for doubt.
 */
import type { Signature } from "./read-signature.js";

/** A symbol as a work tree has it. */
export interface SeenDefinition {
  /** `src/store.ts#Store.read` */
  id: string;
  file: string;
  /** Within its file: `Store.read`. */
  path: string;
  name: string;
  kind: string;
  /** From 1. */
  startLine: number;
  endLine: number;
  /** The same for the same body under another name. */
  fingerprint?: string;
}

/** A work tree as its index knows it. */
export interface CodeView {
  /** By path, whether all of a file could be parsed. */
  files: () => Promise<ReadonlyMap<string, { isWhole: boolean }>>;
  /** Whether there is such a file although the index has none of it. */
  isOnDisk: (path: string) => boolean;
  definitionsIn: (files: readonly string[]) => Promise<SeenDefinition[]>;
  definitionsNamed: (names: readonly string[]) => Promise<SeenDefinition[]>;
  definitionsLike: (fingerprints: readonly string[]) => Promise<SeenDefinition[]>;
  /** Without secrets; undefined where the file is not as it was indexed, or cannot be read. */
  linesOf: (file: string) => Promise<readonly string[] | undefined>;
}

/** Raised whenever the same code would be seen otherwise: grounds of another version are taken anew. */
export const groundVersion = 1;

/** What a memory was seen to rest on when it was last found true. */
export interface Ground {
  /** Its text names it, or it is filed under it. */
  by: "text" | "place";
  /** Where it was then, if it is elsewhere now. */
  was?: string;
  /** Absent for a file. */
  seen?: SeenSymbol;
}

export interface SeenSymbol {
  kind: string;
  fingerprint?: string;
  /** Of what can be called. */
  signature?: Signature;
  /** Of what holds a value, shortened. */
  value?: string;
  /** What the memory says that the definition says, too: as the memory has it, and as the code has it. */
  mentions?: [said: string, token: string][];
  /** A hash of all of it but its name, where there is enough of it. */
  shape?: string;
}
