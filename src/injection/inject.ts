import type { CountTokens } from "../base/tokens/tokens.js";
import type { Settings } from "../config/config.js";
import { findPendingNotice } from "../project/project.js";
import { quoteData } from "../hygiene/quote-data.js";
import { relativeTo } from "../memory/read/read.js";
import { openIgnoring } from "../project/ignore/ignore.js";
import { withinDeadline, openDeadline } from "./limits/within-deadline.js";
import {
  emptyInjection,
  type SelectionOptions,
  type Choice,
  type Deadline,
  type InjectOptions,
  type InjectedMemory,
  type Injection,
  type InjectionPorts,
  type Moment,
  type InjectedSoFar,
  type StepTrigger,
} from "./injection.js";
import { checkMoment, checkOptions, isInjectionEnabled } from "./limits/is-injection-enabled.js";
import { claimInjection } from "./record/claim-injection.js";
import type { PrefetchedFile } from "./prefetch.js";
import { quoteBlock, type Block } from "./quote/quote-block.js";

// The first design: how long each may take.
const deadlinesMs: Record<Moment["point"], number> = { "session-start": 500, prompt: 2000, "file-read": 100, step: 50 };
// What an agent is told each time, without the files that come with a prompt.
const budgets: Record<Moment["point"], number> = { "session-start": 1500, prompt: 1200, "file-read": 500, step: 400 };
// In a whole session. More than 8,000 nobody reads, and people complain of tools that send ten times that.
const maxTokens = 8000;

/**
 * What an agent is told at a moment, if anything: bounded in tokens, never twice in a session, and in time. Where the
 * deadline is over it is nothing. Throws what the store says, and for a moment or options that are none; whoever has an agent
 * waiting must catch that.
 */
export async function inject(ports: InjectionPorts, moment: Moment, options: InjectOptions = {}): Promise<Injection> {
  checkMoment(moment);
  checkOptions(options);
  const nothing = emptyInjection(moment.point);
  const deadline = openDeadline(options.deadlineMs ?? deadlinesMs[moment.point]);
  return withinDeadline(ports, deadline, nothing, async (noting) => {
    const settings = await ports.context.settings();
    if (!isInjectionEnabled(settings, options, moment.point)) return nothing;
    const pending = await findPendingNotice(ports.context);
    if (pending !== undefined) return moment.point === "session-start" ? { ...nothing, notes: [pending] } : nothing;
    const visible = withoutIgnored(moment, (await ports.context.folder()).root, settings);
    return visible ? compose(noting, visible, options, settings, deadline) : nothing;
  });
}

/** The moment without files that are ignored; undefined where it is about nothing else. */
function withoutIgnored(moment: Moment, root: string, { ignore }: Settings): Moment | undefined {
  if (!("files" in moment) || !moment.files?.length) return moment;
  const ignoring = openIgnoring({ root, ignore });
  const files = moment.files.filter((file) => ignoring.path(relativeTo(root, file)) === undefined);
  return files.length === 0 && moment.point === "file-read" ? undefined : { ...moment, files };
}

async function compose(
  ports: InjectionPorts,
  moment: Moment,
  options: InjectOptions,
  settings: Settings,
  deadline: Deadline,
): Promise<Injection> {
  const { minConfidence = settings.injectionConfidence, minScore = 0, maxMemories } = options;
  const soFar = await ports.soFar(moment.sessionId, moment.agentId);
  const chosen = await choose(ports, moment, { minConfidence, minScore, soFar, deadline });
  if (chosen === "late") return { ...emptyInjection(moment.point), isLate: true };
  const fresh = chosen.choices
    .filter(({ memory }) => !soFar.ids.has(memory.id))
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, maxMemories);
  const note = moment.point === "session-start" ? await ports.codeNote() : undefined;
  const countTokens = await ports.countTokens();
  const block = (left: readonly Choice[], files: readonly PrefetchedFile[], map?: string): Block =>
    quoteBlock({
      point: moment.point,
      choices: left,
      files,
      ...(map !== undefined && { map }),
      notes: note === undefined ? [] : [note],
      budgetTokens: budgetOf(moment, options, soFar),
      countTokens,
    });
  const files = await prefetch(ports, moment, { options, minConfidence, deadline, soFar }, (some) =>
    block(fresh, some),
  );
  const map = await cutMap(ports, moment, settings, countTokens, () =>
    options.budgetTokens === undefined ? undefined : options.budgetTokens - block(fresh, files).tokens,
  );
  const quote = (left: readonly Choice[]): Injection => {
    const { text, tokens, included, files: shown } = block(left, files, map);
    const led = chosen.trigger && included.length > 0 ? { trigger: chosen.trigger } : {};
    const memories = [...included, ...behind(files)];
    return { point: moment.point, text, tokens, memories, files: shown, ...led, notes: [], isLate: false };
  };
  const news = moment.point === "session-start" && !moment.continues ? await ports.lastSession() : undefined;
  const without = (taken: ReadonlySet<string>) => quote(fresh.filter(({ memory }) => !taken.has(memory.id)));
  const told = await claimInjection(
    ports,
    { ...moment, deadline },
    quote(fresh),
    without,
    emptyInjection(moment.point),
  );
  return news === undefined ? told : { ...told, notes: [...told.notes, news] };
}

