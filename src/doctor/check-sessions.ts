import { existsSync } from "node:fs";
import type { Check } from "./check.js";
import { list } from "../memory/read/read.js";
import { readProject, type ProjectContext } from "../project/project.js";
import { countSessions } from "../observer/cross-session/cross-session.js";
import { isOver, listSpools } from "../observer/spool/spool.js";

const dayMs = 86_400_000;
// A session that is over is taken in by the next who opens its project; who waits longer has probably left it.
const longDays = 14;

/** How it stands with the sessions of agents: learned from, going on, left behind; and what waits for a person. */
export async function checkSessions(context: ProjectContext, home: string): Promise<Check> {
  const now = Date.now();
  const spools = await listSpools(home);
  const failed = spools.filter(({ hasFailed }) => hasFailed);
  const running = spools.filter((spool) => !spool.hasFailed && !isOver(spool, now));
  const { root: here } = await context.folder();
  const runningHere = running.filter(({ root }) => root === here).length;
  const over = spools.filter((spool) => isOver(spool, now));
  const left = over.filter(({ lastAt }) => now - lastAt > longDays * dayMs);
  const overHere = over.filter((spool) => spool.root === here && !left.includes(spool)).length;
  const learned = await readProject(context, 0, countSessions);
  const waiting = (await list(context, { status: "waiting" })).length;
  const message = [
    `${learned} learned from here`,
    ...(runningHere > 0 ? [`${runningHere} going on`] : []),
    ...(overHere > 0 ? [`${overHere} over and to be learned from next`] : []),
    ...(running.length > runningHere ? [`${running.length - runningHere} going on elsewhere`] : []),
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? "memory waits" : "memories wait"} for your review`] : []),
  ].join("; ");
  if (failed.length > 0) {
    return {
      name: "sessions",
      status: "warning",
      message: `${message}; ${failed.length} could not be learned from, three times, and ${failed.length === 1 ? "was" : "were"} set aside`,
      hint: "They lie in sessions/ of Tacit's folder with .failed- in their names. finishSession() tries one again and tells why; they can be deleted, and `tacit replay` and `tacit chat import` read a transcript instead.",
    };
  }
  if (left.length === 0) {
    return { name: "sessions", status: "ok", message, ...(waiting > 0 && { hint: "tacit review" }) };
  }
  const gone = left.filter(({ root }) => !existsSync(root));
  return {
    name: "sessions",
    status: "warning",
    message: `${message}; ${left.length} over for more than ${longDays} days and not learned from${gone.length > 0 ? `, ${gone.length} of folders that are gone` : ""}`,
    hint: "Any command of Tacit in their folder learns from them. Those of folders that are gone lie in sessions/ of Tacit's folder and can be deleted.",
  };
}
