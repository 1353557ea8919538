import type { Json } from "../base/base.js";
import { within } from "../base/within.js";
import { neutralise } from "../hygiene/neutralise.js";
import { phases, type WorkUnit } from "../memory/memory.js";
import type { MethodologyPlugin, RelayTransition, WorkState } from "./methodology.js";
import { native } from "./native.js";

export interface SafelyOptions {
  /** Takes what went wrong, for a person. */
  note: (text: string) => void;
  /** How long a promise of a plug-in is waited for, in milliseconds. */
  patienceMs?: number;
}

// Both happen between sessions or beside one, never while an agent waits for a step; closing waits for them.
const usualPatienceMs = 5000;
// Whatever a plug-in says is told to a model with a budget; this only keeps a runaway text out of memory.
const maxLetters = 40_000;
const maxTransitions = 100;
const maxStateLetters = 32_768;
const maxParts = 16;
const longestLabel = 200;

/**
 * A plug-in none of whose methods throws, hangs or answers nonsense: then the answer of `native` stands in for it, and a note
 * says so.
 */
export function safely(
  plugin: MethodologyPlugin,
  { note, patienceMs = usualPatienceMs }: SafelyOptions,
): MethodologyPlugin {
  const { id, displayName, customMemoryTypes } = plugin;
  const blame = (method: string, what: string): void => note(`The methodology ${id} failed in ${method}: ${what}.`);

  const now = <T>(
    method: string,
    ask: () => unknown,
    accept: (answer: unknown) => T | undefined,
    otherwise: () => T,
  ): T => {
    try {
      const answer = ask();
      if (answer instanceof Promise) answer.catch(() => undefined);
      const accepted = accept(answer);
      if (accepted !== undefined) return accepted;
      blame(method, "its answer is none");
    } catch (error) {
      blame(method, describe(error));
    }
    return otherwise();
  };

  /** Undefined where it failed or took too long. */
  const soon = async <T>(method: string, ask: () => unknown): Promise<{ answer: T } | undefined> => {
    try {
      // Asked in a promise, so that what is thrown at once and what is rejected are one.
      const work = (async () => ({ answer: (await ask()) as T }))();
      return await within(patienceMs, work, () => {
        blame(method, `it took longer than ${patienceMs} ms`);
        return undefined;
      });
    } catch (error) {
      blame(method, describe(error));
      return undefined;
    }
  };

  return {
    id,
    displayName,
    ...(customMemoryTypes && { customMemoryTypes }),
    mapPhase: (phase) =>
      now(
        "mapPhase",
        () => plugin.mapPhase(phase),
        (answer) => phases.find((known) => known === answer),
        () => native.mapPhase(phase),
      ),
    resolveWorkUnitRef: (context) => ({
      ...now(
        "resolveWorkUnitRef",
        () => plugin.resolveWorkUnitRef(context),
        acceptUnit,
        () => native.resolveWorkUnitRef(context),
      ),
      methodology: id,
    }),
    getRelayTransitions: () =>
      now(
        "getRelayTransitions",
        () => plugin.getRelayTransitions(),
        acceptTransitions,
        () => native.getRelayTransitions(),
      ),
    formatRelayContext: (memories, toStage) =>
      now(
        "formatRelayContext",
        () => plugin.formatRelayContext(memories, toStage),
        acceptText,
        () => native.formatRelayContext(memories, toStage),
      ),
    extractWorkState: async (sessionOutput) => {
      const found = await soon<unknown>("extractWorkState", () => plugin.extractWorkState(sessionOutput));
      const state = found && acceptState(found.answer);
      if (found && !state) blame("extractWorkState", "its answer is none");
      return state ?? native.extractWorkState(sessionOutput);
    },
    formatWorkStateContext: (state) =>
      now(
        "formatWorkStateContext",
        () => plugin.formatWorkStateContext(state),
        acceptText,
        () => native.formatWorkStateContext(state),
      ),
    ...(plugin.onWorkUnitComplete && {
      onWorkUnitComplete: async (context, result, memory) => {
        await soon<void>("onWorkUnitComplete", () => plugin.onWorkUnitComplete?.(context, result, memory));
      },
    }),
  };
}

function describe(error: unknown): string {
  const message =
    error instanceof Error ? error.message : typeof error === "string" ? error : "an error without a text";
  const line = neutralise(message.replace(/\s+/g, " ").trim()).slice(0, 200);
  return line.replace(/\.$/, "") || "an error without a text";
}

function acceptText(answer: unknown): string | undefined {
  if (typeof answer !== "string") return undefined;
  return answer.length <= maxLetters ? answer : answer.slice(0, maxLetters).replace(/[\uD800-\uDBFF]$/, "");
}

function isLabel(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= longestLabel;
}

function acceptUnit(answer: unknown): WorkUnit | undefined {
  const { hierarchy, label, methodology } = Object(answer) as Partial<Record<keyof WorkUnit, unknown>>;
  if (!Array.isArray(hierarchy) || hierarchy.length > maxParts || !hierarchy.every(isLabel) || !isLabel(label)) {
    return undefined;
  }
  return { methodology: String(methodology), hierarchy: [...hierarchy], label };
}

function acceptTransitions(answer: unknown): RelayTransition[] | undefined {
  if (!Array.isArray(answer) || answer.length > maxTransitions) return undefined;
  const accepted = answer.flatMap((one): RelayTransition[] => {
    const { from, to, filter } = Object(one) as Partial<Record<keyof RelayTransition, unknown>>;
    const { types } = Object(filter) as { types?: unknown };
    if (!isLabel(from) || !isLabel(to)) return [];
    if (filter === undefined || types === undefined) return [{ from, to }];
    return Array.isArray(types) && types.every(isLabel) ? [{ from, to, filter: { types: [...types] } }] : [];
  });
  // One that cannot be read might be the one with the filter: to leave it out would say something else.
  return accepted.length === answer.length ? accepted : undefined;
}

/** As JSON would carry it, because it is stored. */
function acceptState(answer: unknown): WorkState | undefined {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return undefined;
  try {
    const text = JSON.stringify(answer);
    return text.length <= maxStateLetters ? (JSON.parse(text) as Record<string, Json>) : undefined;
  } catch {
    return undefined;
  }
}
