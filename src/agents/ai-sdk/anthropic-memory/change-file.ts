import type { Memory, MemoryChanges } from "../../../index.js";
import {
  asHost,
  codeOf,
  fileOf,
  headingOf,
  isThere,
  listFiles,
  notKept,
  type FileMemory,
  type MemoryFile,
  type WrittenFile,
} from "./memory-files.js";

/** What a file is to be; what is absent stays. Or why it stays as it is. */
export type FileChange = { path?: string; text?: string } | { refusal: string };

/** Whose files they are, and in which session an agent asks. */
export interface Asking {
  /** Bound to the agent. */
  memory: FileMemory;
  sessionId: string | undefined;
}

// Each means that another process has written the file meanwhile, and is done.
const maxAttempts = 50;

/**
 * Changes the file at a path, in place: it stays one memory with a history. What the change is made of is what the store still
 * holds when it is written; where another process was quicker, the change is made anew. Undefined where there is no such file.
 *
 * A file that nobody vouches for stays such a one, whoever edits it; one that is trusted is judged by who edits it, and is not
 * changed by a session that has read from outside: what is trusted would fall silent.
 */
export async function changeFile(
  { memory, sessionId }: Asking,
  path: string,
  change: (file: MemoryFile) => FileChange,
): Promise<WrittenFile | undefined> {
  return untilCurrent(async () => {
    const [file] = await listFiles(memory, path);
    if (!file) return undefined;
    const wanted = change(file);
    return "refusal" in wanted ? wanted : rewrite({ memory, sessionId }, file, wanted);
  });
}

/** Forgets files, all of them or none; judged as a change is. Tells why not. */
export async function removeFiles(asking: Asking, files: readonly MemoryFile[]): Promise<string | undefined> {
  const judged = files.find((file) => isJudged(file, asking));
  const memory = judged ? asking.memory : asHost(asking.memory);
  try {
    await memory.forgetMany(files.flatMap((file) => [file.memory.id, ...file.otherIds]));
    return undefined;
  } catch (error) {
    if (codeOf(error) === "session-tainted" && judged) return staysAsItIs(judged.path);
    throw error;
  }
}

/** Does something anew for as long as another process changes what it was to be done to. */
export async function untilCurrent<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !overtaken.has(codeOf(error))) throw error;
    }
  }
}

const overtaken = new Set<unknown>(["memory-changed", "memory-forgotten", "memory-not-found"]);

async function rewrite(
  asking: Asking,
  file: MemoryFile,
  wanted: { path?: string; text?: string },
): Promise<WrittenFile> {
  const { memory, sessionId } = asking;
  const { path = file.path, text = file.text } = wanted;
  if (path === file.path && text === file.text) return { file };
  const { id, metadata } = file.memory;
  const isByAgent = isJudged(file, asking);
  const changes: MemoryChanges = {
    content: headingOf(path) + text,
    metadata: { ...metadata, path },
    ...(isByAgent && sessionId !== undefined && { sessionId }),
  };
  const write = (name: Pick<MemoryChanges, "name">) =>
    (isByAgent ? memory : asHost(memory)).revise(id, { ...changes, ...name }, { ifUnchanged: file.memory });
  try {
    const revised = await write(nameAt(file, path)).catch(async (error: unknown) => {
      // Any other memory may have the name too.
      if (codeOf(error) !== "name-taken" || (await listFiles(memory, path)).length > 0) throw error;
      return write({ name: null });
    });
    const [written] = fileOf(revised);
    if (written?.path !== path) {
      await asHost(memory).undo(id);
      return { refusal: notKept(path) };
    }
    // One that is gone already was to go.
    for (const other of file.otherIds)
      await asHost(memory)
        .forgetMany([other])
        .catch(() => undefined);
    return { file: written };
  } catch (error) {
    if (codeOf(error) === "session-tainted") return { refusal: staysAsItIs(file.path) };
    if (codeOf(error) === "name-taken") return { refusal: isThere(path) };
    throw error;
  }
}

/** What comes from outside gets no worse by whoever writes it, nor what an agent wrote that nobody watches, by such another. */
function isJudged({ doubt }: MemoryFile, { sessionId }: Asking): boolean {
  return doubt !== "tainted" && (doubt === undefined || sessionId !== undefined);
}

/** The name goes with the path, unless a person has given it another. */
function nameAt({ path: before, doubt, memory: { name = before } }: MemoryFile, path: string): Pick<Memory, "name"> {
  return path !== before && name === before && doubt !== "tainted" ? { name: path } : {};
}

/** Why a file cannot be changed by a session that has read from outside. */
function staysAsItIs(path: string): string {
  return `Error: ${path} stays as it is: something from outside the project was read in this session or in one beside it, and the file was written without that. Write what is new to a file of its own; it is kept, and a person looks at it first.`;
}
