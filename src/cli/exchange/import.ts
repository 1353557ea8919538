import type { Command } from "commander";
import type { ImportReport, TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { countOf } from "../../base/count-of.js";
import { evictedRemark } from "../listing/remarks.js";
import { readToken } from "./read-token.js";
import { oneLine } from "../terminal/one-line.js";
import { shortId } from "../terminal/short-id.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const details = `
What a file is, Tacit sees from what is in it: JSON Lines of tacit export, Markdown with one memory
a file, the rules of agents (CLAUDE.md, AGENTS.md, .cursorrules, .cursor/rules,
copilot-instructions.md), or the memory.json of an opencode plugin. All of it is taken in or, at the
first error, nothing. Importing the same again changes nothing.

A file cannot vouch for itself: what it calls verified, pinned or taught by you arrives as an import
does. Of a file that you have exported yourself, --trust takes all of it as it was.

--chroma takes in a collection of a Chroma server instead, the one called memories unless the
address says otherwise: http://127.0.0.1:8000?collection=notes (also tenant= and database=). Anybody
may have written it, so it arrives unverified: tacit review --unverified

Examples:
  tacit import memories.jsonl
  tacit import CLAUDE.md --dry-run
  tacit export --format jsonl | ssh elsewhere tacit import - --trust
  tacit import --chroma http://127.0.0.1:8000 --dry-run
`;

interface ImportFlags {
  rebind?: boolean;
  dryRun?: boolean;
  trust?: boolean;
  chroma?: string;
  chromaKeyVariable?: string;
}

export function addImport(program: Command, shell: Shell): void {
  program
    .command("import")
    .description("take memories in from a file, a folder or a Chroma server")
    .argument("[path]", "a file or a folder; - reads standard input")
    .option("--chroma <url>", "a collection of the Chroma server at this address, instead of a file")
    .option("--chroma-key-variable <name>", "the variable of the environment that holds the server's token")
    .option("--dry-run", "only tell what would happen")
    .option("--rebind", "take names from the memories that hold them")
    .option("--trust", "believe what your own export says: verified, pinned, taught by you")
    .addHelpText("after", details)
    .action(async (path: string | undefined, flags: ImportFlags) => shell.print(await take(shell, path, flags)));
}

async function take(shell: Shell, path: string | undefined, flags: ImportFlags): Promise<Answer> {
  const { rebind = false, dryRun = false, trust = false, chroma } = flags;
  if ((path === undefined) === (chroma === undefined)) {
    throw await wrongUsage(
      "import takes a path (a file, a folder, or - for standard input), or --chroma with an address: one of them.",
      "For example: tacit import memories.jsonl",
    );
  }
  if (path === "-" && process.stdin.isTTY) shell.notice("Waiting for memories from the keyboard; Ctrl-D ends them.");
  const onProgress = (done: number, phase: "reading" | "writing") =>
    shell.progress(`${phase === "reading" ? "Read" : "Kept"} ${countOf(done, "memory")} …`);
  try {
    const options = { rebind, dryRun, onProgress };
    const believed = { ...options, ...(trust && { trust }) };
    const token = await readToken(flags.chromaKeyVariable);
    const { isByAgent, ...report } = await shell.withMemory(async (memory): Promise<Taken> => {
      const taken =
        chroma === undefined
          ? await memory.exchange
              .import(path === "-" ? process.stdin : (path as string), believed)
              .catch((error: unknown) => refuse(error, memory, path as string))
          : await memory.exchange.importChroma(chroma, { ...options, ...token });
      return { ...taken, isByAgent: memory.actor.kind === "agent" };
    });
    return {
      document: { ...report, dryRun },
      text: (page) =>
        [sentence(report, dryRun), ...remarksOn({ ...report, ...(isByAgent && !dryRun && { isByAgent }) })]
          .map((line) => oneLine(line, page))
          .join("\n"),
    };
  } finally {
    shell.progress("");
  }
}

/** A conversation is no file of memories, but there is a command for it. */
async function refuse(refusal: unknown, memory: TacitMemory, path: string): Promise<never> {
  const { MemoryError } = await import("../../index.js");
  if (!(refusal instanceof MemoryError) || refusal.code !== "import-refused" || path === "-") throw refusal;
  const talk = await memory.conversations.import(path, { dryRun: true }).catch(() => undefined);
  if (!talk) throw refusal;
  const hint = `It looks like a conversation, which is taken in by: tacit chat import ${path}`;
  throw new MemoryError(refusal.code, refusal.message, hint, refusal);
}

/** What was taken in, and from a server the collection. */
type Taken = ImportReport & { collection?: string; leftOut?: number; isByAgent?: boolean };

function remarksOn(report: Taken): string[] {
  const { added, redacted, takenFrom, leftOut = 0, claimed = 0, renamedSessions = [], isByAgent = false } = report;
  return [
    ...(isByAgent && added > 0 ? ["What an agent imports is pending until a person approves it: tacit review"] : []),
    ...(claimed > 0
      ? [
          `${countOf(claimed, "memory")} said to be verified, pinned or taught by you; a file cannot vouch for itself. For your own export: --trust`,
        ]
      : []),
    ...(leftOut > 0
      ? [`${leftOut.toLocaleString("en")} without a text ${leftOut === 1 ? "was" : "were"} left out.`]
      : []),
    ...(redacted > 0 ? [`Something was taken out of ${countOf(redacted, "memory")}, such as a secret.`] : []),
    ...(takenFrom.length > 0 ? [`Names were taken from ${takenFrom.map(shortId).join(", ")}.`] : []),
    ...renamedSessions.map(({ from, to }) => `Session ${from} is another conversation here; its turns are in ${to}.`),
    ...evictedRemark(report),
  ];
}

function sentence(report: Taken, dryRun: boolean): string {
  const { files, added, updated, merged, unchanged, collection } = report;
  const parts = [
    [added, "new"],
    [updated, "updated"],
    [merged, "merged with the same text here"],
    [unchanged, "known already"],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${Number(count).toLocaleString("en")} ${what}`]));
  const from =
    collection === undefined
      ? `${countOf(files, "file")} (${report.kinds.join(", ")})`
      : `the collection ${collection}`;
  return `${dryRun ? "Nothing is taken in yet. From" : "From"} ${from}: ${parts.join(", ") || "no memories"}.`;
}
