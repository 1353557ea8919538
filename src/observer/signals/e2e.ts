import { browserDeed, type BrowserDeed } from "../tools/tool-deeds.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf, hasFailed, hasPassed } from "./action-evidence.js";
import { newestText, textsOf } from "./past-data.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { code, sentence } from "./wording.js";

type ObservationType = "precondition" | "timing" | "ui_behavior" | "test_sequence" | "mcp_gotcha";

/**
 * What tools of a browser tell of the running user interface, by how they fail and what makes them work: something can be
 * clicked only after a while (timing), after another step (precondition) or at the end of several (test_sequence); it never
 * reacts to one tool and does to another (ui_behavior); a tool itself refuses (mcp_gotcha).
 *
 * It must not see: what works at once, what fails and is left alone, what works when it is merely tried again.
 */
export const e2e: Signal = {
  name: "e2e",
  wording: { by: "agent", onlyPersonReleases: true },
  // 0.75: the first design.
  diagnostic: 0.8,
  crossSession: 0.6,
  falsePositives: 0.15,
  promotesTo: ["e2e_observation"],
  sessions: 1,
  detect,
  compose,
};

// A person has to look at each of them.
const maxOfSession = 4;
// What comes later is another test.
const maxBetween = 12;
// Who only tries again does so at once.
const longPauseMs = 2000;
// More steps than these are a way, not a condition.
const fewSteps = 2;

interface Step {
  action: Action;
  deed: BrowserDeed;
}

function detect({ actions }: Scratchpad): Sighting[] {
  const steps = actions.flatMap((action): Step[] => {
    const deed = browserDeed(action.tool) ?? (isPause(action) ? "wait" : undefined);
    return deed ? [{ action, deed }] : [];
  });
  const bySubject = new Map<string, Sighting>();
  for (const [index, step] of steps.entries()) {
    // Without an error, a person said no.
    if (!hasFailed(step.action) || !step.action.error) continue;
    const sighting = isRefusal(step) ? refused(steps, index) : failed(steps, index);
    if (sighting && !bySubject.has(sighting.subject)) bySubject.set(sighting.subject, sighting);
  }
  return [...bySubject.values()].slice(0, maxOfSession);
}

function isPause({ command }: Action): boolean {
  return /^\s*sleep\s/.test(command?.line ?? "");
}

/** What the tool says of itself, whatever the page is like. */
function isRefusal({ action: { error } }: Step): boolean {
  return refusal.test(error?.message ?? "");
}

const refusal =
  /\binvalid (?:arguments?|params?|parameters?|input|selector|ref)\b|\bunknown (?:tool|argument|option)|\bnot (?:supported|implemented|allowed|connected|installed)\b|\bunsupported\b|\bis required\b|\bmissing required\b|\bstale\b|\bref\b.{0,40}\bnot found\b|\bno (?:open )?(?:page|tab|browser|snapshot)\b/i;

/** A refusal tells something where the tool works later, or refuses again in the same words. */
function refused(steps: readonly Step[], index: number): Sighting | undefined {
  const { action } = steps[index] as Step;
  const later = steps.slice(index + 1, index + 1 + maxBetween).filter((step) => step.action.tool === action.tool);
  const works = later.find((step) => hasPassed(step.action));
  const again = later.find((step) => step.action.error?.fingerprint === action.error?.fingerprint);
  if (!works && !again) return undefined;
  const before = works && steps[steps.indexOf(works) - 1];
  const helped = before && before.action.order > action.order && hasPassed(before.action) ? before : undefined;
  return sightingOf("mcp_gotcha", steps, index, {
    subject: `${nameOf(action)} ${action.error?.fingerprint ?? ""}`,
    steps: helped ? [nameOf(helped.action)] : [],
    shown: [action, ...(helped ? [helped.action] : []), ...(works ? [works.action] : again ? [again.action] : [])],
  });
}

/** What could not be done, and what made it work. */
function failed(steps: readonly Step[], index: number): Sighting | undefined {
  const { action, deed } = steps[index] as Step;
  if (deed !== "act" || action.on === undefined) return undefined;
  const following = steps.slice(index + 1, index + 1 + maxBetween);
  const next = following.findIndex((step) => isSame(step.action, action));
  const works = following[next];
  // Of several failures the last one before it works tells what was missing.
  if (!works) return otherWay(steps, index, following);
  if (!hasPassed(works.action)) return undefined;
  const between = following.slice(0, next);
  const done = between.filter((step) => step.deed !== "look" && step.deed !== "wait" && hasPassed(step.action));
  const waits = between.filter((step) => step.deed === "wait" && hasPassed(step.action));
  const pauseMs = works.action.at - (action.endedAt ?? action.at);
  if (done.length === 0 && waits.length === 0 && pauseMs < longPauseMs) return undefined;
  const type = done.length === 0 ? "timing" : done.length <= fewSteps ? "precondition" : "test_sequence";
  const shown = [...(done.length > 0 ? done : waits)].map((step) => step.action);
  return sightingOf(type, steps, index, {
    subject: targetOf(action),
    steps: done.length > 0 ? shown.map(phraseOf) : shown.slice(0, 1).map(nameOf),
    shown: [action, ...shown, works.action],
  });
}

