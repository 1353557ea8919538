import type { Code } from "../code-memory/code-memory.js";
import type { Grounding } from "../code-memory/drift/ground-changes.js";
import type { ContradictionCheck } from "../conversation/contradictions/contradictions.js";
import type { MemoryFiles } from "../conversation/memory-file/memory-file.js";
import { embedChanges } from "../embedding/embed-changes.js";
import type { Sharing } from "../exchange/share/open-sharing.js";
import type { Changes } from "../memory/change/change.js";
import type { AccessCounter } from "../memory/retention/retention.js";
import type { Models } from "../retrieval/open-models.js";

interface Followers {
  models: Models;
  code: Code;
  grounding: Grounding;
  judging: ContradictionCheck;
  files: MemoryFiles;
  sharing: Sharing;
  accesses: AccessCounter;
}

/** Puts everybody in place who follows changes of memories. `subscriberOrder` says in which order they are told. */
export function followChanges(changes: Changes, followers: Followers): void {
  const { models, code, grounding, judging, files, sharing, accesses } = followers;
  changes.subscribe(
    code.links,
    embedChanges(models.embedding),
    grounding.subscriber,
    judging.subscriber,
    files.subscriber,
    sharing.subscriber,
    accesses.subscriber,
  );
}
