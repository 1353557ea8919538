import type { Command } from "commander";
import type { TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { countOf } from "../../base/count-of.js";
import { getMemory } from "../listing/get-memory.js";
import { refuseAgentBehind } from "../terminal/refuse-agent.js";
import { shortId } from "../terminal/short-id.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const examples = `
Not one byte of what is purged stays in the store. There is no way back; forget has one.
With a turn of a conversation go the archives that sum it up (its other turns stay) and what was learned
from it alone, unless you have pinned, verified or edited that.

Examples:
  tacit purge 5f3a9c1e --yes
  tacit purge --project --yes        everything of this folder's project
  tacit purge --project my-app --yes
  tacit purge --all --yes            everything, of every project
`;

/** What goes along with a turn that archives quote and facts were taken from. */
async function alongOf(memory: TacitMemory, target: Target): Promise<string> {
  if (typeof target !== "string") return "";
  const { type } = await getMemory(memory, target);
  return type === "conversation" ? " Archives that sum it up and what was learned from it alone go too." : "";
}

type Target = Parameters<TacitMemory["purge"]>[0];

interface PurgeFlags {
  all?: boolean;
  yes?: boolean;
}

export function addPurge(program: Command, shell: Shell): void {
  program
    .command("purge")
    .description("erase a memory, a project, or all, for good")
    .usage("<ref> | --project [id] | --all  --yes")
    .argument("[ref]", "its id, the last 8 characters of it, or its name")
    .option("--all", "every memory of every project")
    .option("--yes", "really do it")
    .addHelpText("after", examples)
    .action(async (reference: string | undefined, flags: PurgeFlags) =>
      shell.print(await purge(shell, reference, flags)),
    );
}

async function purge(shell: Shell, reference: string | undefined, { all, yes }: PurgeFlags): Promise<Answer> {
  const { projectGiven } = shell.flags;
  if (reference === undefined && all !== true && projectGiven === "before") {
    throw await wrongUsage(
      "purge was not told what to erase: --project before the command only says where to look.",
      "Name a memory, or write: tacit purge --project ID --yes, or: tacit purge --all --yes",
    );
  }
  const target = targetOf(reference, all === true, projectGiven !== undefined);
  if (target === undefined) {
    throw await wrongUsage(
      "purge takes one of: a reference, --project, --all.",
      "For example: tacit purge 5f3a9c1e --yes",
    );
  }
  const { report, wasShared } = await shell.withMemory(async (memory) => {
    // Before anything is described: what an agent reads of memories is quoted.
    await refuseAgentBehind(memory);
    if (yes !== true) {
      throw await wrongUsage(
        `This would erase ${await describeTarget(memory, target)} for good.`,
        `There is no way back.${await alongOf(memory, target)} The same line with --yes does it.`,
      );
    }
    // By its id, so that what is erased is what the line without --yes describes.
    const one = typeof target === "string" ? await getMemory(memory, target) : undefined;
    return {
      report: await memory.purge(one?.id ?? target),
      wasShared: one !== undefined && one.visibility !== "personal",
    };
  });
  // What lies in a work tree is not ours to erase unasked.
  const shared = wasShared
    ? "\nIf it was shared, its file is still in .tacit/memories: tacit share takes it away, and git keeps its history."
    : "";
  return {
    document: report,
    text: () => {
      const done = `Erased ${countOf(report.purged, "memory")} for good.${shared}`;
      if (report.erasure === "done") return done;
      if (report.erasure === "server") {
        return `${done}\nThe server may still hold it in its log and its back-ups, which only whoever runs it can wipe.`;
      }
      return `${done}\nAnother process still reads the old pages; the next write, or tacit doctor --repair, wipes them.`;
    },
  };
}

/** With a reference, `--project` says in which project to look; alone, it means the whole project. */
function targetOf(reference: string | undefined, all: boolean, projectGiven: boolean): Target | undefined {
  if (reference !== undefined) return all ? undefined : reference;
  if (all) return projectGiven ? undefined : { all: true };
  return projectGiven ? { project: true } : undefined;
}

async function describeTarget(memory: TacitMemory, target: Target): Promise<string> {
  if (typeof target === "string") {
    const { id, citationText } = await getMemory(memory, target);
    return `${shortId(id)} ("${citationText}")`;
  }
  if ("all" in target) return `every memory of every project in ${memory.db}`;
  const { name } = await memory.projects.current();
  const memories = await memory.list({ status: "any" });
  return `all ${countOf(memories.length, "memory")} of the project ${name}`;
}
