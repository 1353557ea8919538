import type { FoundTranscript, RuleFile, TacitMemory } from "../../index.js";
import type { Asking } from "../terminal/ask.js";
import { countOf } from "../../base/count-of.js";
import { type FoundAgent, fromHome, type InitAgents } from "./init-agents.js";
import { listOf } from "../terminal/list-of.js";
import type { Page } from "../terminal/page.js";
import { oneLine } from "../terminal/one-line.js";
import { fold } from "../terminal/text-width.js";

export interface InitFlags {
  yes?: boolean;
  /** Undefined where neither `--replay` nor `--no-replay` was given. */
  replay?: boolean;
  rules: boolean;
  install: boolean;
}

/** What there is to learn from and to connect, beside the code. */
export interface Found {
  rules: RuleFile[];
  transcripts: FoundTranscript[];
  /** Nobody has said yet that this folder may speak: what it shares, and its settings. */
  isNew: boolean;
  /** What waits for that, in words. */
  brings: string[];
  /** Those that were found on this machine, connected or not; absent where they were not looked for. */
  agents?: FoundAgent[];
}

/** What is to be done. */
export interface InitPlan {
  /** A person says that this is their project: what it shares and its settings count. */
  accepts: boolean;
  /** A person wants this folder to be learned. */
  invited: boolean;
  rules: boolean;
  /** A person has seen what rules there are. */
  trustRules: boolean;
  replay: boolean;
  /** The agents to connect, by their ids. */
  connect: string[];
  /** What was left out because nobody could be asked. */
  leftOut: string[];
}

/** Looks for what flags do not rule out. Nothing is kept, and a folder that is no project is refused. */
export async function lookAround(memory: TacitMemory, flags: InitFlags, agents: InitAgents): Promise<Found> {
  const { rules } = await memory.projects.learn({ dryRun: true });
  return {
    isNew: !(await memory.projects.current()).isAccepted,
    brings: await memory.store.notices(),
    rules: flags.rules ? rules : [],
    transcripts: flags.replay === false ? [] : await memory.sessions.transcripts(),
    ...(flags.install && { agents: await agents.list() }),
  };
}

/**
 * Decides what is done: everything with `--yes`; on a terminal what is answered; else only what nobody has to be asked for.
 * Undefined where the person cancels.
 *
 * What lets others speak or writes into others' files is a no until somebody says yes: rules that a person has not seen are
 * told to no agent, also with `--yes`. What a person's own sessions teach stays here, and Enter is enough.
 */
export async function decide(
  { isNew, brings, rules, transcripts, agents = [] }: Found,
  { yes = false, replay }: InitFlags,
  asking: Asking | undefined,
  port: Pick<InitAgents, "show">,
): Promise<InitPlan | undefined> {
  const free = agents.filter(({ isConnected, problem }) => !isConnected && problem === undefined);
  const every = free.map(({ id }) => id);
  const isReplayed = transcripts.length > 0 && replay === true;
  if (yes) {
    const replays = transcripts.length > 0;
    const takesRules = rules.length > 0;
    return { ...isAsked, accepts: isNew, rules: takesRules, trustRules: false, replay: replays, connect: every };
  }
  const isOpen = transcripts.length > 0 && replay === undefined;
  const kept = `${countOf(transcripts.length, "transcript")} of sessions that Claude Code has kept`;
  if (!asking) {
    const fresh = rules.filter((one) => one.fresh > 0);
    const leftOut = [
      ...(fresh.length > 0 ? [`the rules in ${listOf(fresh.map(({ file }) => file))}`] : []),
      ...(isOpen ? [kept] : []),
      ...(free.length > 0 ? [`connecting ${listOf(free.map(({ title }) => title))}`] : []),
    ];
    const left = isNew && brings.length > 0 ? [...leftOut, "what this folder shares and sets"] : leftOut;
    const nothing = { invited: false, accepts: false, rules: false, trustRules: false, connect: [] };
    return { ...nothing, replay: isReplayed, leftOut: left };
  }
  const accepts = isNew && (await askForFolder(brings, asking));
  if (accepts === undefined) return undefined;
  const unseen = rules.filter(({ fresh, silent }) => fresh + silent > 0);
  const takesRules = unseen.length > 0 ? await askForRules(unseen, asking) : false;
  if (takesRules === undefined) return undefined;
  const replays = isOpen ? await asking.yesNo(`Learn from ${kept}?`, { byDefault: true }) : isReplayed;
  if (replays === undefined) return undefined;
  const choices = free.map(({ id, title, files }) => ({ id, title, hint: files.map(fromHome).join(", ") }));
  const connect =
    free.length > 0
      ? await asking.which("Which agents should be connected?", choices, { shows: await port.show(every, asking.page) })
      : [];
  if (connect === undefined) return undefined;
  // Whoever sits at the terminal and runs this in a folder wants that folder learned.
  return { ...isAsked, accepts, rules: takesRules, trustRules: takesRules, replay: replays, connect };
}

const isAsked = { invited: true, leftOut: [] };
const question = "Is this your project? Tacit will use what it shares and its settings.";

/** Enter is enough where nothing waits: then nobody else speaks by it. */
async function askForFolder(brings: readonly string[], asking: Asking): Promise<boolean | undefined> {
  const shows = brings.map((line) => oneLine(line, asking.page)).join("\n");
  return asking.yesNo(question, brings.length === 0 ? { byDefault: true } : { shows });
}

/** With everything that agents would be told, rule by rule, so that a person says yes to nothing unseen. */
async function askForRules(unseen: readonly RuleFile[], asking: Asking): Promise<boolean | undefined> {
  const { page } = asking;
  const shows = unseen.flatMap(({ file, fresh, silent, examples }) => [
    `${page.paint("bold", file)}: ${countOf(fresh + silent, "rule")} that no agent is told yet`,
    ...examples.map((text) => `  ${firstLine(text, page)}`),
  ]);
  const all = unseen.reduce((sum, { fresh, silent }) => sum + fresh + silent, 0);
  const which = `${countOf(all, "rule")} of ${listOf(unseen.map(({ file }) => file))}`;
  return asking.yesNo(`Take in ${which}, and tell agents?`, { shows: shows.join("\n") });
}

function firstLine(text: string, page: Page): string {
  return fold(oneLine(text, page), Math.min(page.width, 100) - 2, 1).join("");
}
