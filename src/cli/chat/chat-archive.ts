import type { Compaction, Consolidation, RememberedMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { withConversation } from "./chat-session.js";
import type { ConsolidateFlags } from "./chat.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { contradictedRemark, remarksOn } from "../listing/remarks.js";
import { oneLine } from "../terminal/one-line.js";
import { renderMemoryList } from "../listing/render-memory-list.js";
import { shortId } from "../terminal/short-id.js";
import { indented } from "./render-turns.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { textArgument } from "../terminal/text-argument.js";

export async function compact(
  shell: Shell,
  reference: string | undefined,
  { keep, summary: typed }: { keep?: number; summary?: string },
): Promise<Answer> {
  const summary = typed === undefined ? undefined : await textArgument(typed, shell);
  return withConversation(shell, reference, async ({ talk, sessionId, heading }) => {
    const compaction = await talk.compact(setOnly({ keepCount: keep, summary }));
    return {
      document: { sessionId, compaction: compaction ?? null },
      ids: compaction ? [compaction.archive.id] : [],
      text: (page) =>
        [
          ...heading(page),
          ...(compaction
            ? renderCompaction(compaction, page)
            : [
                keep === 0
                  ? "Nothing to sum up: archives sum up all of it already."
                  : "Nothing to sum up: there is no more than what stays. --keep 0 sums up all of it.",
              ]),
        ].join("\n"),
    };
  });
}

export async function consolidate(
  shell: Shell,
  reference: string | undefined,
  { keep, new: isNew = false, model, recap = false }: ConsolidateFlags,
): Promise<Answer> {
  if (isNew && keep !== undefined) {
    const { wrongUsage } = await import("../terminal/wrong-usage.js");
    throw await wrongUsage("--new begins anew, so nothing stays.", "Leave one of --new and --keep out.");
  }
  return withConversation(shell, reference, async ({ talk, sessionId, heading }) => {
    const options = { isQuick: !model };
    // A model may take half a minute.
    shell.progress("Consolidating …");
    const work = isNew ? talk.startNew(options) : talk.consolidate(setOnly({ ...options, keepCount: keep }));
    const done = await work.finally(() => shell.progress(""));
    const { compaction, learned } = done;
    return {
      document: { sessionId, ...done },
      ids: [...(compaction ? [compaction.archive.id] : []), ...learned.map(({ id }) => id)],
      text: (page) => [...heading(page), ...renderConsolidation(done, { isNew, recap }, page)].join("\n"),
    };
  });
}

function renderCompaction({ marker, archive, turns }: Compaction, page: Page): string[] {
  const name = oneLine(marker.archiveName, page);
  return [
    `Archived ${countOf(turns, "message")} as ${page.paint("cyan", name)}:`,
    "",
    ...indented(archive.content, page),
    "",
    page.paint("dim", `tacit show ${name} --turns shows every one as it was said.`),
  ];
}

const byWhom: Record<Consolidation["by"], string> = {
  model: "The language model summed it up.",
  rules: "Summed up by rules; no language model was asked.",
  fallback: "The language model failed, so everything was kept as it is; HISTORY.md has each message whole.",
};

function renderConsolidation(
  { compaction, learned, superseded, forgotten, by, problem, recap }: Consolidation,
  asked: { isNew: boolean; recap: boolean },
  page: Page,
): string[] {
  if (!compaction && learned.length === 0) {
    return ["Nothing to consolidate: all of it was before.", ...recapLines(recap, asked.recap, page)];
  }
  return [
    ...(compaction ? renderCompaction(compaction, page) : []),
    page.paint(by === "fallback" ? "yellow" : "dim", byWhom[by]),
    ...(problem === undefined ? [] : [page.paint("yellow", oneLine(problem, page))]),
    "",
    ...(learned.length === 0
      ? ["Nothing new was learned."]
      : [`Learned ${countOf(learned.length, "memory")}:`, "", renderLearned(learned, page)]),
    ...gaveWay("Gave way, and can be brought back with tacit undo:", superseded),
    ...gaveWay("Left out to make it shorter, and can be brought back with tacit restore:", forgotten),
    ...(asked.isNew ? ["", "It begins anew with an empty window."] : []),
    ...recapLines(recap, asked.recap, page),
  ];
}

function gaveWay(what: string, ids: string[]): string[] {
  return ids.length === 0 ? [] : [`${what} ${ids.map(shortId).join(", ")}`];
}

/** Each with what gave way to it, and what was taken out of it. */
function renderLearned(learned: RememberedMemory[], page: Page): string {
  const remarks = new Map(learned.map((one) => [one.id, [...contradictedRemark(one), ...remarksOn(one)]]));
  return renderMemoryList(learned, page, ({ id }) => remarks.get(id) ?? []);
}

function recapLines(recap: string, isAsked: boolean, page: Page): string[] {
  return isAsked && recap !== "" ? ["", "What stays:", "", ...indented(recap, page)] : [];
}
