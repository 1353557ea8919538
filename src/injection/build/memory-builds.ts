import type { PlannerContext, PlannerQuery } from "./planner-context.js";
import type { QaQuery } from "./qa-context.js";
import type { RelayQuery } from "./relay.js";
import type { CalibratedStepLimit, StepLimitQuery } from "./step-limit.js";
import type { UnfinishedWork, WorkPlace, WorkStateInput } from "./work-state.js";
import type { InjectOptions, Injection } from "../injection.js";
import type { Memory, Phase, WorkUnit } from "../../memory/memory.js";
import type { MethodologyPlugin, WorkContext } from "../../methodology/methodology.js";

/** What the roles of a build need. `methodology` is the id of one; absent: `native`. */
export interface MemoryBuilds {
  /** What a planner should know, and what follows: constraints, files to add, how many steps more than planned. */
  plannerContext(query: PlannerQuery, options?: InjectOptions): Promise<PlannerContext>;
  /** What a reviewer should know before the first call. */
  qaContext(query?: QaQuery, options?: InjectOptions): Promise<Injection>;
  /** What one role has recorded, for the next. */
  relay(query: Omit<RelayQuery, "methodology"> & { methodology?: string }, options?: InjectOptions): Promise<Injection>;
  /** How many steps an agent may take, by what such work has taken so far: at most twice as many as planned. */
  stepLimit(query: StepLimitQuery, options?: InjectOptions): Promise<CalibratedStepLimit>;
  /**
   * Keeps where unfinished work stands; undefined where the state says nothing. Of a session that nobody watches it is kept
   * unverified: it is told to nobody by itself, and takes the place of nothing that is trusted.
   */
  saveWorkState(input: SavedWork): Promise<Memory | undefined>;
  /**
   * Where unfinished work stands, and how that reads; undefined where there is none. With the session that asks, it is noted
   * as told there and is not told once more.
   */
  findWorkState(place?: WorkPlace & { methodology?: string; sessionId?: string }): Promise<UnfinishedWork | undefined>;
  /** The work is done: what was kept of it speaks no more. */
  closeWorkState(place?: WorkPlace): Promise<Memory[]>;
  /** Which phase a word of a methodology means. */
  phaseOf(methodologyPhase: string, methodology?: string): Promise<Phase>;
  /** The piece of work that an agent is at, as its methodology calls it. */
  workUnitOf(context: WorkContext, methodology?: string): Promise<WorkUnit>;
  /** The ways of working that are known here, `native` first. */
  methodologies(): Promise<MethodologyPlugin[]>;
}

/** The state itself, or what the agent said at last, of which the methodology makes one. */
export type SavedWork = Omit<WorkStateInput, "methodology" | "state"> & {
  methodology?: string;
} & ({ state: WorkStateInput["state"] } | { said: string });
