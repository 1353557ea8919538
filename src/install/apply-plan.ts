import type { AgentId } from "./agents/agent.js";
import { hashOf, replaceConfigFile, sweepUnfinished } from "./config-files/config-file.js";
import {
  getAgent,
  planAgent,
  problemOf,
  type AgentPlan,
  type FileChange,
  type Plan,
  type PlanOptions,
} from "./plan-install.js";
import { changeJournal, type JournalEntry, type Step } from "./journal.js";
import type { Machine } from "./agents/machine.js";

/** What came of connecting one agent. */
export interface Applied extends Omit<AgentPlan, "state" | "changes"> {
  /** `connected` where something was written, `unchanged` where nothing had to be. */
  state: "connected" | "unchanged" | "foreign" | "failed";
  /** The files that were written. */
  files: string[];
}

// Agents write their own files while they run; more than a few times in a row means that something is wrong.
const maxAttempts = 5;

/**
 * Writes what a plan says, agent by agent. What cannot be written is told in the answer and does not hold up the others. A
 * file that has changed since the plan is planned anew, so that nobody's change is lost.
 */
export function applyPlan(plan: Plan, place: Machine, options: PlanOptions = {}): Applied[] {
  return plan.agents.map((planned) => applyAgent(planned, place, options));
}

function applyAgent(planned: AgentPlan, place: Machine, options: PlanOptions): Applied {
  const files = new Set<string>();
  for (const { file } of getAgent(planned.agent).targets(place)) sweepUnfinished(file);
  let now = planned;
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const left = now.changes.filter((change) => {
        const isWritten = writeChange(now.agent, change, place);
        if (isWritten) files.add(change.file);
        return !isWritten;
      });
      if (left.length === 0) break;
      now = planAgent(getAgent(now.agent), place, options);
    }
  } catch (error) {
    return answerOf(planned, "failed", files, problemOf(error));
  }
  if (now.problem) return answerOf(planned, "failed", files, now.problem);
  const isForeign = files.size === 0 && now.state === "foreign";
  return answerOf(planned, isForeign ? "foreign" : files.size > 0 ? "connected" : "unchanged", files);
}

function answerOf(
  { agent, title, isFound, isWatched, notes }: AgentPlan,
  state: Applied["state"],
  files: ReadonlySet<string>,
  problem?: Applied["problem"],
): Applied {
  return { agent, title, isFound, isWatched, state, files: [...files], notes, ...(problem && { problem }) };
}

/** Notes the change, then makes it: whatever ends the process in between, uninstalling knows. False where the file has changed. */
function writeChange(agent: AgentId, change: FileChange, { tacitHome }: Machine): boolean {
  const { target, file, before, after, folders, ...step } = change;
  const hash = before === undefined ? null : hashOf(before);
  let old: JournalEntry | undefined;
  changeJournal(tacitHome, (entries) => {
    old = entries.find((entry) => entry.file === file);
    const earlier = change.isFresh ? [] : stepsUntil(old?.steps ?? [], hash);
    const steps: Step[] = [...earlier, { before: hash, after: hashOf(after), ...step }];
    const isMade = steps.length > 1 ? old?.isMade === true : before === undefined;
    const entry = { agent, target, file, isMade, folders: [...(old?.folders ?? []), ...folders], steps };
    return [...entries.filter((each) => each !== old), entry];
  });
  try {
    if (replaceConfigFile(file, before, after)) return true;
  } catch (error) {
    takeBack();
    throw error;
  }
  takeBack();
  return false;

  function takeBack(): void {
    changeJournal(tacitHome, (entries) => [...entries.filter((each) => each.file !== file), ...(old ? [old] : [])]);
  }
}

/** Those that led to the text with this hash; all of them where none did, because somebody else has written since. */
function stepsUntil(steps: Step[], hash: string | null): Step[] {
  if (steps[0]?.before === hash) return [];
  const last = steps.findLastIndex(({ after }) => after === hash);
  return last < 0 ? steps : steps.slice(0, last + 1);
}
