import { listByKeys, type KeyedMemory } from "../memory/memory-queries.js";
import type { Memory } from "../memory/memory.js";
import type { Project } from "../memory/projects.js";
import type { Reader } from "../storage/storage.js";
import { fileNameOf, renderMarkdown } from "./markdown.js";
import { hashOfText } from "./shared-folder.js";
import type { LocalMemory, Side } from "./share-plan.js";
import type { ReadFile } from "./shared-files.js";
import { listSharedStates, type SharedState } from "./shared-state.js";

/** Every memory that is shared, was shared, or has a file, seen from all sides. In a stable order. */
export async function listSides(
  reader: Reader,
  project: Project,
  root: string,
  { files, unreadable }: { files: ReadFile[]; unreadable: Set<string> },
  now: Date,
): Promise<Side[]> {
  const states = await listSharedStates(reader, project);
  const here = states.filter((state) => state.root === root);
  const idByPath = new Map(here.map(({ path, memoryId }) => [path, memoryId]));
  const named = files.map((file) =>
    file.incoming.record.id === undefined ? { ...file, id: idByPath.get(file.path) ?? file.id } : file,
  );
  const locals = await listLocals(
    reader,
    project,
    [...named.map(({ id }) => id), ...here.map(({ memoryId }) => memoryId)],
    now,
  );
  const ids = new Set([...locals.keys(), ...named.map(({ id }) => id), ...here.map(({ memoryId }) => memoryId)]);
  return [...ids].toSorted().map((id): Side => {
    const file = named.find((one) => one.id === id);
    const known = here.find(({ memoryId }) => memoryId === id);
    const agreed = known ?? findAgreement(states, id, file);
    const local = locals.get(id);
    return {
      id,
      isUnreadable: known !== undefined && unreadable.has(known.path),
      ...(file && { file }),
      ...(known && { known }),
      ...(agreed && { agreed }),
      ...(local && { local }),
    };
  });
}

/** In a clone that is new here, the file may be as another clone had it. */
function findAgreement(states: SharedState[], id: string, file: ReadFile | undefined): SharedState | undefined {
  const elsewhere = states.filter(({ memoryId }) => memoryId === id);
  return elsewhere.find(({ fileHash }) => fileHash === file?.hash) ?? elsewhere[0];
}

/** The memories with these ids, and all that belong into the folder. */
async function listLocals(
  reader: Reader,
  project: Project,
  ids: string[],
  now: Date,
): Promise<Map<string, LocalMemory>> {
  const rows = await reader.rows(
    `SELECT key FROM memories WHERE project_number = :project
       AND (visibility <> 'personal' OR id IN (SELECT value FROM json_each(:ids)))`,
    { project: project.number, ids: JSON.stringify(ids) },
  );
  const keyed = await listByKeys(
    reader,
    project,
    rows.map((row) => Number(row["key"])),
    now,
  );
  return new Map(keyed.map((one) => [one.record.id, toLocal(one)]));
}

export function toLocal(keyed: KeyedMemory): LocalMemory {
  const text = renderMarkdown(keyed.record, "shared");
  return {
    ...keyed,
    isShared: isMeantForOthers(keyed.memory) && !isWithheld(keyed.memory),
    text,
    hash: hashOfText(text),
    path: fileNameOf(keyed.record),
  };
}

/** Somebody made it visible, it is in force, and it is more than one session's. */
function isMeantForOthers({ visibility, status, scope, type }: Memory): boolean {
  return visibility !== "personal" && status === "active" && scope !== "session" && type !== "conversation";
}

/** What the scanner found something in, or what nobody vouches for, stays here. */
function isWithheld({ trustFlags }: Memory): boolean {
  return trustFlags.includes("secret-redacted") || trustFlags.includes("tainted");
}

/** Memories that are meant for others and stay here all the same. */
export function listWithheld(sides: Side[]): Memory[] {
  return sides.flatMap(({ local }) =>
    local && isMeantForOthers(local.memory) && isWithheld(local.memory) ? [local.memory] : [],
  );
}
