import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MemoryError } from "../base/memory-error.js";
import { keepRecords } from "../intake/keep-records.js";
import { writeProject, type ProjectStore } from "../memory/project-store.js";
import { findProject } from "../memory/projects.js";
import { backUp } from "../storage/backup.js";
import { makeFolder } from "../base/make-folder.js";
import { Store } from "../storage/storage.js";
import type { ExportReport } from "./exchange.js";
import { exportMemories } from "./export-memories.js";
import { parseJsonLines } from "./json-lines.js";
import { aboutFile, exportRefused, forOwner, replaceFile } from "./write-file.js";

/**
 * Everything of a project in a folder of its own, to be kept or handed over: a database that Tacit opens with --db,
 * the same as JSON Lines, and one Markdown file a memory for people.
 */
export async function archiveProject(from: ProjectStore, output: string): Promise<ExportReport> {
  const folder = resolve(output);
  const others = await aboutFile(folder, async () => {
    makeFolder(folder);
    return readdir(folder);
  });
  if (others.length > 0) {
    throw exportRefused(`${folder} is not empty.`, "Name a new folder; an archive overwrites nothing.");
  }
  const { project } = await from.store.read(async (reader) => findProject(reader, from.project));
  const id = project?.id ?? ("id" in from.project ? from.project.id : from.project.folder.name);
  const lines = join(folder, "memories.jsonl");
  const { memories } = await exportMemories(from, { format: "jsonl", output: lines });
  await exportMemories(from, { format: "md", output: join(folder, "memories") });
  await archiveDatabase(from, id, lines, join(folder, "memory.db"));
  const text = readme(id, project?.name ?? id, memories);
  await replaceFile(join(folder, "README.md"), forOwner, (write) => write(text));
  return { format: "archive", output: folder, memories };
}

/**
 * Made in memory and copied here: a database at work has a log beside it, without which it is not whole, and files that
 * Windows removes only when the garbage collector has closed them (libsql-js 228, 230).
 */
async function archiveDatabase(from: ProjectStore, id: string, lines: string, file: string): Promise<void> {
  const store = new Store({ db: ":memory:", timeoutMs: from.store.timeoutMs });
  try {
    const archived = { ...from, store, project: { id } };
    // So that there is a database where there are no memories.
    await writeProject(archived, async () => undefined);
    await keepRecords(archived, parseJsonLines(createReadStream(lines), lines));
    await backUp(store, file);
  } catch (error) {
    throw error instanceof MemoryError ? exportRefused(error.message, error.hint, error) : error;
  } finally {
    await store.close();
  }
}

function readme(id: string, name: string, memories: number): string {
  return `# The memories of ${name}

${memories} memories, three times:

- \`memory.db\`: the database. \`tacit list --db memory.db --project ${JSON.stringify(id)}\` reads it.
- \`memories.jsonl\`: one memory a line, with its history. \`tacit import memories.jsonl\` takes it in.
- \`memories/\`: one Markdown file a memory, to be read.
`;
}
