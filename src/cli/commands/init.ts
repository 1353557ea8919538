import type { Command } from "commander";
import type { TacitMemory } from "../../index.js";
import { askYesNo } from "../ask-yes-no.js";
import { countOf } from "../count-of.js";
import type { Page } from "../page.js";
import { renderIndex } from "../render-index.js";
import { renderReplay } from "../render-sessions.js";
import { runIndex } from "../run-index.js";
import { type ReplayedFile, replayDocument, runReplay } from "../run-replay.js";
import type { Shell } from "../shell.js";
import { countWaiting, waitingNotice } from "../waiting-notice.js";

const details = `
Everything that Tacit can learn of a project before anybody works on it with it: its code (tacit index),
which files change together in its history, and the sessions that Claude Code has kept of it. You are
asked before those are read. It writes nothing into the work tree, and may be run again.
`;

interface InitFlags {
  replay?: boolean;
}

/** The transcripts that were not learned from yet, and what came of them where they were. */
interface Transcripts {
  found: number;
  replayed?: ReplayedFile[];
}

export function addInit(program: Command, shell: Shell): void {
  program
    .command("init")
    .description("learn a project: its code, its history, and the sessions that agents had there")
    .option("--replay", "learn from the transcripts of Claude Code without asking")
    .option("--no-replay", "leave them alone")
    .addHelpText("after", details)
    .action(async (flags: InitFlags) => {
      const { report, transcripts, waiting } = await shell.withMemory(async (memory) => ({
        report: await runIndex(shell, memory, { history: true }),
        transcripts: await offerReplay(shell, memory, flags),
        waiting: await countWaiting(memory),
      }));
      await shell.print({
        document: { ...report, transcripts: documentOf(transcripts) },
        text: (page) => [renderIndex(report, page), ...renderTranscripts(transcripts, waiting, page)].join("\n\n"),
      });
    });
}

async function offerReplay(shell: Shell, memory: TacitMemory, { replay }: InitFlags): Promise<Transcripts> {
  const transcripts = replay === false ? [] : await memory.transcripts();
  const found = transcripts.length;
  if (found === 0) return { found };
  const question = `Claude Code has kept ${countOf(found, "transcript")} of sessions here. Learn from ${found === 1 ? "it" : "them"}?`;
  if (!(replay ?? (await askYesNo(question, shell)))) return { found };
  const files = transcripts.map(({ file }) => file);
  return { found, replayed: await runReplay(shell, memory, files) };
}

function documentOf({ found, replayed }: Transcripts): Record<string, unknown> {
  return { found, ...(replayed && { replayed: replayed.map(replayDocument) }) };
}

function renderTranscripts({ found, replayed }: Transcripts, waiting: number, page: Page): string[] {
  if (replayed) return [renderReplay(replayed, waiting, page)];
  const told = `Claude Code has kept ${countOf(found, "transcript")} of sessions here. To learn from ${found === 1 ? "it" : "them"}: tacit init --replay`;
  return [...(found === 0 ? [] : [told]), ...waitingNotice(waiting, page)];
}
