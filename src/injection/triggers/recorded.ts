import { readProject } from "../../project/project-context.js";
import type { Source } from "../../memory/memory.js";
import { listOfSession } from "../choice-queries.js";
import type { Asked, Choice, InjectionPorts, Moment } from "../injection.js";
import { listenerIn, mayBeTold } from "../injection-eligible.js";
import { quietTypes } from "../worth.js";

const most = 4;
const explicit: Source[] = ["agent_explicit", "user_taught"];

/** What this very session was told to remember and has not been told back yet, the newest first. */
export async function findRecorded(
  { context }: InjectionPorts,
  { sessionId }: Extract<Moment, { point: "step" }>,
  asked: Asked,
): Promise<Choice[]> {
  if (sessionId === "") return [];
  const listener = await listenerIn(context, asked, { sessionId });
  const query = { sessionId, without: quietTypes, sources: explicit, most: most + asked.soFar.ids.size };
  const found = await readProject(context, [], (reader, project) =>
    listOfSession(reader, project, query, listener, context.now()),
  );
  return found
    .filter((memory) => mayBeTold(memory, listener) && !asked.soFar.ids.has(memory.id))
    .slice(0, most)
    .map((memory, index) => ({ memory, why: "was remembered in this session", worth: most - index }));
}
