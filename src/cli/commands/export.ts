import { type Command, Option } from "commander";
import type { ExportFormat, ExportOptions } from "../../index.js";
import type { Answer } from "../answer.js";
import { countOf } from "../count-of.js";
import { addFilterOptions, type FilterFlags, readFilter } from "../filter-options.js";
import type { Shell } from "../shell.js";
import { wrongUsage } from "../wrong-usage.js";

const details = `
jsonl      every memory with its history, one a line; tacit import takes it in as it was
md         one Markdown file a memory, into a folder; the same both ways
claude-md  what holds, as a section for CLAUDE.md or AGENTS.md; what else is in the file stays

Examples:
  tacit export --output memories.jsonl
  tacit export --format claude-md --output CLAUDE.md --type convention
  tacit export --archive --output ~/my-project-memories
`;

interface ExportFlags extends FilterFlags {
  format?: ExportFormat;
  output?: string;
  archive?: boolean;
  force?: boolean;
}

const formats: Record<ExportFormat, true> = { jsonl: true, md: true, "claude-md": true };

export function addExport(program: Command, shell: Shell): void {
  const command = program
    .command("export")
    .description("write memories out, to keep or to take elsewhere")
    .addOption(new Option("--format <format>", "how (jsonl, unless said otherwise)").choices(Object.keys(formats)))
    .option("--output <path>", "the file, or for md the folder; standard output when left out")
    .option("--archive", "everything of this project into a new folder: database, JSON Lines and Markdown")
    .option("--force", "also over a file, or into a folder, that Tacit did not write")
    .addHelpText("after", details)
    .action(async (flags: ExportFlags) => write(shell, flags));
  addFilterOptions(command);
}

async function write(shell: Shell, flags: ExportFlags): Promise<void> {
  const { format = "jsonl", output, archive = false, force = false, ...filters } = flags;
  if (archive) return shell.print(await writeArchive(shell, flags));
  if (filters.limit !== undefined) {
    throw await wrongUsage("export takes no --limit: half of the memories would look like all.", "Leave it out.");
  }
  if (output === undefined && (format === "md" || shell.flags.json)) {
    const why = format === "md" ? "md is one file a memory" : "--json answers with a document of its own";
    throw await wrongUsage(
      `${why}, so it needs --output.`,
      "For example: tacit export --format md --output ./memories",
    );
  }
  const options: ExportOptions = { ...readFilter(filters), format, output: output ?? process.stdout, force };
  const report = await shell.withMemory((memory) => memory.export(options));
  if (output === undefined) return undefined;
  return shell.print({
    document: report,
    text: (page) => `Wrote ${countOf(report.memories, "memory")} to ${page.clean(report.output ?? "")}`,
  });
}

async function writeArchive(shell: Shell, { archive: _archive, output, ...others }: ExportFlags): Promise<Answer> {
  if (output === undefined || Object.keys(others).length > 0) {
    throw await wrongUsage(
      "--archive takes everything of this project into a new folder.",
      "For example: tacit export --archive --output ~/my-project-memories",
    );
  }
  const report = await shell.withMemory((memory) => memory.archive(output));
  return {
    document: report,
    text: (page) => `Archived ${countOf(report.memories, "memory")} in ${page.clean(report.output ?? "")}`,
  };
}
