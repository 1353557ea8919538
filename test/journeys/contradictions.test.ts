import type { MemoryContext } from "../../src/memory/change/change.js";
import { describe, expect, it } from "vitest";
import type { MemoryInput, TacitMemory } from "../../src/index.js";
import { closeContradicted } from "../../src/memory/contradictions/close-contradicted.js";
import { listPossiblyContradicted } from "../../src/memory/contradictions/list-contradicted.js";
import { listByReference, type KeyedMemory } from "../../src/memory/read/memory-queries.js";
import { readProject } from "../../src/project/project-context.js";
import { remember } from "../../src/memory/remember/remember-memories.js";
import { undo } from "../../src/memory/undo/undo-change.js";
import { acceptMemory } from "../../src/observer/review/review-memory.js";
import { projectContext } from "../support/keep-records.js";
import { openTestMemory } from "../support/open-memories.js";

const before = "The API listens on port 8080";
const after = "The API listens on port 8081";

describe("a memory that contradicts an older one", () => {
  it("[Q1] takes its place: recall gives the new one, and with what is superseded both", async () => {
    const { memory, old, next } = await contradiction();

    expect(next.contradicted).toEqual([{ id: old.id, why: "says 8081 where it said 8080" }]);
    expect(next.relations).toMatchObject([{ kind: "supersedes", memory: old.id, automatic: true }]);
    expect(await contents(memory)).toEqual([after]);
    expect((await contents(memory, { includeSuperseded: true })).toSorted()).toEqual([before, after]);
    expect(await memory.get(old.id)).toMatchObject({ status: "superseded", supersededBy: next.id });
    expect((await memory.get(old.id))?.validUntil).toBeDefined();
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[Q1] does so by whatever verb says it, and undo gives the place back and keeps what was said", async () => {
    const memory = await openTestMemory();
    const [old, other] = await memory.rememberMany([
      { content: before, type: "fact" },
      { content: "Builds run at night", type: "fact", name: "builds" },
    ]);
    const texts = async () => (await memory.list()).map(({ content }) => content).toSorted();

    const revised = await memory.revise("builds", { content: after });
    const closed = await memory.get(old?.id ?? "");
    await memory.undo("builds");
    const undone = await texts();
    await memory.revise("builds", { content: "Builds run at night" });
    const superseding = await memory.supersede("builds", { content: after });
    const superseded = await texts();
    await memory.undo(superseding.id);

    const contradicted = [{ id: old?.id, why: "says 8081 where it said 8080" }];
    expect([revised, superseding]).toMatchObject([{ id: other?.id, contradicted }, { contradicted }]);
    expect(closed).toMatchObject({ status: "superseded", supersededBy: revised.id });
    expect(undone).toEqual([before, after]);
    expect(superseded).toEqual([after]);
    expect(await texts()).toEqual([before, after]);
    expect((await memory.history(revised.id)).map(({ verb }) => verb)).toContain("contradicted");
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[Q3] is told as the reason why the old one was held back", async () => {
    const { memory, next } = await contradiction();

    const { heldBack } = await memory.recallReport("API port", { explain: true });

    const why = "a newer memory says otherwise: it says 8081 where it said 8080";
    expect(heldBack).toMatchObject([{ reason: `is superseded by ${next.id.slice(-8)}: ${why}` }]);
  });

  it.each(["old", "next"] as const)("[Q3] gives the place back by undo of the %s one, and both stay", async (which) => {
    const { memory, ...both } = await contradiction({ name: "port" });
    expect((await memory.get("port"))?.content).toBe(after);

    await memory.undo(both[which].id);

    expect((await contents(memory)).toSorted()).toEqual([before, after]);
    expect((await memory.get("port"))?.content).toBe(before);
    expect((await memory.get(both.old.id))?.review).toEqual({ state: "none" });
    expect((await memory.get(both.next.id))?.relations).toEqual([]);
    await memory.remember({ content: after, type: "fact" });
    expect(await contents(memory)).toHaveLength(2);
    expect((await memory.history(both.old.id)).map(({ verb }) => verb)).toEqual([
      "undone",
      "contradicted",
      "remembered",
    ]);
    await memory.undo(both[which].id);
    expect(await contents(memory)).toEqual([after]);
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[Q1] closes the same field of a profile whatever the words", async () => {
    const memory = await openTestMemory();
    const profile = (content: string, field: string) => ({
      content,
      type: "fact",
      metadata: { category: "personal", field },
    });
    await memory.remember(profile("Goes by Jon", "name"));
    await memory.remember(profile("Lives near the sea", "home"));

    const { contradicted } = await memory.remember(profile("It is Jonathan", "name"));

    expect(contradicted).toMatchObject([{ why: "says something else of name (personal)" }]);
    expect((await memory.list()).map(({ content }) => content).toSorted()).toEqual([
      "It is Jonathan",
      "Lives near the sea",
    ]);
  });

  it.each<[string, Partial<MemoryInput>, Partial<MemoryInput>]>([
    ["is pinned", { pinned: true }, {}],
    ["holds in another session", { scope: "session", sessionId: "a" }, { scope: "session", sessionId: "b" }],
    ["holds elsewhere", { scope: "module" }, {}],
    ["is about other files", { relatedFiles: ["a.ts"] }, { relatedFiles: ["b.ts"] }],
    ["is another context", { metadata: { context_key: "a" } }, { metadata: { context_key: "b" } }],
    ["is what was said", { type: "conversation" }, {}],
  ])("[Q4] leaves alone what %s", async (_, older, newer) => {
    const { memory, old, next } = await contradiction(older, newer);

    expect(next.contradicted).toBeUndefined();
    expect((await memory.get(old.id))?.status).toBe("active");
  });

  it("[Q4] leaves alone what a person verified, unless a person says so", async () => {
    const { memory, old } = await contradiction({}, { content: "The docs are in English" });
    await memory.verify(old.id);

    expect((await memory.remember({ content: after, type: "fact" })).contradicted).toBeUndefined();
    const taught = await memory.remember({ content: "The API listens on port 9090", source: "user_taught" });
    expect(taught.contradicted).toHaveLength(2);
  });

  it("[Q4] closes nothing while it waits, and what it contradicts when a person accepts it", async () => {
    const context = await projectContext();
    const [old] = await remember(context, [{ content: before }]);
    const [next] = await remember(context, [{ content: after }], { doubts: ["read in a mail"] });
    expect(next).toMatchObject({ status: "waiting" });
    expect(next?.contradicted).toBeUndefined();

    await acceptMemory(context, next?.id ?? "");

    const statusOf = async (id = "") => (await get(context, id))?.status;
    expect(await statusOf(old?.id)).toBe("superseded");
    await undo(context, next?.id ?? "");
    expect([await statusOf(old?.id), await statusOf(next?.id)]).toEqual(["active", "waiting"]);
  });

  it("[Q4] that nobody vouches for closes nothing", async () => {
    const context = await projectContext();
    await remember(context, [{ content: before }]);

    const [next] = await remember(context, [{ content: after }], { unverified: "nobody watched" });

    expect(next?.contradicted).toBeUndefined();
  });

  it("[Q5] closes what a model judged later, and not again what somebody brought back", async () => {
    const context = await projectContext();
    const inputs = [{ content: "Alex works at Acme" }, { content: "Alex left for Globex" }, { content: "Tea is hot" }];
    const [old, next] = await remember(context, inputs);
    const verdict = { id: old?.id ?? "", why: "says Globex where it said Acme" };
    const doubtful = await readProject(context, [], async (reader, project) => {
      const [newer] = await listByReference(reader, project, next?.id ?? "", context.now());
      return listPossiblyContradicted(
        reader,
        project,
        { ...(newer as KeyedMemory).record, key: newer?.key ?? 0 },
        context.now(),
      );
    });
    expect(doubtful.map(({ memory }) => memory.id)).toEqual([old?.id]);

    expect(await closeContradicted(context, next?.id ?? "", [verdict])).toEqual([verdict]);
    expect((await get(context, verdict.id))?.supersededBy).toBe(next?.id);
    await undo(context, verdict.id);
    expect(await closeContradicted(context, next?.id ?? "", [verdict])).toEqual([]);
  });
});

async function contradiction(older: Partial<MemoryInput> = {}, newer: Partial<MemoryInput> = {}) {
  const memory = await openTestMemory();
  const old = await memory.remember({ content: before, type: "fact", ...older });
  const next = await memory.remember({ content: after, type: "fact", ...newer });
  return { memory, old, next };
}

async function get(context: MemoryContext, id: string) {
  return readProject(context, undefined, async (reader, project) => {
    return (await listByReference(reader, project, id, context.now()))[0]?.memory;
  });
}

async function contents(memory: TacitMemory, options = {}): Promise<string[]> {
  return (await memory.recall("API listens port", options)).map(({ memory: { content } }) => content);
}
