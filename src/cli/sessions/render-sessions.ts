import type { SessionRecord } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { renderAge } from "../terminal/render-age.js";
import { oneLine } from "../terminal/one-line.js";
import { renderMemoryList } from "../listing/render-memory-list.js";
import { shortId } from "../terminal/short-id.js";
import type { ReplayedFile } from "./run-replay.js";
import { pendingNotice } from "../listing/pending-notice.js";

/** What transcripts led to: memories first, then what could not be read, and what waits for a person in all. */
export function renderReplay(files: readonly ReplayedFile[], waitingInAll: number, page: Page): string {
  const read = files.flatMap((one) => ("report" in one ? [one] : []));
  const sessions = read.flatMap(({ report }) => report.sessions);
  const fresh = sessions.filter(({ isRepeated }) => !isRepeated);
  const learned = fresh.flatMap((session) => session.learned);
  const waiting = fresh.flatMap((session) => session.waiting);
  const running = new Set(read.flatMap(({ report }) => report.running ?? [])).size;
  const problems = files.flatMap((one) =>
    "error" in one
      ? [one.error.message]
      : one.report.transcript.skipped.map(
          ({ reason, count, firstLine, unit = "line" }) =>
            `${one.file}:${firstLine}: ${countOf(count, unit)} skipped: ${reason}.`,
        ),
  );
  return [
    `Read ${countOf(read.length, "transcript")}: ${whatWasIn(fresh.length, sessions.length - fresh.length)}.`,
    ...(fresh.length > 0 && learned.length + waiting.length === 0
      ? ["Nothing worth keeping yet: most things have to be seen in several sessions."]
      : []),
    ...(running > 0
      ? [`${countOf(running, "session")} left out: what is noted of it is learned from when it is over.`]
      : []),
    ...(learned.length > 0 ? ["", renderMemoryList(learned, page)] : []),
    ...(waiting.length > 0 ? ["", renderMemoryList(waiting, page)] : []),
    ...(problems.length > 0 ? [""] : []),
    ...problems.map((line) => page.paint("yellow", oneLine(line, page))),
    ...(read.some(({ report }) => report.isStopped)
      ? ["", page.paint("yellow", "Stopped; what was finished is kept.")]
      : []),
    ...(waitingInAll > 0 ? ["", ...pendingNotice(waitingInAll, page)] : []),
  ].join("\n");
}

function whatWasIn(fresh: number, known: number): string {
  if (fresh + known === 0) return "nothing to learn from";
  if (fresh === 0) return `${known === 1 ? "its session is" : "all sessions are"} known already`;
  return `${countOf(fresh, "session")} learned from${known === 0 ? "" : `, ${known} known already`}`;
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
