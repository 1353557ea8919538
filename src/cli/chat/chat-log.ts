import type { Role, TurnInput } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { refuseBlankSession, withConversation } from "./chat-session.js";
import { oneLine } from "../terminal/one-line.js";
import { earlierNotice, renderTurns } from "./render-turns.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { textArgument } from "../terminal/text-argument.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

export interface LogFlags {
  sessionId: string | undefined;
  role: Role | undefined;
  text: string | undefined;
  tool?: string[];
  at?: string;
  last?: number;
}

// What a person reads at once; a program gets all of them.
const shownTurns = 20;

/** Adds a turn where the line says what was said; else shows the conversation. */
export async function log(shell: Shell, flags: LogFlags): Promise<Answer> {
  const { sessionId, role, text, tool, at, last } = flags;
  if (role === undefined || sessionId === undefined) {
    if (tool === undefined && at === undefined) return show(shell, sessionId, last);
    throw await wrongUsage(
      "--tool and --at belong to a turn that is added.",
      'tacit chat log SESSION user "…" --tool git',
    );
  }
  if (last !== undefined) throw await wrongUsage("--last belongs to showing.", "tacit chat log SESSION --last 6");
  await refuseBlankSession(sessionId);
  const content = text === undefined ? "" : await textArgument(text, shell);
  if (text === undefined || (content.trim() === "" && tool === undefined)) {
    throw await wrongUsage(
      `What the ${role} says is missing.`,
      `tacit chat log SESSION ${role} "…", or - for standard input`,
    );
  }
  if (at !== undefined && Date.parse(at) > Date.now()) {
    throw await wrongUsage("--at is a time to come.", "Give when it was said, such as 2026-01-31T18:00Z or 30m.");
  }
  const toolsUsed = tool && [...new Set(tool)];
  return add(shell, sessionId, setOnly({ role, content, timestamp: at, toolsUsed }));
}

async function add(shell: Shell, sessionId: string, turn: TurnInput): Promise<Answer> {
  const [added] = await shell.withMemory((memory) => memory.conversation(sessionId).append(turn));
  return {
    document: { sessionId, ...added },
    ids: added?.ids ?? [],
    text: (page) =>
      [`Added to ${oneLine(sessionId, page)}:`, "", renderTurns(added === undefined ? [] : [added], page)].join("\n"),
  };
}

async function show(shell: Shell, reference: string | undefined, last: number | undefined): Promise<Answer> {
  return withConversation(shell, reference, async ({ talk, sessionId, heading }) => {
    const turns = await talk.turns(setOnly({ last }));
    const shown = last === undefined ? turns.slice(-shownTurns) : turns;
    return {
      document: { sessionId, turns },
      ids: turns.flatMap(({ ids }) => ids),
      text: (page) =>
        [
          ...heading(page),
          ...earlierNotice(turns.length - shown.length, page),
          shown.length === 0 ? "Nothing of it is left." : renderTurns(shown, page),
        ].join("\n"),
    };
  });
}
