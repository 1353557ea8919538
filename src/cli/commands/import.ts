import type { Command } from "commander";
import type { ImportReport } from "../../index.js";
import type { Answer } from "../answer.js";
import { countOf } from "../count-of.js";
import { evictedRemark } from "../remarks.js";
import { oneLine, shortId } from "../render-memory.js";
import type { Shell } from "../shell.js";

const details = `
What a file is, Tacit sees from what is in it: JSON Lines of tacit export, Markdown with one memory a
file, the rules of agents (CLAUDE.md, AGENTS.md, .cursorrules, .cursor/rules, copilot-instructions.md),
or the memory.json of an opencode plugin. All of it is taken in or, at the first error, nothing.
Importing the same again changes nothing.

Examples:
  tacit import memories.jsonl
  tacit import CLAUDE.md --dry-run
  tacit export --format jsonl | ssh elsewhere tacit import -
`;

interface ImportFlags {
  rebind?: boolean;
  dryRun?: boolean;
}

export function addImport(program: Command, shell: Shell): void {
  program
    .command("import")
    .description("take memories in from a file or a folder")
    .argument("<path>", "a file or a folder; - reads standard input")
    .option("--dry-run", "only tell what would happen")
    .option("--rebind", "take names from the memories that hold them")
    .addHelpText("after", details)
    .action(async (path: string, flags: ImportFlags) => shell.print(await take(shell, path, flags)));
}

async function take(shell: Shell, path: string, { rebind = false, dryRun = false }: ImportFlags): Promise<Answer> {
  if (path === "-" && process.stdin.isTTY) shell.notice("Waiting for memories from the keyboard; Ctrl-D ends them.");
  const onProgress = (done: number, phase: "reading" | "writing") =>
    shell.progress(`${phase === "reading" ? "Read" : "Kept"} ${countOf(done, "memory")} …`);
  try {
    const source = path === "-" ? process.stdin : path;
    const report = await shell.withMemory((memory) => memory.import(source, { rebind, dryRun, onProgress }));
    return {
      document: { ...report, dryRun },
      text: (page) => [sentence(report, dryRun), ...remarksOn(report)].map((line) => oneLine(line, page)).join("\n"),
    };
  } finally {
    shell.progress("");
  }
}

function remarksOn(report: ImportReport): string[] {
  const { redacted, takenFrom } = report;
  return [
    ...(redacted > 0 ? [`Something was taken out of ${countOf(redacted, "memory")}, such as a secret.`] : []),
    ...(takenFrom.length > 0 ? [`Names were taken from ${takenFrom.map(shortId).join(", ")}.`] : []),
    ...evictedRemark(report),
  ];
}

function sentence(report: ImportReport, dryRun: boolean): string {
  const { files, added, updated, merged, unchanged } = report;
  const parts = [
    [added, "new"],
    [updated, "newer than here"],
    [merged, "merged with the same text here"],
    [unchanged, "known already"],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${Number(count).toLocaleString("en")} ${what}`]));
  const from = `${countOf(files, "file")} (${report.kinds.join(", ")})`;
  return `${dryRun ? "Nothing is taken in yet. From" : "From"} ${from}: ${parts.join(", ") || "no memories"}.`;
}
