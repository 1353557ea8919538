import type { MemoryWriter } from "../../memory/change/change.js";
import { forgetRows, restoreRow } from "../../memory/retention/retention.js";
import { noteChanges, type Operation } from "../../memory/history/history.js";
import { listByKeys, findNameHolder, type KeyedMemory } from "../../memory/read/read.js";
import type { Relation, TrustFlag } from "../../memory/memory.js";
import { bindName, releaseNames, writeFields } from "../../memory/write/write.js";
import type { PreparedMemory } from "../../memory/prepare/prepare.js";
import type { Project } from "../../project/project.js";
import { insertRelation, deleteRelation } from "../../memory/relations/relations.js";
import { insertMemory } from "../../memory/remember/remember.js";
import type { ShareProblem } from "../exchange.js";
import { sharedPath } from "./shared-folder.js";
import { sharedByKey } from "./shared-by.js";
import { isOutside } from "./shared-memories.js";
import type { Origin } from "./vouching.js";
import type { LocalMemory, Side, Step } from "./share-plan.js";

/** What became of the files: the memory that each one is now, or why it is none. */
export interface ImportedFiles {
  /** The key of the memory, by its id. */
  keys: Map<string, number>;
  /** By the id of the memory. */
  refused: Map<string, ShareProblem>;
}

/** Brings into the store what the files say. A file that cannot be taken is left out, and said. */
export async function importSharedFiles(
  writer: MemoryWriter,
  project: Project,
  steps: Step[],
  origins: ReadonlyMap<string, Origin>,
  now: Date,
): Promise<ImportedFiles> {
  // First, because what comes may have the names of what goes.
  const gone = steps.flatMap((step) => (step.do === "forget" ? [step.side.local.key] : []));
  await forgetRows(writer, project, gone, now, "unshared");
  const told = steps.flatMap((step) => toTold(step, origins));
  const taken: ImportedFiles = { keys: new Map(), refused: await findNameProblems(writer, project, told) };
  const welcome = told.filter(({ side }) => !taken.refused.has(side.id));
  const locals = welcome.flatMap(({ side }) => (side.local ? [side.local] : []));
  const operation: Operation = { verb: "shared", keys: locals.map(({ key }) => key), now };
  await noteChanges(writer, project, operation, async () => {
    // Every name that may change is let go before any is bound: two files may have swapped theirs.
    for (const { key } of locals) await releaseNames(writer, key);
    for (const { side, says } of welcome) {
      const key = side.local
        ? await update(writer, project, says, side.local, now)
        : (await insertMemory(writer, project, { ...says, relations: [] }, now, { id: side.id })).key;
      taken.keys.set(side.id, key);
    }
    // When every memory is there that they may lead to.
    const ids = new Map(steps.map(({ side }) => [side.fileId, side.id]));
    for (const { side, says } of welcome) {
      const relations = says.relations.map((relation) => withTarget(relation, ids));
      await takeRelations(writer, project, taken.keys.get(side.id) as number, relations, new Set(ids.values()), now);
    }
  });
  return taken;
}

interface Told {
  side: Side;
  says: PreparedMemory;
}

function toTold(step: Step, origins: ReadonlyMap<string, Origin>): Told[] {
  const { side } = step;
  if ((step.do !== "add" && step.do !== "update") || !side.file?.says) return [];
  const { says, path } = side.file;
  const sharedBy = origins.get(path)?.sharedBy;
  return [{ side, says: { ...says, metadata: { ...says.metadata, ...(sharedBy && { [sharedByKey]: sharedBy }) } } }];
}

/** A name that another memory holds, or another file has, is not taken from it: somebody has to choose. */
async function findNameProblems(
  writer: MemoryWriter,
  project: Project,
  told: Told[],
): Promise<Map<string, ShareProblem>> {
  const problems = new Map<string, ShareProblem>();
  const changing = new Set(told.flatMap(({ side }) => (side.local ? [side.local.key] : [])));
  const claimed = new Map<string, string>();
  for (const { side, says } of told) {
    for (const name of [...(says.name === null ? [] : [says.name]), ...says.aliases]) {
      const holder = await findNameHolder(writer, project, name);
      const other = claimed.get(name);
      if (holder && !changing.has(holder.key)) {
        const owner = `${holder.id.slice(-8)} (${holder.citation})`;
        problems.set(side.id, nameProblem(side, name, owner, `tacit rename ${holder.id.slice(-8)} NEW-NAME`));
      } else if (other !== undefined && other !== side.path) {
        problems.set(side.id, nameProblem(side, name, other, "change one of them"));
      }
      claimed.set(name, side.path);
    }
  }
  return problems;
}

