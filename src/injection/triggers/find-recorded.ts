import { readProject } from "../../project/project.js";
import type { Source } from "../../memory/memory.js";
import { listOfSession } from "../selection/selection-queries.js";
import type { SelectionOptions, Choice, InjectionPorts, Moment } from "../injection.js";
import { recipientIn, isEligible } from "../eligibility/is-eligible.js";
import { notInjectedTypes } from "../selection/worth.js";

const most = 4;
const explicit: Source[] = ["agent_explicit", "user_taught"];

/** What this very session was told to remember and has not been told back yet, the newest first. */
export async function findRecorded(
  { context }: InjectionPorts,
  { sessionId }: Extract<Moment, { point: "step" }>,
  asked: SelectionOptions,
): Promise<Choice[]> {
  if (sessionId === "") return [];
  const listener = await recipientIn(context, asked, { sessionId });
  const query = { sessionId, without: notInjectedTypes, sources: explicit, most: most + asked.soFar.ids.size };
  const found = await readProject(context, [], (reader, project) =>
    listOfSession(reader, project, query, listener, context.now()),
  );
  return found
    .filter((memory) => isEligible(memory, listener) && !asked.soFar.ids.has(memory.id))
    .slice(0, most)
    .map((memory, index) => ({ memory, why: "was remembered in this session", worth: most - index }));
}
