import type { Action } from "../scratchpad/session-view.js";

/** How many a search found. A command that searches fails without a word where it finds nothing. */
export function countFound({ found, command, failed, error }: Action): number | undefined {
  if (found !== undefined || !command || failed !== true) return found;
  return error === undefined || (error.message === "" && /^(?:exit 1|failed)$/.test(error.kind)) ? 0 : undefined;
}

/** The options of a search that let it look into hidden and ignored folders. */
export function ignoringNothing({ command }: Action): string[] {
  const options =
    command?.line.match(/(?<=\s)(?:--no-ignore(?:-\w+)*|--hidden|--unrestricted|-u{1,3}|-H|-I|--all)(?=\s|$)/g) ?? [];
  const isOfProgram = (option: string) => /^--|^-u/.test(option) || /\bfd(?:find)?\b/.test(command?.line ?? "");
  return [...new Set(options.filter(isOfProgram))];
}

/** Whether a search looks everywhere by nature: `find` and `grep -r` know nothing of ignored files. */
export function seesEverything({ command }: Action): boolean {
  return command !== undefined && /(?:^|[\s;&|])(?:find|ls\s+-\w*a\w*|grep\s+-\w*[rR]\w*)\s/.test(`${command.line} `);
}

/** The folders that a search leaves out: `-g '!dist'`, `--exclude-dir=dist`, `-not -path '*\/dist/*'`, `grep -v dist`. */
export function excludedFolders({ command, search }: Action): string[] {
  const line = `${command?.line ?? ""} `;
  const found = [
    ...line.matchAll(/(?:-g|--glob|--iglob)[\s=]+["']?!([^\s"']+)/g),
    ...line.matchAll(/--(?:exclude-dir|exclude|ignore|ignore-dir)[\s=]+["']?([^\s"']+)/g),
    ...line.matchAll(/(?:-not|!)\s+-path\s+["']?([^\s"']+)/g),
    ...line.matchAll(/\|\s*grep\s+-v\w*\s+["']?([^\s"'|]+)/g),
    ...line.matchAll(/["'\s]:!([^\s"']+)/g),
    ...(search?.where ?? "").matchAll(/!([^\s,"'}]+)/g),
  ].map(([, folder]) => folder as string);
  const names = found.flatMap((folder) => folder.replace(/^\{|\}$/g, "").split(",")).map(nameOf);
  return [...new Set(names.filter((name) => /^[\w.@/-]+$/.test(name) && name !== "."))].toSorted();
}

/** `**\/dist/**` is `dist`. */
function nameOf(glob: string): string {
  return glob
    .replace(/\*+/g, "")
    .replace(/^\.?\/+|\/+$/g, "")
    .replace(/\/{2,}/g, "/");
}