function nameProblem({ path }: Side, name: string, owner: string, wayOut: string): ShareProblem {
  return {
    file: `${sharedPath}/${path}`,
    message: `its name ${JSON.stringify(name)} belongs to ${owner}`,
    hint: `Choose: ${wayOut}, or give the file another name inside.`,
  };
}

async function update(
  writer: MemoryWriter,
  project: Project,
  says: PreparedMemory,
  { key, record }: LocalMemory,
  now: Date,
): Promise<number> {
  if (record.forgottenAt !== undefined) {
    const { releasedNames: _its, ...nameless } = record;
    await restoreRow(writer, project, { ...(await one(writer, project, key, now)), record: nameless }, now);
  }
  if (says.name !== null) await bindName(writer, project, key, says.name, "name");
  for (const alias of says.aliases) await bindName(writer, project, key, alias, "alias");
  const { content, citationText } = says;
  // Patterns and decisions among the files of a file are nodes.
  const graphNodes = [...new Set([...record.graphNodes, ...says.graphNodes])];
  await writeFields(
    writer,
    project,
    key,
    {
      // Whose words it holds now, git says; what it said before, its owner.
      ...(content !== record.content && { content, citationText, source: says.source }),
      type: says.type,
      metadata: content === record.content ? withSharer(says.metadata, record.metadata) : says.metadata,
      tags: says.tags,
      relatedFiles: [...says.relatedFiles, ...record.relatedFiles.filter(isOutside)],
      relatedModules: says.relatedModules,
      ...(says.graphNodes.length > 0 && { graphNodes }),
      confidence: says.confidence,
      scope: says.scope,
      visibility: says.visibility,
      createdAt: says.createdAt,
      data: says.data ?? undefined,
      workUnit: says.workUnit ?? undefined,
      expiresAt: says.expiresAt ?? undefined,
      halfLifeDays: says.halfLifeDays ?? undefined,
      trustFlags: flagsOf(record, says),
    },
    now,
  );
  return key;
}

/** Who shared the words stays, whoever changed something else about them. */
function withSharer(says: LocalMemory["record"]["metadata"], had: LocalMemory["record"]["metadata"]) {
  const { [sharedByKey]: _theirs, ...rest } = says;
  return sharedByKey in had ? { ...rest, [sharedByKey]: had[sharedByKey] as string } : rest;
}

/** With another text, what the scanner found in the old one counts no more. */
function flagsOf(record: LocalMemory["record"], { content, trustFlags }: PreparedMemory): TrustFlag[] {
  const old = record.trustFlags.filter((flag) => flag !== "secret-redacted" || content === record.content);
  return [...new Set([...old, ...trustFlags])].toSorted();
}

/** A relation leads to the memory that a file stands for, whatever its id is here. */
function withTarget(relation: Relation, ids: ReadonlyMap<string, string>): Relation {
  const id = relation.memory === undefined ? undefined : ids.get(relation.memory);
  return id === undefined ? relation : { ...relation, memory: id };
}

/** The relations to what is shared become those of the file; what leads to a personal memory is nobody else's business. */
async function takeRelations(
  writer: MemoryWriter,
  project: Project,
  key: number,
  relations: Relation[],
  shared: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const { record } = await one(writer, project, key, now);
  const stated = record.relations.filter(
    ({ automatic, memory }) => !automatic && (memory === undefined || shared.has(memory)),
  );
  if (JSON.stringify(stated) === JSON.stringify(relations)) return;
  for (const relation of stated) await deleteRelation(writer, key, relation);
  for (const relation of relations) {
    if (await leadsSomewhere(writer, project, relation)) {
      await insertRelation(writer, project, key, { ...relation, automatic: false });
    }
  }
}

async function leadsSomewhere(writer: MemoryWriter, project: Project, { memory }: Relation): Promise<boolean> {
  if (memory === undefined) return true;
  const rows = await writer.rows("SELECT 1 FROM memories WHERE id = :memory AND project_number = :project", {
    memory,
    project: project.number,
  });
  return rows.length > 0;
}

async function one(writer: MemoryWriter, project: Project, key: number, now: Date): Promise<KeyedMemory> {
  const [keyed] = await listByKeys(writer, project, [key], now);
  return keyed as KeyedMemory;
}
