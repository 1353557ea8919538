import type { Command } from "commander";
import type { Answer } from "../answer.js";
import { renderUntied, untiedDocument } from "../render-install.js";
import type { Shell } from "../shell.js";
import { explainAgent } from "../wrong-agent.js";

const details = `
Takes out of the configuration of agents what tacit install has put in: byte for byte where the file is as it
was left, and only Tacit's part where others have changed it since. Your memories stay. Before
npm uninstall -g tacit-memory, run this: npm does not.

Examples:
  tacit uninstall                untie every agent
  tacit uninstall cursor
  tacit uninstall --dry-run      only look
`;

export function addUninstall(program: Command, shell: Shell): void {
  program
    .command("uninstall")
    .description("untie agents from Tacit, and give their configuration back")
    .argument("[agent...]", "which; without a name all that are tied")
    .option("--dry-run", "tell what would change, and write nothing")
    .addHelpText("after", details)
    .action(async (names: string[], flags: { dryRun?: boolean }) => shell.print(await untie(names, flags)));
}

async function untie(names: string[], { dryRun = false }: { dryRun?: boolean }): Promise<Answer> {
  const [{ uninstall }, { openPlace }] = await Promise.all([
    import("../../install/uninstall.js"),
    import("../../install/place.js"),
  ]);
  const untied = await explainAgent("uninstall", async () =>
    uninstall(names.length > 0 ? names : undefined, openPlace(), { dryRun }),
  );
  return {
    document: untiedDocument(untied, dryRun),
    ids: untied.filter(({ state }) => state === "untied").map(({ agent }) => agent),
    ok: untied.every(({ state }) => state !== "failed"),
    text: (page) => renderUntied(untied, dryRun, page),
  };
}
