import { shownDifference, type Hunk } from "../install/shown-difference.js";
import type { Applied } from "../install/apply-plan.js";
import type { AgentPlan, FileChange, Plan, Problem } from "../install/install.js";
import type { Untied, UntiedFile } from "../install/uninstall.js";
import type { Page } from "./page.js";

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
    update: "connected to another installation, to be updated",
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

function renderChange({ file, before, edits }: FileChange, page: Page): string[] {
  const name = `  ${page.paint("cyan", page.clean(file))}${before === undefined ? " (new)" : ""}`;
  return [name, ...shownDifference(before ?? "", edits).flatMap((hunk) => renderHunk(hunk, page))];
}

function renderHunk({ line, removed, added }: Hunk, page: Page): string[] {
  return [
    `  ${page.paint("dim", `@@ line ${line} @@`)}`,
    ...removed.map((text) => `  ${page.paint("red", page.clean(`-${text}`))}`),
    ...added.map((text) => `  ${page.paint("green", page.clean(`+${text}`))}`),
  ];
}

/** What came of it, and what comes next. */
export function renderApplied(applied: Applied[], page: Page): string {
  const connected = applied.filter(({ state }) => state === "connected");
  const failed = applied.filter(({ problem }) => problem);
  return [
    ...(connected.length > 0
      ? [
          `Connected ${listTitles(connected)}. Start ${connected.length === 1 ? "it" : "them"} anew; tacit doctor tells when ${connected.length === 1 ? "it has" : "they have"} spoken.`,
          "tacit uninstall takes it out again, byte for byte.",
        ]
      : ["Nothing was written."]),
    ...failed.flatMap(({ title, problem }) => [`${title} is not connected.`, ...renderProblem(problem, page)]),
  ].join("\n");
}

const untiedWords: Record<UntiedFile["how"], [done: string, planned: string]> = {
  restored: ["as it was, byte for byte", "would be as it was, byte for byte"],
  "taken-out": ["Tacit's part is out; the rest has changed since, and stays", "Tacit's part would go; the rest stays"],
  removed: ["removed; Tacit had made it", "would be removed; Tacit had made it"],
  "already-gone": ["Tacit's part was gone already", "Tacit's part is gone already"],
  gone: ["the file is not there any more", "the file is not there any more"],
};

/** What was taken out, or would be, file by file. */
export function renderUntied(untied: Untied[], dryRun: boolean, page: Page): string {
  if (untied.length === 0) return "No agent is tied to Tacit here.";
  return untied
    .map(({ title, state, files, notes, problem }) =>
      [
        `${page.paint("bold", title)}${state === "nothing" ? ": nothing of Tacit's was in its files" : ""}`,
        ...files.map(
          ({ file, how }) => `  ${page.paint("cyan", page.clean(file))}: ${untiedWords[how][dryRun ? 1 : 0]}`,
        ),
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
      const files = changes.map(({ file, before, edits }) => ({
        file,
        difference: shownDifference(before ?? "", edits),
      }));
      return { ...plan, state, files, ...(problem && { problem }) };
    }),
  };
}

export function untiedDocument(untied: Untied[], dryRun: boolean): unknown {
  return {
    dryRun,
    agents: untied.map(({ files, ...rest }) => ({ ...rest, files: files.map(({ file, how }) => ({ file, how })) })),
  };
}

/** "Claude Code, Cursor and VS Code" */
export function listTitles(agents: { title: string }[]): string {
  const titles = agents.map(({ title }) => title);
  return titles.length < 2 ? titles.join("") : `${titles.slice(0, -1).join(", ")} and ${titles.at(-1)}`;
}
