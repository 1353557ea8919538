import type { Memory } from "../../memory/memory.js";
import { findProject, userProject } from "../../project/project.js";
import { moduleOf } from "../../observer/scratchpad/scratchpad.js";
import { relativeTo } from "../../memory/read/read.js";
import { listAtStart, listOfSession } from "./selection-queries.js";
import type { SelectionOptions, Choice, InjectionPorts, Moment } from "../injection.js";
import { recipientIn, isEligible } from "../eligibility/is-eligible.js";
import { notInjectedTypes, worthOf } from "./worth.js";

type Start = Extract<Moment, { point: "session-start" }>;

// Outcomes, calibrations and what end-to-end tests saw are for planners and reviewers.
const without = [...notInjectedTypes, "e2e_observation", "task_calibration", "work_unit_outcome"];
const anywhere = ["work_state", "workflow_recipe"];
const maxOfType = 12;
const maxOfModule = 6;
const maxOfSession = 20;
const maxRecipes = 3;
// About what fits into the usual budget.
const most = 24;
// Before everything else, also what is pinned.
const first = 1000;

/**
 * What somebody who begins a session should know: the newest work state of this branch, what holds for the whole project and
 * everywhere, the memories of the modules in play, a few recipes; after a compaction also what this very session has kept.
 */
export async function chooseAtStart(
  { context }: InjectionPorts,
  { sessionId, phase, files = [], continues, reads }: Start,
  asked: SelectionOptions,
): Promise<Choice[]> {
  const { root } = await context.folder();
  const listener = await recipientIn(context, asked, { sessionId, reads });
  // The files are those of this project.
  const everywhere = { ...listener, reads: [] };
  const now = context.now();
  const relative = [...new Set(files.map((file) => relativeTo(root, file)))];
  const modules = [...new Set(relative.map(moduleOf))];
  const inPlay = modules.length > 0 ? await import("../active-files/active-files-queries.js") : undefined;
  const query = { without, anywhere, most: maxOfType };
  const found = await context.store.read(async (reader) => {
    const { project: own } = await findProject(reader, context.project);
    const { project: user } = await findProject(reader, { id: userProject });
    const isInUser = own !== undefined && own.number === user?.number;
    return {
      session:
        own && continues === "compacted"
          ? await listOfSession(
              reader,
              own,
              { sessionId, without: notInjectedTypes, most: maxOfSession },
              listener,
              now,
            )
          : [],
      modules:
        own && inPlay
          ? await inPlay.listOfActiveFiles(
              reader,
              own,
              { types: placedTypes, modules, files: relative, most: maxOfModule },
              listener,
              now,
            )
          : [],
      project: own ? await listAtStart(reader, own, query, listener, now) : [],
      user: user && !isInUser ? await listAtStart(reader, user, { ...query, anywhere: [] }, everywhere, now) : [],
    };
  });

  const reasons: [Memory[], string][] = [
    [found.session, "was kept in this session"],
    [found.modules, "is about a part of the project that is in play"],
    [found.project, "holds for the whole project"],
    [found.user, "holds in every project"],
  ];
  const choices = new Map<string, Choice>();
  for (const [memories, why] of reasons) {
    for (const memory of memories) {
      if (choices.has(memory.id) || asked.soFar.ids.has(memory.id) || !isEligible(memory, listener)) continue;
      choices.set(memory.id, { memory, why: reasonOf(memory) ?? why, worth: worthOf(memory, { phase, now }) });
    }
  }
  return inOrder([...choices.values()]);
}

// What is filed under files and modules and is worth knowing before the first of them is read.
const placedTypes = (
  "module_insight gotcha error_pattern dead_end causal_dependency decision convention pattern requirement preference " +
  "fact context note"
).split(" ");

function reasonOf({ type, branch }: Memory): string | undefined {
  if (type === "work_state") return `tells where unfinished work stands${branch === undefined ? "" : ` on ${branch}`}`;
  return type === "workflow_recipe" ? "gives the steps of a task that comes back" : undefined;
}

/** The newest work state first and no other, and a few recipes among the rest. */
function inOrder(choices: Choice[]): Choice[] {
  const ofType = (type: string) => choices.filter(({ memory }) => memory.type === type);
  const [state] = ofType("work_state").toSorted((a, b) => (a.memory.createdAt < b.memory.createdAt ? 1 : -1));
  const recipes = ofType("workflow_recipe").toSorted(byWorth).slice(0, maxRecipes);
  const others = choices.filter(({ memory }) => !anywhere.includes(memory.type));
  return [...(state ? [{ ...state, worth: first }] : []), ...[...others, ...recipes].toSorted(byWorth)].slice(0, most);
}

function byWorth(a: Choice, b: Choice): number {
  return b.worth - a.worth;
}
