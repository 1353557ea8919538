import { Argument, type Command, Option } from "commander";
import type { Relation } from "../../index.js";
import { aboutMemory } from "../listing/about-memory.js";
import type { Answer } from "../terminal/answer.js";
import { brief } from "../terminal/brief.js";
import { resolveNamedCode } from "../../base/files/files.js";
import { fraction } from "../terminal/option-values.js";
import { oneLine } from "../terminal/one-line.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const examples = `
Examples:
  tacit relate retry-rule required_with 5f3a9c1e
  tacit relate retry-rule validates --file test/retry.test.ts --confidence 0.6
  tacit relate retry-rule documents src/http.ts#Client.retry
  tacit relate retry-rule required_with 5f3a9c1e --remove
`;

type Kind = Relation["kind"];

// Written out for the same reason as the lists in filter-options.ts.
const kinds: Record<Kind, true> = {
  required_with: true,
  conflicts_with: true,
  validates: true,
  supersedes: true,
  derived_from: true,
  similar: true,
  documents: true,
  applies_pattern: true,
};

// These lead to code, so their target needs no --file.
const codeKinds: ReadonlySet<Kind> = new Set<Kind>(["documents", "applies_pattern"]);

interface RelateFlags {
  file?: string;
  confidence?: number;
  remove?: boolean;
}

export function addRelate(program: Command, shell: Shell): void {
  program
    .command("relate")
    .description("say how a memory relates to another one, or to a file")
    .usage("<ref> <kind> <target> | --file <path>  [options]")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .addArgument(new Argument("<kind>", "how it relates").choices(Object.keys(kinds)))
    .argument(
      "[target]",
      "the other memory: its id, the last 8 characters of it, or its name; documents and applies_pattern take a file",
    )
    .option("--file <path>", "a file or what it defines (a.ts#name), from the project's root or ./ from here")
    .option("--confidence <number>", "how sure you are, 0 to 1", fraction)
    .addOption(new Option("--remove", "take the relation away").conflicts("confidence"))
    .addHelpText("after", examples)
    .action(async (reference: string, kind: Kind, target: string | undefined, flags: RelateFlags) =>
      shell.print(await relate(shell, reference, kind, target, flags)),
    );
}

async function relate(
  shell: Shell,
  reference: string,
  kind: Kind,
  target: string | undefined,
  { file, confidence, remove = false }: RelateFlags,
): Promise<Answer> {
  const other = target ?? file;
  if (other === undefined || (target !== undefined && file !== undefined)) {
    throw await wrongUsage(
      "relate takes one target: another memory, or --file and a path.",
      `For example: tacit relate ${brief(reference)} ${kind} 5f3a9c1e`,
    );
  }
  const isCode = codeKinds.has(kind);
  const stated = setOnly<{ kind: Kind; memory?: string; file?: string; confidence?: number }>({
    kind,
    memory: isCode ? undefined : target,
    file: isCode || target === undefined ? resolveNamedCode(other) : undefined,
    confidence,
  });
  const related = await shell.withMemory((memory) =>
    remove ? memory.unrelate(reference, stated) : memory.relate(reference, stated),
  );
  return aboutMemory(related, (id, page) => {
    const relation = oneLine(`${kind.replaceAll("_", " ")} ${other}`, page);
    return remove ? `Took a relation of ${id} away: ${relation}.` : `Related ${id}: ${relation}.`;
  });
}
