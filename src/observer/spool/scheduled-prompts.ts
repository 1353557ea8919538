import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerMark } from "../../base/files/files.js";
import type { AgentEvent } from "../observer.js";

const markName = "prompts-of-agents";
// Of Claude Code, which takes a task that runs once out of it before the hook hears of its prompt (2.1.325).
const schedule = join(".claude", "scheduled_tasks.json");

/**
 * Notes the texts that an agent hands to a tool. Some tools give them back later as prompts that nobody typed: CronCreate
 * and ScheduleWakeup of Claude Code do, and its hooks do not tell those from what a person typed.
 */
export function markScheduledPrompts(home: string, event: AgentEvent): void {
  // Events may be anything.
  if (event?.kind !== "call") return;
  const texts = promptsIn(event.input);
  if (texts.length === 0) return;
  const file = join(home, markName);
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > maxBytes) writeFileSync(file, readFileSync(file, "utf8").slice(-maxBytes / 2), { mode: 0o600 });
    appendFileSync(file, texts.map((text) => `${answerMark(text)}\n`).join(""), { mode: 0o600 });
  } catch {
    // Where nothing can be written, nothing is remembered either.
  }
}

/** Whether an agent has handed this text to a tool. */
export function isScheduledPrompt(home: string, text: string): boolean {
  try {
    return readFileSync(join(home, markName), "utf8").includes(`${answerMark(text)}\n`);
  } catch {
    return false;
  }
}

/** Whether prompts are scheduled in a folder by a file, which a command of an agent may have written. */
export function hasSchedule(root: string): boolean {
  return existsSync(join(root, schedule));
}

// Some forty thousand prompts.
const maxBytes = 1024 * 1024;
const longest = 20_000;
const fields = ["prompt", "message", "text", "task", "instructions"];

function promptsIn(input: Record<string, unknown>): string[] {
  const given = Object(input) as Record<string, unknown>;
  return fields
    .map((field) => given[field])
    .filter((text): text is string => typeof text === "string" && text.trim() !== "" && text.length <= longest);
}
