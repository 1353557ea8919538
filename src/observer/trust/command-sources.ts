import { splitCommand, type Started } from "./split-command.js";

/** Files whose content a command line takes from where it is, as they are written. */
interface CommandSources {
  /** It puts them on the screen. */
  shown: string[];
  /** It makes other files of them. */
  copied: string[];
}

/**
 * What a command line shows and copies besides running something: `cat /etc/hosts && npm test`, `cp node_modules/a/b.md
 * notes.md`. A line may work in any folder, so of what it shows only paths count that mean the same everywhere, and of a
 * line that changes its folder nothing else at all.
 */
export function sourcesOf(line: string): CommandSources {
  if (!mayTake.test(line)) return none;
  const all = splitCommand(line);
  const hasMoved = all.some(({ program }) => program === "cd" || program === "pushd");
  const isCertain = (path: string) => /^(?:[/~]|[a-z]:)|(?:^|\/)node_modules\//i.test(path);
  const isShown = ({ program, isRedirected }: Started) => showing.has(program) && !isRedirected;
  return {
    shown: all.filter(isShown).flatMap(pathsOf).filter(isCertain),
    copied: all.flatMap(copiedBy).filter((path) => !hasMoved || isCertain(path)),
  };
}

const mayTake =
  /\b(?:cat|head|tail|less|more|bat|nl|strings|xxd|tac|base64|cp|mv|ln|install|tar|unzip|gunzip|bunzip2|7z)\b/;
const none: CommandSources = { shown: [], copied: [] };
const showing = new Set("cat head tail less more bat nl strings xxd tac base64".split(" "));
const copying = new Set("cp mv ln install".split(" "));
const unpacking = new Set("tar unzip gunzip bunzip2 7z".split(" "));

function copiedBy(started: Started): string[] {
  const { program, isRedirected } = started;
  if (copying.has(program)) return pathsOf(started).slice(0, -1);
  if (unpacking.has(program)) return pathsOf(started).slice(0, 2);
  return isRedirected && showing.has(program) ? pathsOf(started) : [];
}

/** What has the form of a path: neither options and numbers, nor the body of a here-document, nor what a shell fills in. */
function pathsOf({ args }: Started): string[] {
  return args.filter((arg) => /^[^\s'"*?$`{}<>|-][^\s'"*?$`{}<>|]*$/.test(arg) && !/^\+?\d+$/.test(arg));
}
