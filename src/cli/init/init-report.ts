import type { CodeOverview, IndexReport, LearnedProject, TacitMemory } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import { type ConnectedAgent, type FoundAgent, fromHome } from "./init-agents.js";
import { listOf } from "../terminal/list-of.js";
import type { Page } from "../terminal/page.js";
import { oneLine } from "../terminal/one-line.js";
import { renderFields } from "../terminal/render-fields.js";
import { replayDocument, type ReplayedFile } from "../sessions/run-replay.js";
import { fold } from "../terminal/text-width.js";

/** What `init` did and learned. */
export interface InitReport {
  name: string;
  /** Whoever reads the report has said that the folder is theirs; what its files say in words of others they have not seen. */
  isOwn: boolean;
  index: IndexReport;
  /** Absent where the indexing was stopped; then nothing else was done. */
  overview?: CodeOverview;
  project?: LearnedProject;
  transcripts: { found: number; replayed?: ReplayedFile[] };
  /** What was found is absent where it was not looked for. */
  agents: { found?: FoundAgent[]; connected: ConnectedAgent[]; warning?: string };
  /** How many memories wait for a person. */
  waiting: number;
  /** Of each memory that others shared in this folder and that is active, who that was. */
  shared: string[];
  /** What was left out because nobody could be asked. */
  leftOut: string[];
  /** False where an agent that was to be connected could not be. */
  isWell: boolean;
  /** A question that has an answer here. */
  question?: string;
  tookMs: number;
}

/** Questions that the facts of a project answer, the likeliest to be asked first. */
const questions: [subject: string, question: string][] = [
  ["test", "how do I run the tests"],
  ["build", "how is this project built"],
  ["make", "which make targets are there"],
  ["install", "how are the dependencies installed"],
  ["start", "how is it started"],
  ["about", "what is this project"],
  ["readme", "what is this project"],
];

/** The first of them that is really answered. */
export async function findQuestion(memory: TacitMemory, { facts }: LearnedProject): Promise<string | undefined> {
  const subjects = new Set<string>(facts.found.map(({ subject }) => subject));
  for (const [subject, question] of questions) {
    if (!subjects.has(subject)) continue;
    // By words, which takes no model to load; what is found so is found with meaning too.
    const { results } = await memory.recallReport(question, { mode: "words", limit: 1, explicit: false });
    if (results.length > 0) return question;
  }
  return undefined;
}

/** What `--json` prints. */
export function documentOf(report: InitReport): Record<string, unknown> {
  const { index, transcripts, isWell: _, isOwn: __, ...others } = report;
  const { found, replayed } = transcripts;
  return {
    ...index,
    ...others,
    transcripts: { found, ...(replayed && { replayed: replayed.map(replayDocument) }) },
  };
}

/** What a person reads: what is known now, line by line, and what to do next. */
export function renderInit(report: InitReport, page: Page): string {
  const { index, tookMs, name, leftOut } = report;
  if (index.isStopped) return "Stopped. What is in stays: tacit init goes on from here.";
  const lines: [string, string | undefined][] = [
    ["code", codeLine(report)],
    ["", centralLine(report)],
    ["history", historyLine(report)],
    ...factLines(report),
    ["rules", rulesLine(report)],
    ["sessions", sessionsLine(report)],
    ["shared", sharedLine(report)],
    ["review", reviewLine(report)],
    ...agentLines(report),
    ["left out", leftOut.length === 0 ? undefined : `${listOf(leftOut)}. tacit init --yes takes all of it`],
  ];
  const fields = lines.filter((line): line is [string, string] => line[1] !== undefined);
  const next = nextSteps(report).flatMap((step) =>
    fold(oneLine(step, page), page.width - 2).map((line, at) => `${at === 0 ? "  " : "    "}${line}`),
  );
  return [
    `${page.clean(name)}, learned in ${(tookMs / 1000).toFixed(1)} s`,
    "",
    renderFields(fields, page),
    "",
    page.paint("bold", "Next"),
    ...next,
  ].join("\n");
}

function codeLine({ index: { files, problems }, overview }: InitReport): string {
  if (files === 0) return "no files yet";
  const { languages = [], functions = 0, classes = 0 } = overview ?? {};
  const named = languages.slice(0, 4).map(({ language, files: count }) => `${count.toLocaleString("en")} ${language}`);
  const others = files - languages.slice(0, 4).reduce((sum, each) => sum + each.files, 0);
  if (named.length > 0 && others > 0) named.push(`${numberOf(others)} ${others === 1 ? "other" : "others"}`);
  const symbols = [
    ...(functions > 0 ? [countOf(functions, "function")] : []),
    ...(classes > 0 ? [`${classes.toLocaleString("en")} ${classes === 1 ? "class" : "classes"}`] : []),
  ];
  const broken = problems.length > 0 ? [`${countOf(problems.length, "file")} not whole (tacit index --json)`] : [];
  return [`${countOf(files, "file")}${named.length > 0 ? ` (${named.join(", ")})` : ""}`, ...symbols, ...broken].join(
    ", ",
  );
}

