import type { Memory, WorkUnit } from "../../memory/memory.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import type { MethodologyPlugin } from "../../methodology/methodology.js";
import { listOfSession } from "../selection/selection-queries.js";
import { emptyInjection, type Deadline, type InjectOptions, type Injection, type InjectionPorts } from "../injection.js";
import { recipientIn, isEligible } from "../eligibility/is-eligible.js";
import { claimInjection } from "../record/claim-injection.js";
import { notInjectedTypes } from "../selection/worth.js";
import { listOfUnit } from "../active-files/active-files-queries.js";
import { quoteText } from "../quote/quote-text.js";
import { ifInjectionEnabled } from "./inject-build.js";

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
const maxTold = 30;
const maxRead = 100;

/**
 * What one role of a build has recorded, for the next: as its methodology puts it, in a quoted block. Which role hands over to
 * which, and what goes along, the methodology says; where it knows of no such step, nothing is told, and `notes` says why.
 */
export async function relay(given: InjectionPorts, query: RelayQuery, options: InjectOptions = {}): Promise<Injection> {
  const { from, to, methodology, toSessionId } = query;
  const transition = methodology.getRelayTransitions().find((one) => one.from === from && one.to === to);
  if (!transition) return emptyInjection("relay", [unknown(query)]);
  return ifInjectionEnabled(given, options, emptyInjection("relay"), async (ports, { minConfidence, budgetTokens, deadline }) => {
    const told = toSessionId === undefined ? undefined : await ports.soFar(toSessionId, undefined);
    const types = transition.filter?.types;
    const recorded = await listRecorded(ports.context, query, minConfidence);
    const fresh = recorded.filter(
      ({ id, type }) => !told?.ids.has(id) && (types === undefined || types.includes(type)),
    );
    const countTokens = await ports.countTokens();
    const quote = (memories: readonly Memory[]) =>
      quoteRelay(memories.slice(0, maxTold), query, { budgetTokens, deadline, countTokens });
    const without = (taken: ReadonlySet<string>) => quote(fresh.filter(({ id }) => !taken.has(id)));
    return claimInjection(ports, { sessionId: toSessionId, deadline }, quote(fresh), without, emptyInjection("relay"));
  });
}

function unknown({ from, to, methodology }: RelayQuery): string {
  const known = methodology.getRelayTransitions().map((one) => `${one.from} → ${one.to}`);
  return `${methodology.displayName} knows no step from ${from} to ${to}. It knows ${known.join(", ") || "none"}.`;
}

/** What the session or the piece of work has led to, the newest first; raw talk and Tacit's own figures are not among it. */
async function listRecorded(
  context: ProjectContext,
  { sessionId, workUnit }: RelayQuery,
  minConfidence: number,
): Promise<Memory[]> {
  const now = context.now();
  const listener = await recipientIn(context, { minConfidence }, { sessionId, workUnit });
  const query = { without: notInjectedTypes, most: maxRead };
  const found = await readProject(context, [], async (reader, project) => [
    ...(sessionId === undefined ? [] : await listOfSession(reader, project, { sessionId, ...query }, listener, now)),
    ...(workUnit === undefined ? [] : await listOfUnit(reader, project, query, listener, now)),
  ]);
  const all = new Map(found.map((memory) => [memory.id, memory]));
  return [...all.values()]
    .filter((memory) => isEligible(memory, listener))
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
}

/**
 * As many of them, from the first, as fit into the budget. It is a stranger's code that puts them together and may take its
 * time, so it is asked a few times and only while there is time left.
 */
function quoteRelay(
  memories: readonly Memory[],
  { from, to, methodology }: RelayQuery,
  { budgetTokens, deadline, countTokens }: RelayRoom,
): Injection {
  let count = memories.length;
  for (let tries = 0; tries < maxTries && count > 0 && deadline.left() > 0; tries += 1) {
    const told = memories.slice(0, count);
    const formatted = methodology.formatRelayContext(told, to).trim();
    if (formatted === "") break;
    const text = quoteText("relay", formatted);
    const tokens = countTokens(text);
    if (tokens > budgetTokens) {
      count = Math.min(count - 1, Math.floor((count * budgetTokens * spare) / tokens));
      continue;
    }
    const why = `${from} recorded it, and ${to} goes on.`;
    // The text is the methodology's, so what each of them takes in it is not known.
    const each = Math.ceil(tokens / count);
    return { ...emptyInjection("relay"), text, tokens, memories: told.map(({ id }) => ({ id, why, tokens: each })) };
  }
  return emptyInjection("relay");
}

interface RelayRoom {
  budgetTokens: number;
  deadline: Deadline;
  countTokens: (text: string) => number;
}

// Chosen, not measured: those that come first may be longer than the rest, and the frame stays as it is.
const spare = 0.85;
const maxTries = 4;
