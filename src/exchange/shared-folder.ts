import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError } from "../base/memory-error.js";

/** Where a project shares its memories, below its root. */
export const sharedPath = ".tacit/memories";

// A memory has at most 64 KiB of text, and its front matter as much again.
const largestFileBytes = 256 * 1024;
// More is no folder of memories, and nobody should wait for it.
const mostFiles = 20_000;

/** A file of the folder, as it lies there. */
export interface SharedFile {
  /** Its name within the folder. */
  path: string;
  text: string;
  hash: string;
}

/** What the folder looks like from outside: it changes whenever a file does. Undefined when there is none. */
export async function fingerprintOf(root: string): Promise<string | undefined> {
  const names = await listNames(root);
  if (!names) return undefined;
  const lines: string[] = [];
  for (const name of names) {
    const found = await lstat(join(root, sharedPath, name), { bigint: true }).catch(() => undefined);
    if (found) lines.push(`${name}\0${found.size}\0${found.mtimeNs}\0${found.ino}`);
  }
  return hashOfText(lines.join("\n"));
}

/** The Markdown files of the folder, in a stable order. Undefined when there is no folder. */
export async function readSharedFiles(root: string): Promise<SharedFile[] | undefined> {
  const names = await listNames(root);
  if (!names) return undefined;
  const files: SharedFile[] = [];
  for (const name of names) {
    const file = join(root, sharedPath, name);
    const found = await lstat(file).catch(() => undefined);
    // A link could lead anywhere on this machine, and a clone may be anybody's.
    if (!found?.isFile() || found.size > largestFileBytes) continue;
    const text = asWritten(await readFile(file, "utf8"));
    files.push({ path: name, text, hash: hashOfText(text) });
  }
  return files;
}

export async function writeSharedFile(root: string, path: string, text: string): Promise<void> {
  await makeFolder(root);
  const target = join(root, sharedPath, path);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, target);
  } finally {
    await rm(temporary, { force: true });
  }
}

export async function removeSharedFile(root: string, path: string): Promise<void> {
  await rm(join(root, sharedPath, path), { force: true });
}

export function hashOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function listNames(root: string): Promise<string[] | undefined> {
  if (!(await isFolder(root))) return undefined;
  const names = (await readdir(join(root, sharedPath))).filter((name) => name.endsWith(".md")).toSorted();
  if (names.length <= mostFiles) return names;
  throw new MemoryError(
    "share-refused",
    `${sharedPath} holds ${names.length} files; Tacit reads up to ${mostFiles}.`,
    "Take away what does not belong there.",
  );
}

/** False as well where a part of the way is a link: it could lead out of the work tree. */
async function isFolder(root: string): Promise<boolean> {
  for (const part of [".tacit", sharedPath]) {
    const found = await lstat(join(root, part)).catch(() => undefined);
    if (!found?.isDirectory()) return false;
  }
  return true;
}

async function makeFolder(root: string): Promise<void> {
  for (const part of [".tacit", sharedPath]) {
    await mkdir(join(root, part)).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST" && (await lstat(join(root, part))).isDirectory()) return;
      throw new MemoryError(
        "share-refused",
        `${join(root, part)} cannot be made: ${error.code === "EEXIST" ? "something else is there" : error.message}.`,
        "Nothing was shared. Move it away, or check who may write there.",
        error,
      );
    });
  }
}

/** Git on Windows may have turned every line end of a file; only then they are turned back. */
function asWritten(text: string): string {
  const all = text.match(/\n/g)?.length ?? 0;
  const turned = text.match(/\r\n/g)?.length ?? 0;
  return all > 0 && all === turned ? text.replaceAll("\r\n", "\n") : text;
}
