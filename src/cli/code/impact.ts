import type { Command } from "commander";
import { resolveNamedCode } from "../../base/files/files.js";
import { wholeNumber } from "../terminal/option-values.js";
import { renderImpact } from "./render-impact.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";

const details = `
TARGET is a file, a folder, or a symbol: src/store.ts, src/memory/, src/store.ts#Store.read, or just Store.read where
there is one. The number behind a dependent is how sure it is. Calls that could not be resolved are counted: they may be
dependents too.

Examples:
  tacit impact src/store.ts
  tacit impact Store.read --depth 1 --json
`;

interface ImpactFlags {
  depth?: number;
  limit?: number;
}

export function addImpact(program: Command, shell: Shell): void {
  program
    .command("impact")
    .description("show what depends on a file or a symbol, which tests to run, and what is known about it")
    .argument("<target>", "a file, a folder, or a symbol")
    .option("--depth <steps>", "how far to look (default 3)", wholeNumber)
    .option("--limit <count>", "show at most so many, nearest first", wholeNumber)
    .addHelpText("after", details)
    .action(async (target: string, flags: ImpactFlags) => {
      const found = await shell.withMemory((memory) => memory.impact(resolveNamedCode(target), setOnly(flags)));
      await shell.print({
        document: found,
        ids: found.dependents.map(({ node }) => node.id),
        text: (page) => renderImpact(found, page, { isLimited: flags.limit !== undefined }),
      });
    });
}
