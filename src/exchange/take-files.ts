import { MemoryError } from "../base/memory-error.js";
import { forgetRows } from "../memory/forget.js";
import { noteChanges } from "../memory/history.js";
import { listByKeys, type KeyedMemory } from "../memory/memory-queries.js";
import { bindName, findNameHolder, releaseNames } from "../memory/names.js";
import type { Project } from "../memory/projects.js";
import { relate, unrelate } from "../memory/relations.js";
import { keepNew } from "../memory/remember.js";
import { restoreRow } from "../memory/restore.js";
import { writeFields } from "../memory/write-fields.js";
import type { Writer } from "../storage/storage.js";
import type { ShareProblem } from "./exchange.js";
import type { LocalMemory, Step } from "./share-plan.js";
import type { ReadFile } from "./shared-files.js";
import { sharedPath } from "./shared-folder.js";

/** What became of the files: the memory that each one is now, or why it is none. */
export interface Taken {
  /** The key of the memory, by its id. */
  keys: Map<string, number>;
  problems: ShareProblem[];
  /** The ids whose files were left out. */
  refused: Set<string>;
}

/** Brings into the store what the files say. A file that cannot be taken is left out, and said. */
export async function takeFiles(writer: Writer, project: Project, steps: Step[], now: Date): Promise<Taken> {
  const taken: Taken = { keys: new Map(), problems: [], refused: new Set() };
  for (const step of steps) {
    if (step.do !== "add" && step.do !== "update") continue;
    const { file, local } = step.side;
    const problem = await findNameProblem(writer, project, file, local?.key);
    if (problem) {
      taken.problems.push(problem);
      taken.refused.add(step.side.id);
      continue;
    }
    taken.keys.set(
      step.side.id,
      local ? await update(writer, project, file, local, now) : await add(writer, project, file, now),
    );
  }
  // When every memory is there that they may lead to.
  for (const step of steps) {
    const key = taken.keys.get(step.side.id);
    const { file } = step.side;
    if (key !== undefined && file) await takeRelations(writer, project, key, file, now);
  }
  const gone = steps.flatMap((step) => (step.do === "forget" ? [step.side.local.key] : []));
  await forgetRows(writer, project, gone, now, "unshared");
  return taken;
}

/** A name that another memory holds is not taken from it: somebody has to choose. */
async function findNameProblem(
  writer: Writer,
  project: Project,
  { path, prepared }: ReadFile,
  key: number | undefined,
): Promise<ShareProblem | undefined> {
  for (const name of [...(prepared.name === null ? [] : [prepared.name]), ...prepared.aliases]) {
    const holder = await findNameHolder(writer, project, name);
    if (!holder || holder.key === key) continue;
    return {
      file: `${sharedPath}/${path}`,
      message: `its name ${JSON.stringify(name)} belongs to ${holder.id.slice(-8)} (${holder.citation})`,
      hint: `Rename one of them: tacit rename ${holder.id.slice(-8)} NEW-NAME, or change the name in the file.`,
    };
  }
  return undefined;
}

async function add(writer: Writer, project: Project, { id, prepared }: ReadFile, now: Date): Promise<number> {
  const [row] = await writer.rows("SELECT project_number FROM memories WHERE id = :id", { id });
  if (row) {
    throw new MemoryError(
      "share-refused",
      `The memory ${id.slice(-8)} of the shared files is in another project of this store.`,
      "tacit project list shows them; tacit project join ID makes this folder part of it.",
    );
  }
  return (await keepNew(writer, project, prepared, now, { id })).key;
}

async function update(
  writer: Writer,
  project: Project,
  { prepared }: ReadFile,
  { key, record }: LocalMemory,
  now: Date,
): Promise<number> {
  await noteChanges(writer, project, { verb: "shared", keys: [key], now }, async () => {
    if (record.forgottenAt !== undefined) await restoreRow(writer, project, await one(writer, project, key, now), now);
    await releaseNames(writer, key);
    if (prepared.name !== null) await bindName(writer, project, key, prepared.name, "name");
    for (const alias of prepared.aliases) await bindName(writer, project, key, alias, "alias");
    const { content, citationText, trustFlags } = prepared;
    await writeFields(
      writer,
      project,
      key,
      {
        ...(content !== record.content && { content, citationText }),
        type: prepared.type,
        metadata: prepared.metadata,
        tags: prepared.tags,
        relatedFiles: prepared.relatedFiles,
        relatedModules: prepared.relatedModules,
        confidence: prepared.confidence,
        scope: prepared.scope,
        visibility: prepared.visibility,
        source: prepared.source,
        data: prepared.data ?? undefined,
        halfLifeDays: prepared.halfLifeDays ?? undefined,
        trustFlags: [...new Set([...record.trustFlags, ...trustFlags])].toSorted(),
      },
      now,
    );
  });
  return key;
}

/** The relations that somebody stated become those of the file, as far as it leads to what is known here. */
async function takeRelations(
  writer: Writer,
  project: Project,
  key: number,
  { incoming }: ReadFile,
  now: Date,
): Promise<void> {
  const { record } = await one(writer, project, key, now);
  for (const relation of record.relations.filter(({ automatic }) => !automatic)) await unrelate(writer, key, relation);
  for (const relation of incoming.record.relations ?? []) {
    const known =
      relation.memory === undefined ||
      (
        await writer.rows("SELECT 1 FROM memories WHERE id = :id AND project_number = :project", {
          id: relation.memory,
          project: project.number,
        })
      ).length > 0;
    if (known) await relate(writer, project, key, { ...relation, automatic: false });
  }
}

async function one(writer: Writer, project: Project, key: number, now: Date): Promise<KeyedMemory> {
  const [keyed] = await listByKeys(writer, project, [key], now);
  return keyed as KeyedMemory;
}
