import { type MemoryContext, openChanges } from "../../memory/change/change.js";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MemoryError } from "../../base/memory-error.js";
import { storeRecords } from "../intake/store-records.js";
import { findProject, type ProjectContext, writeProject } from "../../project/project.js";
import { backUp } from "../../storage/backup.js";
import { makeFolder } from "../../base/files/files.js";
import { Store } from "../../storage/storage.js";
import type { ExportReport } from "../exchange.js";
import { exportMemories } from "./export-memories.js";
import { parseJsonLines } from "../formats/json-lines.js";
import { aboutFile, exportRefused, forOwner, replaceFile } from "./replace-file.js";

/** Gives the memories of the archive's database what was derived from those of the store by a model, as far as there is any. */
export type CopyVectors = (
  context: ProjectContext,
  archived: ProjectContext,
) => Promise<{ modelId: string; vectors: number } | undefined>;

/**
 * The memories of a project in a folder of its own, to be kept or handed over: a database that Tacit opens with --db, with
 * their vectors, the same as JSON Lines, and one Markdown file a memory for people.
 */
export async function archiveProject(
  context: ProjectContext,
  output: string,
  copyVectors: CopyVectors,
): Promise<ExportReport> {
  const folder = resolve(output);
  const others = await aboutFile(folder, async () => {
    makeFolder(folder);
    return readdir(folder);
  });
  if (others.length > 0) {
    throw exportRefused(`${folder} is not empty.`, "Name a new folder; an archive overwrites nothing.");
  }
  const { project } = await context.store.read(async (reader) => findProject(reader, context.project));
  const id = project?.id ?? ("id" in context.project ? context.project.id : context.project.folder.name);
  const lines = join(folder, "memories.jsonl");
  const { memories } = await exportMemories(context, { format: "jsonl", output: lines });
  await exportMemories(context, { format: "md", output: join(folder, "memories") });
  const copied = await archiveDatabase(context, id, lines, join(folder, "memory.db"), copyVectors);
  const text = readme(id, project?.name ?? id, memories, copied);
  await replaceFile(join(folder, "README.md"), forOwner, (write) => write(text));
  return { format: "archive", output: folder, memories };
}

/**
 * Made in memory and copied here: a database at work has a log beside it, without which it is not whole, and files that
 * Windows removes only when the garbage collector has closed them (libsql-js 228, 230).
 */
async function archiveDatabase(
  context: ProjectContext,
  id: string,
  lines: string,
  file: string,
  copyVectors: CopyVectors,
): ReturnType<CopyVectors> {
  const store = new Store({ db: ":memory:", timeoutMs: context.store.timeoutMs });
  try {
    const archived: MemoryContext = {
      ...context,
      store,
      project: { id },
      actor: { kind: "program" },
      // Nobody follows what is only copied.
      changes: openChanges(),
    };
    // So that there is a database where there are no memories.
    await writeProject(archived, async () => undefined);
    await storeRecords(archived, parseJsonLines(createReadStream(lines), lines));
    const copied = await copyVectors(context, archived);
    await backUp(store, file);
    return copied;
  } catch (error) {
    throw error instanceof MemoryError ? exportRefused(error.message, error.hint, error) : error;
  } finally {
    await store.close();
  }
}

function readme(id: string, name: string, memories: number, copied: Awaited<ReturnType<CopyVectors>>): string {
  const vectors = copied ? `, with ${copied.vectors} vectors of ${copied.modelId}` : "";
  return `# The memories of ${name}

${memories} memories, three times:

- \`memory.db\`: the database${vectors}. \`tacit list --db memory.db --project ${JSON.stringify(id)}\` reads it.
- \`memories.jsonl\`: one memory a line, with its history. \`tacit import memories.jsonl\` takes it in; the
  vectors are made by the model of the store that takes it in.
- \`memories/\`: one Markdown file a memory, to be read.

Not in it: the index of the code, which \`tacit index\` makes anew, and the figures of sessions, questions and what
agents were told. \`tacit backup\` copies the whole store.
`;
}
