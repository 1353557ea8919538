import { MemoryError } from "../base/memory-error.js";
import type { MethodologyPlugin } from "./methodology.js";

type Method = {
  [Key in keyof MethodologyPlugin]-?: NonNullable<MethodologyPlugin[Key]> extends (...args: never[]) => unknown
    ? Key
    : never;
}[keyof MethodologyPlugin];

const needed: readonly Method[] = [
  "mapPhase",
  "resolveWorkUnitRef",
  "getRelayTransitions",
  "formatRelayContext",
  "extractWorkState",
  "formatWorkStateContext",
];

/**
 * Refuses what is no whole plug-in, naming everything that is missing. Its types are looked at when they are defined, and
 * what its methods answer when they are called.
 */
export function checkPlugin(plugin: unknown): asserts plugin is MethodologyPlugin {
  if (typeof plugin !== "object" || plugin === null) {
    throw refused("A methodology must be an object.", "Give the plug-in itself: { id, displayName, mapPhase, … }.");
  }
  const fields = fieldsOf(plugin);
  const { id, displayName, onWorkUnitComplete } = fields;
  if (typeof id !== "string" || !/^[a-z][a-z0-9_-]{0,31}$/.test(id)) {
    throw refused(
      typeof id === "string"
        ? `A methodology has the id ${JSON.stringify(id.slice(0, 40))}.`
        : "A methodology has no id.",
      "An id begins with a small letter and has small letters, digits, - and _, at most 32.",
    );
  }
  if (typeof displayName !== "string" || !/^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u.test(displayName)) {
    throw refused(
      `The methodology ${id} has no displayName.`,
      "Give it one line of at most 60 characters, for people.",
    );
  }
  const missing = needed.filter((method) => typeof fields[method] !== "function");
  if (missing.length > 0) {
    throw refused(
      `The methodology ${id} has no method ${missing.join(", ")}.`,
      "docs/METHODOLOGIES.md says what each of them is for, and shows a whole plug-in.",
    );
  }
  if (onWorkUnitComplete !== undefined && typeof onWorkUnitComplete !== "function") {
    throw refused(`onWorkUnitComplete of the methodology ${id} is no function.`, "Make it one, or leave it out.");
  }
}

/** Read one by one: a plug-in may be an instance of a class, or make its fields when asked. */
function fieldsOf(plugin: object): Partial<Record<keyof MethodologyPlugin, unknown>> {
  const fields = ["id", "displayName", "customMemoryTypes", "onWorkUnitComplete", ...needed] as const;
  try {
    return Object.fromEntries(fields.map((field) => [field, (plugin as Record<string, unknown>)[field]]));
  } catch (error) {
    throw new MemoryError("invalid-input", "A methodology cannot be read.", "Mend the plug-in.", error);
  }
}

function refused(message: string, hint: string): MemoryError {
  return new MemoryError("invalid-input", message, hint);
}
