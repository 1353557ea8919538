import type { Phase } from "../memory/memory.js";
import { chooseAtStart } from "./selection/choose-at-start.js";
import { chooseForPrompt } from "./selection/choose-for-prompt.js";
import { openDeadline } from "./limits/within-deadline.js";
import {
  emptyInjection,
  type SelectionOptions,
  type Choice,
  type Injection,
  type InjectionPorts,
} from "./injection.js";
import { quoteBlock } from "./quote/quote-block.js";

export interface SessionContextQuery {
  sessionId?: string;
  /** What is to be done. */
  task?: string;
  files?: readonly string[];
  phase?: Phase;
  /** Model tokens of the whole text at most. Default 2,500. */
  budgetTokens?: number;
}

const usualBudget = 2500;
// Somebody asked and waits for it; a model that is not loaded may load.
const deadlineMs = 5000;

/**
 * What somebody who begins to work should know: what a start and a prompt would tell, told or not. Since it was asked for,
 * also what nobody has verified, and says so.
 */
export async function sessionContext(ports: InjectionPorts, query: SessionContextQuery = {}): Promise<Injection> {
  const { sessionId = "", task = "", files = [], phase, budgetTokens = usualBudget } = query;
  const asked: SelectionOptions = {
    minConfidence: (await ports.context.settings()).injectionConfidence,
    soFar: { ids: new Set(), tokens: 0, hasPrefetched: true, steps: 0 },
    deadline: openDeadline(deadlineMs),
    includeUnverified: true,
  };
  const moment = { sessionId, files, ...(phase && { phase }) };
  const forTask =
    task.trim() === "" ? [] : await chooseForPrompt(ports, { point: "prompt", prompt: task, ...moment }, asked);
  const atStart = await chooseAtStart(ports, { point: "session-start", ...moment }, asked);
  const note = await ports.codeNote();
  const choices = inOrder(forTask, atStart);
  if (choices.length === 0 && note === undefined) return emptyInjection("asked");
  const { text, tokens, included } = quoteBlock({
    point: "asked",
    choices,
    files: [],
    notes: note === undefined ? [] : [note],
    budgetTokens,
    countTokens: await ports.countTokens(),
  });
  const injection: Injection = { ...emptyInjection("asked"), text, tokens, memories: included };
  // So that nobody tells it once more.
  if (sessionId !== "" && text !== "") await ports.record({ sessionId }, injection);
  return injection;
}

/** What the task is about first, each once. */
function inOrder(...lists: Choice[][]): Choice[] {
  const choices = new Map<string, Choice>();
  for (const [index, list] of lists.entries()) {
    for (const choice of list) {
      const { id } = choice.memory;
      if (!choices.has(id)) choices.set(id, { ...choice, worth: choice.worth - index * aside });
    }
  }
  return [...choices.values()];
}

// More than any worth within a list.
const aside = 1e6;
