import { join } from "node:path";
import type { Memory, TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import type { Page } from "../terminal/page.js";
import { longestUnfolded, oneLine } from "../terminal/one-line.js";
import { shortId } from "../terminal/short-id.js";
import type { Shell } from "../terminal/shell.js";
import { textArgument } from "../terminal/text-argument.js";
import { fold } from "../terminal/text-width.js";

const usualLimit = 20;

/** The archives, newest first; with a question those that answer it, best first. A person may see tainted ones too. */
export async function history(
  shell: Shell,
  typed: string | undefined,
  { limit = usualLimit }: { limit?: number },
): Promise<Answer> {
  const query = typed === undefined ? undefined : await textArgument(typed, shell);
  return shell.withMemory(async (memory) => {
    const archives = await findArchives(memory, query, limit);
    const file = await findHistoryFile(memory);
    return {
      document: { archives, file: file ?? null },
      ids: archives.map(({ id }) => id),
      text: (page) =>
        [
          archives.length === 0
            ? query === undefined
              ? "Nothing was summed up here yet: tacit chat compact, tacit chat consolidate"
              : "Nothing that was summed up is about this."
            : archives.map((archive) => renderArchive(archive, page)).join("\n\n"),
          ...(file === undefined ? [] : ["", page.paint("dim", `All of it as text: ${page.clean(file)}`)]),
        ].join("\n"),
    };
  });
}

async function findArchives(memory: TacitMemory, query: string | undefined, limit: number): Promise<Memory[]> {
  if (query === undefined) return memory.list({ type: "archive", limit });
  const found = await memory.recall(query, { type: "archive", mode: "words", limit, includeTainted: true });
  return found.map((result) => result.memory);
}

/** Where it cannot be written, the archives are there all the same, and doctor says why. */
async function findHistoryFile(memory: TacitMemory): Promise<string | undefined> {
  const { MemoryError } = await import("../../index.js");
  try {
    const { folder } = await memory.conversations.memoryFile();
    return folder === undefined ? undefined : join(folder, "HISTORY.md");
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}

function renderArchive(archive: Memory, page: Page): string {
  const { id, name, content, createdAt, sessionId, trustFlags } = archive;
  const head = `${createdAt.slice(0, 16).replace("T", " ")}  ${page.paint("cyan", oneLine(name ?? shortId(id), page))}`;
  const details = [
    ...(sessionId === undefined ? [] : [oneLine(sessionId, page)]),
    ...(trustFlags.includes("tainted") ? ["tainted"] : []),
  ];
  const first = oneLine(content.split("\n").find((line) => line.trim() !== "") ?? "", page);
  const width = Math.max(page.width - indent.length, indent.length);
  const text = Number.isFinite(width) ? fold(first, width, maxLines) : fold(first, longestUnfolded, 1);
  return [
    details.length === 0 ? head : `${head}  ${page.paint("dim", details.join(" · "))}`,
    ...text.map((line) => `${indent}${line}`),
  ].join("\n");
}

const indent = " ".repeat(18);
const maxLines = 2;