function centralLine({ overview }: InitReport): string | undefined {
  const central = (overview?.central ?? []).filter(({ importers }) => importers > 1).slice(0, 3);
  if (central.length === 0) return undefined;
  const [first, ...others] = central.map(({ file, importers }) => ({
    file,
    importers: importers.toLocaleString("en"),
  }));
  const named = [
    `${first?.file} (by ${first?.importers} files)`,
    ...others.map((one) => `${one.file} (${one.importers})`),
  ];
  return `most imported: ${listOf(named)}`;
}

function historyLine({ index: { commits }, overview }: InitReport): string | undefined {
  const pairs = (overview?.together ?? []).slice(0, 3).map(({ files }) => files.join(" with "));
  const together = pairs.length === 0 ? undefined : `often changed together: ${pairs.join("; ")}`;
  const looked =
    commits === undefined || commits === 0
      ? undefined
      : `${countOf(commits, "commit")} counted (not the first, merges, very large ones, and those of files that are gone)`;
  return [looked, together].filter((part) => part !== undefined).join("; ") || undefined;
}

// A handful is read, more is a wall; tacit list --tag project shows all.
const shownFacts = 5;

function factLines({ project, isOwn }: InitReport): [string, string | undefined][] {
  const { memories = [], added = 0, updated = 0, forgotten = 0 } = project?.facts ?? {};
  const own = memories.filter(({ type }) => type === "fact").slice(0, shownFacts);
  const shown = (own.length > 0 ? own : memories.slice(0, 1)).map(({ content }) => content);
  const counts = [
    ...(added > 0 ? [`${numberOf(added)} new`] : []),
    ...(updated > 0 ? [`${numberOf(updated)} changed`] : []),
    ...(forgotten > 0 ? [`${numberOf(forgotten)} gone`] : []),
  ];
  const silent = memories.some(({ trustFlags }) => trustFlags.includes("unverified"));
  if (memories.length === 0 && forgotten === 0) return [];
  return [
    [
      "project",
      `${countOf(memories.length, "fact")} from its own files${counts.length > 0 ? `, ${counts.join(", ")}` : ""}`,
    ],
    ...shown.map((content): [string, string] => ["", content]),
    ["", silent ? `its own sentences answer whoever asks; agents are told them ${toldAfter(isOwn)}` : undefined],
  ];
}

/** Who has accepted the folder a moment ago is not sent to accept it. */
function toldAfter(isOwn: boolean): string {
  return isOwn ? "once you verify them: tacit review --unverified" : "after: tacit project accept";
}

function rulesLine({ project, isOwn }: InitReport): string | undefined {
  const files = project?.rules ?? [];
  const sum = (of: "added" | "known" | "forgotten" | "silent" | "fresh") =>
    files.reduce((all, file) => all + (file[of] ?? 0), 0);
  const taken = files.filter(({ added = 0, known = 0 }) => added + known > 0);
  const [fresh, gone, silent] = [sum("added"), sum("forgotten"), sum("silent")];
  const rules = countOf(fresh + sum("known"), "rule");
  const counts = [
    ...(taken.length > 0 ? [`${rules} of ${listOf(taken.map(({ file }) => file))}`] : []),
    ...(fresh > 0 ? [`${numberOf(fresh)} new`] : []),
    ...(taken.length > 0 && fresh + sum("fresh") === 0 ? ["all known already"] : []),
    ...(gone > 0 ? [`${numberOf(gone)} gone`] : []),
  ].join(", ");
  const remarks = [
    counts,
    ...(silent > 0 ? [`${toldOf(silent)} told to agents ${toldAfter(isOwn)}`] : []),
    ...files.flatMap(({ file, more, problem }) => [
      ...(more > 0 ? [`${numberOf(more)} more of ${file} are not taken in; tacit import ${file} takes all`] : []),
      ...(problem === undefined ? [] : [problem]),
    ]),
  ];
  return remarks.filter(Boolean).join("; ") || undefined;
}

function toldOf(silent: number): string {
  return silent === 1 ? "1 is" : `${numberOf(silent)} are`;
}

function numberOf(count: number): string {
  return count.toLocaleString("en");
}

