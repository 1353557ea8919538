import { idFrom } from "../base/ids.js";
import { MemoryError } from "../base/memory-error.js";
import type { MemoryInput } from "../memory/memory.js";
import { prepareMemories, type PreparedMemory } from "../memory/prepare-memory.js";
import type { ProjectStore } from "../memory/project-store.js";
import { findConflictMarkers } from "./conflict-markers.js";
import type { ShareProblem } from "./exchange.js";
import type { IncomingMemory } from "./incoming.js";
import { parseMarkdown } from "./markdown.js";
import { readSharedFiles, sharedPath, type SharedFile } from "./shared-folder.js";

/** A file that was understood. */
export interface ReadFile extends SharedFile {
  id: string;
  incoming: IncomingMemory;
  prepared: PreparedMemory;
}

export interface SharedFiles {
  files: ReadFile[];
  /** Files that were not understood, and why. */
  problems: ShareProblem[];
}

/** Reads, checks and cleans the files of a work tree; undefined when it shares nothing. One bad file hides no other. */
export async function readFiles(from: ProjectStore, root: string): Promise<SharedFiles | undefined> {
  const found = await readSharedFiles(root);
  if (!found) return undefined;
  const files: ReadFile[] = [];
  const problems: ShareProblem[] = [];
  for (const file of found) {
    try {
      const read = await readOne(from, file);
      const twin = files.find(({ id }) => id === read.id);
      if (twin) throw refused(file.path, `has the id of ${twin.path}`, "Give one of them another id, or remove it.");
      files.push(read);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      problems.push(asProblem(file.path, error));
    }
  }
  return { files, problems };
}

async function readOne(from: ProjectStore, file: SharedFile): Promise<ReadFile> {
  const line = findConflictMarkers(file.text);
  if (line !== undefined) {
    throw refused(`${file.path}:${line}`, "has a merge conflict", "Resolve it as in any other file, then go on.");
  }
  const incoming = await parseMarkdown(file.text, file.path, "shared");
  const [prepared] = await prepareMemories(from, [inputOf(incoming)]);
  return {
    ...file,
    incoming,
    id: incoming.record.id ?? idFor(file),
    // It was not learned at the commit that happens to be checked out.
    prepared: { ...(prepared as PreparedMemory), branch: null, commit: null },
  };
}

/** What a shared file says; its relations are bound when every file is there. */
function inputOf({ record }: IncomingMemory): MemoryInput {
  const { visibility } = record;
  // What lies in git is not personal any more, whatever it says.
  const seenBy = visibility === undefined || visibility === "personal" ? "project" : visibility;
  const given = sharedFields.filter((field) => record[field] !== undefined).map((field) => [field, record[field]]);
  return { ...Object.fromEntries(given), content: record.content, visibility: seenBy };
}

const sharedFields = [
  "type",
  "name",
  "aliases",
  "data",
  "metadata",
  "tags",
  "relatedFiles",
  "relatedModules",
  "confidence",
  "scope",
  "source",
  "createdAt",
  "halfLifeDays",
] as const;

/** A file that somebody wrote by hand has no id; everybody who reads it gives it the same. */
function idFor({ path, hash }: SharedFile): string {
  return idFrom("shared", path, hash);
}

function refused(at: string, what: string, hint: string): MemoryError {
  return new MemoryError("share-refused", `${at}: ${what}.`, hint);
}

/** An error names the file and perhaps a line; a problem has them apart. */
function asProblem(path: string, { message, hint }: MemoryError): ShareProblem {
  const [, line, rest] = message.startsWith(path)
    ? (/^(?::(\d+))?: (.*)$/s.exec(message.slice(path.length)) ?? [])
    : [];
  return {
    file: `${sharedPath}/${path}`,
    ...(line !== undefined && { line: Number(line) }),
    message: rest ?? message,
    hint,
  };
}
