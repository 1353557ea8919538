import { createHash, randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError } from "../base/memory-error.js";
import { renameOver } from "../base/rename-over.js";

/** Where a project shares its memories, below its root. */
export const sharedPath = ".tacit/memories";

// A memory has at most 64 KiB of text; the lists in its front matter may be longer than that.
export const largestFileBytes = 1024 * 1024;
// More is no folder of memories, and nobody should wait for it.
const mostFiles = 20_000;

/** A file of the folder, as it lies there; without a text where it cannot be read as one. */
export interface SharedFile {
  /** Its name within the folder. */
  path: string;
  text?: string;
  hash: string;
}

/** What the folder looks like from outside: it changes whenever a file does. Undefined when there is none. */
export async function fingerprintOf(root: string): Promise<string | undefined> {
  const names = await listSharedNames(root);
  if (!names) return undefined;
  const lines = await Promise.all(
    names.map(async (name) => {
      const found = await lstat(join(root, sharedPath, name), { bigint: true }).catch(() => undefined);
      return `${name}\0${found?.size}\0${found?.mtimeNs}\0${found?.ino}`;
    }),
  );
  return hashOfText(lines.join("\n"));
}

/** The Markdown files of the folder, in a stable order. Undefined when there is no folder. */
export async function readSharedFiles(root: string): Promise<SharedFile[] | undefined> {
  const names = await listSharedNames(root);
  if (!names) return undefined;
  const files: SharedFile[] = [];
  for (const path of names) {
    const file = join(root, sharedPath, path);
    const found = await lstat(file).catch(() => undefined);
    // A link could lead anywhere on this machine, and a clone may be anybody's.
    if (!found?.isFile() || found.size > largestFileBytes) {
      files.push({ path, hash: hashOfText(`${path}\0${found?.size}`) });
      continue;
    }
    const bytes = await readFile(file);
    const text = decode(bytes);
    files.push({ path, ...(text !== undefined && { text }), hash: hashOfText(text ?? bytes.toString("latin1")) });
  }
  return files;
}

/** The names of the Markdown files in the folder, sorted. Undefined when there is no folder. */
export async function listSharedNames(root: string): Promise<string[] | undefined> {
  if (!(await isFolder(root))) return undefined;
  const names = (await readdir(join(root, sharedPath))).filter((name) => name.endsWith(".md")).toSorted();
  if (names.length <= mostFiles) return names;
  throw new MemoryError(
    "share-refused",
    `${sharedPath} holds ${names.length} files; Tacit reads up to ${mostFiles}.`,
    "Take away what does not belong there.",
  );
}

export async function writeSharedFile(root: string, path: string, text: string): Promise<void> {
  const target = join(root, sharedPath, path);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { flag: "wx" });
    renameOver(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw refused(target, error);
  }
}

export async function removeSharedFile(root: string, path: string): Promise<void> {
  const target = join(root, sharedPath, path);
  await rm(target, { force: true }).catch((error: unknown) => {
    throw refused(target, error);
  });
}

export function hashOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** False as well where a part of the way is a link: it could lead out of the work tree. */
async function isFolder(root: string): Promise<boolean> {
  for (const part of [".tacit", sharedPath]) {
    const found = await lstat(join(root, part)).catch(() => undefined);
    if (!found?.isDirectory()) return false;
  }
  return true;
}

/** Makes the folder, with a file that keeps it in git when the last memory goes: no folder at all means nothing. */
export async function makeSharedFolder(root: string): Promise<void> {
  for (const part of [".tacit", sharedPath]) {
    await mkdir(join(root, part)).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST" && (await lstat(join(root, part))).isDirectory()) return;
      throw refused(join(root, part), error);
    });
  }
  const keeper = join(root, sharedPath, ".gitkeep");
  await writeFile(keeper, "", { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw refused(keeper, error);
  });
}

function refused(path: string, error: unknown): MemoryError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new MemoryError(
    "share-refused",
    `${path} cannot be written (${code ?? message}).`,
    "Move away what is in its place, or check who may write there; then share again.",
    error,
  );
}

/** Undefined for what is no UTF-8: to write it back would destroy it. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return asWritten(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Git on Windows may have turned every line end of a file; only then they are turned back. */
function asWritten(text: string): string {
  const all = text.match(/\n/g)?.length ?? 0;
  const turned = text.match(/\r\n/g)?.length ?? 0;
  return all > 0 && all === turned ? text.replaceAll("\r\n", "\n") : text;
}
