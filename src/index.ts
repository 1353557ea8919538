export { openMemory } from "./api/api.js";
export type {
  AcceptOptions,
  BackupReport,
  MemoryCode,
  MemoryExchange,
  MemoryProjects,
  MemoryReview,
  MemorySessions,
  MemoryStore,
  OpenOptions,
  ProjectIdentity,
  Stats,
  TacitMemory,
} from "./api/api.js";
export type { Caller } from "./base/actor.js";
export type { Json } from "./base/base.js";
export type { ConceptKind } from "./base/ids/ids.js";
export { MemoryError, type MemoryErrorCode } from "./base/memory-error.js";
export type {
  CodeAnswer,
  CodeImpact,
  CodeState,
  ImpactConcept,
  IndexCodeOptions,
  IndexReport,
  RecallCodeOptions,
  RepositoryMap,
  RepositoryMapOptions,
  WatchCodeOptions,
} from "./code-memory/code-memory.js";
export type {
  Concept,
  ConceptPlace,
  Concepts,
  ConceptSummary,
  StateConceptOptions,
} from "./code-memory/concepts/concept.js";
export type { StaleReport, VerifyStaleOptions } from "./code-memory/drift/verify-stale.js";
export type {
  DescribedModules,
  DescribeModulesOptions,
  Describing,
  ModuleDigest,
  ModuleList,
  ModuleOptions,
  ModuleSummary,
} from "./code-memory/modules/module.js";
export type {
  AffectedTest,
  CodeOverview,
  Dependent,
  ImpactOptions,
  Unresolved as UnresolvedCalls,
} from "./codegraph/ask/ask.js";
export type { ChunkType, EmbedChunksOptions, EmbedChunksReport } from "./codegraph/chunks/chunks.js";
export type {
  CodeEdge,
  CodeNode,
  ConceptEdgeKind,
  EdgeKind,
  EdgeSource,
  MeaningKind,
  NodeKind,
  SymbolKind,
  Tier,
} from "./codegraph/codegraph.js";
export type { ExportGraphOptions, GraphFormatName } from "./codegraph/export/export.js";
export type { IndexProgress, Watching } from "./codegraph/indexing/indexing.js";
export type { MappedFile } from "./codegraph/map/map.js";
export type {
  EntryPoint,
  Flow,
  Purpose as ModulePurpose,
  Section as ModuleSection,
} from "./codegraph/modules/modules.js";
export type { ScipReport } from "./codegraph/scip/scip.js";
export type { CodeHit } from "./codegraph/search/search.js";
export type { Moves as CodeMoves } from "./codegraph/tree/tree.js";
export { sessionTypes, type Owner as SettingOwner, type SessionType } from "./config/config.js";
export type { IgnoreSetting, SettingName, Settings } from "./config/config.js";
export type { Config, Origin } from "./config/read-config.js";
export type { EffectiveConfig } from "./project/settings/effective-settings.js";
export {
  getSetting,
  settings,
  type Setting,
  type SettingValue,
  type ValueSchema as SettingSchema,
  type ValueType as SettingType,
} from "./config/settings.js";
export type { CompactOptions } from "./conversation/archive/archive.js";
export type { ConsolidateOptions } from "./conversation/consolidation/consolidation.js";
export type { ContextOptions, StoredContext } from "./conversation/context/context.js";
export type {
  ContextDetails,
  Conversation,
  ConversationOptions,
  ConversationSummary,
  FactDetails,
  MemoryConversations,
  SaidDetails,
} from "./conversation/conversation-verbs.js";
export {
  roles,
  type Compaction,
  type Consolidation,
  type ConsolidationReason,
  type ConversationState,
  type Marker,
  type MemoryFile,
  type Message,
  type PromptFn,
  type Replay,
  type Role,
  type Turn,
  type TurnInput,
  type Window,
  type WindowOptions,
} from "./conversation/conversation.js";
export type { ImportConversationOptions, ImportedConversation, ImportedSession } from "./conversation/import/import.js";
export type { TurnQuery } from "./conversation/turns/turns.js";
export type { Check, Diagnosis } from "./doctor/doctor.js";
export type { EmbedOptions, EmbedReport } from "./embedding/embed/embed.js";
export type { Embedder, EmbeddingKind, EmbeddingStatus } from "./embedding/embedding.js";
export type {
  ChromaExportOptions,
  ChromaExportReport,
  ChromaImportOptions,
  ChromaImportReport,
} from "./exchange/chroma/chroma-options.js";
export type {
  ExportFormat,
  ExportOptions,
  ExportReport,
  ImportOptions,
  ImportReport,
  SharedChanges,
  SharedWaiting,
  ShareOptions,
  ShareProblem,
  ShareReport,
} from "./exchange/exchange.js";
export type {
  LearnedFacts,
  LearnedProject,
  LearnProjectOptions,
  ProjectFact,
  RuleFile,
} from "./exchange/project-files/project-facts.js";
export { neutralise } from "./hygiene/neutralise.js";
export type {
  CalibratedStepLimit,
  MemoryBuilds,
  PlannerContext,
  PlannerQuery,
  QaQuery,
  Recipe,
  RelayQuery,
  SavedWork,
  StepLimit,
  StepLimitQuery,
  UnfinishedWork,
  WorkPlace,
  WorkStateInput,
} from "./injection/build/build.js";
export type {
  Injection,
  InjectionMode,
  InjectionPoint,
  InjectedMemory,
  InjectOptions,
  Moment,
  StepTrigger,
} from "./injection/injection.js";
export { quoteForModel, type ListedMemory, type Quoted, type QuoteOptions } from "./injection/quote/quote.js";
export type { Use as MemoryUse } from "./injection/record/record.js";
export type { InjectionFigures, InjectionHistory, InjectionTotals, SessionSummary } from "./injection/report/report.js";
export type { SessionContextQuery } from "./injection/session-context.js";
export type { GenerateRequest, LanguageModel } from "./language-model/language-model.js";
export type { ModelCalls } from "./language-model/model-ledger.js";
export type { DamagedMemoryText } from "./memory/damage/damage.js";
export type { PendingReview, RenameOptions, ReviseOptions, StatedRelation, UndoOptions } from "./memory/edit/edit.js";
export type { ChangeVerb, HistoryEntry } from "./memory/history/history.js";
export { relationKinds, scopes, statuses, visibilities } from "./memory/memory.js";
export type {
  Chunk as MemoryChunk,
  Drift,
  ForgottenReason,
  Memory,
  MemoryChanges,
  MemoryFilter,
  MemoryInput,
  NamedMemory,
  Phase,
  PurgeReport,
  Relation,
  RelationKind,
  RememberedMemory,
  ReviewedMemory,
  Review,
  Scope,
  Source,
  Status,
  TrustFlag,
  Visibility,
  WorkUnit,
} from "./memory/memory.js";
export type { ListQuery as ListOptions } from "./memory/read/read.js";
export type { PruneReport, PurgeTarget } from "./memory/retention/retention.js";
export {
  listMemoryTypes,
  memoryType,
  memoryTypes,
  type CustomMemoryType,
  type MemoryType,
} from "./memory/type-registry/type-registry.js";
export type { BindOptions } from "./memory/write/write.js";
export type {
  MethodologyPlugin,
  PluginMemory,
  RelayTransition,
  WorkContext,
  WorkState,
  WorkUnitResult,
} from "./methodology/methodology.js";
export type { SessionRecord } from "./observer/cross-session/cross-session.js";
export type {
  AgentEvent,
  Deed,
  EvidenceItem,
  Happening,
  Outcome,
  QaIssue,
  SignalName,
  UntrustedSource,
} from "./observer/observer.js";
export type { LearnedReport } from "./observer/promotion/promotion.js";
export type { Evidence } from "./observer/review/review.js";
export type { Acute } from "./observer/scratchpad/scratchpad.js";
export type { SynthesisReport } from "./observer/synthesis/synthesis.js";
export type { FoundTranscript, TranscriptReport } from "./observer/transcripts/transcripts.js";
export type { ProjectSummary } from "./project/project.js";
export type { CodeGraph } from "./retrieval/candidates/code-graph.js";
export type { Packed, PackOptions } from "./retrieval/packing/pack.js";
export type { RecallCounts } from "./retrieval/recall-counter.js";
export type { Reranker } from "./retrieval/rerankers/open-reranker.js";
export type {
  Explanation,
  HeldBack,
  Path as RecallPath,
  QueryExplanation,
  QueryKind,
  RecallMode,
  RecallOptions,
  RecallReport,
  RecallResult,
  Weights,
} from "./retrieval/retrieval.js";
export { searchToForget } from "./retrieval/search-to-forget.js";
export type { FinishSessionOptions, ReplayOptions, ReplayReport } from "./session/session.js";
