import type { Check } from "./check.js";
import { listConnections } from "../install/list-connections.js";
import { openMachine, type Machine } from "../install/agents/machine.js";
import { countInjections, type InjectionTotals } from "../injection/report/report.js";
import { readProject, type ProjectContext } from "../project/project.js";
import { listSessions } from "../observer/cross-session/cross-session.js";
import { listSpools } from "../observer/spool/spool.js";

const dayMs = 86_400_000;
const recentDays = 30;
// Newest first, and nobody reads a greater number here.
const maxSessions = 1000;

/**
 * Whether agents are told what is known: by what they were told of late, else by whether one was seen here at all. A
 * transcript that was replayed looks like a session with hooks, so without anything told the word stays careful.
 */
export async function checkInjection(
  context: ProjectContext,
  home: string,
  place: Machine = openMachine({ tacitHome: home }),
): Promise<Check> {
  const { enabled, autoInject } = await context.settings();
  const check = (message: string, hint?: string): Check => ({
    name: "injection",
    status: "ok",
    message,
    ...(hint !== undefined && { hint }),
  });
  if (!enabled) return check("Tacit is switched off here, so agents are told nothing");
  if (!autoInject) {
    return check("autoInject is off: agents are told nothing unless they ask", "tacit config set autoInject true");
  }
  const since = new Date(context.now().getTime() - recentDays * dayMs).toISOString();
  const told = await readProject(context, undefined, (reader, project) => countInjections(reader, project, { since }));
  if (told && told.injections > 0) return check(describe(told));

  const sessions = await readProject(context, [], (reader, project) => listSessions(reader, project, maxSessions));
  const recent = sessions.filter(({ endedAt }) => endedAt >= since).length;
  const { root } = await context.folder();
  const isNoted = (await listSpools(home)).some((spool) => spool.root === root && !spool.hasFailed);
  if (isNoted) return check("a session is noted here; nothing was told yet in one that is over");
  if (recent > 0) {
    const count = `${recent} ${recent === 1 ? "session" : "sessions"} of agents in ${recentDays} days`;
    return check(`${count}, and nothing was told in any`, `Were they only replayed? ${nextStep(place)}`);
  }
  const ever = sessions.length > 0 ? `for ${recentDays} days` : "yet";
  return check(`no session of an agent was seen here ${ever}, so nothing is told by itself`, nextStep(place));
}

/** Whoever is connected reads its configuration when it starts; whoever only asks is told nothing by itself. */
function nextStep(place: Machine): string {
  const connected = listConnections(place).filter(({ isConnected }) => isConnected);
  const watched = connected.filter(({ isWatched }) => isWatched).map(({ title }) => title);
  if (watched.length > 0)
    return `Connected: ${watched.join(", ")}. Start ${watched.length === 1 ? "it" : "them"} anew here`;
  if (connected.length === 0) return "To connect your agents: tacit install";
  const titles = connected.map(({ title }) => title).join(", ");
  return `Connected: ${titles}, which can ask, and cannot be told unasked`;
}

function describe(totals: InjectionTotals): string {
  const { memories: times, differentMemories: memories, sessions, files, tokens, cited, followed } = totals;
  const told = `${countOf(memories, "memory", "memories")} told${times > memories ? ` ${times} times` : ""}`;
  const where = `in ${countOf(sessions, "session", "sessions")} of ${recentDays} days`;
  const along = files === 0 ? "" : `, with ${countOf(files, "file", "files")}`;
  const used = cited + followed;
  const use = times > memories && used > 0 ? `used ${countOf(used, "time", "times")}` : `${used} used`;
  return `${told} ${where}${along}, ${tokens.toLocaleString("en")} tokens; ${use}`;
}

function countOf(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}
