import type { ZodType } from "zod";
import type { Phase, Scope } from "../memory.js";

/**
 * Everything that Tacit knows about a type of memory. Decay, scoring, packing, chips and the command line's help all
 * read it here, and nowhere else. Further types come from `defineMemoryTypes`.
 */
export interface MemoryType {
  type: string;
  /** For people, on chips and in lists. */
  label: string;
  /** One line that completes "a memory that …". */
  purpose: string;
  /** How it is shown: `warn` for traps, `stop` for what failed, `plain` for the rest. */
  tone: "plain" | "warn" | "stop";
  /** Confidence halves in this many days without use; absent: never. */
  halfLifeDays?: number;
  /** Gone by itself: after so many days from when Tacit stored it, or at the end of the user's day. */
  expires?: { days: number } | { endOfDayInScope: Scope };
  /** How much it counts in a phase; 1 where absent. */
  weights: Partial<Record<Phase, number>>;
  /** Its share of what is told in a phase; the rest shares what is left. */
  shares: Partial<Record<Phase, number>>;
  /** Never merged with the same text, never linked as similar: each one is an event. */
  everyOneCounts?: true;
  /** Loads the schema of its structured data; absent: any object. Lazy, because zod takes 50 ms to load. */
  loadSchema?: () => Promise<ZodType>;
}

const schemas = () => import("./memory-data.js");

/** The types that every process knows. With those that were defined here: `listMemoryTypes`. */
export const memoryTypes: readonly MemoryType[] = [
  {
    type: "gotcha",
    label: "Gotcha",
    purpose: "names a trap or a constraint that is not obvious",
    tone: "warn",
    halfLifeDays: 60,
    weights: { define: 0.8, implement: 1.4, refine: 1.2 },
    shares: { implement: 0.3, refine: 0.25 },
  },
  {
    type: "decision",
    label: "Decision",
    purpose: "records what was decided, and why",
    tone: "plain",
    weights: { define: 1.1, explore: 1.2 },
    shares: { define: 0.2, explore: 0.25 },
  },
  {
    type: "preference",
    label: "Preference",
    purpose: "says how somebody likes things done",
    tone: "plain",
    weights: {},
    shares: {},
  },
  {
    type: "pattern",
    label: "Pattern",
    purpose: "shows a way of building that this project repeats",
    tone: "plain",
    weights: { implement: 1.1, refine: 1, explore: 1.1 },
    shares: { implement: 0.15, refine: 0.15, explore: 0.2 },
  },
  {
    type: "requirement",
    label: "Requirement",
    purpose: "states what the software must do or be",
    tone: "plain",
    weights: { define: 1.2, validate: 1.2 },
    shares: { define: 0.2, validate: 0.25 },
  },
  {
    type: "error_pattern",
    label: "Error pattern",
    purpose: "describes an error that comes back, and its fix",
    tone: "warn",
    halfLifeDays: 60,
    weights: { define: 0.8, implement: 1.3, validate: 1.4, refine: 1.3 },
    shares: { implement: 0.25, validate: 0.3, refine: 0.35 },
  },
  {
    type: "module_insight",
    label: "Module insight",
    purpose: "explains what a module is for and how it works",
    tone: "plain",
    halfLifeDays: 90,
    weights: { explore: 1.4 },
    shares: { explore: 0.4 },
  },
  {
    type: "prefetch_pattern",
    label: "Prefetch pattern",
    purpose: "lists files that are read together",
    tone: "plain",
    weights: { implement: 1.1 },
    shares: {},
    loadSchema: async () => (await schemas()).prefetchPattern,
  },
  {
    type: "work_state",
    label: "Work state",
    purpose: "tells where unfinished work stands",
    tone: "plain",
    halfLifeDays: 7,
    weights: {},
    shares: {},
  },
  {
    type: "causal_dependency",
    label: "Causal dependency",
    purpose: "says that one file must change when another does",
    tone: "warn",
    halfLifeDays: 120,
    weights: { implement: 1.2, explore: 1 },
    shares: { implement: 0.15, explore: 0.15 },
  },
  {
    type: "task_calibration",
    label: "Task calibration",
    purpose: "compares planned and actual effort in a module",
    tone: "plain",
    halfLifeDays: 180,
    weights: { define: 1.1, reflect: 1.3 },
    shares: { define: 0.1, reflect: 0.35 },
    loadSchema: async () => (await schemas()).taskCalibration,
  },
  {
    type: "e2e_observation",
    label: "End-to-end observation",
    purpose: "records how the running user interface behaves",
    tone: "plain",
    halfLifeDays: 30,
    weights: { validate: 1.4 },
    shares: { validate: 0.25 },
    loadSchema: async () => (await schemas()).e2eObservation,
  },
  {
    type: "dead_end",
    label: "Dead end",
    purpose: "warns of an approach that was tried and failed",
    tone: "stop",
    halfLifeDays: 90,
    weights: { define: 1.2, implement: 1.2, refine: 1.2, reflect: 1.1 },
    shares: { define: 0.15, implement: 0.1, refine: 0.2, reflect: 0.15 },
    loadSchema: async () => (await schemas()).deadEnd,
  },
  {
    type: "work_unit_outcome",
    label: "Outcome",
    purpose: "tells how a piece of work ended",
    tone: "plain",
    weights: { validate: 1.1, reflect: 1.4 },
    shares: { validate: 0.15, reflect: 0.4 },
  },
  {
    type: "workflow_recipe",
    label: "Recipe",
    purpose: "gives the steps of a task that comes back",
    tone: "plain",
    halfLifeDays: 120,
    weights: { define: 1.4 },
    shares: { define: 0.3 },
    loadSchema: async () => (await schemas()).workflowRecipe,
  },
  {
    type: "context_cost",
    label: "Context cost",
    purpose: "measures how many tokens a module takes to understand",
    tone: "plain",
    weights: {},
    shares: {},
  },
  {
    type: "convention",
    label: "Convention",
    purpose: "states a rule that this project follows",
    tone: "plain",
    weights: {},
    shares: {},
  },
  {
    type: "context",
    label: "Context",
    purpose: "gives background: of the project, or of this session until the day ends",
    tone: "plain",
    expires: { endOfDayInScope: "session" },
    weights: {},
    shares: {},
  },
  {
    type: "fact",
    label: "Fact",
    purpose: "holds something verified that stays true",
    tone: "plain",
    weights: {},
    shares: {},
  },
  {
    type: "conversation",
    label: "Conversation",
    purpose: "is one turn of what was said",
    tone: "plain",
    expires: { days: 30 },
    weights: {},
    shares: {},
    everyOneCounts: true,
  },
  {
    type: "note",
    label: "Note",
    purpose: "is worth keeping and is none of the others",
    tone: "plain",
    weights: {},
    shares: {},
  },
  {
    type: "archive",
    label: "Archive",
    purpose: "sums up a stretch of conversation that was compacted",
    tone: "plain",
    weights: {},
    shares: {},
    everyOneCounts: true,
  },
];

