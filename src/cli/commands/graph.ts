import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Command, Option } from "commander";
import type { EdgeKind, TacitMemory } from "../../index.js";
import { collectFrom } from "../option-values.js";
import { setOnly } from "../set-only.js";
import type { Shell } from "../shell.js";
import { wrongUsage } from "../wrong-usage.js";

const examples = `
json     every file and symbol, and what ties them together
dot      a drawing for Graphviz, of files: tacit graph export --format dot --files src/ | dot -Tsvg > graph.svg
mermaid  a drawing for Markdown, of files; keep it small with --files and --kind

Examples:
  tacit graph export --output graph.json
  tacit graph export --format mermaid --files src/memory/ --kind imports
`;

type ExportOptions = NonNullable<Parameters<TacitMemory["exportGraph"]>[0]>;

// Written out for the same reason as the lists in filter-options.ts.
const formats: Record<NonNullable<ExportOptions["format"]>, true> = { json: true, dot: true, mermaid: true };
const levels: Record<NonNullable<ExportOptions["level"]>, true> = { file: true, symbol: true };
const kinds: Record<EdgeKind, true> = {
  contains: true,
  imports: true,
  exports: true,
  calls: true,
  extends: true,
  implements: true,
  references: true,
  tests: true,
  changes_with: true,
};

interface ExportFlags extends Pick<ExportOptions, "format" | "level" | "files"> {
  kind?: EdgeKind[];
  output?: string;
}

export function addGraph(program: Command, shell: Shell): void {
  const command = program.command("graph").description("the graph of the code, to be used elsewhere");
  command
    .command("export")
    .description("write the graph of the code as JSON, or as a drawing")
    .addOption(new Option("--format <format>", "how (json, unless said otherwise)").choices(Object.keys(formats)))
    .addOption(
      new Option("--kind <kind>", "only edges of this kind; several times for several").argParser(
        collectFrom(Object.keys(kinds)),
      ),
    )
    .option("--files <prefix>", "only files whose path from the project's root begins so")
    .addOption(new Option("--level <level>", "how fine (json: symbol, else file)").choices(Object.keys(levels)))
    .option("--output <file>", "the file; standard output when left out")
    .addHelpText("after", examples)
    .action(async (flags: ExportFlags) => exportGraph(shell, flags));
}

async function exportGraph(shell: Shell, { kind, output, ...rest }: ExportFlags): Promise<void> {
  if (output === undefined && shell.flags.json && rest.format !== undefined && rest.format !== "json") {
    throw await wrongUsage(
      "--json answers with a document of its own, so a drawing needs --output.",
      `For example: tacit graph export --format ${rest.format} --output graph.${rest.format === "dot" ? "dot" : "mmd"}`,
    );
  }
  const options = setOnly<ExportOptions>({ ...rest, kinds: kind });
  await shell.withMemory(async (memory) => {
    const pieces = memory.exportGraph(options);
    if (output === undefined) return printAll(pieces);
    const written = { bytes: 0 };
    await pipeline(Readable.from(counted(pieces, written)), createWriteStream(output));
    return shell.print({
      document: { output, bytes: written.bytes },
      text: (page) => `Wrote the graph to ${page.clean(output)} (${written.bytes.toLocaleString("en")} bytes)`,
    });
  });
}

async function printAll(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    await new Promise<void>((written) => {
      process.stdout.write(piece, () => written());
    });
  }
}

async function* counted(pieces: AsyncIterable<string>, written: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    written.bytes += bytes.length;
    if (bytes.length > 0) yield bytes;
  }
}