/** The map of the code for a session that does not have it in mind, where one is wanted: as many lines as there is room for. */
async function cutMap(
  ports: InjectionPorts,
  moment: Moment,
  { sessionMapTokens }: Settings,
  countTokens: CountTokens,
  leftOf: () => number | undefined,
): Promise<string | undefined> {
  if (moment.point !== "session-start" || moment.continues === "resumed" || sessionMapTokens === 0) return undefined;
  const map = await ports.codeMap?.();
  if (map === undefined) return undefined;
  const room = Math.min(sessionMapTokens, leftOf() ?? sessionMapTokens);
  const lines = map.split("\n");
  while (lines.length > 0 && countTokens(quoteData(lines.join("\n"))) > room) lines.pop();
  // A heading alone, or with the name of one file, says nothing.
  return lines.length > 2 ? lines.join("\n") : undefined;
}

/** Of everything but the files and the map. */
function budgetOf({ point }: Moment, { budgetTokens = budgets[point] }: InjectOptions, soFar: InjectedSoFar): number {
  return Math.max(0, Math.min(budgetTokens, maxTokens - soFar.tokens));
}

/** The memories that knew of these files. */
function behind(files: readonly PrefetchedFile[]): InjectedMemory[] {
  return [...new Set(files.map(({ memory }) => memory))].map((id) => ({
    id,
    why: "its files are nearly always read here",
    tokens: 0,
  }));
}

async function choose(
  ports: InjectionPorts,
  moment: Moment,
  asked: SelectionOptions,
): Promise<{ choices: Choice[]; trigger?: StepTrigger } | "late"> {
  switch (moment.point) {
    case "session-start":
      return { choices: await (await import("./selection/choose-at-start.js")).chooseAtStart(ports, moment, asked) };
    case "prompt":
      return {
        choices: await (await import("./selection/choose-for-prompt.js")).chooseForPrompt(ports, moment, asked),
      };
    case "file-read":
      return { choices: await (await import("./selection/choose-for-file.js")).chooseForFile(ports, moment, asked) };
    case "step":
      break;
  }
  return (await (await import("./triggers/decide-step.js")).decideStep(ports, moment, asked)) ?? { choices: [] };
}

interface PrefetchAsked {
  options: InjectOptions;
  minConfidence: number;
  deadline: Deadline;
  soFar: InjectedSoFar;
}

/** The files that come along, once a session; where a budget is given, as many as it leaves room for beside the memories. */
async function prefetch(
  ports: InjectionPorts,
  moment: Moment,
  { options: { budgetTokens }, minConfidence, deadline, soFar }: PrefetchAsked,
  block: (files: readonly PrefetchedFile[]) => Block,
): Promise<PrefetchedFile[]> {
  if (moment.point !== "prompt" || moment.prefetch === "none" || soFar.hasPrefetched) return [];
  const left = budgetTokens === undefined ? undefined : budgetTokens - block([]).tokens;
  if (left !== undefined && left <= 0) return [];
  const { listPrefetch } = await import("./prefetch.js");
  const limits = { minConfidence, deadline, ...(left !== undefined && { budgetTokens: left }) };
  const files = await listPrefetch(ports, moment, limits);
  if (budgetTokens === undefined) return files;
  // Their names and the lines around them take room too.
  while (files.length > 0 && block(files).tokens > budgetTokens) files.pop();
  return files;
}
