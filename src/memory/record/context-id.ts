import { idFrom } from "../../base/ids/ids.js";
import type { MemoryRecord } from "../memory.js";
import type { Project } from "../../project/project.js";

/** The id of the one memory that holds what is set under a key, in a session or for whoever works on the project. */
export function contextId({ id }: Pick<Project, "id">, key: string, sessionId = ""): string {
  return idFrom("context", id, sessionId, key);
}

export function isContextKey(key: unknown): key is string {
  return typeof key === "string" && key.trim() !== "" && key.length <= longestKey;
}

const longestKey = 200;

/**
 * The key under which a record from elsewhere was set; undefined for what was only kept beside such a value, which has an id
 * that follows from nothing.
 */
export function contextKeyOf({ id, type, scope, metadata }: Partial<MemoryRecord>): string | undefined {
  const key = metadata?.["context_key"];
  // Version 8: made by `idFrom`.
  const isSet = type === "context" && scope === "session" && id?.[14] === "8";
  return isSet && isContextKey(key) ? key : undefined;
}
