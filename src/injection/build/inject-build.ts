import { findPendingNotice } from "../../project/project.js";
import { withinDeadline, openDeadline } from "../limits/within-deadline.js";
import {
  emptyInjection,
  type Choice,
  type Deadline,
  type InjectOptions,
  type Injection,
  type InjectionPoint,
  type InjectionPorts,
} from "../injection.js";
import { checkOptions, isInjectionEnabled } from "../limits/is-injection-enabled.js";
import { claimInjection } from "../record/claim-injection.js";
import { quoteBlock } from "../quote/quote-block.js";

/** What is to be told to one role of a build. */
export interface BuildInjection {
  choices: readonly Choice[];
  /** What follows from them, in a line each. */
  remarks?: readonly string[];
  /** To whom; absent: to somebody of whom nothing is known, and nothing is noted. */
  sessionId?: string | undefined;
}

// Somebody waits who is about to begin a build: a model that is not loaded may load.
const usualDeadlineMs = 5000;
// Some 30 memories of the usual length, which is all that a context asks for.
const usualBudget = 3000;

/**
 * Runs `work` unless the options or the configuration want nothing to be told, and gives `nothing` then, and where the
 * deadline is over first. What `work` notes has to go through the ports that it gets.
 */
export async function ifInjectionEnabled<T extends Injection>(
  ports: InjectionPorts,
  options: InjectOptions,
  nothing: T,
  work: (ports: InjectionPorts, asked: BuildLimits) => Promise<T>,
): Promise<T> {
  checkOptions(options);
  const deadline = openDeadline(options.deadlineMs ?? usualDeadlineMs);
  return withinDeadline(ports, deadline, nothing, async (noting) => {
    const settings = await ports.context.settings();
    if (!isInjectionEnabled(settings, options) || (await findPendingNotice(ports.context))) return nothing;
    const { minConfidence = settings.injectionConfidence, budgetTokens = usualBudget } = options;
    return work(noting, { minConfidence, budgetTokens, deadline });
  });
}

/** How much is told, and until when. */
export interface BuildLimits {
  minConfidence: number;
  budgetTokens: number;
  deadline: Deadline;
}

/** The quoted block of a context, without what the session was told before; noted, so that it is told once. */
export async function injectBuild(
  ports: InjectionPorts,
  point: InjectionPoint,
  { choices, remarks = [], sessionId }: BuildInjection,
  { budgetTokens, deadline }: BuildLimits,
): Promise<Injection> {
  const told = sessionId === undefined ? new Set<string>() : (await ports.soFar(sessionId, undefined)).ids;
  const countTokens = await ports.countTokens();
  const quote = (left: readonly Choice[]): Injection => {
    if (left.length === 0) return emptyInjection(point);
    const { text, tokens, included } = quoteBlock({ point, choices: left, notes: remarks, budgetTokens, countTokens });
    return { ...emptyInjection(point), text, tokens, memories: included };
  };
  const fresh = choices.filter(({ memory }) => !told.has(memory.id));
  const without = (taken: ReadonlySet<string>) => quote(fresh.filter(({ memory }) => !taken.has(memory.id)));
  return claimInjection(ports, { sessionId, deadline }, quote(fresh), without, emptyInjection(point));
}
