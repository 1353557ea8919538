import type { Actor } from "../../base/actor.js";
import type { ProjectContext } from "../../project/project.js";
import type { Changes } from "./changes.js";

/** What a verb that changes memories works on: the project, who asks, and who is told of the change. */
export interface MemoryContext extends ProjectContext {
  actor: Actor;
  changes: Changes;
}
