/**
 * memory: what a memory is, and its life: remember, revise, supersede, forget, restore, purge, pin, verify, flag.
 *
 * It owns the type registry, names, relations, history and the indexes that are in step with the rows.
 * It refuses ranking (retrieval) and file formats (exchange).
 */
import type { Json } from "../base/base.js";

export type Scope = "global" | "module" | "work_unit" | "session";
export type Visibility = "personal" | "project" | "team" | "org";
export type Source = "agent_explicit" | "observer_inferred" | "qa_auto" | "mcp_auto" | "commit_auto" | "user_taught";
export type Phase = "define" | "implement" | "validate" | "refine" | "explore" | "reflect";
export type RelationKind =
  | "required_with"
  | "conflicts_with"
  | "validates"
  | "supersedes"
  | "derived_from"
  | "similar"
  | "documents"
  | "applies_pattern";

export const scopes: readonly Scope[] = ["global", "module", "work_unit", "session"];
export const phases: readonly Phase[] = ["define", "implement", "validate", "refine", "explore", "reflect"];
export const visibilities: readonly Visibility[] = ["personal", "project", "team", "org"];
export const sources: readonly Source[] = [
  "agent_explicit",
  "observer_inferred",
  "qa_auto",
  "mcp_auto",
  "commit_auto",
  "user_taught",
];
export const relationKinds: readonly RelationKind[] = [
  "required_with",
  "conflicts_with",
  "validates",
  "supersedes",
  "derived_from",
  "similar",
  "documents",
  "applies_pattern",
];

/** The kinds that lead to code, never to another memory. */
export const codeKinds: ReadonlySet<RelationKind> = new Set<RelationKind>(["documents", "applies_pattern"]);

/**
 * Where a memory stands in its life. Only `active` ones come back unless another status is asked for. `waiting`: for a
 * person's review, because it was only inferred or comes from outside.
 */
export type Status = "active" | "waiting" | "flagged" | "superseded" | "expired" | "forgotten";
export const statuses: readonly Status[] = ["active", "waiting", "flagged", "superseded", "expired", "forgotten"];

/**
 * What hygiene noticed and took out, or why a memory is not to be trusted until a person has verified it: `tainted` came from
 * outside, `unverified` was said by an agent that nobody watched.
 */
export type TrustFlag = "secret-redacted" | "private-removed" | "invisible-removed" | "tainted" | "unverified";

export interface Relation {
  kind: RelationKind;
  /** Id of the other memory, or … */
  memory?: string;
  /** … the path of a file, or what it defines: `src/store.ts#Store.read`. Never a line, which moves with every edit. */
  file?: string;
  confidence: number;
  /** True when Tacit found it, false when somebody said so. */
  automatic: boolean;
}

export interface WorkUnit {
  methodology: string;
  hierarchy: string[];
  label: string;
}

export interface Chunk {
  kind: "function" | "class" | "module" | "prose";
  startLine: number;
  endLine: number;
  contextPrefix?: string;
}

export interface Review {
  state: "none" | "pending" | "flagged";
  reason?: string;
}

/** Why Tacit forgot a memory by itself; absent when somebody asked for it. */
export type ForgottenReason = "faded" | "evicted" | "unshared" | "imported" | "unproved";

/** The names that a forgotten memory had. */
export interface ReleasedNames {
  name: string | null;
  aliases: string[];
}

/**
 * What is stored of a memory, without what follows from the moment of looking: the form in which it travels, and of
 * which its history tells. What is not set is absent.
 */
export interface MemoryRecord {
  id: string;
  type: string;
  content: string;
  name?: string;
  aliases: string[];
  /** Structured data in the schema of the type, such as the steps of a recipe. */
  data?: Record<string, Json>;
  metadata: Record<string, Json>;
  tags: string[];
  relatedFiles: string[];
  relatedModules: string[];
  /** As it was stated; use may have added to it. */
  confidence: number;
  scope: Scope;
  visibility: Visibility;
  source: Source;
  sessionId?: string;
  agent?: string;
  commit?: string;
  branch?: string;
  /** Every session that said this. */
  provenanceSessionIds: string[];
  /** The code it hangs on: files, and what they define (`src/store.ts#Store.read`). */
  graphNodes: string[];
  relations: Relation[];
  /** Its own; that of its type where absent. */
  halfLifeDays?: number;
  expiresAt?: string;
  validFrom: string;
  validUntil?: string;
  supersededBy?: string;
  review: Review;
  trustFlags: TrustFlag[];
  userVerified: boolean;
  pinned: boolean;
  /** At most 40 characters, for a chip. */
  citationText: string;
  workUnit?: WorkUnit;
  methodology?: string;
  chunk?: Chunk;
  accessCount: number;
  usesSinceCorrection: number;
  lastAccessedAt?: string;
  /** When the thing became known; may lie in the past of an import. */
  createdAt: string;
  /** When Tacit stored it. */
  storedAt: string;
  updatedAt: string;
  forgottenAt?: string;
  /** Why Tacit forgot it by itself; absent when somebody asked. */
  forgottenReason?: ForgottenReason;
  releasedNames?: ReleasedNames;
}

