import { PassThrough } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { type Command, Option } from "commander";
import type { ExportFormat, ExportOptions, ExportReport } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { countOf } from "../../base/count-of.js";
import { addFilterOptions, type FilterFlags, readFilter } from "../listing/filter-options.js";
import { readToken } from "./read-token.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const details = `
jsonl      every memory with its history, one a line; tacit import takes it in as it was
md         one Markdown file a memory, into a folder; the same both ways
claude-md  what holds, as a section for CLAUDE.md or AGENTS.md; what else is in the file stays

--archive holds the memories and their vectors, so that its database answers at once with the same
model. The index of the code and the figures of tacit stats are not in it; tacit backup copies them too.

--chroma puts what holds into a collection of a Chroma server, memories unless the address says
otherwise (http://127.0.0.1:8000?collection=notes), with vectors of all-MiniLM-L6-v2. Again: it
changes nothing.

Examples:
  tacit export --output memories.jsonl
  tacit export --format claude-md --output CLAUDE.md --type convention
  tacit export --archive --output ~/my-project-memories
  tacit export --chroma http://127.0.0.1:8000
`;

interface ExportFlags extends FilterFlags {
  format?: ExportFormat;
  output?: string;
  archive?: boolean;
  force?: boolean;
  chroma?: string;
  chromaKeyVariable?: string;
}

const formats: Record<ExportFormat, true> = { jsonl: true, md: true, "claude-md": true };

export function addExport(program: Command, shell: Shell): void {
  const command = program
    .command("export")
    .description("write memories out, to keep or to take elsewhere")
    .addOption(new Option("--format <format>", "how (jsonl, unless said otherwise)").choices(Object.keys(formats)))
    .option("--output <path>", "the file, or for md the folder; standard output when left out")
    .option(
      "--archive",
      "every memory of this project into a new folder: a database with vectors, JSON Lines and Markdown",
    )
    .option("--force", "also over a file, or into a folder, that Tacit did not write")
    .option("--chroma <url>", "a collection of the Chroma server at this address, instead of a file")
    .option("--chroma-key-variable <name>", "the variable of the environment that holds the server's token")
    .addHelpText("after", details)
    .action(async (flags: ExportFlags) => write(shell, flags));
  addFilterOptions(command);
}

async function write(shell: Shell, flags: ExportFlags): Promise<void> {
  const {
    format = "jsonl",
    output,
    archive = false,
    force = false,
    chroma,
    chromaKeyVariable: _variable,
    ...filters
  } = flags;
  if (archive) return shell.print(await writeArchive(shell, flags));
  if (filters.limit !== undefined) {
    throw await wrongUsage("export takes no --limit: half of the memories would look like all.", "Leave it out.");
  }
  if (chroma !== undefined) return shell.print(await writeChroma(shell, chroma, flags));
  if (output === undefined && (format === "md" || shell.flags.json)) {
    const why = format === "md" ? "md is one file a memory" : "--json answers with a document of its own";
    throw await wrongUsage(
      `${why}, so it needs --output.`,
      "For example: tacit export --format md --output ./memories",
    );
  }
  const isForAgent = await shell.withMemory(async ({ actor }) => actor.kind === "agent");
  // What an agent reads is quoted, and no export any more: it can write a file.
  const text = output === undefined && isForAgent ? new PassThrough() : undefined;
  const options: ExportOptions = { ...readFilter(filters), format, output: output ?? text ?? process.stdout, force };
  const written = text === undefined ? undefined : readText(text);
  const report = await shell.withMemory((memory) => memory.exchange.export(options));
  text?.end();
  const read = await written;
  if (read !== undefined) return shell.print({ document: read, text: () => read });
  if (output === undefined) return report.statedPlaces ? shell.notice(stays(report).trim()) : undefined;
  return shell.print({
    document: report,
    text: (page) => `Wrote ${countOf(report.memories, "memory")} to ${page.clean(report.output ?? "")}${stays(report)}`,
  });
}

async function writeChroma(shell: Shell, chroma: string, flags: ExportFlags): Promise<Answer> {
  const { format, output, force, chromaKeyVariable } = flags;
  if (format !== undefined || output !== undefined || force !== undefined) {
    throw await wrongUsage(
      "--chroma writes to a server, and takes no --format, --output or --force.",
      "For example: tacit export --chroma http://127.0.0.1:8000 --type fact",
    );
  }
  const onProgress = (done: number, phase: "reading" | "writing") =>
    shell.progress(`${phase === "reading" ? "Embedded" : "Sent"} ${countOf(done, "memory")} …`);
  try {
    const options = { ...readFilter(flags), ...(await readToken(chromaKeyVariable)), onProgress };
    const report = await shell.withMemory((memory) => memory.exchange.exportChroma(chroma, options));
    return {
      document: report,
      text: (page) =>
        `Put ${countOf(report.memories, "memory")} into the collection ${report.collection} of ${page.clean(report.output)}`,
    };
  } finally {
    shell.progress("");
  }
}

async function writeArchive(shell: Shell, { archive: _archive, output, ...others }: ExportFlags): Promise<Answer> {
  if (output === undefined || Object.keys(others).length > 0) {
    throw await wrongUsage(
      "--archive takes every memory of this project into a new folder.",
      "For example: tacit export --archive --output ~/my-project-memories",
    );
  }
  const report = await shell.withMemory((memory) => memory.exchange.archive(output));
  return {
    document: report,
    text: (page) =>
      `Archived ${countOf(report.memories, "memory")} in ${page.clean(report.output ?? "")}${stays(report)}`,
  };
}

function stays({ statedPlaces = 0 }: ExportReport): string {
  if (statedPlaces === 0) return "";
  const places = countOf(statedPlaces, "place");
  return `\nNot in it: ${places} of patterns and decisions, stated apart from any memory. tacit pattern and tacit decision show them.`;
}
