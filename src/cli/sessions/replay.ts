import { type Command, Option } from "commander";
import type { SessionType } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { renderReplay } from "./render-sessions.js";
import { replayDocument, runReplay } from "./run-replay.js";
import { sessionTypeNames } from "./session-types.js";
import type { Shell } from "../terminal/shell.js";
import { countPending } from "../listing/pending-notice.js";

const details = `
A transcript is what Claude Code writes of a session: ~/.claude/projects/…/*.jsonl. It is read as far
as it goes; what cannot be read is counted and told, and so are sessions that began in another project.
Of a session that was learned from before only what came later is learned, so that replaying again
changes nothing. Name them oldest first: many things are learned only when a third session shows them.

Examples:
  tacit replay ~/.claude/projects/-home-ada-shop/*.jsonl
  tacit replay session.jsonl --type pr_review
`;

export function addReplay(program: Command, shell: Shell): void {
  program
    .command("replay")
    .description("learn from transcripts of sessions that are over")
    .argument("<files...>", "transcripts of Claude Code; - reads standard input")
    .addOption(new Option("--type <type>", "what kind of sessions they were").choices(sessionTypeNames))
    .addHelpText("after", details)
    .action(async (files: string[], { type }: { type?: SessionType }) => shell.print(await replay(shell, files, type)));
}

async function replay(shell: Shell, files: string[], type: SessionType | undefined): Promise<Answer> {
  const { replayed, waiting } = await shell.withMemory(async (memory) => {
    const all = await runReplay(shell, memory, files, type);
    const [one] = all;
    if (one && "error" in one && files.length === 1) throw one.error;
    return { replayed: all, waiting: await countPending(memory) };
  });
  const sessions = replayed.flatMap((one) => ("report" in one ? one.report.sessions : []));
  return {
    document: { files: replayed.map(replayDocument), waiting },
    ids: sessions.flatMap((session) => [...session.learned, ...session.waiting].map(({ id }) => id)),
    ok: replayed.every((one) => "report" in one),
    text: (page) => renderReplay(replayed, waiting, page),
  };
}
