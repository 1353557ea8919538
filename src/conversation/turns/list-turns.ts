import { readProject, type ProjectContext } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import type { Turn } from "../conversation.js";
import { checkWholeNumber } from "./check-whole-number.js";
import { joinParts } from "./split-turn.js";
import { findConversation, listTurnRows, type ConversationRow, type TurnQuery } from "./turn-queries.js";

/** The turns of a conversation, archived or not, oldest first. */
export async function listTurns(context: ProjectContext, sessionId: string, query: TurnQuery = {}): Promise<Turn[]> {
  const { last, after, upTo } = query;
  for (const [name, value] of Object.entries({ last, after, upTo })) checkWholeNumber(name, value);
  return readProject(context, [] as Turn[], async (reader, project) => {
    const conversation = await findConversation(reader, project, sessionId);
    if (!conversation) return [];
    if (last === undefined) return joinParts(await listTurnRows(reader, conversation, query, context.now()));
    return (await listLastTurns(reader, conversation, { ...query, last }, context.now())).turns;
  });
}

/** The last turns, each whole: a long one has several rows. Tells too whether there are no others before them. */
export async function listLastTurns(
  reader: Reader,
  conversation: ConversationRow,
  query: TurnQuery & { last: number },
  now: Date,
): Promise<{ turns: Turn[]; isAll: boolean }> {
  const wanted = query.last;
  if (wanted === 0) return { turns: [], isAll: false };
  for (let last = wanted; ; last *= 4) {
    const rows = await listTurnRows(reader, conversation, { ...query, last }, now);
    const isAll = rows.length < last;
    const turns = joinParts(rows);
    const isTorn = (rows[0]?.part ?? 1) > 1;
    if (isAll || turns.length > wanted || (turns.length === wanted && !isTorn)) {
      return { turns: turns.slice(-wanted), isAll: isAll && turns.length <= wanted };
    }
  }
}
