import { editingVerbs } from "./editing-verbs.js";
import { exchangeVerbs } from "./exchange-verbs.js";
import { sessionVerbs } from "./session-verbs.js";
import type { WritingVerb } from "./writing-verb.js";

/** Every way in which the public object changes memories. A new one goes here. */
export const writingVerbs: readonly WritingVerb[] = [...editingVerbs, ...sessionVerbs, ...exchangeVerbs];

/** The functions that change no memory. One that is added goes here, or into the table of those that do. */
export const otherFunctions: readonly string[] = [
  // Read, and first bring in what others left, as `list`, `recall` and `store.notices` of the table do.
  "memory.recallReport memory.get memory.inject memory.review.pending memory.sessions.context memory.code.concepts",
  "memory.code.concept",
  // Read.
  "memory.history memory.pack memory.explain memory.impact memory.recallCode memory.exportGraph memory.stats",
  "memory.review.evidence memory.code.dependencies memory.code.neighbours memory.code.map memory.code.notes",
  "memory.code.state memory.code.overview memory.code.modules memory.code.module memory.sessions.list",
  "memory.sessions.summary memory.sessions.acute memory.sessions.transcripts memory.conversations.list",
  "memory.conversations.archivedTurns memory.conversations.getContext memory.builds.plannerContext",
  "memory.builds.qaContext memory.builds.relay memory.builds.stepLimit memory.builds.findWorkState memory.builds.phaseOf",
  "memory.builds.workUnitOf memory.builds.methodologies memory.projects.current memory.projects.list",
  "memory.projects.config memory.store.diagnose conversation.turns conversation.window conversation.replay",
  "conversation.state",
  // Give somebody else the same memory, or a part of it.
  "memory.as memory.conversation",
  // Write vectors, and what was found of the code; `watch` indexes as `index` of the table does.
  "memory.embedPending memory.review.stale memory.code.watch memory.code.embed memory.code.describeModules",
  // Tie places of the code to a pattern apart from any memory.
  "memory.code.unstateConcept",
  // Write files, another database, or who the folder belongs to.
  "memory.exchange.export memory.exchange.exportChroma memory.exchange.archive memory.store.backup",
  "memory.projects.configure memory.projects.join",
  // Where the window of a conversation begins.
  "conversation.clearWindow",
].flatMap((names) => names.split(" "));
