import { MemoryError, type MemoryErrorCode } from "../base/memory-error.js";
import { agents, isFound } from "./agents/known-agents.js";
import type { Agent, AgentId, Target } from "./agents/agent.js";
import { missingFolders, readConfigFile, refused, whyNotWritable } from "./config-files/config-file.js";
import { putPart } from "./config-files/document.js";
import type { Step } from "./journal.js";
import { warnOfPassing, type Machine } from "./agents/machine.js";
import { applyEdits } from "./config-files/text-edit.js";

/** What connecting agents would change, and what stands against it. Nothing is written yet. */
export interface Plan {
  agents: AgentPlan[];
  /** What speaks against this installation as a whole. */
  warning?: string;
}

export interface AgentPlan {
  agent: AgentId;
  title: string;
  isFound: boolean;
  /** True where Tacit sees what the agent does and tells it by itself; else the agent has to ask. */
  isWatched: boolean;
  /**
   * `connected`: nothing to do. `connect`, `update`: what the changes do. `foreign`: something else has the name Tacit
   * would take. `refused`: a file is in the way, and none of this agent's files is touched.
   */
  state: "connected" | "connect" | "update" | "foreign" | "refused";
  changes: FileChange[];
  /** What a person should know beside the changes. */
  notes: string[];
  problem?: Problem;
}

export interface Problem {
  code: MemoryErrorCode;
  message: string;
  hint: string;
}

/** One file as it is and as it would be. Both texts are whole: show the difference, never these. */
export interface FileChange extends Omit<Step, "before" | "after"> {
  target: string;
  file: string;
  before: string | undefined;
  after: string;
  /** The folders that have to be made. */
  folders: string[];
}

export interface PlanOptions {
  /** Replaces what has our name and is not ours; uninstalling puts it back. */
  force?: boolean;
}

/**
 * What it takes to connect these agents, or those that are found on this computer. A name that is none throws `usage`; a
 * file that cannot be changed is told in the plan, and the other agents' are not held up by it.
 *
 * @example
 * const plan = planInstall(["cursor"], openPlace());
 * applyPlan(plan, openPlace());
 */
export function planInstall(names: readonly string[] | undefined, place: Machine, options: PlanOptions = {}): Plan {
  const wanted = names ? names.map(getAgent) : agents.filter((agent) => isFound(agent, place));
  const warning = warnOfPassing(place);
  return {
    agents: [...new Set(wanted)].map((agent) => planAgent(agent, place, options)),
    ...(warning !== undefined && { warning }),
  };
}

/** The agent of a name or a title, in any case: `vscode`, `VS Code`. */
export function getAgent(name: string): Agent {
  const agent = agents.find(({ id, title }) => [id, title].map(plain).includes(plain(name)));
  if (agent) return agent;
  throw new MemoryError(
    "usage",
    `There is no agent '${name.slice(0, 40)}' that Tacit could be connected to.`,
    `There are: ${agents.map(({ id }) => id).join(", ")}. Any other takes "tacit mcp" as an MCP server over stdio.`,
  );
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, "");
}

/** What one agent takes; again, where a file has changed since. */
export function planAgent(agent: Agent, place: Machine, { force = false }: PlanOptions): AgentPlan {
  const plan: AgentPlan = {
    agent: agent.id,
    title: agent.title,
    isFound: isFound(agent, place),
    isWatched: agent.isWatched,
    state: "connected",
    changes: [],
    notes: [],
  };
  const other = agent.findOtherConnection?.(place);
  if (other) return { ...plan, notes: [`Connected by ${other.how} already.`] };
  try {
    for (const target of agent.targets(place)) planTarget(target, force, plan);
    for (const { file } of plan.changes) {
      const why = whyNotWritable(file);
      if (why !== undefined) throw refused(file, why);
    }
  } catch (error) {
    return { ...plan, state: "refused", changes: [], notes: [], problem: problemOf(error) };
  }
  const remark = plan.changes.length > 0 ? agent.remark?.(place) : undefined;
  if (remark !== undefined) plan.notes.push(remark);
  return plan;
}

function planTarget({ name, file, syntax, parts }: Target, force: boolean, plan: AgentPlan): void {
  const before = readConfigFile(file);
  const change: FileChange = {
    target: name,
    file,
    before,
    after: before ?? "",
    folders: missingFolders(file),
    isFresh: true,
    edits: [],
    put: [],
    made: [],
    blanks: [],
    replaced: [],
  };
  for (const part of parts) {
    const put = putPart(syntax, file, change.after, part, { mayReplace: force });
    if (put.kind === "foreign") {
      plan.notes.push(`${part.at.join(".")} in ${file} is not Tacit's and stays; --force replaces it.`);
      if (plan.state === "connected") plan.state = "foreign";
    }
    if ((put.kind === "there" && put.isOurs) || (put.kind === "put" && !put.isNew)) change.isFresh = false;
    if (put.kind !== "put") continue;
    change.after = applyEdits(change.after, put.edits);
    change.edits.push(...put.edits);
    change.made.push(...put.made);
    if (put.blank) change.blanks.push(put.blank);
    if (put.isNew) change.put.push([...part.at]);
    if (put.replaced !== undefined) change.replaced.push({ at: [...part.at], text: put.replaced });
  }
  if (change.edits.length === 0) return;
  plan.changes.push(change);
  plan.state = change.isFresh || plan.state === "connect" ? "connect" : "update";
}

/** What a file has against being changed; anything but that is a mistake of ours and is thrown on. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof MemoryError)) throw error;
  const { code, message, hint } = error;
  return { code, message, hint };
}
