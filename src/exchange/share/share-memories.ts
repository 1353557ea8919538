import { changeMemories, type MemoryContext, refuseAgent } from "../../memory/change/change.js";
import { callerOf } from "../../base/actor.js";
import { MemoryError } from "../../base/memory-error.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import { getMemory } from "../../memory/read/read.js";
import type { Memory } from "../../memory/memory.js";
import { acceptFolder, isAccepted, readProject, refuseWhenDisabled } from "../../project/project.js";
import { revise } from "../../memory/edit/edit.js";
import type { ShareOptions, ShareReport } from "../exchange.js";
import { countPending, folderOf } from "./read-if-changed.js";
import { fingerprintOf, makeSharedFolder, sharedPath } from "./shared-folder.js";
import { isWithheld, listWithheld } from "./shared-memories.js";
import { trustAuthor } from "./shared-reviews.js";
import { writeLastReading } from "./shared-state.js";
import { writeSteps, isImport, readDisk, planAhead, reportOf, noteAgreement, importSteps } from "./share-steps.js";

// Somebody asked for it and can wait: git looks through 100,000 commits in a few seconds.
const gitMs = 10_000;

/**
 * Brings the shared files of the work tree and the memories of the project into step, both ways: what changed on one
 * side is carried to the other, removals too; where both changed, the report asks and nothing is overwritten. A file that
 * is gone though no commit removes it is asked about; one that a power cut damaged is written again. Never shares what is personal, or what the scanner found something in.
 */
export async function shareMemories(context: MemoryContext, options: ShareOptions = {}): Promise<ShareReport> {
  await refuseWhenDisabled(context);
  const folder = await folderOf(context);
  await refuseUnaccepted(context, folder);
  const isByUser = callerOf(context.actor).kind !== "agent";
  await settleAuthors(context, options);
  const named = await listNamed(context, options.references ?? []);
  const visible = named.filter((memory) => !isWithheld(memory)).map(({ id }) => id);
  if (!options.dryRun) for (const id of visible) await revise(context, id, { visibility: "project" });
  const chosen = (id: string) => (named.length === 0 || named.some((memory) => memory.id === id) ? options : {});
  const look = await readDisk(context, folder.root, { visible, gitMs, isByUser });
  if (options.dryRun) {
    return reportOf(await planAhead(context, folder.root, look, chosen), look, { isRepaired: true });
  }

  const taken = await changeMemories(context, async (writer, project) => {
    if (isByUser) await acceptFolder(writer, project, folder, true, { withRules: false });
    return importSteps(writer, project, folder.root, look, chosen, context.now());
  });
  // The files are written between two transactions, because nobody should wait for a disk while holding the lock. A
  // crash before the second leaves files that say what their memories say.
  const again = await readDisk(context, folder.root, { visible, gitMs, isByUser });
  const written = await planAhead(context, folder.root, again, chosen);
  if (written.some((step) => step.do === "write")) await makeSharedFolder(folder.root);
  await writeSteps(folder.root, written);
  const fingerprint = (await fingerprintOf(folder.root)) ?? "";
  const report = reportOf([...taken.steps.filter(isImport), ...written.filter((step) => !isImport(step))], again, {
    taken,
    isRepaired: true,
  });
  await changeMemories(context, async (writer, project) => {
    const { refused } = taken;
    await noteAgreement(writer, project, folder.root, written, () => true, { keys: new Map(), refused }, context.now());
    await writeLastReading(writer, project, folder.root, { fingerprint, problems: report.problems });
  });
  const withheld = listWithheld(written.map(({ side }) => side));
  return { ...report, withheld: [...withheld, ...named.filter((one) => isWithheld(one) && isPersonal(one))] };
}

/** Whoever shares into an empty folder is the first to do so; what others left there needs a word first. */
async function refuseUnaccepted(context: MemoryContext, folder: FolderIdentity): Promise<void> {
  const accepted = await readProject(context, false, (reader, project) => isAccepted(reader, project, folder));
  const waiting = accepted ? 0 : await countPending(context, folder);
  if (waiting === 0) return;
  throw new MemoryError(
    "share-refused",
    `${sharedPath} holds ${waiting} ${waiting === 1 ? "memory" : "memories"} that came with this folder.`,
    "Look at what is there; then `tacit project accept` approves it.",
  );
}

/** Whom a person trusts from now on, or no longer. */
async function settleAuthors(
  context: MemoryContext,
  { trust = [], distrust = [], dryRun }: ShareOptions,
): Promise<void> {
  if (trust.length + distrust.length === 0) return;
  refuseAgent(
    context,
    `tacit share ${[...trust.map((one) => `--trust ${one}`), ...distrust.map((one) => `--distrust ${one}`)].join(" ")}`,
  );
  const wrong = [...trust, ...distrust].find((email) => !/^[^\s@<>]+@[^\s@<>]+$/.test(email));
  if (wrong !== undefined) {
    const hint = "Give the address that git log shows, such as ann@example.org.";
    throw new MemoryError("invalid-input", `${JSON.stringify(wrong)} is no address of an author.`, hint);
  }
  if (dryRun) return;
  await changeMemories(context, async (writer, project) => {
    for (const email of trust) await trustAuthor(writer, project, email, true);
    for (const email of distrust) await trustAuthor(writer, project, email, false);
  });
}

async function listNamed(context: MemoryContext, references: string[]): Promise<Memory[]> {
  return readProject(context, [], async (reader, project) => {
    const named: Memory[] = [];
    for (const reference of references) {
      named.push((await getMemory(reader, project, reference, context.now())).memory);
    }
    return named;
  });
}

function isPersonal({ visibility }: Memory): boolean {
  return visibility === "personal";
}
