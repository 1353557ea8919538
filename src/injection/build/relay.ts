import type { Memory, WorkUnit } from "../../memory/memory.js";
import { readProject, type ProjectStore } from "../../memory/project-store.js";
import type { MethodologyPlugin } from "../../methodology/methodology.js";
import { listOfSession } from "../choice-queries.js";
import { nothingAt } from "../inject.js";
import type { InjectOptions, Injection, InjectionPorts } from "../injection.js";
import { quietTypes } from "../worth.js";
import { listOfUnit } from "./in-play-queries.js";
import { mayBeTold } from "./may-be-told.js";
import { quoteText } from "./quote-text.js";
import { noteTold } from "../note-told.js";
import { inTime } from "./tell-build.js";

export interface RelayQuery {
  /** The role that hands over, and the one that takes over. */
  from: string;
  to: string;
  /** The session of the role that hands over, … */
  sessionId?: string;
  /** … or the piece of work that both are at. Both together mean either. */
  workUnit?: WorkUnit;
  /** The session of the role that takes over: what it was told before is not told again, and this is noted. */
  toSessionId?: string;
  /** One of `Methodologies`, whose methods never throw. */
  methodology: MethodologyPlugin;
}

// What the next role can take in before it begins; of what was recorded some may not be told.
const mostTold = 30;
const mostRead = 100;

/**
 * What one role of a build has recorded, for the next: as its methodology puts it, in a quoted block. Which role hands over to
 * which, and what goes along, the methodology says; where it knows of no such step, nothing is told, and `notes` says why.
 */
export async function relay(ports: InjectionPorts, query: RelayQuery, options: InjectOptions = {}): Promise<Injection> {
  const { from, to, methodology, toSessionId } = query;
  const transition = methodology.getRelayTransitions().find((one) => one.from === from && one.to === to);
  if (!transition) return nothingAt("relay", [unknown(query)]);
  return inTime(ports, options, nothingAt("relay"), async ({ minConfidence, budgetTokens, deadline }) => {
    const told = toSessionId === undefined ? undefined : await ports.soFar(toSessionId, undefined);
    const types = transition.filter?.types;
    const recorded = await listRecorded(ports.from, query, minConfidence);
    const fresh = recorded.filter(
      ({ id, type }) => !told?.ids.has(id) && (types === undefined || types.includes(type)),
    );
    const countTokens = await ports.countTokens();
    const quote = (memories: readonly Memory[]) =>
      quoteRelay(memories.slice(0, mostTold), query, { budgetTokens, countTokens });
    return noteTold(ports, { sessionId: toSessionId, deadline }, quote(fresh), (taken) =>
      quote(fresh.filter(({ id }) => !taken.has(id))),
    );
  });
}

function unknown({ from, to, methodology }: RelayQuery): string {
  const known = methodology.getRelayTransitions().map((one) => `${one.from} → ${one.to}`);
  return `${methodology.displayName} knows no step from ${from} to ${to}. It knows ${known.join(", ") || "none"}.`;
}

/** What the session or the piece of work has led to, the newest first; raw talk and Tacit's own figures are not among it. */
async function listRecorded(
  from: ProjectStore,
  { sessionId, workUnit }: RelayQuery,
  minConfidence: number,
): Promise<Memory[]> {
  const now = from.now();
  const found = await readProject(from, [], async (reader, project) => [
    ...(sessionId === undefined
      ? []
      : await listOfSession(reader, project, { sessionId, without: quietTypes, most: mostRead, minConfidence }, now)),
    ...(workUnit === undefined ? [] : await listOfUnit(reader, project, workUnit, mostRead, now)),
  ]);
  const all = new Map(found.map((memory) => [memory.id, memory]));
  return [...all.values()]
    .filter((memory) => !quietTypes.includes(memory.type) && mayBeTold(memory, { minConfidence, sessionId }))
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
}

/** As many of them, from the first, as fit into the budget. */
function quoteRelay(
  memories: readonly Memory[],
  { from, to, methodology }: RelayQuery,
  { budgetTokens, countTokens }: { budgetTokens: number; countTokens: (text: string) => number },
): Injection {
  for (let count = memories.length; count > 0; count = Math.floor(count * 0.8)) {
    const told = memories.slice(0, count);
    const formatted = methodology.formatRelayContext(told, to).trim();
    if (formatted === "") break;
    const text = quoteText("relay", formatted);
    const tokens = countTokens(text);
    if (tokens > budgetTokens) continue;
    const why = `${from} recorded it, and ${to} goes on.`;
    // The text is the methodology's, so what each of them takes in it is not known.
    const each = Math.ceil(tokens / count);
    return { ...nothingAt("relay"), text, tokens, memories: told.map(({ id }) => ({ id, why, tokens: each })) };
  }
  return nothingAt("relay");
}
