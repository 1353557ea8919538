import { within } from "../base/within.js";
import type { Settings } from "../config/config.js";
import type {
  Asked,
  Choice,
  Deadline,
  InjectOptions,
  InjectedMemory,
  Injection,
  InjectionPorts,
  Moment,
  StepTrigger,
} from "./injection.js";
import { noteTold } from "./note-told.js";
import type { PrefetchedFile } from "./prefetch.js";
import { quoteBlock } from "./quote-block.js";

// Seed of the product: how long each may take.
const deadlinesMs: Record<Moment["point"], number> = { "session-start": 500, prompt: 2000, "file-read": 100, step: 50 };
// What an agent is told each time, without the files that come with a prompt.
const budgets: Record<Moment["point"], number> = { "session-start": 1500, prompt: 1200, "file-read": 500, step: 400 };
// In a whole session. More than 8,000 nobody reads, and people complain of tools that send ten times that.
const mostTokens = 8000;
// Seed of the product.
const prefetchTokens = 32_000;
const prefetchFiles = 12;

/**
 * What an agent is told at a moment, if anything: bounded in tokens, never twice in a session, and in time. Where the
 * deadline is over it is nothing. Throws what the store says; whoever has an agent waiting must catch that.
 */
export async function inject(ports: InjectionPorts, moment: Moment, options: InjectOptions = {}): Promise<Injection> {
  const deadline = openDeadline(options.deadlineMs ?? deadlinesMs[moment.point]);
  const settings = await ports.from.settings();
  if (!mayTell(settings, moment.point, options)) return nothingAt(moment.point);
  let isNoting = false;
  const record: InjectionPorts["record"] = async (...told) => {
    isNoting = true;
    return ports.record(...told);
  };
  const work = compose({ ...ports, record }, moment, options, settings, deadline);
  const late = { ...nothingAt(moment.point), isLate: true };
  // What is noted as told has to be told: it would not come again in this session. A note takes some milliseconds.
  return await within(deadline.left(), work, () => (isNoting ? work : late));
}

/** An injection that tells nothing. */
export function nothingAt(point: Injection["point"], notes: string[] = []): Injection {
  return { point, text: "", tokens: 0, memories: [], files: [], notes, isLate: false };
}

export function openDeadline(ms: number): Deadline {
  const end = performance.now() + ms;
  return { left: () => Math.max(0, end - performance.now()) };
}

function mayTell({ enabled, autoInject }: Settings, point: Moment["point"], { mode }: InjectOptions): boolean {
  // What is told is noted, so that it is told once; where nothing may be noted, nothing is told.
  if (!enabled || !autoInject || mode === "none") return false;
  return mode !== "passive" || point === "session-start" || point === "prompt";
}

async function compose(
  ports: InjectionPorts,
  moment: Moment,
  options: InjectOptions,
  settings: Settings,
  deadline: Deadline,
): Promise<Injection> {
  const { minConfidence = settings.injectionConfidence, budgetTokens = budgets[moment.point] } = options;
  const soFar = await ports.soFar(moment.sessionId, moment.agentId);
  const { choices, trigger } = await choose(ports, moment, { minConfidence, soFar, deadline });
  const files = soFar.hasPrefetched ? [] : await prefetch(ports, moment, { minConfidence, deadline });
  const note = moment.point === "session-start" ? await ports.codeNote() : undefined;
  const countTokens = await ports.countTokens();
  const quote = (left: Choice[]): Injection => {
    if (left.length === 0 && files.length === 0 && note === undefined) return nothingAt(moment.point);
    const {
      text,
      tokens,
      included,
      files: shown,
    } = quoteBlock({
      point: moment.point,
      choices: left,
      files,
      notes: note === undefined ? [] : [note],
      // Files have their own budget, and were chosen to fit into it.
      budgetTokens: Math.max(0, Math.min(budgetTokens, mostTokens - soFar.tokens)),
      countTokens,
    });
    const led = trigger && included.length > 0 ? { trigger } : {};
    const memories = [...included, ...behind(files)];
    return { point: moment.point, text, tokens, memories, files: shown, ...led, notes: [], isLate: false };
  };
  const news = moment.point === "session-start" && !moment.continues ? await ports.lastSession() : undefined;
  const fresh = choices.filter(({ memory }) => !soFar.ids.has(memory.id));
  const without = (taken: ReadonlySet<string>) => quote(fresh.filter(({ memory }) => !taken.has(memory.id)));
  // What cannot be noted would be told again and again.
  const told = await noteTold(ports, { ...moment, deadline }, quote(fresh), without, nothingAt(moment.point));
  return news === undefined ? told : { ...told, notes: [...told.notes, news] };
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
  asked: Asked,
): Promise<{ choices: Choice[]; trigger?: StepTrigger }> {
  switch (moment.point) {
    case "session-start":
      return { choices: await (await import("./choose-at-start.js")).chooseAtStart(ports, moment, asked) };
    case "prompt":
      return { choices: await (await import("./choose-for-prompt.js")).chooseForPrompt(ports, moment, asked) };
    case "file-read":
      return { choices: await (await import("./choose-for-file.js")).chooseForFile(ports, moment, asked) };
    case "step":
      return (await (await import("./triggers/decide-step.js")).decideStep(ports, moment, asked)) ?? { choices: [] };
  }
}

async function prefetch(
  ports: InjectionPorts,
  moment: Moment,
  asked: { minConfidence: number; deadline: Deadline },
): Promise<PrefetchedFile[]> {
  if (moment.point !== "prompt" || moment.prefetch === "none") return [];
  const { listPrefetch } = await import("./prefetch.js");
  return listPrefetch(ports, moment, { mostFiles: prefetchFiles, budgetTokens: prefetchTokens, ...asked });
}