const builtIn = new Map(memoryTypes.map((entry) => [entry.type, entry]));
const note = builtIn.get("note") as MemoryType;
/** The types that this process was told of. Only `defineMemoryTypes` adds to them. */
export const customTypes = new Map<string, MemoryType>();

/** Small letters, digits and _, so that a type can stand in a flag, in SQL and in a file as it is. */
export const typeNames = /^[a-z][a-z0-9_]{0,63}$/;

/** What is known about a type. One that nobody told this process of is treated as a note, under its own name. */
export function memoryType(type: string): MemoryType {
  return builtIn.get(type) ?? customTypes.get(type) ?? { ...note, type, label: type };
}

/** Every type that is known here and now: those of Tacit, then those that were defined in this process. */
export function listMemoryTypes(): MemoryType[] {
  return [...memoryTypes, ...customTypes.values()];
}

/** Whether every process knows the type. */
export function isBuiltIn(type: string): boolean {
  return builtIn.has(type);
}

/** In how many days confidence halves in every memory of the type. Undefined for a custom type: see `stampedHalfLife`. */
export function typeHalfLife(type: string): number | undefined {
  return builtIn.get(type)?.halfLifeDays;
}

/**
 * The half-life that a memory of a custom type gets as its own when it is kept. The next process may not know the type, and
 * a memory fades the same way for whoever looks at it.
 */
export function stampedHalfLife(type: string): number | undefined {
  return customTypes.get(type)?.halfLifeDays;
}

/** However many types plug-ins bring, half of what is told stays for what every project has. */
const maxOfCustom = 0.5;

/**
 * The share of each type in a phase, at most 1 in all. A custom type gets what it asks for, all of them together at most a
 * half, and the others share the rest in their own proportions.
 */
export function listShares(phase: Phase): [type: string, share: number][] {
  const asked = [...customTypes.values()].reduce((sum, { shares }) => sum + (shares[phase] ?? 0), 0);
  const given = Math.min(asked, maxOfCustom);
  return listMemoryTypes().map(({ type, shares: { [phase]: share = 0 } }) => [
    type,
    share === 0 ? 0 : share * (builtIn.has(type) ? 1 - given : given / asked),
  ]);
}