/**
 * One thing worth knowing, as it stands at the moment of looking. Times are ISO 8601 in UTC; what is not set is absent.
 * `confidence` includes what uses without a correction have added, and `halfLifeDays` is that of the type where it has none.
 */
export interface Memory extends Omit<MemoryRecord, "usesSinceCorrection" | "releasedNames"> {
  project: string;
  status: Status;
  /** What is left of the confidence now: it halves with every half-life without use, unless pinned. */
  currentConfidence: number;
  /** What has become of the code it speaks of since it was last found true; absent where nothing speaks against it. */
  drift?: Drift[];
}

/** What has become of something in the code that a memory speaks of. */
export interface Drift {
  /** The file or symbol, where it was. */
  node: string;
  /** `moved`: it is elsewhere, or called otherwise. `doubt`: what the memory says of it may no longer be true. */
  outcome: "moved" | "doubt";
  /** For a person: "`retry(times)` is `retry(times, delayMs)` now". */
  reason: string;
}

/** What `remember` takes. Only `content` is needed. */
export interface MemoryInput {
  content: string;
  /** One of the registered types; an unknown one is kept and treated as a `note`. Default `note`. */
  type?: string;
  data?: Record<string, Json>;
  /** Unique within the project; works wherever an id does. */
  name?: string;
  aliases?: string[];
  tags?: string[];
  /** Relative to the project's root; absolute paths inside it are made so. */
  relatedFiles?: string[];
  relatedModules?: string[];
  /** Default `global`: the whole project. */
  scope?: Scope;
  /** Default `personal`. */
  visibility?: Visibility;
  sessionId?: string;
  agent?: string;
  commit?: string;
  branch?: string;
  /** ISO 8601; default now. */
  createdAt?: string;
  metadata?: Record<string, Json>;
  /** 0 to 1, default 0.8. */
  confidence?: number;
  /** ISO 8601; default by type. */
  expiresAt?: string;
  halfLifeDays?: number;
  pinned?: boolean;
  /** Default `agent_explicit`. */
  source?: Source;
  relations?: Relation[];
  /** The code it hangs on: `src/store.ts`, `src/store.ts#Store.read`. */
  graphNodes?: string[];
  citationText?: string;
  workUnit?: WorkUnit;
  methodology?: string;
  chunk?: Chunk;
}

/** What `revise` may change; lists replace the old ones, `null` takes a value away. */
export interface MemoryChanges {
  content?: string;
  type?: string;
  data?: Record<string, Json> | null;
  name?: string | null;
  tags?: string[];
  relatedFiles?: string[];
  relatedModules?: string[];
  scope?: Scope;
  visibility?: Visibility;
  sessionId?: string | null;
  metadata?: Record<string, Json>;
  confidence?: number;
  expiresAt?: string | null;
  pinned?: boolean;
}

/** A memory that was given a name or another text, the ids of those that lost the name, and what the text contradicts. */
export type NamedMemory = Memory & { takenFrom: string[]; contradicted?: { id: string; why: string }[] };

/** A memory that somebody has reviewed, and what it contradicts: those gave way to it. */
export type ReviewedMemory = Memory & { contradicted?: { id: string; why: string }[] };

/**
 * A memory that was just remembered. `merged` tells that the same text was known already; `evicted` which memories had
 * to make room, where the configuration sets `maxEntries`; `takenFrom` which lost a name that was rebound; `contradicted` in
 * the place of which it is, because it says otherwise, and why. `undo` brings those back.
 */
export type RememberedMemory = Memory & {
  merged: boolean;
  evicted?: Memory[];
  takenFrom?: string[];
  contradicted?: { id: string; why: string }[];
};

/** Narrows `list` and `recall`. Several values of one kind mean any of them, except tags: all of them. */
export interface MemoryFilter {
  type?: string | string[];
  /** The same as `type`. */
  types?: string[];
  /** Leave these types out. */
  excludeTypes?: string[];
  /** Who or what said it. */
  sources?: Source[];
  tags?: string[];
  scope?: Scope | Scope[];
  files?: string[];
  modules?: string[];
  sessionId?: string;
  metadata?: Record<string, Json>;
  /** Created at or after this ISO 8601 time. */
  since?: string;
  /** Created before this ISO 8601 time. */
  until?: string;
  /** Default `active`. */
  status?: Status | Status[] | "any";
  /** Also what a newer memory has replaced. */
  includeSuperseded?: boolean;
  /** Also what came from outside the project and nobody has verified. Default true in `list`, false in `recall`. */
  includeTainted?: boolean;
  /** Also what an agent said that nobody watched, and nobody has verified. Default true. */
  includeUnverified?: boolean;
  /** Leave these out, by their ids or the last 8 characters of them. */
  excludeIds?: string[];
}

export interface PurgeReport {
  purged: number;
  /**
   * `pending` when another process still reads old pages; finished by a later write, close or `doctor`. `server` on a
   * libSQL server: nobody can read it there any more, but what its log and its copies keep is for the server to wipe.
   */
  erasure: "done" | "pending" | "server";
}
