export { openMemory } from "./open-memory.js";
export type { BackupReport, Diagnosis, ListOptions, OpenOptions, ProjectIdentity, TacitMemory } from "./open-memory.js";
export { MemoryError } from "./base/memory-error.js";
export type { MemoryErrorCode } from "./base/memory-error.js";
export { relationKinds, scopes, sources, statuses, visibilities } from "./memory/memory.js";
export type {
  Chunk,
  Memory,
  MemoryChanges,
  MemoryFilter,
  MemoryInput,
  Phase,
  PurgeReport,
  Relation,
  RelationKind,
  RememberedMemory,
  Review,
  Scope,
  Source,
  Status,
  TrustFlag,
  Visibility,
  WorkUnit,
} from "./memory/memory.js";
export type { QueryExplanation, RecallOptions, RecallResult } from "./retrieval/retrieval.js";
export type { Clock, Json } from "./base/base.js";
