import { forImport, type MemoryContext } from "../../memory/change/change.js";
import { evict } from "../import/import-memories.js";
import { storeFacts } from "./store-facts.js";
import { isRule, storeRules, compareRules } from "./store-rules.js";
import { listKnown } from "./store-statements.js";
import { listFacts } from "./list-facts.js";
import { listRules } from "./list-rules.js";
import type { LearnedProject, LearnProjectOptions } from "./project-facts.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import { ignoringOf } from "../../project/ignore/ignore.js";
import { readProject, refuseWhenDisabled } from "../../project/project.js";
import { getFolder } from "../../project/folder/get-folder.js";
import { refuseAnyFolder } from "../../project/folder/refuse-any-folder.js";

/**
 * Learns what the files of a project say of it, and the rules that they hold for agents. Again, it changes only what they say
 * otherwise now. Refuses where only the name of a project is known, and in a home folder.
 */
export async function learnProject(
  context: MemoryContext,
  here: FolderIdentity | undefined,
  { invited = false, rules: takesNew = invited, trustRules: trusted = false, dryRun = false }: LearnProjectOptions = {},
): Promise<LearnedProject> {
  const { root } = ownFolder(here);
  await refuseWhenDisabled(context);
  const ignoring = await ignoringOf(context);
  const facts = await listFacts(root, ignoring);
  const rules = await listRules(root, ignoring);
  if (dryRun) {
    const none = { memories: [], added: 0, updated: 0, unchanged: 0, forgotten: 0, left: 0 };
    return { facts: { found: facts.facts, ...none }, rules: await compareRules(context, rules) };
  }
  const importing = forImport(context, root);
  const kept = await storeFacts(importing, facts, { invited });
  const taken = await storeRules(importing, rules, { takesNew, trusted });
  if (kept.added > 0 || taken.some(({ added = 0 }) => added > 0)) await evict(importing);
  return { facts: { found: facts.facts, ...kept }, rules: taken };
}

/** Once a folder is accepted, or no longer, so is what was learned from its files; where nothing was, nothing happens. */
export async function settleTrust(context: MemoryContext, accepted: boolean): Promise<void> {
  const known = await readProject(context, [], async (reader, project) => [
    ...(await listKnown(reader, project, context.now())).keys(),
  ]);
  if (known.length === 0) return;
  const { root } = await context.folder();
  const ignoring = await ignoringOf(context);
  const importing = forImport(context, root);
  await storeFacts(importing, await listFacts(root, ignoring), { invited: false, withdrawn: !accepted });
  const takesNew = accepted && known.some(isRule);
  await storeRules(importing, await listRules(root, ignoring), { takesNew, trusted: false, withdrawn: !accepted });
}

function ownFolder(here: FolderIdentity | undefined): FolderIdentity {
  const folder = getFolder(here);
  refuseAnyFolder(folder);
  return folder;
}
