import { shortId } from "../../base/ids/ids.js";
import { type ProjectContext, readProject } from "../../project/project.js";
import { listSessions } from "../../observer/cross-session/cross-session.js";
import { injectedIn } from "../../observer/spool/spool.js";
import { sessionSummary, type SessionSummary } from "./session-summary.js";

// What somebody comes back to after a long weekend is old news.
const newsMs = 3 * 86_400_000;

/**
 * One line for a person about the session that was learned from last: what it was told and used, what it was asked to
 * remember, what it taught, and where the rest is. Undefined where that is nothing, or long ago.
 */
export async function lastSessionNote(context: ProjectContext): Promise<string | undefined> {
  return readProject(context, undefined, async (reader, project) => {
    const [last] = await listSessions(reader, project, 1);
    if (!last || context.now().getTime() - Date.parse(last.endedAt) > newsMs) return undefined;
    const summary = await sessionSummary(reader, project, last.sessionId, injectedIn([]));
    return summary && sentence(summary);
  });
}

function sentence(summary: SessionSummary): string | undefined {
  const { sessionId, told, files, used, tokens, savedTokens, remembered, learned, waiting } = summary;
  const what = files === 0 ? memories(told) : `${memories(told)} and ${files === 1 ? "1 file" : `${files} files`}`;
  const use = told === 0 ? "" : `was told ${what} (${tokens.toLocaleString("en")} tokens) and used ${used}`;
  const saved = savedTokens === 0 ? "" : `, which saved about ${savedTokens.toLocaleString("en")} tokens`;
  const taught = [
    ...(remembered > 0 ? [`was asked to remember ${memories(remembered)}`] : []),
    ...(learned > 0 ? [`taught ${memories(learned)}`] : []),
    ...(waiting > 0 ? [`left ${waiting} for you to look at (tacit review)`] : []),
  ];
  const parts = [...(use === "" ? [] : [`${use}${saved}`]), ...taught];
  if (parts.length === 0) return undefined;
  const isPlain = /^[\w.-]+$/.test(shortId(sessionId));
  const rest = told > 0 && isPlain ? ` tacit sessions ${shortId(sessionId)} has the rest.` : "";
  return `Tacit: the last session here ${parts.join("; it ")}.${rest}`;
}

function memories(count: number): string {
  return count === 1 ? "1 memory" : `${count} memories`;
}
