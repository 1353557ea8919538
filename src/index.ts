export { openMemory } from "./api/api.js";
export type {
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
export type {
  CodeAnswer,
  CodeImpact,
  CodeState,
  ImpactConcept,
  IndexCodeOptions,
  IndexReport,
  RepositoryMap,
  RepositoryMapOptions,
  WatchCodeOptions,
} from "./code-memory/code-memory.js";
export type { ConceptKind } from "./base/ids/ids.js";
export type {
  Concept,
  ConceptPlace,
  Concepts,
  ConceptSummary,
  StateConceptOptions,
} from "./code-memory/concepts/concept.js";
export type { ScipReport } from "./codegraph/scip/scip.js";
export type { CodeOverview } from "./codegraph/ask/ask.js";
export type { EntryPoint, Flow } from "./codegraph/modules/modules.js";
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
  CodeEdge,
  CodeNode,
  ConceptEdgeKind,
  EdgeKind,
  EdgeSource,
  MeaningKind,
  NodeKind,
  Tier,
} from "./codegraph/codegraph.js";
export type { Check, Diagnosis } from "./doctor/doctor.js";
export { MemoryError, type MemoryErrorCode } from "./base/memory-error.js";
export type { Config, Origin } from "./config/read-config.js";
export { getSetting, settings, type Setting } from "./config/settings.js";
export type { SettingName, Settings } from "./config/config.js";
export type {
  ExportFormat,
  ExportOptions,
  ExportReport,
  ImportOptions,
  ImportReport,
  SharedChanges,
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
export type { ListQuery as ListOptions } from "./memory/read/read.js";
export { listMemoryTypes, memoryType, memoryTypes, type MemoryType } from "./memory/type-registry/type-registry.js";
export { relationKinds, scopes, statuses, visibilities } from "./memory/memory.js";
export type { HistoryEntry } from "./memory/history/history.js";
export type { ChangeVerb } from "./memory/history/history.js";
export type { BindOptions } from "./memory/write/write.js";
export type { PendingReview } from "./memory/edit/edit.js";
export type { PruneReport } from "./memory/retention/retention.js";
export type { PurgeTarget } from "./memory/retention/retention.js";
export type { StatedRelation } from "./memory/edit/edit.js";
export type { RenameOptions } from "./memory/edit/edit.js";
export type { ReviseOptions } from "./memory/edit/edit.js";
export type { UndoOptions } from "./memory/edit/edit.js";
export type {
  Drift,
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
  Scope,
  Source,
  Status,
  TrustFlag,
  Visibility,
} from "./memory/memory.js";
export type { ProjectSummary } from "./project/project.js";
export type { Embedder, EmbeddingKind, EmbeddingStatus } from "./embedding/embedding.js";
export type { EmbedOptions, EmbedReport } from "./embedding/embed/embed.js";
export type { GenerateRequest, LanguageModel } from "./language-model/language-model.js";
export type { FinishSessionOptions, ReplayOptions, ReplayReport } from "./session/session.js";
export { sessionTypes, type SessionType } from "./config/config.js";
export type { SessionRecord } from "./observer/cross-session/cross-session.js";
export type { FoundTranscript } from "./observer/transcripts/transcripts.js";
export type { AgentEvent, Deed, Outcome, QaIssue } from "./observer/observer.js";
export type { Evidence } from "./observer/review/review.js";
export type { LearnedReport } from "./observer/promotion/promotion.js";
export type { Acute } from "./observer/scratchpad/scratchpad.js";
export type { SynthesisReport } from "./observer/synthesis/synthesis.js";
export type { CodeGraph } from "./retrieval/candidates/code-graph.js";
export type { Packed, PackOptions } from "./retrieval/packing/pack.js";
export type { Reranker } from "./retrieval/rerankers/open-reranker.js";
export { searchToForget } from "./retrieval/search-to-forget.js";
export type {
  Explanation,
  HeldBack,
  QueryExplanation,
  QueryKind,
  RecallMode,
  RecallOptions,
  RecallReport,
  RecallResult,
  Weights,
} from "./retrieval/retrieval.js";
export { quoteForModel, type Quoted, type QuoteOptions } from "./injection/quote/quote.js";
export type { MemoryBuilds, SavedWork } from "./injection/build/build.js";
export type {
  ContextDetails,
  Conversation,
  ConversationOptions,
  ConversationSummary,
  FactDetails,
  MemoryConversations,
  SaidDetails,
} from "./conversation/conversation-verbs.js";
export type { CompactOptions } from "./conversation/archive/archive.js";
export type { ConsolidateOptions } from "./conversation/consolidation/consolidation.js";
export type { ContextOptions } from "./conversation/context/context.js";
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
export type { ImportConversationOptions, ImportedConversation } from "./conversation/import/import.js";
export type { TurnQuery } from "./conversation/turns/turns.js";
export type {
  Injection,
  InjectionMode,
  InjectionPoint,
  InjectedMemory,
  InjectOptions,
  Moment,
  StepTrigger,
} from "./injection/injection.js";
export type { PlannerContext, PlannerQuery } from "./injection/build/build.js";
export type { QaQuery } from "./injection/build/build.js";
export type { RelayQuery } from "./injection/build/build.js";
export type { CalibratedStepLimit, StepLimitQuery } from "./injection/build/build.js";
export type { UnfinishedWork, WorkPlace } from "./injection/build/build.js";
export type { ListedMemory } from "./injection/quote/quote.js";
export type { SessionSummary } from "./injection/report/report.js";
export type { SessionContextQuery } from "./injection/session-context.js";
export type { CustomMemoryType } from "./memory/type-registry/type-registry.js";
export type {
  MethodologyPlugin,
  RelayTransition,
  WorkContext,
  WorkState,
  WorkUnitResult,
} from "./methodology/methodology.js";
export type {
  ChromaExportOptions,
  ChromaExportReport,
  ChromaImportOptions,
  ChromaImportReport,
} from "./exchange/chroma/chroma-options.js";
export type { StaleReport, VerifyStaleOptions } from "./code-memory/drift/verify-stale.js";
