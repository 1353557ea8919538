import type { Command } from "commander";
import type { Acute, SessionRecord, TacitMemory } from "../../index.js";
import type { Answer } from "../answer.js";
import { countOf } from "../count-of.js";
import { wholeNumber } from "../option-values.js";
import { oneLine, renderMemoryList, shortId } from "../render-memory.js";
import { renderSessions } from "../render-sessions.js";
import type { Shell } from "../shell.js";

const details = `
With the id of a session that goes on, what is striking about it so far: what the agent corrected
itself about, searched again and again, or ran into. With that of one that is over, what came of it.
`;

// More than anybody names one of.
const mostSessions = 10_000;

export function addSessions(program: Command, shell: Shell): void {
  program
    .command("sessions")
    .description("show the sessions of agents that were learned from")
    .argument("[session]", "the id of a session, or the last 8 characters of one that is over")
    .option("--limit <count>", "so many of them, default 20", wholeNumber)
    .addHelpText("after", details)
    .action(async (sessionId: string | undefined, { limit }: { limit?: number }) => {
      if (sessionId !== undefined) return shell.print(await showOne(shell, sessionId));
      const sessions = await shell.withMemory((memory) => memory.sessions({ ...(limit !== undefined && { limit }) }));
      await shell.print({
        document: sessions,
        ids: sessions.map((session) => session.sessionId),
        text: (page) => renderSessions(sessions, page),
      });
    });
}

async function showOne(shell: Shell, sessionId: string): Promise<Answer> {
  return shell.withMemory(async (memory) => {
    const striking = await memory.acute(sessionId);
    const known = (await memory.sessions({ limit: mostSessions })).find(
      (session) => session.sessionId === sessionId || shortId(session.sessionId) === sessionId,
    );
    return known && striking.length === 0 ? aboutOver(memory, known) : aboutRunning(sessionId, striking);
  });
}

async function aboutOver(memory: TacitMemory, session: SessionRecord): Promise<Answer> {
  const all = await memory.list({ status: "any" });
  const memories = all.filter((one) => one.provenanceSessionIds.includes(session.sessionId));
  return {
    document: { session, memories },
    ids: memories.map(({ id }) => id),
    text: (page) =>
      [
        renderSessions([session], page),
        "",
        memories.length === 0 ? "No memory comes from it." : renderMemoryList(memories, page),
      ].join("\n"),
  };
}

function aboutRunning(sessionId: string, striking: Acute[]): Answer {
  return {
    document: { striking },
    text: (page) =>
      striking.length === 0
        ? `Nothing striking is known of a session ${oneLine(sessionId, page)} so far.`
        : [
            `${countOf(striking.length, "thing")} ${striking.length === 1 ? "is" : "are"} striking so far:`,
            ...striking.map(
              ({ priority, text }) => `${page.paint("green", priority.toFixed(2))}  ${oneLine(text, page)}`,
            ),
          ].join("\n"),
  };
}
