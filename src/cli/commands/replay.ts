import { type Command, Option } from "commander";
import type { ReplayReport, SessionType } from "../../index.js";
import type { Answer } from "../answer.js";
import { countOf } from "../count-of.js";
import { renderReplay } from "../render-sessions.js";
import { runReplay } from "../run-replay.js";
import type { Shell } from "../shell.js";

const details = `
A transcript is what Claude Code writes of a session: ~/.claude/projects/…/*.jsonl. It is read as far
as it goes; what cannot be read is counted and told. A session that was learned from before is left
out, so that replaying again changes nothing.

Examples:
  tacit replay ~/.claude/projects/-home-ada-shop/*.jsonl
  tacit replay session.jsonl --type pr_review
`;

export function addReplay(program: Command, shell: Shell): void {
  program
    .command("replay")
    .description("learn from transcripts of sessions that are over")
    .argument("<files...>", "transcripts of Claude Code; - reads standard input")
    .addOption(
      new Option("--type <type>", "what kind of sessions they were").choices([
        "build",
        "pr_review",
        "insights",
        "roadmap",
        "terminal",
        "spec",
        "changelog",
      ]),
    )
    .addHelpText("after", details)
    .action(async (files: string[], { type }: { type?: SessionType }) => shell.print(await replay(shell, files, type)));
}

async function replay(shell: Shell, files: string[], type: SessionType | undefined): Promise<Answer> {
  const reports = await shell.withMemory((memory) => runReplay(shell, memory, files, type));
  const all = reports.flatMap(({ report }): ReplayReport["sessions"] => report.sessions);
  return {
    document: { files: reports.map(({ file, report }) => ({ file, ...report })) },
    ids: all.flatMap(({ learned, waiting }) => [...learned, ...waiting].map(({ id }) => id)),
    text: (page) => [`Read ${countOf(reports.length, "transcript")}.`, renderReplay(reports, page)].join("\n"),
  };
}
