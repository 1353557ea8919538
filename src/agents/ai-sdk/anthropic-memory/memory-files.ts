import type { Memory, MemoryInput, TacitMemory } from "../../../index.js";
import { checkPath } from "./memory-path.js";

/** What the files are stored with; `openMemory()` gives it. */
export type FileMemory = Pick<TacitMemory, "as" | "remember" | "revise" | "undo" | "list" | "forgetMany">;

/** A file as it stands: a memory of its own type. */
export interface MemoryFile {
  path: string;
  text: string;
  memory: Memory;
  /** Of others at the same path, where two processes wrote at once. None of them is trusted more than this one. */
  otherIds: string[];
  /** Why nobody vouches for it. */
  doubt?: DistrustReason;
}

/** It was written after reading from outside, or by an agent that nobody watched; or a person has called it wrong. */
export type DistrustReason = "tainted" | "unverified" | "flagged";

/** The kind of memory that a file is. No rule about statements looks at it, so that no file is closed by what another says. */
const fileType = "memory_file";

// What a person has called wrong is still there, and so is what waits for one.
const present = ["active", "waiting", "flagged"] as const;

/** The files of the project, or those at one path: of several at the same path the most trusted, and of these the newest. */
export async function listFiles(memory: FileMemory, path?: string): Promise<MemoryFile[]> {
  const found = await memory.list({
    type: fileType,
    status: [...present],
    ...(path !== undefined && { metadata: { path } }),
  });
  const files = new Map<string, MemoryFile>();
  for (const file of found.flatMap(fileOf).toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const shown = files.get(file.path);
    if (shown) shown.otherIds.push(file.memory.id);
    else files.set(file.path, file);
  }
  return [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function rankOf({ doubt }: MemoryFile): number {
  return [undefined, "flagged", "unverified", "tainted"].indexOf(doubt);
}

/** The file that a memory is; none where it only calls itself so. */
export function fileOf(memory: Memory): MemoryFile[] {
  const path = memory.metadata["path"];
  const checked = checkPath(path);
  // Whatever calls itself so and was not made here is no file.
  if (!("path" in checked) || checked.path !== path) return [];
  const heading = headingOf(path);
  const text = memory.content.startsWith(heading) ? memory.content.slice(heading.length) : memory.content;
  return [{ path, text, memory, otherIds: [], ...doubtOf(memory) }];
}

/**
 * Stands before the text of every file: so the words of its path find it, two files with the same text are two memories, and
 * an empty file is one too.
 */
export function headingOf(path: string): string {
  return `${path} (memory file)\n`;
}

function doubtOf({ trustFlags, userVerified, status }: Memory): { doubt?: DistrustReason } {
  if (status === "flagged") return { doubt: "flagged" };
  if (userVerified) return {};
  if (trustFlags.includes("tainted") || status === "waiting") return { doubt: "tainted" };
  return trustFlags.includes("unverified") ? { doubt: "unverified" } : {};
}

/** What was written, or why not. */
export type WrittenFile = { file: MemoryFile } | { refusal: string };

/** Makes a file. Its path is also its name, for `tacit history`, unless another memory has it or the file is from outside. */
export async function createFile(
  memory: FileMemory,
  { path, text }: { path: string; text: string },
): Promise<WrittenFile> {
  const input: MemoryInput = { type: fileType, content: headingOf(path) + text, metadata: { path } };
  const made = await memory.remember({ ...input, name: path }).catch(async (error: unknown) => {
    // The name decides where two processes create the same file at once; any other memory may have it too.
    if (codeOf(error) !== "name-taken") throw error;
    return (await listFiles(memory, path)).length > 0 ? undefined : memory.remember(input);
  });
  // Merged: somebody else has just written the same, but for its white space.
  if (!made || made.merged) return { refusal: isThere(path) };
  const [file] = fileOf(made);
  if (file?.path === path) return { file };
  await asHost(memory).forgetMany([made.id]);
  return { refusal: notKept(path) };
}

/** The memory as the tool itself uses it: it puts its own files in order, and no word of the agent is trusted by that. */
export function asHost(memory: FileMemory): FileMemory {
  return memory.as({ kind: "program" });
}

/** What kind of refusal it is, by its shape: loading the class would load the library. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

export function isThere(path: string): string {
  return `Error: ${path} is there already. Edit it with str_replace or insert, or delete it first.`;
}

export function notKept(path: string): string {
  return `Error: ${path} holds what is not kept, such as a secret. Choose another path.`;
}
