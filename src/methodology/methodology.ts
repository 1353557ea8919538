/**
 * methodology: how a team works, as far as memory has to know: which phase its words mean, what its pieces of work are called,
 * who hands over to whom, and how unfinished work is told. `native` is built in; others come as plug-ins of the program.
 *
 * A plug-in is somebody else's code. The room refuses one that lacks something, and refuses to let one that fails break the
 * agent. It refuses to recall, to inject and to keep anything by itself.
 */
import type { Json } from "../base/base.js";
import type { CustomMemoryType } from "../memory/type-registry/type-registry.js";
import type { Memory, MemoryFilter, MemoryInput, Phase, WorkUnit } from "../memory/memory.js";

/** A way of working. Methods without `Promise` answer at once, while an agent waits. */
export interface MethodologyPlugin {
  /** Small letters, digits, - and _; stands in the field `methodology` of memories. */
  readonly id: string;
  /** For people. */
  readonly displayName: string;
  /** Which of the six phases one of its own means. Must answer for any text. */
  mapPhase(methodologyPhase: string): Phase;
  /** The piece of work that an agent is at. Its `methodology` becomes the plug-in's id, whatever it says. */
  resolveWorkUnitRef(context: WorkContext): WorkUnit;
  /** Who hands over to whom, and what of it goes along. */
  getRelayTransitions(): readonly RelayTransition[];
  /**
   * What the next stage gets to know, as text. It is quoted before a model sees it. Each memory given is counted as told: who
   * calls gives as many as fit.
   */
  formatRelayContext(memories: readonly Memory[], toStage: string): string;
  /** What is done and what is left, by what an agent said at last. An empty object where it says nothing of the kind. */
  extractWorkState(sessionOutput: string): Promise<WorkState>;
  /** The same for the next session, as text. */
  formatWorkStateContext(state: WorkState): string;
  /** Types of memories that only this way of working has. */
  readonly customMemoryTypes?: readonly CustomMemoryType[];
  /** Told when a piece of work has succeeded or failed; may remember something of it. */
  onWorkUnitComplete?(context: WorkContext, result: WorkUnitResult, memory: PluginMemory): Promise<void>;
}

/** What is known of the work that an agent is at. */
export interface WorkContext {
  sessionId?: string;
  agentId?: string;
  /** The unit, where somebody has named it already. */
  unit?: WorkUnit;
  /** Numbers of the methodology `native`. */
  specNumber?: string;
  subtaskId?: string;
  /** What other methodologies count by, such as an epic, a story or a cycle. */
  details?: Readonly<Record<string, Json>>;
}

/** One role hands over to another. Without a filter everything that it recorded goes along. */
export interface RelayTransition {
  from: string;
  to: string;
  filter?: { types?: readonly string[] };
}

/** Where unfinished work stands: kept as the data of a memory of the type `work_state`. */
export type WorkState = Record<string, Json>;

export interface WorkUnitResult {
  state: "succeeded" | "failed";
  summary?: string;
  plannedSteps?: number;
}

/** What a plug-in may do with the memory of the project. A `TacitMemory` is one. */
export interface PluginMemory {
  remember: (input: MemoryInput) => Promise<Memory>;
  list: (query?: MemoryFilter & { limit?: number }) => Promise<Memory[]>;
  recall: (
    question: string,
    options?: MemoryFilter & { limit?: number; phase?: Phase },
  ) => Promise<{ memory: Memory; score: number }[]>;
}

/** The ways of working that this process knows. None of their methods throws. */
export interface Methodologies {
  /** By its id, `native` where none is given. Throws for one that nobody brought, naming those that are there. */
  get: (id?: string) => MethodologyPlugin;
  find: (id: string) => MethodologyPlugin | undefined;
  /** `native` first. */
  list: () => MethodologyPlugin[];
  /** What plug-ins did wrong, for a person: each once. */
  notes: () => string[];
}
