import { changeFile, removeFiles, untilCurrent, type Asking } from "./change-file.js";
import { insertLines, replaceOnce, type Edited } from "./edit-text.js";
import { createFile, isThere, listFiles, type MemoryFile } from "./memory-files.js";
import { checkPath, isBelow, root, type CheckedPath } from "./memory-path.js";
import { showEdit, showFile, showFolder } from "./show-file.js";

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
      if (typeof line !== "number") return "Error: insert_line must be given as a number; 0 is before the first line.";
      return edit(asking, path, (file) => insertLines(file.text, line, text, file.path));
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

async function create({ memory }: Asking, { path: given, file_text: text }: Loose): Promise<string> {
  const checked = checkFile(given);
  if ("refusal" in checked) return checked.refusal;
  if (typeof text !== "string") return notText("file_text");
  const { path } = checked;
  const standing = inTheWay(path, await listFiles(memory));
  if (standing !== undefined) return standing;
  const written = await createFile(memory, { path, text });
  return "refusal" in written ? written.refusal : `Created ${path}.${remarksOn(written.file, text)}`;
}

async function edit(asking: Asking, given: unknown, change: (file: MemoryFile) => Edited): Promise<string> {
  const checked = checkFile(given);
  if ("refusal" in checked) return checked.refusal;
  let wanted = { text: "", firstLine: 0, lastLine: 0 };
  const written = await changeFile(asking, checked.path, (file) => {
    const edited = change(file);
    if (!("refusal" in edited)) wanted = edited;
    return edited;
  });
  if (!written) return missing(checked.path);
  if ("refusal" in written) return written.refusal;
  const around = await showEdit(written.file, wanted.firstLine, wanted.lastLine);
  return `Edited ${checked.path}.${remarksOn(written.file, wanted.text)}${around}`;
}

async function remove(asking: Asking, { path: given }: Loose): Promise<string> {
  const checked = checkPath(given);
  if ("refusal" in checked) return checked.refusal;
  const { path } = checked;
  if (path === root) return `Error: ${root} itself stays. Delete what lies in it.`;
  return untilCurrent(async () => {
    const gone = (await listFiles(asking.memory)).filter((file) => file.path === path || isBelow(file.path, path));
    if (gone.length === 0) return missing(path);
    const files = gone.length > 1 ? `, ${gone.length} files` : "";
    return (await removeFiles(asking, gone)) ?? `Deleted ${path}${files}. A person can bring it back for 30 days.`;
  });
}

async function rename(asking: Asking, { old_path: before, new_path: after }: Loose): Promise<string> {
  const [from, to] = [checkFile(before), checkFile(after)];
  if ("refusal" in from) return from.refusal;
  if ("refusal" in to) return to.refusal;
  const files = await listFiles(asking.memory);
  const moved = files.filter(({ path }) => path === from.path || isBelow(path, from.path));
  if (moved.length === 0) return missing(from.path);
  if (to.path === from.path || isBelow(to.path, from.path)) return `Error: ${from.path} cannot be moved into itself.`;
  const standing = inTheWay(to.path, files);
  if (standing !== undefined) return standing;
  const moves = moved.map(({ path }) => ({ path, next: to.path + path.slice(from.path.length) }));
  for (const checked of moves.map(({ next }) => checkPath(next))) if ("refusal" in checked) return checked.refusal;
  return (await moveAll(asking, moves)) ?? `Renamed ${from.path} to ${to.path}.`;
}

/** All files of a folder or none: where one is refused, those before it go back. Tells why. */
async function moveAll(asking: Asking, moves: readonly { path: string; next: string }[]): Promise<string | undefined> {
  const done: { path: string; next: string }[] = [];
  const goBack = async (): Promise<void> => {
    for (const { path, next } of done.toReversed()) await changeFile(asking, next, () => ({ path }));
  };
  for (const move of moves) {
    const written = await changeFile(asking, move.path, () => ({ path: move.next })).catch(async (error: unknown) => {
      await goBack();
      throw error;
    });
    if (written && "refusal" in written) {
      await goBack();
      return written.refusal;
    }
    done.push(move);
  }
  return undefined;
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
  if (standing.path === path) return isThere(path);
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

/** A file that once had a secret is marked for good; said is what was taken out of the text that was to be written now. */
function remarksOn({ doubt, text }: MemoryFile, wanted: string): string {
  const doubts = {
    tainted:
      " This session has read something from outside the project: nobody is told of the file until a person has looked at it.",
    unverified: " It is unverified: nobody watches this session.",
    flagged: " A person has called this file wrong.",
  };
  return [
    ...(doubt ? [doubts[doubt]] : []),
    ...(countIn(text, "[redacted:") > countIn(wanted, "[redacted:") ? [" A secret was taken out."] : []),
    ...(countIn(text, "<private") < countIn(wanted, "<private") ? [" The part marked <private> was left out."] : []),
  ].join("");
}

function countIn(text: string, part: string): number {
  return text.toLowerCase().split(part).length - 1;
}
