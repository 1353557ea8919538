import type { MemoryContext } from "../../memory/change/change.js";
import { readProject } from "../../project/project.js";
import type { IncomingMemory } from "../formats/incoming.js";
import { ownId } from "../intake/identify-records.js";
import { type KnownClaims, listKnownClaims } from "./known-claims-queries.js";

// One look at the store for so many; the text of that many is small.
const lookedUpAtOnce = 200;

/**
 * Compares what arrives with what was imported before. With `trust`, a memory that stands here just as it arrives, but for who
 * vouches for it, is changed to what the file says. Without, a claim that --trust would add nothing by is none: it isn't told of.
 */
export async function* settleKnownClaims(
  context: MemoryContext,
  arriving: AsyncIterable<IncomingMemory>,
  trust: boolean,
): AsyncGenerator<IncomingMemory> {
  let page: IncomingMemory[] = [];
  for await (const memory of arriving) {
    page.push(memory);
    if (page.length < lookedUpAtOnce) continue;
    yield* await settlePage(context, page, trust);
    page = [];
  }
  yield* await settlePage(context, page, trust);
}

async function settlePage(context: MemoryContext, page: IncomingMemory[], trust: boolean): Promise<IncomingMemory[]> {
  const ids = page.filter(isClaiming).flatMap(({ record }) => record.id ?? []);
  if (ids.length === 0) return page;
  const known = await readProject(context, new Map<string, KnownClaims>(), async (reader, project) => {
    // What another project has too goes by an id of its own.
    const own = new Map(ids.map((id) => [id, ownId({ project }, id)]));
    const found = await listKnownClaims(reader, project, [...own.keys(), ...own.values()]);
    return new Map([...own].flatMap(([id, other]) => toEntry(id, found.get(id) ?? found.get(other))));
  });
  return page.map((memory) => {
    const here = known.get(memory.record.id ?? "");
    if (!here || !isClaiming(memory)) return memory;
    return trust ? withClaims(memory, here) : withoutIdleClaims(memory, here);
  });
}

function isClaiming({ record, isOfPeople }: IncomingMemory): boolean {
  return record.userVerified === true || record.pinned === true || (record.source === "user_taught" && !isOfPeople);
}

function toEntry(id: string, here: KnownClaims | undefined): [string, KnownClaims][] {
  return here ? [[id, here]] : [];
}

function withClaims(memory: IncomingMemory, here: KnownClaims): IncomingMemory {
  const { record } = memory;
  if (here.updatedAt !== record.updatedAt || here.content !== record.content || vouches(here, memory)) return memory;
  // Newer than what is here, and older than any edit of it elsewhere.
  const updatedAt = new Date(Date.parse(here.updatedAt) + 1).toISOString();
  return { ...memory, record: { ...record, updatedAt } };
}

function withoutIdleClaims(memory: IncomingMemory, here: KnownClaims): IncomingMemory {
  const isOlder = memory.record.updatedAt === undefined || memory.record.updatedAt < here.updatedAt;
  if (!isOlder && !vouches(here, memory)) return memory;
  const { source, ...record } = memory.record;
  const isTaught = source === "user_taught" && !memory.isOfPeople;
  const kept = isTaught || source === undefined ? {} : { source };
  return { ...memory, record: { ...record, ...kept, userVerified: false, pinned: false } };
}

/** Whether a person has said all of it here, of this very text. */
function vouches(
  { content, userVerified, pinned, source }: KnownClaims,
  { record, isOfPeople }: IncomingMemory,
): boolean {
  return (
    content === record.content &&
    (userVerified || record.userVerified !== true) &&
    (pinned || record.pinned !== true) &&
    (source === "user_taught" || record.source !== "user_taught" || isOfPeople === true)
  );
}
