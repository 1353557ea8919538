import { shownDifference, type Hunk } from "../../install/config-files/shown-difference.js";
import type { Applied } from "../../install/apply-plan.js";
import type { AgentPlan, FileChange, Plan, Problem } from "../../install/install.js";
import type { Disconnected, DisconnectedFile } from "../../install/uninstall.js";
import { listOf } from "../terminal/list-of.js";
import type { Page } from "../terminal/page.js";

/** What a plan would change, agent by agent, each file with the lines that come and go. */
export function renderPlan({ agents, warning }: Plan, page: Page): string {
  const blocks = agents.map((plan) => renderAgent(plan, page));
  const none = "No agent was found here. Name one to connect it all the same: tacit install cursor";
  return [
    ...(warning === undefined ? [] : [page.paint("yellow", page.clean(warning))]),
    ...(blocks.length === 0 ? [none] : blocks),
  ].join("\n\n");
}

function renderAgent({ title, state, isFound, changes, notes, problem }: AgentPlan, page: Page): string {
  const said = {
    connected: "connected, nothing to do",
    connect: isFound ? "to be connected" : "was not found here; to be connected all the same",
    update: "connected, to be updated",
    foreign: "not connected",
    refused: "cannot be connected",
  }[state];
  return [
    `${page.paint("bold", title)}: ${said}`,
    ...changes.flatMap((change) => renderChange(change, page)),
    ...notes.map((note) => `  ${page.paint("yellow", page.clean(note))}`),
    ...renderProblem(problem, page),
  ].join("\n");
}

function renderChange(change: FileChange, page: Page): string[] {
  const name = `  ${page.paint("cyan", page.clean(change.file))}${change.before === undefined ? " (new)" : ""}`;
  return [name, ...differenceOf(change).flatMap((hunk) => renderHunk(hunk, page))];
}

function differenceOf({ before = "", edits, replaced }: FileChange): Hunk[] {
  const foreign = replaced.map(({ text }) => text);
  return shownDifference(before, edits, foreign);
}

function renderHunk({ line, removed, added }: Hunk, page: Page): string[] {
  return [
    `  ${page.paint("dim", `@@ line ${line} @@`)}`,
    ...removed.map((text) => `  ${page.paint("red", page.clean(`-${text}`))}`),
    ...withoutRepeats(added).map((text) => `  ${page.paint("green", page.clean(`+${text}`))}`),
  ];
}

/** Lists that say the same under other names, one after the other, are shown once: nobody reads ten hooks. */
function withoutRepeats(lines: string[]): string[] {
  const shown: string[] = [];
  for (let at = 0; at < lines.length;) {
    const block = listAt(lines, at);
    const again: string[] = [];
    let end = at + (block?.lines.length ?? 1);
    for (let next = block && listAt(lines, end); next && next.body === block?.body; next = listAt(lines, end)) {
      again.push(next.name);
      end += next.lines.length;
    }
    shown.push(...(block?.lines ?? lines.slice(at, end)));
    if (again.length > 0) shown.push(`${block?.indent}(the same for ${again.length} more: ${listOf(again)})`);
    at = end;
  }
  return shown;
}

/** The list with a name that begins at a line; undefined where none does. */
function listAt(lines: string[], at: number) {
  const [, indent, name = ""] = /^(\s*)"(\w+)": \[$/.exec(lines[at] ?? "") ?? [];
  const length = lines.slice(at).findIndex((line) => line === `${indent}]` || line === `${indent}],`) + 1;
  if (indent === undefined || length === 0) return undefined;
  const block = lines.slice(at, at + length);
  return { indent, name, lines: block, body: block.slice(1, -1).join("\n") };
}

/** What came of it, and what comes next. */
export function renderApplied(applied: Applied[], page: Page): string {
  const connected = applied.filter(({ state }) => state === "connected");
  const failed = applied.filter(({ problem }) => problem);
  return [
    ...(connected.length > 0
      ? [
          `Connected ${titlesOf(connected)}. Start ${connected.length === 1 ? "it" : "them"} anew; tacit doctor tells when ${connected.length === 1 ? "it has" : "they have"} spoken.`,
          "tacit uninstall takes it out again, byte for byte.",
        ]
      : ["Nothing was written."]),
    ...failed.flatMap(({ title, problem }) => [`${title} is not connected.`, ...renderProblem(problem, page)]),
  ].join("\n");
}

const words: Record<DisconnectedFile["how"], [done: string, planned: string]> = {
  restored: ["as it was, byte for byte", "would be as it was, byte for byte"],
  "taken-out": ["Tacit's part is out; the rest stays as it is", "Tacit's part would go; the rest stays"],
  removed: ["removed; Tacit had made it", "would be removed; Tacit had made it"],
  "already-gone": ["Tacit's part was gone already", "Tacit's part is gone already"],
  gone: ["the file is not there any more", "the file is not there any more"],
};

/** What was taken out, or would be, file by file. */
export function renderDisconnected(disconnected: Disconnected[], dryRun: boolean, page: Page): string {
  if (disconnected.length === 0) return "No agent is connected to Tacit here.";
  return disconnected
    .map(({ title, state, files, notes, problem }) =>
      [
        `${page.paint("bold", title)}${state === "nothing" ? ": nothing of Tacit's was in its files" : ""}`,
        ...files.map(({ file, how }) => `  ${page.paint("cyan", page.clean(file))}: ${words[how][dryRun ? 1 : 0]}`),
        ...notes.map((note) => `  ${page.paint("yellow", page.clean(note))}`),
        ...renderProblem(problem, page),
      ].join("\n"),
    )
    .join("\n");
}

function renderProblem(problem: Problem | undefined, page: Page): string[] {
  if (!problem) return [];
  return [`  ${page.paint("red", page.clean(problem.message))}`, `  ${page.paint("dim", page.clean(problem.hint))}`];
}

/** What programs are told of an installation: nothing of a file but what is new in it. */
export function documentOf({ agents, warning }: Plan, applied?: Applied[]): unknown {
  return {
    written: applied?.some(({ files }) => files.length > 0) ?? false,
    ...(warning !== undefined && { warning }),
    agents: agents.map(({ changes, ...plan }) => {
      const { state, problem } = applied?.find(({ agent }) => agent === plan.agent) ?? plan;
      const files = changes.map((change) => ({ file: change.file, difference: differenceOf(change) }));
      return { ...plan, state, files, ...(problem && { problem }) };
    }),
  };
}

export function disconnectedDocument(disconnected: Disconnected[], dryRun: boolean): unknown {
  return {
    dryRun,
    agents: disconnected.map(({ files, ...rest }) => ({
      ...rest,
      files: files.map(({ file, how }) => ({ file, how })),
    })),
  };
}

/** "Claude Code, Cursor and VS Code" */
export function titlesOf(agents: { title: string }[]): string {
  return listOf(agents.map(({ title }) => title));
}
