import { idFrom } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import type { MemoryInput } from "../../memory/memory.js";
import { prepareMemories, type PreparedMemory } from "../../memory/prepare/prepare.js";
import type { ProjectContext } from "../../project/project.js";
import { findConflictMarkers } from "./conflict-markers.js";
import { findSuspectFiles, type SuspectFile } from "./suspect-files.js";
import type { ShareProblem } from "../exchange.js";
import { parseMarkdown } from "../formats/markdown.js";
import { sharedFields } from "../formats/markdown-keys.js";
import { sharedByKey } from "./shared-by.js";
import { readSharedFiles, sharedPath, type SharedFile } from "./shared-folder.js";
import { hashOfPath, type SharedState } from "./shared-state.js";

/** A file of the work tree that stands for a memory. */
export interface FoundFile {
  path: string;
  hash: string;
  /** The id that it gives its memory; of its own making where somebody wrote it by hand. */
  fileId: string;
  /** False for what somebody wrote by hand. */
  hasId: boolean;
  /** What it says, checked and cleaned; absent where it is as it was when it was last read. */
  says?: PreparedMemory;
  /** As it lies there; absent where `says` is. */
  text?: string;
}

export interface FoundFiles {
  files: FoundFile[];
  /** Files that were not understood, by path, and why. */
  problems: Map<string, ShareProblem>;
  /** The ids that stand in them. */
  unreadIds: Set<string>;
  /** Files that a power cut may have damaged, by the hash of their path. */
  doubtful: Map<string, SuspectFile>;
}

/**
 * Reads the files of a work tree. Those that are as they were when they were last read are not read again; one that is
 * not understood hides no other.
 */
export async function findFiles(context: ProjectContext, root: string, states: SharedState[]): Promise<FoundFiles> {
  const known = new Map(states.filter((state) => state.root === root).map((state) => [state.pathHash, state]));
  const files = (await readSharedFiles(root)) ?? [];
  const doubtful = await findSuspectFiles(root, files, known);
  const found: FoundFiles = { files: [], problems: new Map(), unreadIds: new Set(), doubtful };
  const byId = new Map<string, string>();
  for (const file of files) {
    try {
      const read = await readOne(context, file, known.get(hashOfPath(file.path)));
      const twin = byId.get(read.fileId);
      if (twin !== undefined) throw refused(file.path, `has the id of ${twin}`, "Give one of them another id.");
      byId.set(read.fileId, file.path);
      found.files.push(read);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      found.problems.set(file.path, asProblem(file.path, error));
      for (const [, id = ""] of file.text?.matchAll(/^id:\s*"?([0-9a-f-]{36})/gm) ?? []) found.unreadIds.add(id);
    }
  }
  return found;
}

async function readOne(context: ProjectContext, file: SharedFile, known: SharedState | undefined): Promise<FoundFile> {
  const { path, text, hash } = file;
  if (file.isHollow) throw refused(path, "is damaged: it is empty or holds bytes of zero", howToRepair(path));
  if (text === undefined) throw refused(path, "is no UTF-8 text of up to 1 MiB", "Make it one, or take it away.");
  if (known?.fileHash === hash) {
    return { path, hash, fileId: known.fileId, hasId: /^---\n(?:.*\n)*?id:/.test(text) };
  }
  const line = findConflictMarkers(text);
  if (line !== undefined) {
    throw refused(`${path}:${line}`, "has a merge conflict", "Resolve it as in any other file, then go on.");
  }
  const { record } = await parseMarkdown(text, path, "shared");
  const [says] = await prepareMemories(context, [inputOf(record)]);
  return {
    path,
    hash,
    // A file that somebody wrote by hand gets the same id from everybody who reads it, and keeps it when it changes.
    fileId: record.id ?? known?.fileId ?? idFrom("shared", path, hash),
    hasId: record.id !== undefined,
    // It was not learned at the commit that happens to be checked out.
    says: { ...(says as PreparedMemory), branch: null, commit: null },
    text,
  };
}

function howToRepair(path: string): string {
  return `tacit share writes it again where its memory is here; else git checkout HEAD -- ${sharedPath}/${path}`;
}

// Who said something, no file can say.
const claims = new Set<string>(["id", "source", "metadata"]);

function inputOf(record: Awaited<ReturnType<typeof parseMarkdown>>["record"]): MemoryInput {
  const { visibility } = record;
  const given = sharedFields
    .filter((field) => !claims.has(field) && record[field] !== undefined)
    .map((field) => [field, record[field]]);
  const { [sharedByKey]: _claimed, ...metadata } = record.metadata ?? {};
  return {
    ...Object.fromEntries(given),
    metadata,
    content: record.content,
    // What lies in git is not personal any more, whatever it says.
    visibility: visibility === undefined || visibility === "personal" ? "project" : visibility,
  };
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
