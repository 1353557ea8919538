import type { Command } from "commander";
import { wholeNumber } from "../option-values.js";
import { countOf } from "../count-of.js";
import { oneLine } from "../render-memory.js";
import { renderSessions } from "../render-sessions.js";
import type { Shell } from "../shell.js";

const details = `
With the id of a session that goes on, what is striking about it so far: what the agent corrected
itself about, searched again and again, or ran into.
`;

export function addSessions(program: Command, shell: Shell): void {
  program
    .command("sessions")
    .description("show the sessions of agents that were learned from")
    .argument("[session]", "the id of a session that goes on")
    .option("--limit <count>", "so many of them, default 20", wholeNumber)
    .addHelpText("after", details)
    .action(async (sessionId: string | undefined, { limit }: { limit?: number }) => {
      if (sessionId !== undefined) return showRunning(shell, sessionId);
      const sessions = await shell.withMemory((memory) => memory.sessions({ ...(limit !== undefined && { limit }) }));
      await shell.print({
        document: sessions,
        ids: sessions.map((session) => session.sessionId),
        text: (page) => renderSessions(sessions, page),
      });
    });
}

async function showRunning(shell: Shell, sessionId: string): Promise<void> {
  const striking = await shell.withMemory((memory) => memory.acute(sessionId));
  await shell.print({
    document: striking,
    text: (page) =>
      striking.length === 0
        ? "Nothing is striking about this session so far."
        : [
            `${countOf(striking.length, "thing")} striking so far:`,
            ...striking.map(
              ({ priority, text }) => `${page.paint("green", priority.toFixed(2))}  ${oneLine(text, page)}`,
            ),
          ].join("\n"),
  });
}
