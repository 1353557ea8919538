import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Command, Option } from "commander";
import type { ConceptEdgeKind, EdgeKind, MeaningKind, TacitMemory } from "../../index.js";
import { collectFrom } from "../terminal/option-values.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { printNotes } from "../terminal/print-notes.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const examples = `
json     every file and symbol, and what ties them together
dot      a drawing for Graphviz, of files: tacit graph export --format dot --files src/ | dot -Tsvg > graph.svg
mermaid  a drawing for Markdown, of files; keep it small with --files and --kind

--level module gives the modules: who imports from whom, and as JSON also what they are entered by and where that leads.

Examples:
  tacit graph export --output graph.json
  tacit graph export --format mermaid --files src/memory/ --kind imports
  tacit graph export --format mermaid --level module
`;

type ExportOptions = NonNullable<Parameters<TacitMemory["exportGraph"]>[0]>;

// Written out for the same reason as the lists in filter-options.ts.
const formats: Record<NonNullable<ExportOptions["format"]>, true> = { json: true, dot: true, mermaid: true };
const levels: Record<NonNullable<ExportOptions["level"]>, true> = { module: true, file: true, symbol: true };
const kinds: Record<EdgeKind | MeaningKind | ConceptEdgeKind, true> = {
  contains: true,
  imports: true,
  exports: true,
  calls: true,
  extends: true,
  implements: true,
  references: true,
  tests: true,
  changes_with: true,
  is_entrypoint_for: true,
  flows_to: true,
  applies_pattern: true,
  documents: true,
};

interface ExportFlags extends Pick<ExportOptions, "format" | "level" | "files"> {
  kind?: (EdgeKind | MeaningKind | ConceptEdgeKind)[];
  output?: string;
  force?: boolean;
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
    .option("--force", "also over a file that is there")
    .addHelpText("after", examples)
    .action(async (flags: ExportFlags) => exportGraph(shell, flags));
}

async function exportGraph(shell: Shell, { kind, output, force = false, ...rest }: ExportFlags): Promise<void> {
  if (output === undefined && shell.flags.json && rest.format !== undefined && rest.format !== "json") {
    throw await wrongUsage(
      "--json answers with a document of its own, so a drawing needs --output.",
      `For example: tacit graph export --format ${rest.format} --output graph.${rest.format === "dot" ? "dot" : "mmd"}`,
    );
  }
  const options = setOnly<ExportOptions>({ ...rest, kinds: kind });
  await shell.withMemory(async (memory) => {
    const notes = await memory.code.notes();
    await printNotes(shell, notes);
    const pieces = memory.exportGraph(options);
    if (output === undefined) return printAll(pieces);
    const bytes = await writeAll(pieces, output, force);
    return shell.print({
      document: { output, bytes, ...(notes.length > 0 && { notes }) },
      text: (page) => `Wrote the graph to ${page.clean(output)} (${bytes.toLocaleString("en")} bytes)`,
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

/** Gives how many bytes it wrote. */
async function writeAll(pieces: AsyncIterable<string>, output: string, force: boolean): Promise<number> {
  let bytes = 0;
  const rest = pieces[Symbol.asyncIterator]();
  // Before the file is touched: where there is no index, it stays as it was.
  const first = await rest.next();
  const all = async function* () {
    for (let next = first; next.done !== true; next = await rest.next()) {
      if (next.value === "") continue;
      bytes += Buffer.byteLength(next.value);
      yield next.value;
    }
  };
  try {
    await pipeline(Readable.from(all()), createWriteStream(output, { flags: force ? "w" : "wx", mode: 0o600 }));
  } catch (error) {
    throw await aboutFile(error, output);
  }
  return bytes;
}

async function aboutFile(error: unknown, output: string): Promise<unknown> {
  const { MemoryError } = await import("../../index.js");
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof MemoryError || code === undefined) return error;
  if (code === "EEXIST") {
    return new MemoryError("export-refused", `${output} is there already.`, "--force writes over it.", error);
  }
  const hint = "Check the folder, and who may write there.";
  return new MemoryError("export-refused", `${output} cannot be written (${code}).`, hint, error);
}
