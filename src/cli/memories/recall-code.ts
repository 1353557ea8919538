import type { CodeAnswer } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { resolveNamedFile } from "../../base/files/files.js";
import type { Page } from "../terminal/page.js";
import type { RecallFlags } from "./recall-options.js";
import { oneLine } from "../terminal/one-line.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

// Enough of a chunk to know it again; its lines are named.
const shownLines = 6;

/** Chunks of the code that answer a question, best first, each with its first lines. */
export async function recallCode(shell: Shell, query: string, flags: RecallFlags): Promise<Answer> {
  await refuseOthers(flags);
  const answer = await shell.withMemory((memory) =>
    memory.recallCode(query, {
      ...setOnly<{ limit?: number; files?: string[]; mode?: "words" | "hybrid" }>({
        limit: flags.limit,
        files: flags.file?.map((file) => resolveNamedFile(file)),
        mode: flags.words ? "words" : flags.mode,
      }),
    }),
  );
  return {
    document: { query, ...answer },
    ids: answer.hits.map(({ file, startLine, endLine }) => `${file}:${startLine}-${endLine}`),
    text: (page) => renderHits(query, answer, page),
  };
}

function renderHits(query: string, { hits, notes }: CodeAnswer, page: Page): string {
  const found = hits.map(({ file, startLine, endLine, type, name, score, text }) => {
    // A chunk begins with the empty lines that stand before what it holds.
    const lines = (text ?? "").replace(/^(?:[ \t]*\r?\n)+/, "").split("\n");
    // With its indentation, which tells what belongs to what.
    const shown = lines.slice(0, shownLines).map((line) => `    ${page.clean(line.replaceAll("\t", "  "))}`.trimEnd());
    const more = lines.length > shownLines ? [page.paint("dim", `    … ${lines.length - shownLines} more lines`)] : [];
    const what = name === "" ? type : `${type} ${name}`;
    return [
      `${page.paint("green", score.toFixed(2))}  ${page.paint("cyan", page.clean(`${file}:${startLine}-${endLine}`))}  ${page.clean(what)}`,
      ...shown,
      ...more,
    ].join("\n");
  });
  const nothing = oneLine(`Nothing in the code found for "${query}".`, page);
  return [
    ...(found.length === 0 ? [nothing] : found),
    ...notes.map((note) => page.paint("dim", oneLine(note, page))),
  ].join("\n\n");
}

/** What is about memories would silently do nothing here. */
async function refuseOthers(flags: RecallFlags): Promise<void> {
  const { user, ...given } = flags;
  const taken = new Set(["code", "limit", "file", "words", "mode"]);
  const other = user ? Object.keys(given).find((name) => !taken.has(name)) : "no-user";
  if (other === undefined) return;
  const flag = other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw await wrongUsage(
    `--${flag} is about memories, and --code looks in the code.`,
    "With --code: --limit, --file, --words, --mode.",
  );
}
