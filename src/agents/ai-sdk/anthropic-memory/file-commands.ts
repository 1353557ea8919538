import { insertLines, replaceOnce, type Edited } from "./edit-text.js";
import { createFile, listFiles, rewriteFile, type FileMemory, type MemoryFile } from "./memory-files.js";
import { checkPath, isBelow, root, type CheckedPath } from "./memory-path.js";
import { showEdit, showFile, showFolder } from "./show-file.js";

/** Whose files they are, and who asks. */
export interface Asking {
  memory: FileMemory;
  sessionId: string | undefined;
}

/** What a model sends may lack anything, whatever its schema says. */
type Loose = Partial<Record<string, unknown>>;

/** Does what one command asks, and tells the model what came of it. Throws what the store says. */
export async function runCommand(asking: Asking, input: object): Promise<string> {
  const asked = Object(input) as Loose;
  switch (asked["command"]) {
    case "view":
      return view(asking, asked);
    case "create":
      return create(asking, asked);
    case "str_replace": {
      const { path, old_str: before, new_str: after = "" } = asked;
      if (typeof before !== "string" || typeof after !== "string") return notText("old_str and new_str");
      return edit(asking, path, (file) => replaceOnce(file.text, before, after, file.path));
    }
    case "insert": {
      const { path, insert_line: line, insert_text: text } = asked;
      if (typeof text !== "string") return notText("insert_text");
      return edit(asking, path, (file) => insertLines(file.text, Number(line), text, file.path));
    }
    case "delete":
      return remove(asking, asked);
    case "rename":
      return rename(asking, asked);
    default:
      return "Error: The command is one of view, create, str_replace, insert, delete, rename.";
  }
}

async function view({ memory }: Asking, { path: given, view_range: range }: Loose): Promise<string> {
  const checked = checkPath(given);
  if ("refusal" in checked) return checked.refusal;
  const { path } = checked;
  const [file] = path === root ? [] : await listFiles(memory, path);
  if (file && !String(given).endsWith("/")) return showFile(file, range);
  const files = await listFiles(memory);
  return path === root || files.some((one) => isBelow(one.path, path)) ? showFolder(path, files) : missing(path);
}

async function create({ memory, sessionId }: Asking, { path: given, file_text: text }: Loose): Promise<string> {
  const checked = checkFile(given);
  if ("refusal" in checked) return checked.refusal;
  if (typeof text !== "string") return notText("file_text");
  const { path } = checked;
  const standing = inTheWay(path, await listFiles(memory));
  if (standing !== undefined) return standing;
  const written = await createFile(memory, { path, text, sessionId });
  return "refusal" in written ? written.refusal : `Created ${path}.${remarksOn(written.file)}`;
}

async function edit(
  { memory, sessionId }: Asking,
  given: unknown,
  change: (file: MemoryFile) => Edited,
): Promise<string> {
  const checked = checkFile(given);
  if ("refusal" in checked) return checked.refusal;
  const [file] = await listFiles(memory, checked.path);
  if (!file) return missing(checked.path);
  const edited = change(file);
  if ("refusal" in edited) return edited.refusal;
  const written = await rewriteFile(memory, file, { text: edited.text, sessionId });
  if ("refusal" in written) return written.refusal;
  const around = await showEdit(written.file, edited.firstLine, edited.lastLine);
  return `Edited ${file.path}.${remarksOn(written.file)}${around}`;
}

async function remove({ memory }: Asking, { path: given }: Loose): Promise<string> {
  const checked = checkPath(given);
  if ("refusal" in checked) return checked.refusal;
  const { path } = checked;
  if (path === root) return `Error: ${root} itself stays. Delete what lies in it.`;
  const gone = (await listFiles(memory)).filter((file) => file.path === path || isBelow(file.path, path));
  if (gone.length === 0) return missing(path);
  await memory.forgetMany(gone.flatMap((file) => [file.memory.id, ...file.olderIds]));
  return `Deleted ${path}${gone.length > 1 ? `, ${gone.length} files` : ""}. A person can bring it back for 30 days.`;
}

async function rename({ memory, sessionId }: Asking, { old_path: before, new_path: after }: Loose): Promise<string> {
  const [from, to] = [checkFile(before), checkFile(after)];
  if ("refusal" in from) return from.refusal;
  if ("refusal" in to) return to.refusal;
  const files = await listFiles(memory);
  const moved = files.filter(({ path }) => path === from.path || isBelow(path, from.path));
  if (moved.length === 0) return missing(from.path);
  if (to.path === from.path || isBelow(to.path, from.path)) return `Error: ${from.path} cannot be moved into itself.`;
  const standing = inTheWay(to.path, files);
  if (standing !== undefined) return standing;
  const paths = moved.map((file) => ({ file, path: to.path + file.path.slice(from.path.length) }));
  for (const checked of paths.map(({ path }) => checkPath(path))) if ("refusal" in checked) return checked.refusal;
  for (const { file, path } of paths) {
    const written = await rewriteFile(memory, file, { path, sessionId });
    if ("refusal" in written) return written.refusal;
  }
  return `Renamed ${from.path} to ${to.path}.`;
}

/** The same for what must name a file, or a folder that is not the root. */
function checkFile(given: unknown): CheckedPath {
  const checked = checkPath(given);
  if ("path" in checked && checked.path === root) return { refusal: `Error: ${root} is a folder. Name a file in it.` };
  return checked;
}

/** A path is a file or a folder, never both. */
function inTheWay(path: string, files: readonly MemoryFile[]): string | undefined {
  const standing = files.find((file) => file.path === path || isBelow(file.path, path) || isBelow(path, file.path));
  if (!standing) return undefined;
  if (standing.path === path) {
    return `Error: ${path} is there already. Edit it with str_replace or insert, or delete it first.`;
  }
  return isBelow(path, standing.path)
    ? `Error: ${standing.path} is a file, not a folder.`
    : `Error: ${path} is a folder.`;
}

function missing(path: string): string {
  return `Error: There is no ${path}. View ${root} to see what there is.`;
}

function notText(what: string): string {
  return `Error: ${what} must be given as text.`;
}

function remarksOn({ doubt, memory: { trustFlags } }: MemoryFile): string {
  const doubts = {
    tainted:
      " This session has read something from outside the project: nobody is told of the file until a person has looked at it.",
    unverified: " It is unverified: nobody watches this session.",
    flagged: " A person has called this file wrong.",
  };
  return [
    ...(doubt ? [doubts[doubt]] : []),
    ...(trustFlags.includes("secret-redacted") ? [" A secret was taken out."] : []),
    ...(trustFlags.includes("private-removed") ? [" The part marked <private> was left out."] : []),
  ].join("");
}
