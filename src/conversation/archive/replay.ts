import { MemoryError } from "../../base/memory-error.js";
import { getMemory, listByKeys } from "../../memory/read/read.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import type { ConversationState, Replay, Turn } from "../conversation.js";
import { joinParts } from "../turns/split-turn.js";
import { findConversation, listTurnRows } from "../turns/turn-queries.js";
import { findArchived, findNewestMarker, listMarkers, type KeyedMarker } from "./archive-queries.js";
import { countUnarchived, listUnarchivedRuns } from "./unarchived-turns.js";

/** The conversation as it goes on: the archive of the newest marker, and every turn that no archive sums up. */
export async function replay(context: ProjectContext, sessionId: string): Promise<Replay> {
  const nothing: Replay = { turns: [] };
  return readProject(context, nothing, async (reader, project) => {
    const conversation = await findConversation(reader, project, sessionId);
    if (!conversation) return { turns: [] };
    const now = context.now();
    const marker = await findNewestMarker(reader, conversation);
    const turns = (await listUnarchivedRuns(reader, conversation, now)).flat();
    if (!marker) return { turns };
    const [archive] = await listByKeys(reader, project, [marker.key], now);
    return { marker: told(marker), ...(archive && { archive: archive.memory }), turns };
  });
}

/** The exact turns that an archive sums up, oldest first. */
export async function listArchivedTurns(context: ProjectContext, reference: string): Promise<Turn[]> {
  return readProject(context, [] as Turn[], async (reader, project) => {
    const now = context.now();
    const { key, memory } = await getMemory(reader, project, reference, now);
    const place = await findArchived(reader, key);
    if (!place) {
      throw new MemoryError(
        "invalid-input",
        `${reference} sums up no turns (${memory.type}).`,
        "Only archives do: tacit list --type archive",
      );
    }
    return joinParts(await listTurnRows(reader, place, { after: place.first - 1, upTo: place.last }, now));
  });
}

/** How a conversation stands; undefined where nothing was said. */
export async function readState(context: ProjectContext, sessionId: string): Promise<ConversationState | undefined> {
  const { keepCount: usual } = await context.settings();
  return readProject(context, undefined, async (reader, project) => {
    const conversation = await findConversation(reader, project, sessionId);
    if (!conversation) return undefined;
    const markers = await listMarkers(reader, conversation);
    const { createdAt, lastSequence, consolidatedTo, keepCount = usual } = conversation;
    return {
      sessionId,
      createdAt,
      lastSequence,
      consolidatedTo,
      keepCount,
      markers: markers.map(told),
      unarchived: await countUnarchived(reader, conversation, context.now()),
    };
  });
}

function told({ key: _key, ...marker }: KeyedMarker) {
  return marker;
}
