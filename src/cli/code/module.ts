import type { Command } from "commander";
import { resolveNamedFile } from "../../base/files/files.js";
import { wholeNumber } from "../terminal/option-values.js";
import { renderDescribed, renderModule, renderModules } from "./render-module.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const details = `
NAME is a module, a folder, a package, or a file of it; codegraph stands for codegraph/ask and all the others, too. Modules are
packages of a workspace and folders; small folders belong to the one around them. What is shown comes from the code,
its tests, git and the memories; --json tells all of it.

--describe asks the configured language model what modules are for: it is shown names and signatures, and asked again only
about what has changed. What it says is marked as its own.

Examples:
  tacit module
  tacit module memory --tokens 800
  tacit module --describe memory
`;

interface ModuleFlags {
  tokens?: number;
  describe?: boolean;
}

export function addModule(program: Command, shell: Shell): void {
  program
    .command("module")
    .description("show what a part of the program is for, how it is entered, its tests, partners and memories")
    .argument("[name]", "a module, a folder, or a file in it; all of them when left out")
    .option("--tokens <count>", "how many model tokens the text may take (1500, unless said otherwise)", wholeNumber)
    .option("--describe", "ask the language model what it is for, or what all of them are for")
    .addHelpText("after", details)
    .action(async (name: string | undefined, flags: ModuleFlags) => {
      if (flags.describe) return describe(shell, name);
      if (name !== undefined) return show(shell, name, flags);
      if (flags.tokens !== undefined) {
        throw await wrongUsage("--tokens is for one module.", "For example: tacit module memory --tokens 800");
      }
      return list(shell);
    });
}

async function list(shell: Shell): Promise<void> {
  const found = await shell.withMemory((memory) => memory.code.modules());
  await shell.print({
    document: found,
    ids: found.modules.map(({ name }) => name),
    text: (page) => renderModules(found, page),
  });
}

async function show(shell: Shell, name: string, { tokens }: ModuleFlags): Promise<void> {
  const options = tokens === undefined ? {} : { budgetTokens: tokens };
  const { sections, ...digest } = await shell.withMemory((memory) =>
    memory.code.module(resolveNamedFile(name), options),
  );
  await shell.print({
    document: digest,
    ids: digest.files,
    text: (page) => renderModule({ sections, notes: digest.notes }, page),
  });
}

async function describe(shell: Shell, name: string | undefined): Promise<void> {
  const options = name === undefined ? {} : { modules: [resolveNamedFile(name)] };
  const report = await shell.withMemory((memory) => memory.code.describeModules(options));
  await shell.print({
    document: report,
    ids: report.described.map(({ module }) => module),
    text: (page) => renderDescribed(report, page),
    ok: report.failed.length === 0,
  });
}
