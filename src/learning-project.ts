import type { CodeOverview } from "./codegraph/ask/overview.js";
import { MemoryError } from "./base/memory-error.js";
import { evict, importMemories } from "./exchange/import-memories.js";
import { hasFacts, keepFacts } from "./exchange/project-files/keep-facts.js";
import { listFacts } from "./exchange/project-files/list-facts.js";
import { listRuleFiles } from "./exchange/project-files/list-rule-files.js";
import type { LearnedProject, LearnProjectOptions, RuleFile } from "./exchange/project-files/project-files.js";
import type { FolderIdentity } from "./memory/folder-identity.js";
import { readProject, refuseWhenDisabled, type ProjectStore } from "./memory/project-store.js";
import { openOwnTree } from "./own-tree.js";
import { refuseAnyFolder } from "./refuse-any-folder.js";

/**
 * Learns what the files of a project say of it, and the rules that they hold for agents. Again, it changes only what they say
 * otherwise now. Refuses where only the name of a project is known, and in a home folder.
 */
export async function learnProject(
  from: ProjectStore,
  { invited = false, rules = invited, dryRun = false }: LearnProjectOptions = {},
): Promise<LearnedProject> {
  const { root } = await ownFolder(from);
  await refuseWhenDisabled(from);
  const found = await listFacts(root);
  const files = await listRuleFiles(root);
  const none = { memories: [], added: 0, updated: 0, unchanged: 0, forgotten: 0, left: 0 };
  const kept = dryRun ? none : await keepFacts(from, found, { invited });
  const taken: RuleFile[] = [];
  for (const { file, path } of files) {
    taken.push(rules && !dryRun ? { file, ...(await takeRules(from, path)) } : { file });
  }
  if (kept.added > 0) await evict(from);
  return { facts: { found: found.facts, ...kept }, rules: taken };
}

/** Once a folder is accepted, or no longer, so is what it says of itself; where nothing of that was learned, nothing happens. */
export async function settleTrust(from: ProjectStore, accepted: boolean): Promise<void> {
  if (!(await readProject(from, false, (reader, project) => hasFacts(reader, project, from.now())))) return;
  const { root } = await from.folder();
  await keepFacts(from, await listFacts(root), { invited: false, withdrawn: !accepted });
}

/** What there is in the code of a project, in figures and examples. Refuses where it is not indexed. */
export async function readOverview(from: ProjectStore): Promise<CodeOverview> {
  const { overview } = await import("./codegraph/ask/overview.js");
  return openOwnTree(from, await ownFolder(from)).ask(async (reader, tree) => overview(reader, tree));
}

async function ownFolder(from: ProjectStore): Promise<FolderIdentity> {
  // A project that was named need not be the one of this folder.
  const folder = openOwnTree(from, "folder" in from.project ? await from.folder() : undefined).folder();
  refuseAnyFolder(folder);
  return folder;
}

/** One that cannot be read does not keep the others from it. */
async function takeRules(from: ProjectStore, path: string): Promise<Omit<RuleFile, "file">> {
  try {
    const { added, updated, merged, unchanged } = await importMemories(from, path);
    return { added: added + updated, known: merged + unchanged };
  } catch (error) {
    if (error instanceof MemoryError && error.code === "import-refused") return { problem: error.message };
    throw error;
  }
}
