import { statSync } from "node:fs";
import type { Command } from "commander";
import type { TacitMemory } from "../../index.js";
import { type Asking, canAsk, openAsking } from "../terminal/ask.js";
import { brief } from "../terminal/brief.js";
import { type InitAgents, openAgents } from "./init-agents.js";
import { decide, type Found, type InitFlags, type InitPlan, lookAround } from "./init-plan.js";
import { documentOf, findQuestion, type InitReport, renderInit } from "./init-report.js";
import { runIndex } from "../code/run-index.js";
import { runReplay } from "../sessions/run-replay.js";
import { refuseAgent } from "../terminal/refuse-agent.js";
import type { Shell } from "../terminal/shell.js";
import { countPending } from "../listing/pending-notice.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const details = `
Everything that Tacit can learn of a project before anybody works on it with it: its code (tacit
index), which files change together in its history, what its own files say of it (how to test and
build it, what it needs), the rules that it holds for agents (CLAUDE.md, AGENTS.md, .cursor/rules,
…), and the sessions that Claude Code has kept of it. And it connects the agents of this machine
(tacit install).

On a terminal you are shown what rules there are and what would be written into the files of
agents, and are asked; --yes does all of it. Rules that nobody has seen answer when asked for, and
agents are told them after tacit project accept. Where nobody can be asked, only code, history and
the project's own files are read, and the end says what was left out. It writes nothing into the
work tree, and may be run again: what is the same stays as it is. The exit code is 1 where an agent
could not be connected.
`;

/** Where its questions go, and which agents there are. */
export interface InitPorts {
  /** Undefined where nobody can be asked. */
  asking: (shell: Shell) => Promise<Asking | undefined>;
  agents: InitAgents;
}

const terminal: InitPorts = {
  asking: async (shell) => (canAsk(shell) ? openAsking() : undefined),
  agents: openAgents(),
};

export function addInit(program: Command, shell: Shell, ports: InitPorts = terminal): void {
  program
    .command("init")
    .description("learn a project: its code, history, files, rules and sessions; and connect agents")
    .option("-y, --yes", "do everything without asking")
    .option("--replay", "learn from the transcripts of Claude Code without asking")
    .option("--no-replay", "leave them alone")
    .option("--no-rules", "take in no rules of agents")
    .option("--no-install", "connect no agent")
    .addHelpText("after", details)
    // To say more than that it is one too many.
    .allowExcessArguments()
    .action(async (flags: InitFlags, { args: [word] }: Command) => {
      if (word !== undefined) throw await folderNamed(word);
      await refuseAgent(shell);
      const report = await shell.withMemory(async (memory) => {
        const found = await lookAround(memory, flags, ports.agents);
        const asking = flags.yes ? undefined : await ports.asking(shell);
        const plan = await decide(found, flags, asking, ports.agents);
        // Before anything is written, so that it can still be stopped; whoever was asked has read it.
        const warning = plan && plan.connect.length > 0 ? await ports.agents.warning() : undefined;
        if (warning !== undefined && !asking) shell.notice(warning);
        if (!plan) return undefined;
        const done = await carryOut(shell, memory, found, plan, { ...ports.agents, warning });
        return { ...done, isOwn: asking !== undefined && (plan.accepts || !found.isNew) };
      });
      if (!report) {
        // As a shell expects it of a command that was stopped.
        process.exitCode = 130;
        shell.notice("Nothing was done.");
        return;
      }
      await shell.print({
        document: documentOf(report),
        ok: report.isWell,
        text: (page) => renderInit(report, page),
      });
    });
}

/** Whoever names a folder is told to go there. */
async function folderNamed(word: string): Promise<Error> {
  const isFolder = statSync(word, { throwIfNoEntry: false })?.isDirectory() === true;
  // Only a name that a shell takes as it is makes a line to copy.
  const line = /^[\w./][\w./-]*$/.test(word) ? `: cd ${word} && tacit init` : ", then: tacit init";
  return wrongUsage(
    `tacit init learns the project that you stand in, and takes no '${brief(word)}'.`,
    isFolder ? `Go there first${line}` : "Usage: tacit init [options]",
  );
}

/** By whom the memories are that this folder shares and that count from now on, by what git says: one name for each memory. */
async function listSharers(memory: TacitMemory): Promise<string[]> {
  const memories = await memory.list({ limit: mostShared });
  return memories.flatMap(({ metadata: { shared_by: by } }) => (typeof by === "string" ? [by] : []));
}

const mostShared = 10_000;

async function carryOut(
  shell: Shell,
  memory: TacitMemory,
  { transcripts, agents: known }: Found,
  { accepts, invited, rules, trustRules, replay, connect, leftOut }: InitPlan,
  agents: Pick<InitAgents, "connect"> & { warning: string | undefined },
): Promise<InitReport> {
  const begun = performance.now();
  // Rules have a question of their own.
  if (accepts) await memory.projects.accept(true, { withRules: false });
  const index = await runIndex(shell, memory, { history: true });
  const { name } = await memory.projects.current();
  const done: InitReport = {
    name,
    isOwn: false,
    index,
    transcripts: { found: transcripts.length },
    agents: { ...(known && { found: known }), connected: [] },
    waiting: 0,
    shared: [],
    leftOut,
    isWell: true,
    tookMs: 0,
  };
  if (!index.isStopped) {
    done.overview = await memory.code.overview();
    done.project = await memory.projects.learn({ invited, rules, trustRules });
    if (replay) {
      const files = transcripts.map(({ file }) => file);
      done.transcripts.replayed = await runReplay(shell, memory, files);
    }
    // Whoever stopped it wants nothing further done.
    const isStopped = done.transcripts.replayed?.some((one) => "report" in one && one.report.isStopped) === true;
    if (connect.length > 0 && !isStopped) {
      if (agents.warning !== undefined) done.agents.warning = agents.warning;
      done.agents.connected = await agents.connect(connect);
    }
    // Where nobody wanted agents connected, nothing failed.
    const failed = [...(invited ? (known ?? []) : []), ...done.agents.connected];
    done.isWell = failed.every(({ problem }) => problem === undefined);
    const question = await findQuestion(memory, done.project);
    if (question !== undefined) done.question = question;
  }
  done.waiting = await countPending(memory);
  done.shared = await listSharers(memory);
  done.tookMs = Math.round(performance.now() - begun);
  return done;
}