/** It failed twice and never worked, and right after it something else did. */
function otherWay(steps: readonly Step[], index: number, following: readonly Step[]): Sighting | undefined {
  const { action } = steps[index] as Step;
  const before = steps.slice(Math.max(0, index - maxBetween), index).map((step) => step.action);
  const times = 1 + before.filter((other) => isSame(other, action) && hasFailed(other)).length;
  const next = following.find((step) => step.deed === "act" || step.deed === "run");
  if (times < 2 || !next || !hasPassed(next.action) || next.action.tool === action.tool) return undefined;
  return sightingOf("ui_behavior", steps, index, {
    subject: targetOf(action),
    steps: [phraseOf(next.action)],
    shown: [...before.filter((other) => isSame(other, action)), action, next.action],
  });
}

function isSame(other: Action, action: Action): boolean {
  return other.tool === action.tool && other.on === action.on;
}

function sightingOf(
  type: ObservationType,
  steps: readonly Step[],
  index: number,
  { subject, steps: told, shown }: { subject: string; steps: string[]; shown: Action[] },
): Sighting {
  const { action } = steps[index] as Step;
  const page = steps.slice(0, index).findLast((step) => step.deed === "go" && hasPassed(step.action))?.action.url;
  return {
    signal: "e2e",
    subject: `${type}: ${subject}`.toLowerCase(),
    orders: shown.map(({ order }) => order),
    data: {
      observationType: type,
      tool: nameOf(action),
      target: targetOf(action),
      steps: told.slice(0, 8),
      ...(page !== undefined && { page }),
      ...(action.error?.message && { error: action.error.message }),
    },
    evidence: evidenceOf(shown),
  };
}

/** Without its server. */
function nameOf({ tool }: Action): string {
  return tool.slice(tool.startsWith("mcp__") ? tool.lastIndexOf("__") + 2 : 0);
}

/** "click `Save`". */
function targetOf(action: Action): string {
  const verb = /click|fill|type|press|select|hover|drag|check|tap|upload|submit|scroll/i.exec(nameOf(action))?.[0];
  return `${verb?.toLowerCase() ?? "use"} ${action.on === undefined ? "it" : code(action.on, 80)}`;
}

function phraseOf(action: Action): string {
  const deed = browserDeed(action.tool);
  if (deed === "go") return action.url === undefined ? nameOf(action) : `open ${code(action.url, 100)}`;
  return deed === "act" && action.on !== undefined ? targetOf(action) : `use ${code(nameOf(action))}`;
}

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const latest = sightings.at(-1);
  const type = latest && newestText([latest], "observationType");
  if (!latest || !type) return undefined;
  const [tool = "", target = "", page, error] = ["tool", "target", "page", "error"].map((name) =>
    newestText([latest], name),
  );
  const steps = textsOf(latest, "steps");
  const failure = `${code(tool)} failed${error === undefined ? "" : ` with ${code(error, 160)}`}`;
  const [first] = steps;
  const said: Record<string, string> = {
    timing: `to ${target} takes a wait before: ${failure} and worked ${first ? `after ${code(first)}` : "some seconds later"}`,
    precondition: `to ${target}, first ${steps.join(" and ")}: before that, ${failure}`,
    test_sequence: `the way to ${target} is: ${steps.join(", ")}, then ${target}; before that, ${failure}`,
    ui_behavior: `it does not work to ${target}: ${failure} each time; what worked was to ${steps.join(" and ")}`,
    mcp_gotcha: `${code(tool)} itself refuses with ${code(error ?? "", 160)}${first ? `; it worked after ${code(first)}` : ""}`,
  };
  const where = page === undefined || type === "mcp_gotcha" ? "" : `on ${code(page, 100)}, `;
  return {
    type: "e2e_observation",
    content: sentence(`${where}${said[type] ?? ""}`),
    data: {
      observationType: type,
      tool,
      ...(page !== undefined && { page }),
      ...(error !== undefined && { error }),
      ...(steps.length > 0 && { steps }),
    },
    relatedFiles: [],
    source: "mcp_auto",
    pendingReason: "It was made of what tools of a browser answered.",
  };
}
