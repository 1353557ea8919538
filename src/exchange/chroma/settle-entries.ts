import { idFrom } from "../../base/ids/ids.js";
import { cleanFields } from "../../memory/prepare/prepare.js";
import { hashOf } from "../../memory/record/record.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import type { IncomingMemory } from "../formats/incoming.js";
import { listKnownSessions, listTrusted, type TrustedHere } from "./chroma-queries.js";
import { isEvent, isSoundPlace, withoutPlace } from "./turn-place.js";

/**
 * What arrives from a collection, beside what is here: another text under the id of what somebody vouches for is a memory of
 * its own, and what was said in a session that is known here has no place in it.
 */
export async function settleEntries(context: ProjectContext, page: IncomingMemory[]): Promise<IncomingMemory[]> {
  const sessions = await Promise.all(page.map(({ record }) => sessionOf(record)));
  const ids = page.flatMap(({ record }) => record.id ?? []);
  const here = await readProject(context, nothing, async (reader, project) => ({
    trusted: await listTrusted(reader, project, ids),
    talkedIn: await listKnownSessions(
      reader,
      project,
      sessions.flatMap((session) => session ?? []),
    ),
  }));
  return page.map((one, index) => {
    const { record } = one;
    if (!isEvent(record)) return { ...one, record: besideTrusted(record, here.trusted.get(record.id ?? "")) };
    const mayStay = isSoundPlace(record) && !here.talkedIn.has(sessions[index] ?? "");
    return mayStay ? one : { ...one, record: withoutPlace(record) };
  });
}

type Arriving = IncomingMemory["record"];

const nothing = { trusted: new Map<string, TrustedHere>(), talkedIn: new Set<string>() as ReadonlySet<string> };

/** The session of what was said, as it will be stored: two that look alike are one. */
async function sessionOf(record: Arriving): Promise<string | undefined> {
  if (!isEvent(record) || record.sessionId === undefined) return undefined;
  // What cannot be cleaned is refused later, where it stood.
  return cleanFields()
    .label(record.sessionId, "sessionId")
    .catch(() => undefined);
}

/** Under an id that does not follow from the text, which may hold a secret. It brings no name and no links: those are taken. */
function besideTrusted(record: Arriving, here: TrustedHere | undefined): Arriving {
  const { id = "", updatedAt = "" } = record;
  if (!here || updatedAt <= here.updatedAt || hashOf(record.content) === here.contentHash) return record;
  const { name: _name, ...others } = record;
  return { ...others, id: idFrom("chroma", id, updatedAt), aliases: [], relations: [] };
}
