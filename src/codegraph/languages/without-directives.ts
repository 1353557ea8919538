/**
 * A source without what a preprocessor reads, as long as it was and with the same lines: directives become spaces, and of
 * several branches the first stays. A grammar that knows directives only between statements fails where they cut one in two,
 * as in 27 of 193 files of Newtonsoft.Json; what stands in another branch is not seen.
 * Directives whose word is `kept` stay as they are, those of `keptInAll` in other branches, too.
 */
export function withoutDirectives(source: string, kept: RegExp = /^$/, keptInAll: RegExp = /^$/): string {
  if (!/^[ \t]*#/m.test(source)) return source;
  const branches: { isSeen: boolean; hasBeen: boolean }[] = [];
  let isContinued = false;
  let isKept = false;
  return source
    .split("\n")
    .map((line) => {
      const isDirective = isContinued || /^[ \t]*#/.test(line);
      const [, word = ""] = isContinued ? [] : (/^[ \t]*#[ \t]*([a-z]+)/.exec(line) ?? []);
      // What goes on in the next line is kept with its first.
      if (isDirective && !isContinued) {
        const isAnywhere = keptInAll.test(word);
        isKept = (isAnywhere || kept.test(word)) && branches.every((one) => one.isSeen || (isAnywhere && one.hasBeen));
      }
      isContinued = isDirective && /\\\r?$/.test(line);
      if (isDirective) {
        follow(branches, word, line);
        if (isKept) return line;
        return branches.every(({ isSeen }) => isSeen) ? blankDirective(line) : blank(line);
      }
      return branches.every(({ isSeen }) => isSeen) ? line : blank(line);
    })
    .join("\n");
}

function follow(branches: { isSeen: boolean; hasBeen: boolean }[], word: string, line: string): void {
  const inner = branches.at(-1);
  if (word.startsWith("if")) {
    const isSeen = !/^[ \t]*#[ \t]*if[ \t]+(?:0|false)\b/.test(line);
    branches.push({ isSeen, hasBeen: isSeen });
  } else if (inner && (word === "else" || word === "elif")) {
    inner.isSeen = !inner.hasBeen;
    inner.hasBeen = true;
  } else if (word === "endif") {
    branches.pop();
  }
}

/** A comment that begins behind a directive may end in another line. */
function blankDirective(line: string): string {
  const start = line.indexOf("/*", line.lastIndexOf("*/") + 2);
  return start < 0 ? blank(line) : blank(line.slice(0, start)) + line.slice(start);
}

function blank(line: string): string {
  return line.replaceAll(/[^\r]/g, " ");
}
