import type { MemoryContext } from "../../memory/change/change.js";
import { storeStatements, prepareStatements } from "./store-statements.js";
import type { FoundFacts } from "./list-facts.js";
import { isRule } from "./store-rules.js";
import type { LearnedFacts, ProjectFact } from "./project-facts.js";

export interface StoreFactsOptions {
  /** A person wants this folder to be learned. */
  invited: boolean;
  /** A person no longer trusts the folder: what others worded is told to nobody any more. */
  withdrawn?: boolean;
}

/**
 * Brings the memories of what a project says of itself into step with what its files say now: one for each file and subject.
 *
 * Who may be told: what lies in a work tree may come from a stranger, and an agent that is told something unasked takes it
 * for true. With an invitation, on a terminal or by `--yes`, a person wants this folder learned, but has read none of these
 * sentences: so only what Tacit words itself, around values that fit no sentence, may be told then. The words of others
 * answer whoever asks, marked as unverified, until the folder is accepted as a whole or one is verified.
 */
export async function storeFacts(
  context: MemoryContext,
  { facts, unread }: FoundFacts,
  { invited, withdrawn = false }: StoreFactsOptions,
): Promise<Omit<LearnedFacts, "found">> {
  const inputs = facts.map((fact) => ({ fact, input: inputOf(fact) }));
  const prepared = await prepareStatements(context, inputs, ({ fact: { file, subject } }) => `${file} ${subject}`);
  const statements = prepared.map(({ fact: { isQuoted = false }, ...statement }) => ({
    ...statement,
    isQuoted,
    mayBeTold: invited && !isQuoted,
  }));
  const isOneOfThem = (key: string) => !isRule(key);
  const { kept, forgotten } = await storeStatements(context, statements, {
    isOneOfThem,
    unread,
    takesNew: true,
    withdrawn,
  });
  const count = (became: string) => kept.filter((one) => one.became === became).length;
  return {
    memories: kept.flatMap(({ memory }) => (memory?.status === "active" ? [memory] : [])),
    added: count("added"),
    updated: count("updated"),
    unchanged: count("unchanged"),
    left: count("left"),
    forgotten: forgotten.length,
  };
}

function inputOf({ subject, content, file, isQuoted }: ProjectFact) {
  return {
    type: isQuoted ? "context" : "fact",
    content,
    relatedFiles: [file],
    tags: ["project", subject],
    source: "commit_auto" as const,
    confidence: isQuoted ? 0.8 : 0.9,
    // What it says, where all of them begin alike.
    ...(isQuoted && { citationText: content.replace(/^.*?"/, "") }),
  };
}
