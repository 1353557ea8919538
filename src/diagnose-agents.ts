import { MemoryError } from "./base/memory-error.js";
import type { Check } from "./diagnose.js";
import { readJournal } from "./install/journal.js";
import { listConnections } from "./install/list-connections.js";
import { openPlace, type Place } from "./install/place.js";
import { listSpoken } from "./spoken.js";

const dayMs = 86_400_000;

/**
 * Which agents are connected to Tacit, and when each last spoke to it: one that is connected and never speaks has not been
 * started anew, or cannot start Tacit. An agent that is not connected is no reason to warn.
 */
export async function checkAgents(
  home: string,
  now: Date,
  place: Place = openPlace({ tacitHome: home }),
): Promise<Check> {
  const connections = listConnections(place);
  const spoken = listSpoken({ home }).map(({ agent, at }) => ({
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

  const damage = damageOf(home);
  const problems = [...connections.flatMap(({ problem }) => (problem ? [problem] : [])), ...(damage ? [damage] : [])];
  if (problems.length > 0) {
    return {
      name: "agents",
      status: "warning",
      message: [message === "" ? "none is connected" : message, ...problems.map((problem) => problem.message)].join(
        "; ",
      ),
      hint: [...new Set(problems.map(({ hint }) => hint))].join("; "),
    };
  }
  const left = connections.filter(({ isFound, isConnected }) => isFound && !isConnected).map(({ title }) => title);
  return {
    name: "agents",
    status: "ok",
    message: message === "" ? "none is connected" : message,
    ...(left.length > 0 && { hint: `Found and not connected: ${left.join(", ")}. To connect: tacit install` }),
  };
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
