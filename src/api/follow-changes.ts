import { embedChanges } from "../embedding/embed-changes.js";
import type { Changes } from "../memory/change/change.js";
import type { Parts } from "./parts.js";

type Followers = Pick<
  Parts,
  "code" | "models" | "grounding" | "contradictions" | "conversations" | "sharing" | "accesses"
>;

/** Puts everybody in place who follows changes of memories. `subscriberOrder` says in which order they are told. */
export function followChanges(changes: Changes, parts: Followers): void {
  changes.subscribe(
    parts.code.links,
    embedChanges(parts.models.embedding),
    parts.grounding.subscriber,
    parts.contradictions.subscriber,
    parts.conversations.memoryFiles.subscriber,
    parts.sharing.subscriber,
    parts.accesses.subscriber,
  );
}
