/** What names should do, as simply as it can be said: a list of entries, each with its facts, and the steps so far. */
export interface Model {
  entries: Entry[];
  steps: Part[][];
}

export interface Entry {
  isArchive: boolean;
  facts: Facts;
}

interface Facts {
  content: string;
  name: string | null;
  aliases: string[];
  /** Which step forgot it. */
  forgotten: number | null;
  released: { name: string | null; aliases: string[] } | null;
}

/** What one step did to one entry. */
interface Part {
  index: number;
  isBirth: boolean;
  before: Facts;
  after: Facts;
}

/** An entry by its number, or whatever a name means. */
export type Reference = number | string;

export type Operation =
  | { verb: "add"; name: string | null; aliases: string[]; isArchive: boolean; rebind: boolean }
  | { verb: "rename"; of: Reference; name: string; keep: boolean; rebind: boolean }
  | { verb: "alias"; of: Reference; names: string[]; rebind: boolean }
  | { verb: "unalias"; name: string }
  | { verb: "write"; of: Reference; force: boolean }
  | { verb: "remove"; of: Reference }
  | { verb: "restore"; of: Reference }
  | { verb: "undo"; of: Reference; back: number };

/** Why an operation is refused, and which entry holds the name. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly holder?: number,
  ) {
    super(code);
  }
}

/** The model after an operation, all of it; or a refusal, and nothing. `content` is the text that it writes. */
export function after(model: Model, operation: Operation, content: string): Model {
  const draft = structuredClone(model);
  const before = structuredClone(draft.entries);
  const born = operate(draft, operation, content);
  const parts = draft.entries.flatMap(({ facts }, index): Part[] => {
    const old = before[index]?.facts;
    if (!old || JSON.stringify(old) === JSON.stringify(facts)) return [];
    return [{ index, isBirth: false, before: old, after: facts }];
  });
  if (parts.length === 0) return draft;
  const birth = born === undefined ? [] : [{ ...(parts[0] as Part), index: born, isBirth: true }];
  draft.steps.push(structuredClone([...parts, ...birth]));
  return draft;
}

/** Which entry answers to a name. */
export function holderOf({ entries }: Model, name: string): number | undefined {
  const index = entries.findIndex(({ facts }) => facts.name === name || facts.aliases.includes(name));
  return index === -1 ? undefined : index;
}

/** Does the work in place, and tells which entry is new. */
function operate(model: Model, operation: Operation, content: string): number | undefined {
  switch (operation.verb) {
    case "add": {
      const facts = { content, name: null, aliases: [], forgotten: null, released: null };
      const index = model.entries.push({ isArchive: operation.isArchive, facts }) - 1;
      if (operation.name !== null) bind(model, index, operation.name, "name", operation.rebind);
      for (const alias of operation.aliases) bind(model, index, alias, "alias", operation.rebind);
      return index;
    }
    case "rename": {
      const index = get(model, operation.of);
      const { facts } = model.entries[index] as Entry;
      const old = facts.name;
      if (old === operation.name) return undefined;
      facts.name = null;
      bind(model, index, operation.name, "name", operation.rebind);
      if (operation.keep && old !== null) bind(model, index, old, "alias", false);
      return undefined;
    }
    case "alias": {
      const index = get(model, operation.of);
      for (const name of operation.names) bind(model, index, name, "alias", operation.rebind);
      return undefined;
    }
    case "unalias": {
      const { facts } = model.entries[get(model, operation.name)] as Entry;
      if (facts.name === operation.name) throw new Refusal("invalid-input");
      facts.aliases = facts.aliases.filter((alias) => alias !== operation.name);
      return undefined;
    }
    case "write": {
      const { facts, isArchive } = model.entries[get(model, operation.of)] as Entry;
      if (isArchive && !operation.force) throw new Refusal("archive-kept");
      facts.content = content;
      return undefined;
    }
    case "remove":
      forget(model, get(model, operation.of));
      return undefined;
    case "restore":
      restore(model, getAny(model, operation.of));
      return undefined;
    case "undo":
      undo(model, getAny(model, operation.of), operation.back);
      return undefined;
    default:
      return operation satisfies never;
  }
}

function get(model: Model, reference: Reference): number {
  const index = typeof reference === "number" ? reference : holderOf(model, reference);
  const entry = index === undefined ? undefined : model.entries[index];
  if (index === undefined || !entry) throw new Refusal("memory-not-found");
  if (entry.facts.forgotten !== null) throw new Refusal("memory-forgotten");
  return index;
}

