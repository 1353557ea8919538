import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listRecords, type FoundRecord, type RecordPlace } from "./agent-records.js";
import { isAlive, nameOfProcess, type ProcessIdentity } from "./process-identity.js";
import { beganAt, isCutOff, lineage, loginOf, readLineage, readProcess, type SeenProcess } from "./read-process.js";

/** An agent that this process was started by, however many processes lie between. */
export interface AgentAbove {
  agent: ProcessIdentity;
  /** The process right below the agent that this one comes from. */
  child: SeenProcess;
  /** Everything between the agent and this process, itself and the child included. */
  between: readonly SeenProcess[];
  /** It is not among the processes above any more: what it had started in between is gone, and this one was taken in by another. */
  isOrphan: boolean;
  /** Its sessions that this process may speak for, the newest first: a child cannot prove which one it belongs to. */
  sessions: FoundRecord[];
}

/** The agents of a store that this process comes from, the nearest first; none for a person's own process. */
export function agentsAbove(place: Pick<RecordPlace, "db" | "home">, chain = lineage()): AgentAbove[] {
  if (chain.length === 0) return [];
  const above = new Map(chain.slice(1).map((one, index) => [nameOfProcess(one), chain[index] as SeenProcess]));
  const isCut = isCutOff(chain);
  const orphan = isCut ? chain.at(-1) : orphanIn(chain);
  const own = nameOfProcess(chain[0] as SeenProcess);
  const isFrom = (agent: ProcessIdentity) =>
    above.has(nameOfProcess(agent)) ||
    // An agent that outlives its own shell is nobody's child for that.
    (orphan !== undefined && nameOfProcess(agent) !== own && (isCut || mayHaveStarted(agent, orphan)));
  const records = listRecords(place.db, homesOf(place, chain), isFrom);
  const byAgent = new Map<string, FoundRecord[]>();
  for (const record of records) {
    const name = nameOfProcess(record.agent);
    // What began after the agent had ended is not its own.
    if (record.goneAt !== undefined && ((orphan && beganAt(orphan)) ?? 0) > record.goneAt) continue;
    byAgent.set(name, [...(byAgent.get(name) ?? []), record]);
  }
  const order = [...above.keys()];
  return [...byAgent]
    .toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([name, sessions]) => {
      const child = (above.get(name) ?? orphan) as SeenProcess;
      const between = chain.slice(0, chain.indexOf(child) + 1);
      // Where nobody sees who leads a session, another agent's own tree looks the same.
      const isOrphan = !above.has(name) && child.leader !== 0;
      const { agent } = sessions[0] as FoundRecord;
      // What began it may be gone, too: any of the agent's sessions may be behind it.
      const spoken = isOrphan ? sessions.toSorted((a, b) => b.at - a.at) : spokenFor(sessions, child);
      return { agent, child, between, isOrphan, sessions: spoken };
    })
    .filter(({ sessions }) => sessions.length > 0);
}

/** The sessions that this process itself has as an agent. */
export function ownSessions(place: Pick<RecordPlace, "db" | "home">, chain = lineage()): FoundRecord[] {
  const [own] = chain;
  if (!own) return [];
  return listRecords(place.db, [place.home], (agent) => nameOfProcess(agent) === nameOfProcess(own));
}

/** Those that go on, and those that went on when the child began; where there is none, the last one. */
function spokenFor(sessions: FoundRecord[], child: SeenProcess): FoundRecord[] {
  const began = sessions.some(({ overAt }) => overAt !== undefined) ? (beganAt(child) ?? 0) : 0;
  const newest = sessions.filter(({ overAt = Infinity }) => began <= overAt).toSorted((a, b) => b.at - a.at);
  const going = newest.filter(({ overAt }) => overAt === undefined || began <= overAt);
  return going.length > 0 ? going : newest.slice(0, 1);
}

/**
 * The first of those that this process comes from, where the shell that led them is gone: a command that a shell sent to the background
 * outlives it, and the system gives it another parent. One that leads a session of its own is not told from a person's. Where the
 * leader is out of sight, as in a container without an init of its own, the first process is the one that takes in orphans.
 */
function orphanIn(chain: readonly SeenProcess[]): SeenProcess | undefined {
  const [own] = chain;
  if (!own) return undefined;
  const together = chain.filter(({ leader, pid }) => leader === own.leader && (leader !== 0 || pid !== 1));
  return together.some(({ pid }) => pid === own.leader) ? undefined : together.at(-1);
}

/**
 * It began after the agent did, in the agent's session, in one whose leader comes from the agent, or in one whose leader is gone, and of
 * no other login than the agent. Agents start each of their shells as the leader of a session of its own.
 */
function mayHaveStarted(agent: ProcessIdentity, { pid, started, leader }: SeenProcess): boolean {
  if (started < agent.started) return false;
  const lead = readProcess(leader);
  if (!isAlive(agent)) return lead === undefined;
  const [own, other] = [loginOf(agent.pid), loginOf(pid)];
  if (own !== undefined && other !== undefined && own !== other) return false;
  if (lead === undefined || readProcess(agent.pid)?.leader === leader) return true;
  return readLineage(leader).some((one) => nameOfProcess(one) === nameOfProcess(agent));
}

/** The folders that records may lie in: for a store on a server, also those that the processes above were started with. */
function homesOf({ db, home }: Pick<RecordPlace, "db" | "home">, chain: readonly SeenProcess[]): string[] {
  if (!/^[a-z][a-z+.-]+:\/\//i.test(db)) return [home];
  return [home, ...chain.slice(1).flatMap(({ pid }) => homeOf(pid))];
}

function homeOf(pid: number): string[] {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    const valueOf = (name: string) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
    const user = valueOf("HOME");
    return [valueOf("TACIT_HOME"), user && join(user, ".tacit")].flatMap((folder) => folder || []);
  } catch {
    // Somebody else's process, such as the one that let the person log in.
    return [];
  }
}
