import { createHash, randomUUID } from "node:crypto";
import { lstat, mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MemoryError } from "../../base/memory-error.js";
import { renameOver, syncFolder } from "../../base/files/files.js";

/** Where a project shares its memories, below its root. */
export const sharedPath = ".tacit/memories";

// A memory has at most 64 KiB of text; the lists in its front matter may be longer than that.
export const largestFileBytes = 1024 * 1024;
// More is no folder of memories, and nobody should wait for it.
const maxFiles = 20_000;

/** A file of the folder, as it lies there; without a text where it cannot be read as one. */
export interface SharedFile {
  /** Its name within the folder. */
  path: string;
  text?: string;
  hash: string;
  /** It is empty or holds bytes of zero, as a power cut leaves a file that was not on disk yet. Nobody writes that. */
  isHollow: boolean;
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
      files.push({ path, hash: hashOfText(`${path}\0${found?.size}`), isHollow: false });
      continue;
    }
    const bytes = await readFile(file);
    const text = decode(bytes);
    const hash = hashOfText(text ?? bytes.toString("latin1"));
    files.push({ path, ...(text !== undefined && { text }), hash, isHollow: isHollow(bytes) });
  }
  return files;
}

/** The names of the Markdown files in the folder, sorted. Undefined when there is no folder. */
export async function listSharedNames(root: string): Promise<string[] | undefined> {
  if (!(await isFolder(root))) return undefined;
  const names = (await readdir(join(root, sharedPath))).filter((name) => name.endsWith(".md")).toSorted();
  if (names.length <= maxFiles) return names;
  throw new MemoryError(
    "share-refused",
    `${sharedPath} holds ${names.length} files; Tacit reads up to ${maxFiles}.`,
    "Take away what does not belong there.",
  );
}

/** Its bytes are on disk; its name when the folder is, which is waited for once for many files (`syncSharedFolder`). */
export async function writeSharedFile(root: string, path: string, text: string): Promise<void> {
  const target = join(root, sharedPath, path);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
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

/** Waits until every file that was written or removed is so on disk. */
export function syncSharedFolder(root: string): void {
  const folder = join(root, sharedPath);
  try {
    syncFolder(folder);
  } catch (error) {
    throw refused(folder, error);
  }
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
    const folder = join(root, part);
    await mkdir(folder).then(
      () => syncFolder(dirname(folder)),
      async (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST" && (await lstat(folder)).isDirectory()) return;
        throw refused(folder, error);
      },
    );
  }
  const keeper = join(root, sharedPath, ".gitkeep");
  await open(keeper, "wx").then(
    (handle) => handle.close(),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw refused(keeper, error);
    },
  );
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

function isHollow(bytes: Uint8Array): boolean {
  // Somebody's editor may save UTF-16, in which every other byte is zero; it begins with a mark, or with one zero of two.
  const [first, second] = bytes;
  const isWide = first !== second && [first, second].every((byte) => byte === 0xfe || byte === 0xff);
  const isWideUnmarked = bytes.length > 1 && (first === 0) !== (second === 0);
  return bytes.length === 0 || (bytes.includes(0) && !isWide && !isWideUnmarked);
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
