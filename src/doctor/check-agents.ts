import { MemoryError } from "../base/memory-error.js";
import type { Check } from "./check.js";
import { readJournal } from "../install/journal.js";
import { planInstall } from "../install/install.js";
import { type Connection, listConnections } from "../install/list-connections.js";
import { openMachine, type Machine } from "../install/agents/machine.js";
import { listAgentsSeen } from "../install/last-seen/agents-seen.js";

const dayMs = 86_400_000;
// Whoever spoke within a month reaches Tacit in some way that no file here shows, such as a project's own configuration.
const lately = 30 * dayMs;

/**
 * Which agents are connected to Tacit, and when each last spoke to it: one that is connected and never speaks has not been
 * started anew, or cannot start Tacit. An agent that is not connected is no reason to warn; it is named, with what stands
 * against connecting it.
 */
export async function checkAgents(
  home: string,
  now: Date,
  place: Machine = openMachine({ tacitHome: home }),
): Promise<Check> {
  const connections = listConnections(place);
  const spoken = listAgentsSeen({ home }).map(({ agent, at }) => ({
    at,
    name: agent,
    connection: connections.find(({ speaksAs }) => speaksAs.some((begin) => agent.startsWith(begin))),
  }));
  const connected = connections.filter(({ isConnected }) => isConnected);
  const others = spoken.filter(({ connection }) => connection?.isConnected !== true);
  const message = [
    ...connected.map((each) => {
      const last = spoken.find(({ connection }) => connection === each);
      return `${each.title} (${last ? `spoke ${ago(last.at, now)}` : "has not spoken yet"})`;
    }),
    ...others.map(({ connection, name, at }) => `${connection?.title ?? name} (spoke ${ago(at, now)})`),
  ].join(", ");

  const isHeard = (one: Connection) =>
    spoken.some(({ connection, at }) => connection === one && now.getTime() - at.getTime() < lately);
  const left = connections
    .filter((one) => one.isFound && !one.isConnected && !one.problem && !isHeard(one))
    .map(({ agent, title }) => `${title}${obstacleOf(agent, place)}`);
  const offer = left.length > 0 ? `Found and not connected: ${left.join(", ")}. To connect: tacit install` : undefined;
  const damage = damageOf(home);
  const problems = [...connections.flatMap(({ problem }) => (problem ? [problem] : [])), ...(damage ? [damage] : [])];
  if (problems.length > 0) {
    return {
      name: "agents",
      status: "warning",
      message: [message === "" ? "none is connected" : message, ...problems.map((problem) => problem.message)].join(
        "; ",
      ),
      hint: [...new Set([...problems.map(({ hint }) => hint), ...(offer === undefined ? [] : [offer])])].join("; "),
    };
  }
  return {
    name: "agents",
    status: "ok",
    message: message === "" ? "none is connected" : message,
    ...(offer !== undefined && { hint: offer }),
  };
}

/** Why `tacit install` would refuse it, in brackets. */
function obstacleOf(agent: string, place: Machine): string {
  const { problem } = planInstall([agent], place).agents[0] ?? {};
  return problem ? ` (${problem.message.replace(/\.$/, "")})` : "";
}

/** What is wrong with the note of what was put into the files of agents. */
function damageOf(home: string): { message: string; hint: string } | undefined {
  try {
    readJournal(home);
    return undefined;
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
}

function ago(at: Date, now: Date): string {
  const ms = Math.max(0, now.getTime() - at.getTime());
  if (ms < 60_000) return "just now";
  const units: [name: string, ms: number][] = [
    ["day", dayMs],
    ["hour", 3_600_000],
    ["minute", 60_000],
  ];
  const [name, unitMs] = units.find(([, each]) => ms >= each) ?? ["minute", 60_000];
  const count = Math.floor(ms / unitMs);
  return `${count} ${name}${count === 1 ? "" : "s"} ago`;
}
