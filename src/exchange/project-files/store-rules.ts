import type { MemoryContext } from "../../memory/change/change.js";
import { createHash } from "node:crypto";
import type { Memory } from "../../memory/memory.js";
import { readProject } from "../../project/project.js";
import {
  fileOf,
  findStandIn,
  type StoredStatements,
  storeStatements,
  listKnown,
  prepareStatements,
} from "./store-statements.js";
import type { FoundRules } from "./list-rules.js";
import type { RuleFile } from "./project-facts.js";

export interface StoreRulesOptions {
  /** Also take in those that are new. */
  takesNew: boolean;
  /** A person has looked at them, and wants agents to be told. */
  trusted: boolean;
  /** A person no longer trusts the folder. */
  withdrawn?: boolean;
}

/**
 * Brings the memories of the rules that a project holds for agents into step with its files: one for each file and text, so
 * that one that is worded otherwise takes the place of what it was. What was taken in goes with its file, also where
 * nothing new is taken.
 *
 * Who may be told: they are commands that whoever wrote the clone gives to agents. So they answer whoever asks, marked as
 * unverified, until a person has looked at them or the folder is accepted.
 */
export async function storeRules(
  context: MemoryContext,
  found: readonly FoundRules[],
  { takesNew, trusted, withdrawn = false }: StoreRulesOptions,
): Promise<RuleFile[]> {
  const prepared = await prepareRules(context, found);
  const statements = prepared.map(({ key, memory }) => ({ key, memory, isQuoted: true, mayBeTold: trusted }));
  const unread = found.flatMap(({ file, problem }) => (problem === undefined ? [] : [file]));
  const options = { isOneOfThem: isRule, unread, takesNew, withdrawn };
  const { kept, forgotten } = await storeStatements(context, statements, options);
  const fates = new Map(prepared.map(({ key }, at) => [key, kept[at]]));
  const goneFrom = (file: string) => forgotten.filter((key) => fileOf(key) === file).length;
  const files = describe(found, prepared, (key) => fates.get(key)?.memory).map((rules) => {
    const became = prepared.flatMap(({ file, key }) => (file === rules.file ? [fates.get(key)?.became] : []));
    const count = (...wanted: StoredStatements["became"][]) =>
      became.filter((one) => one && wanted.includes(one)).length;
    const counts = { added: count("added"), known: count("unchanged", "updated", "left") };
    return { ...rules, ...counts, forgotten: goneFrom(rules.file) };
  });
  const missing = new Set(forgotten.map(fileOf).filter((file) => !found.some((one) => one.file === file)));
  const none = { found: 0, more: 0, fresh: 0, silent: 0, examples: [], added: 0, known: 0 };
  return [...files, ...[...missing].map((file) => ({ file, ...none, forgotten: goneFrom(file) }))];
}

/** The same without keeping anything. */
export async function compareRules(context: MemoryContext, found: readonly FoundRules[]): Promise<RuleFile[]> {
  const prepared = await prepareRules(context, found);
  const memories = await readProject(context, new Map<string, Memory>(), async (reader, project) => {
    const now = context.now();
    const known = await listKnown(reader, project, now);
    const own = new Map<string, Memory>();
    for (const rule of prepared) {
      const old = known.get(rule.key);
      const memory = old ? old.memory : await findStandIn(reader, project, rule, now);
      if (memory && old?.record.metadata["project_gone"] !== true) own.set(rule.key, memory);
    }
    return own;
  });
  return describe(found, prepared, (key) => memories.get(key));
}

/** Whether a statement is a rule, and not a fact. */
export function isRule(key: string): boolean {
  return / rule:\w+$/.test(key);
}

interface PreparedRule {
  file: string;
  key: string;
  memory: Pick<Memory, "content">;
}

async function prepareRules(context: MemoryContext, found: readonly FoundRules[]) {
  const said = found.flatMap(({ file, rules }) =>
    rules.map(({ content, type = "convention", tags = [], relatedFiles = [] }) => ({
      file,
      input: { content, type, tags, relatedFiles, source: "commit_auto" as const },
    })),
  );
  // By what is left of it when it was cleaned: a key goes where a secret must not.
  return prepareStatements(context, said, ({ file }, { type, contentHash }) => {
    const hash = createHash("sha256").update(`${type} ${contentHash}`).digest("hex").slice(0, 16);
    return `${file} rule:${hash}`;
  });
}

/** How many there are, and which of them nobody has said yes to yet: all of those, since nobody says yes to what is not shown. */
function describe(
  found: readonly FoundRules[],
  prepared: readonly PreparedRule[],
  memoryOf: (key: string) => Memory | undefined,
): RuleFile[] {
  return found.map(({ file, more, problem }) => {
    const rules = prepared.filter((one) => one.file === file);
    const fresh = rules.filter(({ key }) => memoryOf(key) === undefined);
    const silent = rules.filter(({ key }) => isSilent(memoryOf(key)));
    return {
      file,
      found: rules.length,
      more,
      fresh: fresh.length,
      silent: silent.length,
      examples: [...fresh, ...silent].map(({ memory }) => memory.content),
      ...(problem !== undefined && { problem }),
    };
  });
}

function isSilent(memory: Memory | undefined): boolean {
  return memory?.status === "active" && memory.trustFlags.includes("unverified") && !memory.userVerified;
}
