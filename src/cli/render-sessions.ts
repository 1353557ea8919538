import type { Memory, SessionRecord } from "../index.js";
import { countOf } from "./count-of.js";
import type { Page } from "./page.js";
import { renderAge } from "./render-age.js";
import { oneLine, renderMemoryList, shortId } from "./render-memory.js";
import type { ReplayedFile } from "./run-replay.js";

/** What transcripts led to: memories first, then what could not be read. */
export function renderReplay(files: readonly ReplayedFile[], page: Page): string {
  const sessions = files.flatMap(({ report }) => report.sessions);
  const fresh = sessions.filter(({ isRepeated }) => !isRepeated);
  const learned = fresh.flatMap((session) => session.learned);
  const waiting = fresh.flatMap((session) => session.waiting);
  const skipped = files.flatMap(({ file, report }) =>
    report.transcript.skipped.map(
      ({ reason, count, firstLine }) => `${file}:${firstLine}: ${countOf(count, "line")} skipped: ${reason}.`,
    ),
  );
  return [
    `${countOf(fresh.length, "session")} learned from${known(sessions.length - fresh.length)}.`,
    ...renderLearned(learned, waiting, page),
    ...skipped.map((line) => page.paint("yellow", oneLine(line, page))),
    ...(files.some(({ report }) => report.isStopped)
      ? [page.paint("yellow", "Stopped; what was finished is kept.")]
      : []),
  ].join("\n");
}

function known(count: number): string {
  return count === 0 ? "" : `, ${count} known already`;
}

export function renderLearned(learned: Memory[], waiting: Memory[], page: Page): string[] {
  return [
    ...(learned.length > 0 ? ["", renderMemoryList(learned, page)] : []),
    ...(waiting.length > 0
      ? [
          "",
          page.paint("yellow", `${countOf(waiting.length, "memory")} for your review: tacit review`),
          renderMemoryList(waiting, page),
        ]
      : []),
    ...(learned.length + waiting.length === 0
      ? ["Nothing worth keeping yet: most things have to be seen in several sessions."]
      : []),
  ];
}

/** Sessions under each other, newest first. */
export function renderSessions(sessions: readonly SessionRecord[], page: Page): string {
  if (sessions.length === 0) return "No session was observed here yet.";
  return sessions
    .map((session) => {
      const { sessionId, agent, type, outcome, endedAt, toolCalls, files, rereads, outside } = session;
      const head = `${page.paint("cyan", oneLine(shortId(sessionId), page))}  ${oneLine(agent ?? "agent", page)} · ${type.replaceAll("_", " ")} · ${outcome} · ${renderAge(endedAt, page.now)}`;
      const figures = [
        countOf(toolCalls, "tool call"),
        countOf(files, "file"),
        ...(rereads > 0 ? [`${rereads} read again`] : []),
        ...(session.stepsPlanned === undefined
          ? []
          : [`${session.stepsDone} of ${session.stepsPlanned} steps planned`]),
        ...(session.inputTokens + session.outputTokens > 0
          ? [`${(session.inputTokens + session.outputTokens).toLocaleString("en")} tokens`]
          : []),
        ...(session.qaFirstPass === undefined
          ? []
          : [session.qaFirstPass ? "checks passed at once" : "checks failed at first"]),
        ...(session.deadEndsReentered > 0 ? [`entered ${countOf(session.deadEndsReentered, "known dead end")}`] : []),
        ...(outside ? ["read from outside"] : []),
      ];
      return `${head}\n${" ".repeat(10)}${page.paint("dim", figures.join(" · "))}`;
    })
    .join("\n");
}
