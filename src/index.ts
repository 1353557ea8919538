export { openMemory } from "./open-memory.js";
export type { BackupReport, OpenOptions, ProjectIdentity, TacitMemory } from "./open-memory.js";
export type { Check, Diagnosis } from "./diagnose.js";
export { MemoryError, type MemoryErrorCode } from "./base/memory-error.js";
export { neutralise } from "./hygiene/hygiene.js";
export type { ListQuery as ListOptions } from "./memory/memory-queries.js";
export { memoryType, memoryTypes, type MemoryType } from "./memory/memory-types.js";
export { scopes, statuses, visibilities } from "./memory/memory.js";
export type {
  Memory,
  MemoryChanges,
  MemoryFilter,
  MemoryInput,
  Phase,
  PurgeReport,
  Relation,
  RememberedMemory,
  Scope,
  Source,
  Status,
  TrustFlag,
  Visibility,
} from "./memory/memory.js";
export type { ProjectSummary } from "./memory/projects.js";
export type { QueryExplanation, RecallOptions, RecallResult } from "./retrieval/retrieval.js";
