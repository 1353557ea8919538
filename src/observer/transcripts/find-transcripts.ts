import { open, readdir, stat } from "node:fs/promises";
import native, { join } from "node:path";
import { findUserHome } from "../../base/files/files.js";

/** A transcript that Claude Code has kept of a session in this work tree. */
export interface FoundTranscript {
  file: string;
  /** The file is named after the session that it begins with. */
  sessionId: string;
  bytes: number;
  modifiedMs: number;
}

// The first lines may be long: a prompt with a pasted file.
const headBytes = 256 * 1024;

/** The transcripts of sessions in this work tree or a folder of it, oldest first. Empty where Claude Code has none. */
export async function findTranscripts(root: string, env: NodeJS.ProcessEnv = process.env): Promise<FoundTranscript[]> {
  const home = findUserHome();
  const own = env["CLAUDE_CONFIG_DIR"] || (home && join(home, ".claude"));
  if (!own) return [];
  const projects = join(own, "projects");
  const folders = (await readdir(projects).catch(() => [])).filter((name) => mayHold(name, root));
  const found: FoundTranscript[] = [];
  for (const folder of folders) {
    for (const name of await readdir(join(projects, folder)).catch(() => [])) {
      const file = join(projects, folder, name);
      // Those of sub-agents belong to the session that began them.
      if (!name.endsWith(".jsonl") || name.startsWith("agent-") || !(await isOf(file, root))) continue;
      const { size, mtimeMs } = await stat(file);
      found.push({ file, sessionId: name.slice(0, -".jsonl".length), bytes: size, modifiedMs: mtimeMs });
    }
  }
  return found.toSorted((a, b) => a.modifiedMs - b.modifiedMs);
}

/** Whether a folder of Claude Code's may be of sessions in this work tree: it has the name of the path, as far as it can. */
export function mayHold(folder: string, root: string, path: typeof native = native): boolean {
  const encoded = root.replaceAll(/[^a-zA-Z0-9]/g, "-");
  // Of Windows: an editor may write the letter of the drive small.
  const [name, start] = path.sep === "\\" ? [folder.toLowerCase(), encoded.toLowerCase()] : [folder, encoded];
  return name === start || name.startsWith(`${start}-`);
}

/** The name of the folder does not tell `/shop-api` from `/shop/api`; the transcript itself does. */
async function isOf(file: string, root: string): Promise<boolean> {
  const directory = await readBeginning(file);
  return directory !== undefined && isBelow(directory, root);
}

export function isBelow(directory: string, root: string, path: typeof native = native): boolean {
  if (!path.isAbsolute(directory)) return false;
  const way = path.relative(root, directory);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** Where the session of a transcript began, as far as its first lines tell. */
export async function readBeginning(file: string): Promise<string | undefined> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return undefined;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const match = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(buffer.toString("utf8", 0, bytesRead));
    return match?.[1] === undefined ? undefined : (JSON.parse(match[1]) as string);
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
