import type { TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { cleaned } from "./chat-session.js";
import { countOf } from "../../base/count-of.js";
import { oneLine } from "../terminal/one-line.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";

type Imported = Awaited<ReturnType<TacitMemory["conversations"]["import"]>>;

/** Takes in turns from a file or standard input, and tells what was new in each session. */
export async function importChat(
  shell: Shell,
  path: string,
  { session, dryRun = false }: { session?: string; dryRun?: boolean },
): Promise<Answer> {
  if (path === "-" && process.stdin.isTTY) shell.notice("Waiting for lines from the keyboard; Ctrl-D ends them.");
  const source = path === "-" ? process.stdin : path;
  const report = await shell.withMemory((memory) =>
    memory.conversations.import(source, setOnly({ sessionId: session, dryRun })),
  );
  return {
    document: { ...report, dryRun },
    ids: await cleaned(report.sessions.map(({ sessionId }) => sessionId)),
    text: (page) => [sentence(report, dryRun), ...linesOf(report, path)].map((line) => oneLine(line, page)).join("\n"),
  };
}

const kinds: Record<Imported["kind"], string> = {
  transcript: "a transcript of Claude Code",
  "chat-lines": "role/content lines",
};

function sentence({ kind, sessions }: Imported, dryRun: boolean): string {
  const from = `From ${kinds[kind]}: ${countOf(sessions.length, "session")}.`;
  return dryRun ? `Nothing is taken in yet. ${from}` : from;
}

function linesOf({ sessions, skipped }: Imported, path: string): string[] {
  return [
    ...sessions.map(
      ({ sessionId, added, known }) =>
        `${sessionId}: ${countOf(added, "turn")} new${known === 0 ? "" : `, ${known.toLocaleString("en")} known already`}`,
    ),
    ...skipped.map(
      ({ reason, count, firstLine, unit = "line" }) =>
        `${path}:${firstLine}: ${countOf(count, unit)} skipped: ${reason}${unit === "session" ? " (--session ID takes one in all the same)" : ""}.`,
    ),
  ];
}
