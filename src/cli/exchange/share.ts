import { type Command, Option } from "commander";
import type { ShareOptions, ShareReport } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { canAsk, openAsking } from "../terminal/ask.js";
import { askAboutMissing } from "./ask-about-missing.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { oneLine } from "../terminal/one-line.js";
import { renderMemoryList } from "../listing/render-memory-list.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";

const details = `
Memories that are visible to the project become Markdown files under .tacit/memories, made for git:
one file each, the same bytes for the same memory. What others changed or removed there is read back,
now and whenever Tacit is used here. Personal memories, and those in which a secret was found, stay
where they are. Where a file and its memory both changed, you are asked, and neither is overwritten.
To remove a memory for everybody, remove its file and commit that. A file that is missing without
such a commit is asked about; one that a power cut damaged is written again.

What others committed there is pending your review, file by file (tacit review). With --trust, what an
author shares needs none while the remote's default branch has it, whoever merged or pushed it there: an
author's name alone is only what a commit says. What you committed yourself in this clone is imported
when you run this.

Examples:
  tacit share                       bring files and memories into step
  tacit share deploy-rule           make this one visible to the project first
  tacit share --prefer files        where both changed, the files win
  tacit share --missing forget      forget the memories whose files are missing
  tacit share --trust ann@acme.org  import what she has on the remote's default branch, without a review
`;

interface ShareFlags {
  prefer?: NonNullable<ShareOptions["prefer"]>;
  missing?: NonNullable<ShareOptions["missing"]>;
  trust?: string[];
  distrust?: string[];
  dryRun?: boolean;
}

export function addShare(program: Command, shell: Shell): void {
  program
    .command("share")
    .description("share memories with everybody who works on this project, through git")
    .argument("[refs...]", "memories to make visible to the project first")
    .addOption(new Option("--prefer <side>", "who wins where both changed").choices(["files", "store"]))
    .addOption(
      new Option("--missing <what>", "what becomes of memories whose files are missing").choices(["forget", "restore"]),
    )
    .option("--trust <email...>", "import what these authors have on the remote's default branch without a review")
    .option("--distrust <email...>", "review what these authors share again")
    .option("--dry-run", "only tell what would happen")
    .addHelpText("after", details)
    .action(async (references: string[], flags: ShareFlags) => shell.print(await share(shell, references, flags)));
}

async function share(shell: Shell, references: string[], flags: ShareFlags): Promise<Answer> {
  const { prefer, missing, trust, distrust, dryRun = false } = flags;
  const report = await shell.withMemory(async (memory) => {
    const first = await memory.exchange.share({ references, dryRun, ...setOnly({ prefer, missing, trust, distrust }) });
    if (first.missing.length === 0 || dryRun || missing !== undefined || !canAsk(shell)) return first;
    const answer = await askAboutMissing(first.missing, await openAsking());
    return answer === undefined
      ? first
      : both(first, await memory.exchange.share({ missing: answer, references: first.missing.map(({ id }) => id) }));
  });
  return {
    document: { ...report, dryRun },
    ok: report.problems.length === 0,
    text: (page) => render(report, dryRun, page),
  };
}

/** What both did, and how it is after the second. */
function both(first: ShareReport, second: ShareReport): ShareReport {
  const { read } = first;
  return {
    ...second,
    written: [...first.written, ...second.written],
    removed: [...first.removed, ...second.removed],
    repaired: [...first.repaired, ...second.repaired],
    read: {
      added: [...read.added, ...second.read.added],
      updated: [...read.updated, ...second.read.updated],
      forgotten: [...read.forgotten, ...second.read.forgotten],
    },
  };
}

function render(report: ShareReport, dryRun: boolean, page: Page): string {
  const { folder, written, removed, repaired, unchanged, rejected, read, withheld, waiting, problems } = report;
  const line = (verb: string, files: string[]) =>
    files.length === 0 ? [] : [`${verb} ${countOf(files.length, "file")}: ${oneLine(files.join(", "), page)}`];
  const changes = [
    ...line("Wrote", written),
    ...line("Removed", removed),
    ...line("Repaired", repaired),
    ...line("Took in", read.added),
    ...line("Changed memories by", read.updated),
    ...line("Forgot what is gone with", read.forgotten),
  ];
  // Where something is to be decided, there is something to do.
  const calm = problems.length === 0 ? "Nothing to do: " : "";
  return [
    ...(dryRun ? ["Nothing is done yet. This would be:"] : []),
    ...(changes.length > 0 ? changes : [`${calm}${countOf(unchanged, "file")} in ${folder} in step.`]),
    ...(repaired.length > 0 ? [page.paint("dim", "They were empty, zeroed or cut short, as after a power cut.")] : []),
    ...(rejected.length > 0
      ? [oneLine(`${countOf(rejected.length, "file")} still as you rejected: ${rejected.join(", ")}`, page)]
      : []),
    ...(withheld.length > 0
      ? ["", page.paint("yellow", `Kept here, because a secret was found in them or nobody vouches for them:`)]
      : []),
    ...(withheld.length > 0 ? [renderMemoryList(withheld, page)] : []),
    ...(waiting.length > 0 ? ["", page.paint("yellow", "These are pending your review: tacit review")] : []),
    ...waiting.map(({ file, reason }) => oneLine(`${file}: ${reason}`, page)),
    ...problems.flatMap(({ file, line: at, message, hint }) => [
      "",
      page.paint("red", oneLine(`${file}${at === undefined ? "" : `:${at}`}: ${message}.`, page)),
      oneLine(hint, page),
    ]),
    ...(written.length + removed.length > 0 && !dryRun ? ["", page.paint("dim", `Commit ${folder} to share it.`)] : []),
  ].join("\n");
}
