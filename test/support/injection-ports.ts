import type { Injection, InjectionPorts } from "../../src/injection/injection.js";
import type { MemoryContext } from "../../src/memory/change/change.js";

/** Ports that ask no model, and remember what was told to which session. A token is four characters. */
export function injectionPorts(
  context: MemoryContext,
): InjectionPorts & { context: MemoryContext; told: Map<string, Injection[]> } {
  const told = new Map<string, Injection[]>();
  return {
    told,
    context,
    recall: {},
    soFar: async (sessionId) => {
      const before = told.get(sessionId) ?? [];
      return {
        ids: new Set(before.flatMap(({ memories }) => memories.map(({ id }) => id))),
        tokens: before.reduce((sum, { tokens }) => sum + tokens, 0),
        hasPrefetched: before.some(({ files }) => files.length > 0),
        steps: 0,
      };
    },
    record: async ({ sessionId }, injection) => {
      told.set(sessionId, [...(told.get(sessionId) ?? []), injection]);
      return new Set();
    },
    countTokens: async () => (text) => Math.ceil(text.length / 4),
    lastSession: async () => undefined,
    codeNote: async () => undefined,
  };
}
