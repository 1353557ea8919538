import type { Stats } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { renderAge } from "../terminal/render-age.js";
import { oneLine } from "../terminal/one-line.js";
import { renderFields } from "../terminal/render-fields.js";
import { shortId } from "../terminal/short-id.js";
import { describeSaved, describeUse, renderHowSaved } from "../sessions/render-use.js";
import { fold } from "../terminal/text-width.js";

type Injections = Stats["injections"];
type Day = Injections["byDay"][number];

const dayMs = 86_400_000;
const shownSessions = 10;
// In columns.
const labelColumn = 8;
const widestBar = 16;
const leastForBars = 60;

const levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** What agents were told: by day as a chart, the last sessions with bars, and everything in figures. */
export function renderInjections({ byDay, bySession, totals }: Injections, page: Page, shownDays: number): string {
  if (totals.injections === 0) return page.paint("dim", "none yet");
  return [
    renderDays(byDay, page, shownDays),
    "",
    ...renderTold(bySession.slice(0, shownSessions), page),
    "",
    renderFields(
      [["ever", describeUse({ ...totals, memories: totals.differentMemories, times: totals.memories })]],
      page,
      labelColumn - 2,
    ),
    renderHowSaved(page),
  ].join("\n");
}

/** A column a day, of UTC; a dot where nothing was told. */
function renderDays(byDay: readonly Day[], page: Page, shownDays: number): string {
  const days = Array.from({ length: shownDays }, (_, index) =>
    new Date(page.now.getTime() - (shownDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
  const perDay = (name: "tokens" | "used") =>
    days.map((day) => byDay.filter((one) => one.day === day).reduce((sum, one) => sum + one[name], 0));
  const tokens = perDay("tokens");
  if (tokens.every((count) => count === 0)) return page.paint("dim", `nothing in the last ${shownDays} days`);
  const row = (label: string, counts: number[]): string => {
    const most = Math.max(...counts);
    const note = most === 0 ? "none as far as seen" : `at most ${most.toLocaleString("en")} a day`;
    const hasRoom = labelColumn + shownDays + 2 + note.length <= page.width;
    return `${page.paint("dim", label.padEnd(labelColumn))}${page.paint("cyan", sparkline(counts, most))}${hasRoom ? `  ${page.paint("dim", note)}` : ""}`;
  };
  const [first = "", last = ""] = [days[0], days.at(-1)];
  const axis = `${first}${last.padStart(shownDays - first.length)}`;
  return [
    row("tokens", tokens),
    row("used", perDay("used")),
    page.paint("dim", `${" ".repeat(labelColumn)}${axis}`),
  ].join("\n");
}

function sparkline(counts: readonly number[], most: number): string {
  return counts.map((count) => (count === 0 ? "·" : levels[Math.ceil((count / most) * levels.length) - 1])).join("");
}

function renderTold(sessions: Injections["bySession"], page: Page): string[] {
  const most = Math.max(1, ...sessions.map(({ tokens }) => tokens));
  const column = Math.max(...sessions.map(({ tokens }) => countOf(tokens, "token").length));
  const barWidth = page.width < leastForBars ? 0 : widestBar;
  const indent = 10 + (barWidth === 0 ? 0 : barWidth + 2) + column + 2;
  return sessions.map(({ sessionId, lastAt, tokens, memories, used, savedTokens }) => {
    const bar = barWidth === 0 ? "" : `${page.paint("cyan", barOf(tokens / most, barWidth))}  `;
    const about = `${countOf(memories, "memory")}, ${used} used${describeSaved(savedTokens)} · ${renderAge(lastAt, page.now)}`;
    const lines = fold(about, Math.max(page.width - indent, 16)).join(`\n${" ".repeat(indent)}`);
    return `${page.paint("cyan", oneLine(shortId(sessionId), page).padEnd(8))}  ${bar}${countOf(tokens, "token").padStart(column)}  ${lines}`;
  });
}

/** Filled to an eighth of a column, and with spaces to its width. */
function barOf(share: number, width: number): string {
  const filled = Math.max(1, Math.round(share * width * eighths.length));
  const bar = "█".repeat(Math.floor(filled / eighths.length)) + (eighths[filled % eighths.length] ?? "");
  return bar.padEnd(width);
}
