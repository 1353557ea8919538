import { open, readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { openIgnoring } from "../../project/ignore/ignore.js";

/** The files of a project's root, read with care: a clone may bring anything. */
export interface ProjectFolder {
  /** What lies in the root. */
  names: ReadonlySet<string>;
  /** The beginning of a file, at most 256 KiB; undefined for what is none of this project's regular files. */
  read(name: string): Promise<string | undefined>;
  /** The whole of a text; else why it is not read: it is larger than that, no text, or none of this project's regular files. */
  readWhole(name: string): Promise<{ text: string } | { problem: string }>;
  /** Where a file or a folder of this project really is, below the root; undefined for what is not there or leads out of it. */
  place(name: string): Promise<string | undefined>;
}

// The package.json of large monorepos has some 30 KB.
const maxBytes = 256 * 1024;

export async function openProjectFolder(root: string, ignoring = openIgnoring({ root })): Promise<ProjectFolder> {
  const all = await readdir(root).catch(() => []);
  const names = new Set(all.filter((name) => ignoring.path(name) === undefined));
  const place = async (name: string): Promise<string | undefined> => {
    const path = await realpath(join(root, name)).catch(() => undefined);
    if (path === undefined) return undefined;
    // A link may lead to a file of the user's home, whose words would be told to a model as the project's.
    const below = relative(root, path);
    const isOutside = below === "" || isAbsolute(below) || below.split(sep)[0] === "..";
    const paths = [name, below].map((one) => one.split(sep).join("/"));
    return isOutside || paths.some((one) => ignoring.path(one) !== undefined) ? undefined : path;
  };
  const read = async (name: string): Promise<{ text: string; bytes: number } | undefined> => {
    const path = await place(name);
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
    // Before it is opened: a pipe would keep whoever opens it waiting.
    if (path === undefined || !found?.isFile()) return undefined;
    const text = await readBeginning(path).catch(() => undefined);
    return text === undefined ? undefined : { text, bytes: found.size };
  };
  return {
    names,
    place,
    read: async (name) => (await read(name))?.text,
    readWhole: async (name) => {
      const found = await read(name);
      if (!found) return { problem: "cannot be read" };
      if (found.bytes > maxBytes) return { problem: "is larger than 256 KiB, and was not read" };
      return found.text.includes("\0") ? { problem: "is no text, and was not read" } : { text: found.text };
    },
  };
}

async function readBeginning(path: string): Promise<string> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    // A character that is cut off at the end is left out.
    return new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
  } finally {
    await handle.close();
  }
}
