import type { MemoryContext } from "../../memory/change/change.js";
import { readProject } from "../../project/project.js";
import { appendTurns, turnId } from "../turns/append-turns.js";
import { listKnownIds } from "../turns/turn-queries.js";
import type { KeyedTurn, SessionTurn } from "./keyed-turn.js";

/** What came of one session. */
export interface ImportedSession {
  sessionId: string;
  added: number;
  /** How many were there already. */
  known: number;
}

// A transaction of 200 turns takes about a tenth of a second, for which others wait; of more it would be no quicker.
const turnsAtOnce = 200;
const charactersAtOnce = 1_000_000;

/** Appends turns to their conversations, many in one transaction. In a dry run it only looks which are there. */
export async function storeTurns(
  context: MemoryContext,
  turns: AsyncIterable<SessionTurn>,
  { dryRun }: { dryRun: boolean },
): Promise<ImportedSession[]> {
  const counts = new Map<string, ImportedSession>();
  const waiting = new Map<string, KeyedTurn[]>();
  let held = 0;
  let characters = 0;
  const keep = async () => {
    for (const [sessionId, list] of waiting) {
      const added = dryRun
        ? await countNew(context, sessionId, list)
        : (await appendTurns(context, sessionId, list)).length;
      const count = counts.get(sessionId) ?? { sessionId, added: 0, known: 0 };
      counts.set(sessionId, { sessionId, added: count.added + added, known: count.known + list.length - added });
    }
    waiting.clear();
    held = characters = 0;
  };
  for await (const { sessionId, turn } of turns) {
    const own = waiting.get(sessionId);
    if (own) own.push(turn);
    else waiting.set(sessionId, [turn]);
    held += 1;
    characters += turn.content.length;
    if (held >= turnsAtOnce || characters >= charactersAtOnce) await keep();
  }
  await keep();
  return [...counts.values()];
}

async function countNew(context: MemoryContext, sessionId: string, turns: readonly KeyedTurn[]): Promise<number> {
  return readProject(context, turns.length, async (reader, project) => {
    const ids = turns.map(({ key }) => turnId(project, sessionId, key));
    return turns.length - (await listKnownIds(reader, project, ids)).size;
  });
}
