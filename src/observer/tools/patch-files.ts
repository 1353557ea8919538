// What is behind this is not worth the time of an event: more than any agent writes at once.
const longestPatch = 200_000;

/** One place that a patch changes: its lines before and after, context included. */
interface Change {
  before: string;
  after: string;
}

/** The files that a patch changes, as written in it: `*** Update File: a.ts`, or the heads of a unified diff. */
export function patchFiles(patch: string): string[] {
  const files = new Set<string>();
  for (const line of linesOf(patch)) {
    const [, changed, moved] = agentHead.exec(line) ?? unifiedHead.exec(line) ?? [];
    const path = changed ?? moved;
    if (path !== undefined && path !== "/dev/null") files.add(path.trim());
  }
  return [...files];
}

/** What a patch changes, one entry for each stretch of changed lines with what stands around it. */
export function changesOfPatch(patch: string): Change[] {
  const changes: Change[] = [];
  let before: string[] = [];
  let after: string[] = [];
  const close = () => {
    if (before.join("\n") !== after.join("\n")) changes.push({ before: before.join("\n"), after: after.join("\n") });
    [before, after] = [[], []];
  };
  for (const line of linesOf(patch)) {
    if (isHead(line)) close();
    else if (line.startsWith("-")) before.push(line.slice(1));
    else if (line.startsWith("+")) after.push(line.slice(1));
    else if (line.startsWith(" ") || line === "") {
      before.push(line.slice(1));
      after.push(line.slice(1));
    }
  }
  close();
  return changes;
}

const agentHead = /^\*\*\* (?:Add|Update|Delete) File: (.{1,500})$|^\*\*\* Move to: (.{1,500})$/;
const unifiedHead = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t\n]{1,500}?)(?:\t.*)?$/;

function isHead(line: string): boolean {
  return /^(?:@@|\*\*\* |diff --git|index [0-9a-f]|--- |\+\+\+ |\\ No newline)/.test(line);
}

function linesOf(patch: string): string[] {
  return patch.slice(0, longestPatch).split(/\r?\n/);
}
