import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { type LineAuthor, linesOf, readLineAuthors } from "../../base/git/git.js";
import type { Memory } from "../../memory/memory.js";
import type { Plan, Revision } from "./compare-plan.js";
import { shownText } from "./line.js";
import { isInside } from "./memory-folder-path.js";

/** What of a plan a person asked for, and what a pull, a checkout or a merge put into the file. */
export interface SplitPlan {
  own: Plan;
  others: Plan;
  /** Whose commit it is, for people; absent where git did not say so. */
  by?: string;
}

const timeoutMs = 2000;

/**
 * Tells a person's lines from those that somebody else committed, line by line: what a merge, a squash or a cherry-pick puts
 * together is in no other commit as a whole. All of it is the person's outside of a repository and where git knows no such
 * file; nothing of it where git gives no answer.
 */
export async function splitPlan(root: string, file: string, bytes: Uint8Array, plan: Plan): Promise<SplitPlan> {
  const place = findRepository(root, file);
  if (!place) return { own: plan, others: nothing };
  const authors = await readLineAuthors(place.root, place.path, { timeoutMs });
  if (!authors) return { own: plan, others: nothing };
  if (authors === "unknown") return { own: nothing, others: plan };

  const found: LineAuthor[] = [];
  const isFound = (...by: (LineAuthor | undefined)[]): boolean => {
    found.push(...by.flatMap((one) => one ?? []));
    return by.some((one) => one !== undefined);
  };
  const isWhole = authors.isTheirs(bytes);
  const headings = linesOf(Buffer.from(bytes).toString("utf8")).filter((line) => line.startsWith("#"));
  const isNew = (text: string) => isFound(...linesOf(text).map(authors.broughtBy));
  // A line that git has here still is one that the person took out themselves.
  const isGone = (lines: readonly string[]) =>
    isFound(...lines.filter((line) => isWhole || !authors.isKept(line)).map(authors.removedBy));
  /** Of several lines, some are gone, and nothing stands in their place. */
  const isShortened = ({ content }: Memory, text: string) => {
    const [before, after] = [linesOf(shownText(content)), new Set(linesOf(text))];
    return [...after].every((line) => before.includes(line)) && isGone(before.filter((line) => !after.has(line)));
  };
  // The words are the person's, and stand below another heading.
  const moved = new Set(plan.forget.map(({ memory }) => shownText(memory.content)));
  const isMoved = () => isFound(...headings.map(authors.broughtBy));

  const isRevisedByOthers = ({ memory, statement: { text }, changes }: Revision) =>
    isNew(text) || isShortened(memory, text) || (changes.content === undefined && isMoved());
  const { own: revise, others: revised } = halve(plan.revise, isRevisedByOthers);
  const remember = halve(plan.remember, ({ text }) => isNew(text) || (moved.has(shownText(text)) && isMoved()));
  const forget = halve(plan.forget, ({ memory }) => isGone(linesOf(shownText(memory.content))));
  const by = found.find(({ email }) => email !== undefined)?.email;
  return {
    own: { ...plan, revise, remember: remember.own, forget: forget.own },
    others: { ...plan, revise: revised, remember: remember.others, forget: forget.others },
    ...(by !== undefined && { by: plainAddress(by) }),
  };
}

const nothing: Plan = { revise: [], forget: [], remember: [], written: 0 };

/** The innermost repository that a file lies in, links followed, up to the root of the project. */
function findRepository(root: string, file: string): { root: string; path: string } | undefined {
  const real = realPath(file);
  if (!isInside(real, root)) return undefined;
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return { root: folder, path: relative(folder, real).split(sep).join("/") };
    if (folder === root || !isInside(folder, root)) return undefined;
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function halve<T>(all: readonly T[], isOthers: (one: T) => boolean): { own: T[]; others: T[] } {
  const others = all.filter(isOthers);
  return { own: all.filter((one) => !others.includes(one)), others };
}

function plainAddress(email: string): string {
  return email.replace(/[^\p{L}\p{N}.@_+-]/gu, "").slice(0, 80);
}