/** The same, and what is forgotten: by name the one that was forgotten last. */
function getAny(model: Model, reference: Reference): number {
  if (typeof reference === "number") {
    if (!model.entries[reference]) throw new Refusal("memory-not-found");
    return reference;
  }
  const holder = holderOf(model, reference);
  if (holder !== undefined) return holder;
  const [latest] = model.entries
    .map(({ facts }, index) => ({ ...facts, index }))
    .filter(({ released }) => released?.name === reference || released?.aliases.includes(reference))
    .toSorted((a, b) => (b.forgotten ?? 0) - (a.forgotten ?? 0));
  if (!latest) throw new Refusal("memory-not-found");
  return latest.index;
}

function bind(model: Model, index: number, name: string, kind: "name" | "alias", rebind: boolean): void {
  const holder = holderOf(model, name);
  if (holder !== undefined && holder !== index && !rebind) throw new Refusal("name-taken", holder);
  const { facts } = model.entries[index] as Entry;
  if (kind === "alias" && facts.name === name) return;
  for (const other of model.entries) {
    if (other.facts.name === name) other.facts.name = null;
    other.facts.aliases = other.facts.aliases.filter((alias) => alias !== name);
  }
  if (kind === "name") facts.name = name;
  else facts.aliases = [...facts.aliases, name].toSorted();
}

function forget(model: Model, index: number): void {
  const { facts } = model.entries[index] as Entry;
  const released = { name: facts.name, aliases: facts.aliases };
  Object.assign(facts, { forgotten: model.steps.length, released, name: null, aliases: [] });
}

/** With those names that nobody has taken. */
function restore(model: Model, index: number): void {
  const { facts } = model.entries[index] as Entry;
  if (!facts.released) return;
  const { name, aliases } = facts.released;
  Object.assign(facts, { forgotten: null, released: null });
  if (name !== null && holderOf(model, name) === undefined) facts.name = name;
  facts.aliases = aliases.filter((alias) => holderOf(model, alias) === undefined);
}

/** Takes back a step of an entry, so many before its last, for every entry that was part of it. */
function undo(model: Model, index: number, back: number): void {
  const own = model.steps.filter((step) => step.some((part) => part.index === index));
  // That it was added is a step where something else changed as well.
  const isNoted = own.some((step) => step.some((part) => part.index === index && part.isBirth));
  const parts = own.toReversed()[Math.min(back, isNoted ? own.length - 1 : own.length)];
  if (!parts) {
    if (model.entries[index]?.facts.forgotten !== null) throw new Refusal("undo-refused");
    return forget(model, index);
  }
  for (const part of parts) refuseUndo(model, part);
  const found = structuredClone(model.entries);
  for (const part of parts) {
    const { facts } = model.entries[part.index] as Entry;
    if (part.isBirth || part.before.forgotten !== null) {
      if (facts.forgotten === null) forget(model, part.index);
    } else {
      if (part.before.name !== part.after.name) facts.name = null;
      if (differ(part, "aliases")) facts.aliases = [];
    }
  }
  for (const { index: other, before, after: then } of parts.filter(({ isBirth }) => !isBirth)) {
    const { facts } = model.entries[other] as Entry;
    if (before.content !== then.content) facts.content = before.content;
    if (before.forgotten !== null) continue;
    if (then.forgotten !== null) Object.assign(facts, { forgotten: null, released: null });
    if (before.name !== then.name && before.name !== null) bind(model, other, before.name, "name", false);
    if (!differ({ before, after: then }, "aliases")) continue;
    const added = new Set(then.aliases.filter((alias) => !before.aliases.includes(alias)));
    const taken = before.aliases.filter((alias) => !then.aliases.includes(alias));
    const others = (found[other] as Entry).facts.aliases.filter((alias) => !added.has(alias));
    for (const alias of [...others, ...taken]) bind(model, other, alias, "alias", false);
  }
}

function refuseUndo(model: Model, { index, isBirth, before, after: then }: Part): void {
  if (isBirth) return;
  const { facts } = model.entries[index] as Entry;
  const bringsBack = before.forgotten === null && then.forgotten !== null;
  if (facts.forgotten !== null && !bringsBack) throw new Refusal("memory-forgotten");
  const builtOn = (["content", "name", "released"] as const).some(
    (field) => differ({ before, after: then }, field) && JSON.stringify(facts[field]) !== JSON.stringify(then[field]),
  );
  const isGoneOrBack =
    then.aliases.some((alias) => !before.aliases.includes(alias) && !facts.aliases.includes(alias)) ||
    before.aliases.some((alias) => !then.aliases.includes(alias) && facts.aliases.includes(alias));
  const isElsewhere =
    differ({ before, after: then }, "forgotten") && (facts.forgotten === null) !== (then.forgotten === null);
  if (builtOn || isGoneOrBack || isElsewhere) throw new Refusal("undo-refused");
}

function differ({ before, after: then }: Pick<Part, "before" | "after">, field: keyof Facts): boolean {
  return JSON.stringify(before[field]) !== JSON.stringify(then[field]);
}
