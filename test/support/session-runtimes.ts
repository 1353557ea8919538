import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { injectOnce } from "../../src/hook/inject-once.js";
import { observeOnce } from "../../src/hook/observe-once.js";
import { openMemory, type AgentEvent, type Injection, type MemoryInput, type Moment } from "../../src/index.js";
import type { OpenOptions, TacitMemory } from "../../src/index.js";
import { temporaryFolder } from "./temporary-folder.js";

/** What drives sessions: a process that stays, or one for each event. */
export interface Runtime {
  /** Hands an event over. Where it ends a session, that is learned from when this resolves. */
  hand(event: AgentEvent): Promise<void>;
  inject(moment: Moment): Promise<Injection>;
  /** What is noted of sessions that were not learned from, without what differs from one process to the next. */
  notes(): Promise<Record<string, unknown[]>>;
  /** What is known of the project. */
  known(): Promise<Known>;
  /** Memories' contents by their ids. */
  contents(): Promise<ReadonlyMap<string, string>>;
}

export interface Known {
  memories: unknown[];
  sessions: unknown[];
  /** What each session was told, and made of it. */
  summaries: unknown[];
}

// However busy the machine is.
const calm = { deadlineMs: 30_000 };

/** One memory that stays open. */
export async function resident(root: string, seeds: MemoryInput[]): Promise<Runtime> {
  const place = newPlace(root);
  const memory = await openMemory(place);
  onTestFinished(() => memory.close());
  await memory.rememberMany(seeds);
  return {
    ...readersOf(place, async (work) => work(memory)),
    async hand(event) {
      memory.observe(event);
      if (isEnd(event)) await memory.finishSession(event.sessionId);
      if (event.kind === "compacted" && event.transcript !== undefined) await archived(memory);
    },
    inject: (moment) => memory.inject(moment, calm),
  };
}

/** Nobody waits for what was said to be imported, but for who looks what came of it. */
async function archived(memory: TacitMemory): Promise<void> {
  const list = () => memory.list({ types: ["archive"], status: "any" });
  await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBe(1);
}

/** As hooks do it: each event and each injection by itself, and another memory for whatever is due. */
export async function byHooks(root: string, seeds: MemoryInput[]): Promise<Runtime> {
  const place = newPlace(root);
  const withMemory = openedIn(place);
  await withMemory((memory) => memory.rememberMany(seeds));
  const where = { db: place.db, directory: root };
  return {
    ...readersOf(place, withMemory),
    async hand(event) {
      const { isFinishingDue } = await observeOnce([event], where);
      if (isFinishingDue) await withMemory((memory) => memory.finishSessions());
    },
    inject: (moment) => injectOnce(moment, { ...where, ...calm }),
  };
}

/** What is known of a project in a store, by a memory that is opened for that. */
export async function readKnown(place: { db: string; directory: string }): Promise<Known> {
  return readersOf(place, openedIn({ ...place, embedder: null })).known();
}

function openedIn(place: OpenOptions): WithMemory {
  return async (work) => {
    const memory = await openMemory(place);
    try {
      return await work(memory);
    } finally {
      await memory.close();
    }
  };
}

function newPlace(root: string) {
  return { db: join(temporaryFolder(), "memory.db"), directory: root, embedder: null };
}

export function isEnd({ kind, agentId }: AgentEvent): boolean {
  return kind === "end" && agentId === undefined;
}

type WithMemory = <T>(work: (memory: TacitMemory) => Promise<T>) => Promise<T>;

function readersOf({ db }: { db: string }, withMemory: WithMemory): Pick<Runtime, "notes" | "known" | "contents"> {
  const list = (memory: TacitMemory) => memory.list({ status: "any", includeSuperseded: true, limit: 1000 });
  const contents = async () =>
    withMemory(async (memory) => new Map((await list(memory)).map(({ id, content }) => [id, content])));
  return {
    contents,
    notes: async () => {
      // Whoever asks what a session was told waits until all of it is noted.
      await withMemory((memory) => memory.sessions.summary("any"));
      return readNotes(db, await contents());
    },
    known: async () =>
      withMemory(async (memory) => {
        const memories = await list(memory);
        const evidence = await Promise.all(memories.map(({ id }) => memory.review.evidence(id)));
        const sessions = await memory.sessions.list({ limit: 100 });
        const summaries = await Promise.all(sessions.map(({ sessionId }) => memory.sessions.summary(sessionId)));
        return withoutTimes({
          memories: memories.map((one, index) => ({ ...told(one), evidence: evidence[index] })).toSorted(byText),
          sessions: sessions.toSorted(byText).map(({ startedAt: _from, endedAt: _to, ...session }) => session),
          summaries: summaries.toSorted(byText).map((summary) => summary && withoutTokens(summary, memories)),
        });
      }),
  };
}

type Listed = Awaited<ReturnType<TacitMemory["list"]>>[number];

function told({ type, status, content, confidence, relatedFiles, relatedModules, data, tags, trustFlags }: Listed) {
  return { type, status, content, confidence, relatedFiles, relatedModules, data, tags, trustFlags };
}

type Summary = NonNullable<Awaited<ReturnType<TacitMemory["sessions"]["summary"]>>>;

/** A process that stays counts tokens, one of a single event estimates them. */
function withoutTokens({ tokens: _count, savedTokens: _saved, memories, ...summary }: Summary, known: Listed[]) {
  return {
    ...summary,
    memories: memories.map(({ id, ...one }) => [known.find((each) => each.id === id)?.content, one]),
  };
}

/** Injections are noted at times of their own. */
function withoutTimes(known: Known): Known {
  return JSON.parse(JSON.stringify(known).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "(time)")) as Known;
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** By session and agent, each in its order. */
function readNotes(db: string, contents: ReadonlyMap<string, string>): Record<string, unknown[]> {
  const folder = join(process.env["TACIT_HOME"] as string, "sessions");
  const notes: Record<string, unknown[]> = {};
  for (const name of readdirSync(folder)) {
    for (const file of readdirSync(join(folder, name)).filter((each) => each.endsWith(".jsonl"))) {
      const [header = {}, ...lines] = readFileSync(join(folder, name, file), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      if (header["db"] !== db) continue;
      const key = JSON.stringify([header["sessionId"], header["agentId"]]);
      notes[key] = lines
        .filter((line, index) => !isToldBefore(line, lines.slice(0, index)))
        .map((line) => same(line, contents));
    }
  }
  return notes;
}

/** A process that has not seen a call tells it with its result. */
function isToldBefore(note: Record<string, unknown>, before: Record<string, unknown>[]): boolean {
  return note["late"] === true && before.some(({ kind, call }) => kind === "call" && call === note["call"]);
}

function same({ at: _at, late: _late, ...note }: Record<string, unknown>, contents: ReadonlyMap<string, string>) {
  if (note["kind"] !== "injected") return note;
  const { tokens: _tokens, memories, ...rest } = note;
  return { ...rest, memories: (memories as { id: string }[]).map(({ id }) => contents.get(id) ?? id) };
}
