import { homedir } from "node:os";
import { sep } from "node:path";
import type { FoundTranscript, RuleFile, TacitMemory } from "../index.js";
import type { Asking } from "./ask.js";
import { countOf } from "./count-of.js";
import type { FoundAgent, InitAgents } from "./init-agents.js";
import { listOf } from "./list-of.js";

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
  /** Those that were found on this machine, connected or not. */
  agents: FoundAgent[];
}

/** What is to be done. */
export interface InitPlan {
  /** A person wants this folder to be learned. */
  invited: boolean;
  rules: boolean;
  replay: boolean;
  /** The agents to connect, by their ids. */
  connect: string[];
  /** What was left out because nobody could be asked. */
  leftOut: string[];
}

/** Looks for what flags do not rule out. Nothing is kept, and a folder that is no project is refused. */
export async function lookAround(memory: TacitMemory, flags: InitFlags, agents: InitAgents): Promise<Found> {
  const { rules } = await memory.learnProject({ dryRun: true });
  return {
    rules: flags.rules ? rules : [],
    transcripts: flags.replay === false ? [] : await memory.transcripts(),
    agents: flags.install ? await agents.list() : [],
  };
}

/**
 * Decides what is done: everything with `--yes`; on a terminal what is answered; else only what nobody has to be asked for.
 * Undefined where the person cancels.
 */
export async function decide(
  { rules, transcripts, agents }: Found,
  { yes = false, replay }: InitFlags,
  asking: Asking | undefined,
): Promise<InitPlan | undefined> {
  const free = agents.filter(({ isConnected, problem }) => !isConnected && problem === undefined);
  const asked = {
    rules: rules.length > 0 && `the rules in ${listOf(rules.map(({ file }) => file))}`,
    replay: transcripts.length > 0 && replay === undefined && transcriptsOf(transcripts.length),
    connect: free.length > 0 && `connecting ${listOf(free.map(({ title }) => title))}`,
  };
  const every = free.map(({ id }) => id);
  if (yes) {
    return { invited: true, rules: rules.length > 0, replay: transcripts.length > 0, connect: every, leftOut: [] };
  }
  if (!asking) {
    const leftOut = Object.values(asked).filter((what) => what !== false);
    return { invited: false, rules: false, replay: replay === true && transcripts.length > 0, connect: [], leftOut };
  }
  const question = `Take in ${String(asked.rules)}, so that every agent knows them?`;
  const takesRules = asked.rules === false ? false : await asking.yesNo(question);
  if (takesRules === undefined) return undefined;
  const replays = asked.replay ? await asking.yesNo(`Learn from ${asked.replay}?`) : replay === true;
  if (replays === undefined) return undefined;
  const choices = free.map(({ id, title, files }) => ({ id, title, hint: files.map(fromHome).join(", ") }));
  const connect = asked.connect ? await asking.which("Which agents should be connected?", choices) : [];
  if (connect === undefined) return undefined;
  // Whoever sits at the terminal and runs this in a folder wants that folder learned.
  return { invited: true, rules: takesRules, replay: replays && transcripts.length > 0, connect, leftOut: [] };
}

function transcriptsOf(count: number): string {
  return `${countOf(count, "transcript")} of sessions that Claude Code has kept`;
}

/** As people write it. */
function fromHome(file: string): string {
  return file.startsWith(homedir() + sep) ? `~${file.slice(homedir().length)}` : file;
}
