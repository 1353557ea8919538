import type { MemoryContext } from "../../memory/change/change.js";
import type { Caller } from "../../base/actor.js";
import { MemoryError } from "../../base/memory-error.js";
import type { MemoryBuilds } from "./memory-builds.js";
import type { SourceTrust } from "../../observer/trust/trust.js";
import type { InjectionPorts } from "../injection.js";
import type { Methodologies, MethodologyPlugin } from "../../methodology/methodology.js";

/** The ways of working of a memory. The plug-ins of a program are looked at before anything else happens. */
export async function methodologyLoader(plugins: MethodologyPlugin[] | undefined): Promise<() => Promise<Methodologies>> {
  let known: Promise<Methodologies> | undefined;
  const open = () =>
    (known ??= import("../../methodology/open-methodologies.js").then(({ openMethodologies }) =>
      openMethodologies(plugins),
    ));
  if (plugins !== undefined) await open();
  return open;
}

export interface OpenBuilds {
  /** How far a work state is trusted depends on the caller. */
  verbsFor: (caller: Caller) => MemoryBuilds;
}

/** Gives the roles of a build what they should know. Loads nothing before it is asked. */
export function openBuilds(
  opened: MemoryContext,
  ports: () => InjectionPorts,
  ways: () => Promise<Methodologies>,
  /** Whether what an agent says in a session may be trusted. */
  judgeAgent: SourceTrust["judgeAgent"],
): OpenBuilds {
  const way = async (id: string | undefined) => (await ways()).get(id);
  const states = () => import("./work-state.js");
  const verbsFor = (caller: Caller): MemoryBuilds => bindBuilds({ ...opened, actor: caller }, caller);
  const bindBuilds = (context: MemoryContext, caller: Caller): MemoryBuilds => ({
    plannerContext: async (query, options) =>
      (await import("./planner-context.js")).plannerContext(ports(), named("plannerContext", query), options),
    qaContext: async (query, options) => (await import("./qa-context.js")).qaContext(ports(), query, options),
    relay: async (given, options) => {
      const { methodology, ...query } = named("relay", given);
      const { relay } = await import("./relay.js");
      return relay(ports(), { ...query, methodology: await way(methodology) }, options);
    },
    stepLimit: async (query, options) =>
      (await import("./step-limit.js")).calibratedStepLimit(ports(), named("stepLimit", query), options),
    saveWorkState: async (given) => {
      const { methodology: id, ...input } = named("saveWorkState", given);
      const methodology = await way(id);
      const { said, state = {}, ...rest } = { said: undefined, state: undefined, ...input };
      const known = said === undefined ? state : await methodology.extractWorkState(said);
      const content = methodology.formatWorkStateContext(known);
      const session = sessionOf(caller, rest);
      const isJudged = caller.kind === "agent" || session.sessionId !== undefined;
      const { doubts: [doubt] = [], unverified } = isJudged ? await judgeAgent([{ ...session, content }]) : {};
      const work = { ...rest, ...session, state: known, methodology };
      return (await states()).saveWorkState(context, work, { doubt, unverified });
    },
    findWorkState: async ({ methodology, sessionId, ...place } = {}) => {
      const found = await (await states()).findWorkState(context, place, { methodology: await way(methodology) });
      if (found && sessionId !== undefined) {
        await (await import("./note-work-state.js")).noteWorkState(ports(), found, sessionId);
      }
      return found;
    },
    closeWorkState: async (place = {}) => (await states()).closeWorkState(context, place),
    phaseOf: async (phase, methodology) => (await way(methodology)).mapPhase(phase),
    workUnitOf: async (work, methodology) => (await way(methodology)).resolveWorkUnitRef(work),
    methodologies: async () => (await ways()).list(),
  });
  return { verbsFor };
}

/** The session of the agent who asks, or else that of the input. */
function sessionOf(caller: Caller, { sessionId }: { sessionId?: string }): { sessionId?: string } {
  const own = caller.kind === "agent" ? caller.sessionId : undefined;
  const session = own ?? sessionId;
  return session === undefined ? {} : { sessionId: session };
}

/** Somebody who gives a text, or nothing, is told what is wanted instead of what JavaScript makes of it. */
function named<Query extends object>(verb: string, query: Query): Query {
  if (typeof query === "object" && query !== null && !Array.isArray(query)) return query;
  throw new MemoryError("invalid-input", `${verb}() takes an object.`, hints[verb] ?? "");
}

const hints: Record<string, string> = {
  plannerContext: 'For example { task: "Add a cache", files: ["src/store/read.ts"] }.',
  relay: 'For example { from: "coder", to: "qa_reviewer", sessionId: "s1" }.',
  stepLimit: 'For example { baseSteps: 30, modules: ["src/store"] }.',
  saveWorkState: 'For example { said: "Done: parser. Next: printer.", sessionId: "s1" }.',
};
