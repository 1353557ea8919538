import type { Command } from "commander";
import type { AgentPlan, Plan } from "../../install/install.js";
import type { Applied } from "../../install/apply-plan.js";
import type { Answer } from "../terminal/answer.js";
import { canAsk } from "../terminal/ask.js";
import { askYesNo } from "../terminal/ask-yes-no.js";
import { openPage } from "../terminal/page.js";
import { documentOf, renderApplied, renderPlan, titlesOf } from "./render-install.js";
import { refuseAgent } from "../terminal/refuse-agent.js";
import type { Shell } from "../terminal/shell.js";
import { explainWrongAgent } from "./explain-wrong-agent.js";

const details = `
Agents: claude-code, opencode, codex, cursor, vscode, windsurf, gemini. Without a name, those that are found
here. Their own configuration files get Tacit's part, and nothing else in them changes; tacit uninstall gives
them back byte for byte. What would change is shown first, and you are asked. Where nobody can be asked,
nothing is written without --yes, and the exit code is 1.

Examples:
  tacit install                  connect what is found, after a look
  tacit install cursor --yes     connect one, without being asked
  tacit install --dry-run        only look
`;

interface InstallFlags {
  yes?: boolean;
  dryRun?: boolean;
  force?: boolean;
}

export function addInstall(program: Command, shell: Shell): void {
  program
    .command("install")
    .description("connect agents to Tacit, through their own configuration")
    .argument("[agent...]", "which; without a name those that are found")
    .option("--yes", "write without asking")
    .option("--dry-run", "show what would change, and write nothing")
    .option("--force", "replace an entry called tacit that is not Tacit's; uninstall puts it back")
    .addHelpText("after", details)
    .action(async (names: string[], flags: InstallFlags) => shell.print(await install(shell, names, flags)));
}

async function install(shell: Shell, names: string[], flags: InstallFlags): Promise<Answer> {
  const { yes = false, dryRun = false, force = false } = flags;
  const [{ planInstall }, { applyPlan }, { openMachine: openPlace }] = await Promise.all([
    import("../../install/install.js"),
    import("../../install/apply-plan.js"),
    import("../../install/agents/machine.js"),
  ]);
  const place = openPlace();
  const plan = await explainWrongAgent("install", async () =>
    planInstall(names.length > 0 ? names : undefined, place, { force }),
  );
  const pending = plan.agents.filter(({ changes }) => changes.length > 0);
  if (pending.length === 0 || dryRun) return answerWith(plan, pending, dryRun);
  await refuseAgent(shell);

  const wasAsked = !yes && (await show(plan, shell));
  const isWanted = yes || (await askYesNo(`Connect ${titlesOf(pending)}?`, shell));
  if (isWanted === undefined && !wasAsked) return answerWith(plan, pending, false);
  if (!isWanted) return { document: documentOf(plan), ids: [], text: () => "Nothing was written." };
  const applied = applyPlan(plan, place, { force });
  return {
    document: documentOf(plan, applied),
    ids: applied.filter(({ state }) => state === "connected").map(({ agent }) => agent),
    ok: applied.every(isWell),
    text: (page) => [...(wasAsked ? [] : [renderPlan(plan, page)]), renderApplied(applied, page)].join("\n\n"),
  };
}

/** What is about to happen, for a person who will be asked; false where nobody is there. */
async function show(plan: Plan, shell: Shell): Promise<boolean> {
  if (!canAsk(shell)) return false;
  const { neutralise } = await import("../../index.js");
  const page = openPage({ stream: process.stderr, env: process.env, clean: neutralise, now: new Date() });
  shell.notice(`${renderPlan(plan, page)}\n`);
  return true;
}

/** The answer where nothing was written: there is nothing to do, it was only to be looked at, or nobody said yes. */
function answerWith(plan: Plan, pending: AgentPlan[], dryRun: boolean): Answer {
  const isHeld = pending.length > 0 && !dryRun;
  return {
    document: documentOf(plan),
    ids: pending.map(({ agent }) => agent),
    ok: !isHeld && plan.agents.every(({ state }) => state !== "refused" && state !== "foreign"),
    text: (page) => {
      const next =
        pending.length === 0
          ? []
          : [
              `Nothing is written yet. The same line ${dryRun ? "without --dry-run" : "with --yes"} connects ${titlesOf(pending)}.`,
            ];
      return [renderPlan(plan, page), ...next].join("\n\n");
    },
  };
}

function isWell({ state }: Applied): boolean {
  return state === "connected" || state === "unchanged";
}
