import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MemoryError } from "../base/memory-error.js";
import { keepRecords } from "../memory/keep-records.js";
import type { ProjectStore } from "../memory/project-store.js";
import { findProject } from "../memory/projects.js";
import { Store } from "../storage/storage.js";
import type { ExportReport } from "./exchange.js";
import { exportMemories } from "./export-memories.js";
import { parseJsonLines } from "./json-lines.js";
import { createReadStream } from "node:fs";

/**
 * Everything of a project in a folder of its own, to be kept or handed over: a database that Tacit opens with --db,
 * the same as JSON Lines, and one Markdown file a memory for people.
 */
export async function archiveProject(from: ProjectStore, output: string): Promise<ExportReport> {
  const folder = resolve(output);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    throw new MemoryError(
      "export-refused",
      `${folder} is not empty.`,
      "Name a new folder; an archive overwrites nothing.",
    );
  }
  const { project } = await from.store.read(async (reader) => findProject(reader, from.project));
  const id = project?.id ?? ("id" in from.project ? from.project.id : from.project.folder.name);
  const lines = join(folder, "memories.jsonl");
  const { memories } = await exportMemories(from, { format: "jsonl", output: lines });
  await exportMemories(from, { format: "md", output: join(folder, "memories") });
  const store = new Store({ db: join(folder, "memory.db"), timeoutMs: from.store.timeoutMs });
  try {
    await keepRecords({ ...from, store, project: { id } }, parseJsonLines(createReadStream(lines), lines));
  } finally {
    await store.close();
  }
  await writeFile(join(folder, "README.md"), readme(id, project?.name ?? id, memories));
  return { format: "archive", output: folder, memories };
}

function readme(id: string, name: string, memories: number): string {
  return `# The memories of ${name}

${memories} memories, three times:

- \`memory.db\`: the database. \`tacit list --db memory.db --project ${JSON.stringify(id)}\` reads it.
- \`memories.jsonl\`: one memory a line, with its history. \`tacit import memories.jsonl\` takes it in.
- \`memories/\`: one Markdown file a memory, to be read.
`;
}
