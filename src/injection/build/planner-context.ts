import { stems } from "../../base/text/text.js";
import type { Memory } from "../../memory/memory.js";
import { recall } from "../../retrieval/recall.js";
import { emptyInjection, type Choice, type InjectOptions, type Injection, type InjectionPorts } from "../injection.js";
import { recipientIn } from "../eligibility/is-eligible.js";
import { recallEligible, type Ask } from "../selection/recall-eligible.js";
import { findAbout, type KnownAbout } from "./find-about.js";
import { constraintsFrom, recipeFrom, scopeFrom, type Recipe } from "./plan-from.js";
import { stepFactor } from "./step-limit.js";
import { ifInjectionEnabled, injectBuild } from "./inject-build.js";

export interface PlannerQuery {
  /** What is to be planned. */
  task?: string;
  /** Where it will be done. Found from the task where neither these nor files are given. */
  modules?: readonly string[];
  /** Absolute, or relative to the root. */
  files?: readonly string[];
  /** The planner's own session: what it was told before is not told again, and this is noted. */
  sessionId?: string;
  /** Count only calibrations of this way of working. */
  methodology?: string;
}

/** What a planner should know, and what follows from it. The latter also where the session was told the memories before. */
export interface PlannerContext extends Injection {
  /** What must not be tried again, from dead ends: to be written into the plan. */
  constraints: string[];
  /** Files to add to the plan, because they change with those in play. */
  scope: string[];
  /** How many times as many steps as planned such work takes; absent where nothing is known. */
  stepFactor?: number;
  recipes: Recipe[];
}

// The first design: how many of each. In this order where there is room for few.
const counts = { dead_end: 8, causal_dependency: 10, task_calibration: 5, work_unit_outcome: 5 };
const recipeCount = 2;

/**
 * What a planner should know before it plans: what failed before, what hangs together, how long such work takes and how it
 * ended, and recipes for tasks of this kind. About a task of which nothing is known it says nothing.
 *
 * @example
 * const { text, constraints, scope } = await plannerContext(ports, { task: "Add a cache to src/store/read.ts" });
 */
export async function plannerContext(
  given: InjectionPorts,
  query: PlannerQuery,
  options: InjectOptions = {},
): Promise<PlannerContext> {
  const nothing: PlannerContext = { ...emptyInjection("planner"), constraints: [], scope: [], recipes: [] };
  return ifInjectionEnabled(given, options, nothing, async (ports, asked) => {
    const { minConfidence } = asked;
    const about = await findAbout(ports, query, { types: Object.keys(counts), minConfidence });
    const recipes = await findRecipes(ports, query, minConfidence);
    const ofType = (type: keyof typeof counts) => firstOf(about.memories, type);
    const { factor } = stepFactor(ofType("task_calibration"), { ...about, methodology: query.methodology });
    const plan = {
      constraints: constraintsFrom(ofType("dead_end")),
      scope: scopeFrom(ofType("causal_dependency"), about),
      ...(factor !== undefined && { stepFactor: factor }),
      recipes: recipes.map(recipeFrom).filter((recipe) => recipe !== undefined),
    };
    const telling = {
      choices: listChoices(about, recipes),
      remarks: remarksOn(plan),
      sessionId: query.sessionId,
    };
    const told = await injectBuild(ports, "planner", telling, asked);
    return told.isLate ? { ...nothing, isLate: true } : { ...told, ...plan };
  });
}

/** The first of a type: of outcomes the newest, of anything else the nearest and surest. */
function firstOf(memories: readonly Memory[], type: keyof typeof counts): Memory[] {
  const all = memories.filter((memory) => memory.type === type);
  if (type === "work_unit_outcome") all.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return all.slice(0, counts[type]);
}

// Chosen, not measured: with two words of six in common, both may be about anything in the same code.
const leastOfPattern = 0.6;

/** Recipes for tasks of this kind: the task has most of the words that their own tasks had in common. */
async function findRecipes(
  { context, recall: ports }: InjectionPorts,
  { task = "", sessionId }: PlannerQuery,
  minConfidence: number,
): Promise<Memory[]> {
  if (task.trim() === "") return [];
  const ask: Ask = async (options) => (await recall(context, ports, task, options)).results;
  const listener = await recipientIn(context, { minConfidence }, { sessionId });
  const results = await recallEligible(ask, { types: ["workflow_recipe"], limit: 10 }, listener);
  const words = stems(task);
  return results
    .map(({ memory }) => memory)
    .filter(({ data, content }) => {
      const pattern = [...stems(typeof data?.["taskPattern"] === "string" ? data["taskPattern"] : content)];
      return pattern.length > 0 && pattern.filter((word) => words.has(word)).length / pattern.length >= leastOfPattern;
    })
    .slice(0, recipeCount);
}

/** The first of each type before the second of any, so that a small budget leaves none of them out. */
function listChoices(about: KnownAbout, recipes: readonly Memory[]): Choice[] {
  const where =
    about.modules
      .filter((module) => module !== ".")
      .slice(0, 3)
      .join(", ") || "the task";
  const lists = [
    { memories: recipes, why: "It is a way in which tasks of this kind were done." },
    ...(Object.keys(counts) as (keyof typeof counts)[]).map((type) => ({
      memories: firstOf(about.memories, type),
      why: whys[type](where),
    })),
  ];
  return lists.flatMap(({ memories, why }, list) =>
    memories.map((memory, index) => ({ memory, why, worth: -(index * lists.length + list) })),
  );
}

const whys: Record<keyof typeof counts, (where: string) => string> = {
  dead_end: (where) => `It failed before in ${where}, which is to be planned.`,
  causal_dependency: (where) => `It changes with ${where}, which is to be planned.`,
  task_calibration: (where) => `It tells how long work in ${where} takes.`,
  work_unit_outcome: (where) => `It tells how earlier work in ${where} ended.`,
};

function remarksOn({ scope, stepFactor: factor }: Pick<PlannerContext, "scope" | "stepFactor">): string[] {
  return [
    ...(scope.length > 0 ? [`These files changed with those in question before: ${scope.join(", ")}.`] : []),
    ...(factor === undefined ? [] : [`Work here took ${factor} times as many steps as were planned.`]),
  ];
}
