import type { Memory, MemoryInput, TacitMemory } from "../../../index.js";
import { checkPath } from "./memory-path.js";

/** What the files are kept with; `openMemory()` gives it. */
export type FileMemory = Pick<TacitMemory, "remember" | "revise" | "rename" | "list" | "forgetMany">;

/** A file as it stands: a memory of its own type. */
export interface MemoryFile {
  path: string;
  text: string;
  memory: Memory;
  /** Of older ones at the same path, where two processes wrote at once. */
  olderIds: string[];
  /** Why nobody vouches for it. */
  doubt?: Doubt;
}

/** It was written after reading from outside, or by an agent that nobody watched; or a person has called it wrong. */
export type Doubt = "tainted" | "unverified" | "flagged";

/** The kind of memory that a file is. No rule about statements looks at it, so that no file is closed by what another says. */
const fileType = "memory_file";

// What a person has called wrong is still there, and so is what waits for one.
const present = ["active", "waiting", "flagged"] as const;

/** The files of the project, or those at one path: of several at the same path the newest. */
export async function listFiles(memory: FileMemory, path?: string): Promise<MemoryFile[]> {
  const found = await memory.list({
    type: fileType,
    status: [...present],
    ...(path !== undefined && { metadata: { path } }),
  });
  const files = new Map<string, MemoryFile>();
  for (const file of found.flatMap(fileOf)) {
    const newer = files.get(file.path);
    if (newer) newer.olderIds.push(file.memory.id);
    else files.set(file.path, file);
  }
  return [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function fileOf(memory: Memory): MemoryFile[] {
  const path = memory.metadata["path"];
  const checked = checkPath(path);
  // Whatever calls itself so and was not made here is no file.
  if (!("path" in checked) || checked.path !== path) return [];
  const heading = headingOf(path);
  const text = memory.content.startsWith(heading) ? memory.content.slice(heading.length) : memory.content;
  return [{ path, text, memory, olderIds: [], ...doubtOf(memory) }];
}

/**
 * Stands before the text of every file: so the words of its path find it, two files with the same text are two memories, and
 * an empty file is one too.
 */
function headingOf(path: string): string {
  return `${path} (memory file)\n`;
}

function doubtOf({ trustFlags, userVerified, status }: Memory): { doubt?: Doubt } {
  if (status === "flagged") return { doubt: "flagged" };
  if (userVerified) return {};
  if (trustFlags.includes("tainted") || status === "waiting") return { doubt: "tainted" };
  return trustFlags.includes("unverified") ? { doubt: "unverified" } : {};
}

/** What was written, or why not. */
export type Written = { file: MemoryFile } | { refusal: string };

interface NewFile {
  path: string;
  text: string;
  sessionId?: string | undefined;
  /** The memory that it takes the place of. */
  replaces?: Memory;
}

/** Makes a file. Its path is also its name, for `tacit history`, unless another memory has it or the file is from outside. */
export async function createFile(memory: FileMemory, { path, text, sessionId, replaces }: NewFile): Promise<Written> {
  const input: MemoryInput = {
    type: fileType,
    content: headingOf(path) + text,
    metadata: { path },
    ...(sessionId !== undefined && { sessionId }),
    ...(replaces && {
      relations: [{ kind: "derived_from", memory: replaces.id, confidence: 1, automatic: false }],
    }),
  };
  const keep = (more: Pick<MemoryInput, "name">) => memory.remember({ ...input, ...more }, { asAgent: true });
  const made = await keep(replaces ? {} : { name: path }).catch(async (error: unknown) => {
    // The name decides where two processes create the same file at once; any other memory may have it too.
    const isTaken = error instanceof Error && "code" in error && error.code === "name-taken";
    if (!isTaken || (await listFiles(memory, path)).length > 0) throw error;
    return keep({});
  });
  const [file] = fileOf(made);
  if (file?.path === path) return { file };
  await memory.forgetMany([made.id]);
  return { refusal: notKept(path) };
}

/**
 * Gives a file another text or path. One that nobody vouches for is rewritten in place, and stays what it is: nothing that an
 * agent adds makes it better. Any other becomes a new memory, which is judged by who writes it, and the old one is forgotten;
 * but not by a session that has read from outside: what is trusted would fall silent.
 */
export async function rewriteFile(
  memory: FileMemory,
  file: MemoryFile,
  { path = file.path, text = file.text, sessionId }: { path?: string; text?: string; sessionId?: string | undefined },
): Promise<Written> {
  if (path === file.path && text === file.text) return { file };
  if (file.doubt !== undefined) return rewriteInPlace(memory, file, { path, text, sessionId });
  const written = await createFile(memory, { path, text, sessionId, replaces: file.memory });
  if (!("file" in written)) return written;
  if (written.file.doubt === "tainted") {
    await memory.forgetMany([written.file.memory.id]);
    return { refusal: staysAsItIs(file.path) };
  }
  await memory.forgetMany([file.memory.id, ...file.olderIds]);
  await callIt(memory, written.file.memory, path);
  return written;
}

async function rewriteInPlace(
  memory: FileMemory,
  { memory: { id, metadata }, doubt, path: before, olderIds }: MemoryFile,
  { path, text, sessionId }: Omit<NewFile, "replaces">,
): Promise<Written> {
  // What comes from outside gets no worse by whoever writes it.
  const judged = doubt !== "tainted" && sessionId !== undefined ? { sessionId } : {};
  const changes = { content: headingOf(path) + text, metadata: { ...metadata, path }, ...judged };
  const revised = await memory.revise(id, changes).catch((error: unknown) => {
    if (isDoubted(error)) return undefined;
    throw error;
  });
  if (!revised) return { refusal: staysAsItIs(before) };
  await memory.forgetMany(olderIds);
  await callIt(memory, revised, path);
  const [file] = fileOf(revised);
  return file?.path === path ? { file } : { refusal: notKept(path) };
}

/** What the store says where a session that has read from outside wants to rewrite something. */
function isDoubted(error: unknown): boolean {
  const isRefused = error instanceof Error && "code" in error && error.code === "content-refused";
  return isRefused && error.message.includes(" stays as it is. ");
}

/** A name is a convenience; where another memory has it, the file is found by its path all the same. */
async function callIt(memory: FileMemory, { id, trustFlags }: Memory, path: string): Promise<void> {
  if (!trustFlags.includes("tainted")) await memory.rename(id, path).catch(() => undefined);
}

function notKept(path: string): string {
  return `Error: ${path} holds what is not kept, such as a secret. Choose another path.`;
}

/** Why a file cannot be changed by a session that has read from outside. */
function staysAsItIs(path: string): string {
  return `Error: ${path} stays as it is: something from outside the project was read in this session or in one beside it, and the file was written without that. Write what is new to a file of its own; it is kept, and a person looks at it first.`;
}
