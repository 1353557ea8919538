import type { Command } from "commander";
import type { Acute, SessionRecord, SessionSummary, TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { brief } from "../terminal/brief.js";
import { countOf } from "../../base/count-of.js";
import { wholeNumber } from "../terminal/option-values.js";
import { oneLine } from "../terminal/one-line.js";
import { renderMemoryList } from "../listing/render-memory-list.js";
import { shortId } from "../terminal/short-id.js";
import { renderSessions } from "./render-sessions.js";
import { renderSummary } from "./render-summary.js";
import type { Shell } from "../terminal/shell.js";

const details = `
With the id of a session that is over: what it was told and used, about how many tokens that saved, and
what was learned from it. With that of one that goes on: what is striking about it so far, such as what
the agent corrected itself about, searched again and again, or ran into.
`;

// More than anybody names one of.
const maxSessions = 10_000;

export function addSessions(program: Command, shell: Shell): void {
  program
    .command("sessions")
    .description("show the sessions of agents that were learned from, or one of them")
    .argument("[session]", "the id of a session, or the last 8 characters of one that is over")
    .option("--limit <count>", "so many of them, default 20", wholeNumber)
    .addHelpText("after", details)
    .action(async (sessionId: string | undefined, { limit }: { limit?: number }) => {
      if (sessionId !== undefined) return shell.print(await showOne(shell, sessionId));
      await shell.print(await showAll(shell, limit));
    });
}

async function showAll(shell: Shell, limit: number | undefined): Promise<Answer> {
  return shell.withMemory(async (memory) => {
    const sessions = await memory.sessions.list({ ...(limit !== undefined && { limit }) });
    const isTalk = sessions.length === 0 && (await memory.conversations.list({ limit: 1 })).length > 0;
    return {
      document: sessions,
      ids: sessions.map((session) => session.sessionId),
      text: (page) =>
        [
          renderSessions(sessions, page),
          ...(isTalk ? ["There are conversations that were kept: tacit chat list"] : []),
        ].join("\n"),
    };
  });
}

async function showOne(shell: Shell, reference: string): Promise<Answer> {
  return shell.withMemory(async (memory) => {
    const striking = await memory.sessions.acute(reference);
    const session = (await memory.sessions.list({ limit: maxSessions })).find(
      ({ sessionId }) => sessionId === reference || shortId(sessionId) === reference,
    );
    const summary = await memory.sessions.summary(session?.sessionId ?? reference);
    if (striking.length > 0) return aboutRunning(striking, summary);
    if (session) return aboutOver(memory, session, summary);
    if (summary) return aboutRunning(striking, summary);
    const { MemoryError } = await import("../../index.js");
    throw new MemoryError(
      "invalid-input",
      `No session ${JSON.stringify(brief(reference))} is known here.`,
      "tacit sessions lists those that are over. One that goes on is shown by its whole id, as soon as there is something to tell of it.",
    );
  });
}

async function aboutOver(
  memory: TacitMemory,
  session: SessionRecord,
  summary: SessionSummary | undefined,
): Promise<Answer> {
  const all = await memory.list({ status: "any" });
  // What was said in it is no memory that it leaves behind; tacit chat shows that.
  const memories = all.filter(
    ({ type, provenanceSessionIds }) =>
      provenanceSessionIds.includes(session.sessionId) && type !== "conversation" && type !== "archive",
  );
  return {
    document: { session, memories, ...(summary && { summary }) },
    ids: memories.map(({ id }) => id),
    text: (page) =>
      [
        renderSessions([session], page),
        ...(summary ? ["", renderSummary(summary, page, { isOver: true })] : []),
        ...(memories.length > 0 ? ["", renderMemoryList(memories, page)] : []),
      ].join("\n"),
  };
}

function aboutRunning(striking: Acute[], summary: SessionSummary | undefined): Answer {
  return {
    document: { striking, ...(summary && { summary }) },
    text: (page) =>
      [
        striking.length === 0
          ? "Nothing is striking about it so far."
          : `${countOf(striking.length, "thing")} ${striking.length === 1 ? "is" : "are"} striking so far:`,
        ...striking.map(({ priority, text }) => `${page.paint("green", priority.toFixed(2))}  ${oneLine(text, page)}`),
        ...(summary ? ["", renderSummary(summary, page, { isOver: false })] : []),
      ].join("\n"),
  };
}
