import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * The files of rules in a project's root that opencode reads by itself: of the names that it looks for, between its folder
 * and the root, the first that is there at all. So a CLAUDE.md beside an AGENTS.md it does not read, unless one is a link to
 * the other.
 */
export function readsItself(place: { root: string; directory: string }, environment = process.env): string[] {
  const isSet = (name: string) => /^(?:1|true)$/i.test(environment[name] ?? "");
  if (isSet("OPENCODE_DISABLE_PROJECT_CONFIG")) return [];
  const skipsClaude = isSet("OPENCODE_DISABLE_CLAUDE_CODE") || isSet("OPENCODE_DISABLE_CLAUDE_CODE_PROMPT");
  const folders = foldersUp(place);
  const wanted = ["AGENTS.md", ...(skipsClaude ? [] : ["CLAUDE.md"])];
  const first = wanted.find((name) => folders.some((folder) => existsSync(join(folder, name))));
  const read = first === undefined ? undefined : realOf(join(place.root, first));
  if (read === undefined) return [];
  return ["AGENTS.md", "CLAUDE.md"].filter((name) => realOf(join(place.root, name)) === read);
}

function foldersUp({ root, directory }: { root: string; directory: string }): string[] {
  const folders = [root];
  for (let at = directory; isBelow(root, at); at = dirname(at)) folders.push(at);
  return folders;
}

function isBelow(root: string, folder: string): boolean {
  const path = relative(root, folder);
  return path !== "" && !path.startsWith("..") && dirname(folder) !== folder;
}

function realOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
