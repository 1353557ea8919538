/**
 * A source without what a preprocessor reads, as long as it was and with the same lines: directives become spaces, and of
 * several branches the first stays. A grammar that knows directives only between statements fails where they cut one in two,
 * as in 27 of 193 files of Newtonsoft.Json; what stands in another branch is not seen.
 */
export function withoutDirectives(source: string, kept: RegExp = /^$/): string {
  if (!/^[ \t]*#/m.test(source)) return source;
  const branches: { isSeen: boolean; hasBeen: boolean }[] = [];
  let isContinued = false;
  return source
    .split("\n")
    .map((line) => {
      const isDirective = isContinued || /^[ \t]*#/.test(line);
      const [, word = ""] = isContinued ? [] : (/^[ \t]*#[ \t]*([a-z]+)/.exec(line) ?? []);
      isContinued = isDirective && /\\\r?$/.test(line);
      if (isDirective) {
        const isKept = kept.test(word) && branches.every(({ isSeen }) => isSeen);
        follow(branches, word, line);
        return isKept ? line : blank(line);
      }
      return branches.every(({ isSeen }) => isSeen) ? line : blank(line);
    })
    .join("\n");
}

function follow(branches: { isSeen: boolean; hasBeen: boolean }[], word: string, line: string): void {
  const inner = branches.at(-1);
  if (/^if/.test(word)) {
    const isSeen = !/^[ \t]*#[ \t]*if[ \t]+(?:0|false)\b/.test(line);
    branches.push({ isSeen, hasBeen: isSeen });
  } else if (inner && (word === "else" || word === "elif")) {
    inner.isSeen = !inner.hasBeen;
    inner.hasBeen = true;
  } else if (word === "endif") {
    branches.pop();
  }
}

function blank(line: string): string {
  return line.replaceAll(/[^\r]/g, " ");
}
