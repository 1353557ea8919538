import type { Command } from "commander";
import type { Answer } from "../terminal/answer.js";
import { disconnectedDocument, renderDisconnected } from "./render-install.js";
import { refuseAgent } from "../terminal/refuse-agent.js";
import type { Shell } from "../terminal/shell.js";
import { explainWrongAgent } from "./explain-wrong-agent.js";

const details = `
Takes out of the configuration of agents what tacit install has put in: byte for byte where the file is as it
was left, and only Tacit's part where others have changed it since. Your memories stay. Before
npm uninstall -g tacit-memory, run this: npm does not.

Examples:
  tacit uninstall                disconnect every agent
  tacit uninstall cursor
  tacit uninstall --dry-run      only look
`;

export function addUninstall(program: Command, shell: Shell): void {
  program
    .command("uninstall")
    .description("disconnect agents from Tacit, and give their configuration back")
    .argument("[agent...]", "which; without a name all that are connected")
    .option("--dry-run", "tell what would change, and write nothing")
    .addHelpText("after", details)
    .action(async (names: string[], flags: { dryRun?: boolean }) => shell.print(await disconnect(shell, names, flags)));
}

async function disconnect(shell: Shell, names: string[], { dryRun = false }: { dryRun?: boolean }): Promise<Answer> {
  if (!dryRun) await refuseAgent(shell);
  const [{ uninstall }, { openMachine: openPlace }] = await Promise.all([
    import("../../install/uninstall.js"),
    import("../../install/agents/machine.js"),
  ]);
  const disconnected = await explainWrongAgent("uninstall", async () =>
    uninstall(names.length > 0 ? names : undefined, openPlace(), { dryRun }),
  );
  return {
    document: disconnectedDocument(disconnected, dryRun),
    ids: disconnected.filter(({ state }) => state === "disconnected").map(({ agent }) => agent),
    ok: disconnected.every(({ state }) => state !== "failed"),
    text: (page) => renderDisconnected(disconnected, dryRun, page),
  };
}
