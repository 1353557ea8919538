import { type Actor, callerOf } from "../../base/actor.js";
import type { ProjectContext } from "../../project/project.js";
import type { Changes } from "./changes.js";

/** What a verb that changes memories works on: the project, who asks, and who is told of the change. */
export interface MemoryContext extends ProjectContext {
  actor: Actor;
  changes: Changes;
}

/** The context of what an import brings in: the words are those of its source, whoever asked for it. */
export function forImport(context: MemoryContext, source: unknown): MemoryContext {
  const named = typeof source === "string" ? source : "a stream";
  return { ...context, actor: { kind: "import", source: named, by: callerOf(context.actor) } };
}

/** The context of what the shared files of a work tree bring in. */
export function forShare(context: MemoryContext): MemoryContext {
  return { ...context, actor: { kind: "share", by: callerOf(context.actor) } };
}