function sessionsLine({ transcripts: { found, replayed } }: InitReport): string | undefined {
  if (!replayed) return undefined;
  const reports = replayed.flatMap((one) => ("report" in one ? [one.report] : []));
  const sessions = reports.flatMap((report) => report.sessions).filter(({ isRepeated }) => !isRepeated);
  const made = sessions.flatMap(({ learned, waiting }) => [...learned, ...waiting]);
  const unread = replayed.length - reports.length;
  const stopped = reports.some(({ isStopped }) => isStopped) || replayed.length < found;
  return [
    `${countOf(sessions.length, "session")} of Claude Code learned from`,
    made.length > 0 ? `${countOf(made.length, "memory")} made` : "nothing worth keeping yet",
    ...(unread > 0 ? [`${countOf(unread, "transcript")} could not be read (tacit replay FILE says why)`] : []),
    ...(stopped ? ["stopped; tacit init --replay goes on"] : []),
  ].join(", ");
}

/** Who says that a folder is theirs may not have looked into it. */
function sharedLine({ shared }: InitReport): string | undefined {
  if (shared.length === 0) return undefined;
  const names = [...new Set(shared)];
  const authors = names.length > maxAuthors ? [...names.slice(0, maxAuthors), "others"] : names;
  const active = `${countOf(shared.length, "memory")} shared by ${listOf(authors)} ${shared.length === 1 ? "is" : "are"} active now`;
  return `${active}. Read them: tacit list. What you do not want: tacit forget REF`;
}

const maxAuthors = 3;

function reviewLine({ waiting }: InitReport): string | undefined {
  return waiting === 0
    ? undefined
    : `${countOf(waiting, "memory")} ${waiting === 1 ? "waits" : "wait"} for you: tacit review`;
}

/** One line for those that are well, one for each that is not, and what to do about it once. */
function agentLines({ agents: { found, connected, warning }, leftOut }: InitReport): [string, string][] {
  const before = (found ?? []).filter(({ isConnected }) => isConnected).map(({ title }) => title);
  const now = connected.filter(({ problem }) => problem === undefined);
  const named = now.map(({ title, files }) => `${title} (${files.map(fromHome).join(", ")})`);
  const failed = [...(found ?? []), ...connected].filter(({ problem }) => problem !== undefined);
  const hints = new Set(failed.flatMap(({ hint }) => (hint === undefined ? [] : [hint])));
  const lines = [
    ...(now.length > 0 ? [`${listOf(named)} connected; start ${now.length === 1 ? "it" : "them"} anew`] : []),
    ...(before.length > 0 ? [`${listOf(before)} ${before.length === 1 ? "was" : "were"} connected already`] : []),
    ...failed.map(({ title, problem }) => `${title} is not connected: ${problem}`),
    ...hints,
    ...(warning === undefined ? [] : [warning]),
  ];
  if (lines.length > 0) return lines.map((line, at) => [at === 0 ? "agents" : "", line]);
  const none = "none found on this machine; tacit install NAME connects one all the same";
  if (found?.length === 0) return [["agents", none]];
  return found && leftOut.length === 0 ? [["agents", "none connected"]] : [];
}

function nextSteps(report: InitReport): string[] {
  const { question, overview, transcripts } = report;
  const central = overview?.central[0]?.file;
  return [
    question === undefined
      ? 'tacit remember "…" --type gotcha keeps the first thing worth knowing'
      : `tacit recall "${question}"`,
    ...(central === undefined ? [] : [`tacit impact ${central}`]),
    ...agentSteps(report),
    ...(transcripts.found > 0 && !transcripts.replayed
      ? ["tacit init --replay learns from the sessions that were kept"]
      : []),
  ].slice(0, 3);
}

/** What is true of the agents that are connected: some are told and learned from, others have to ask. */
function agentSteps({ agents: { found = [], connected } }: InitReport): string[] {
  const reached = [
    ...found.filter(({ isConnected }) => isConnected),
    ...connected.filter(({ problem }) => problem === undefined),
  ];
  const titlesOf = (agents: { title: string }[]) => listOf(agents.map(({ title }) => title));
  const watched = reached.filter(({ isWatched }) => isWatched);
  if (watched.length > 0) {
    const [told, done] = watched.length === 1 ? ["it is", "it does"] : ["they are", "they do"];
    return [`work on with ${titlesOf(watched)}: ${told} told what is known, and Tacit learns from what ${done}`];
  }
  if (reached.length > 0) {
    const [looks, is] = reached.length === 1 ? ["it looks", "is"] : ["they look", "are"];
    return [`ask ${titlesOf(reached)} what Tacit knows: ${looks} it up over MCP, and ${is} told nothing unasked`];
  }
  return found.some(({ problem }) => problem === undefined) ? ["tacit install connects your agents"] : [];
}
