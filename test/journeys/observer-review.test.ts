import { describe, expect, it, vi } from "vitest";
import type { Memory, TacitMemory } from "../../src/index.js";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { openTestMemory } from "../support/open-memories.js";
import { toldSession, type ToldSession } from "../support/told-session.js";
import { watchedProject } from "../support/watched-project.js";

describe("what waits for a person", () => {
  const fact = "The limit of `field` is 64 KB, not 64 MB.";
  /** A correction after a look at the web: it waits. */
  const corrected = (id: string, said: string, at?: number): ToldSession =>
    corrects(toldSession(id, at).starts().uses("WebFetch", { url: "https://example.com/a" }, "A page."), said).ends();
  const doubtful = (id: string, at?: number): ToldSession => corrected(id, fact, at);

  it("[O5] speaks when it is accepted, as it is or in other words, and keeps its evidence", async () => {
    const project = watchedProject();
    const { waiting } = await project.learn(doubtful("s1"));
    const memory = await project.open();
    const [one] = waiting as [Memory];
    expect(await memory.recall("limit of field")).toEqual([]);
    expect((await memory.recall("limit of field", { status: "waiting" })).map(({ memory: { id } }) => id)).toEqual([
      one.id,
    ]);

    await memory.review.accept(one.id, { content: "The limit of `field` is 64 KiB." });

    const [found] = await memory.recall("limit of field");
    expect(found?.memory).toMatchObject({ id: one.id, status: "active", content: "The limit of `field` is 64 KiB." });
    expect(await memory.review.evidence(one.id)).toMatchObject([
      { signal: "self-correction", sessions: [{ sessionId: "s1" }] },
    ]);
    expect((await project.learn(doubtful("s2"))).waiting).toEqual([]);
  });

  it("[E8] is shared once a person has accepted it, and is theirs in their words", async () => {
    const project = watchedProject();
    const [one, other] = [
      ...(await project.learn(doubtful("s1"))).waiting,
      ...(await project.learn(corrected("s2", "The limit of `name` is 80 bytes, not 80 KB."))).waiting,
    ] as [Memory, Memory];
    const memory = await project.open();
    const before = await memory.exchange.share({ references: [one.id] });

    await memory.review.accept(one.id);
    await memory.review.accept(other.id, { content: "The limit of `name` is 80 B." });
    const after = await memory.exchange.share({ references: [one.id, other.id] });

    expect(before).toMatchObject({ written: [], withheld: [{ id: one.id }] });
    expect(after).toMatchObject({ withheld: [], problems: [] });
    expect(after.written).toHaveLength(2);
    expect(await memory.get(one.id)).toMatchObject({ source: one.source, userVerified: true });
    expect(await memory.get(other.id)).toMatchObject({ source: "user_taught", userVerified: true });
  });

  it("[O5] is accepted in other words with one step, and found by the meaning of the new ones", async () => {
    const project = watchedProject();
    const [one] = (await project.learn(doubtful("s1"))).waiting as [Memory];
    const embedder = fakeEmbedder();
    const memory = await project.open({ embedder });
    await memory.embedPending();

    await memory.review.accept(one.id, { content: "The limit of `field` is 64 KiB." });

    await vi.waitFor(() => expect(embedder.calls.flat().join("\n")).toContain("64 KiB"));
    const [step, ...earlier] = await memory.history(one.id);
    expect(step).toMatchObject({ verb: "verified", fields: { content: { before: fact }, userVerified: {} } });
    expect(earlier).toHaveLength(1);
  });

  it("[O5] takes no name, neither from another nor a free one", async () => {
    const { memory, old } = await afterTheWeb();

    const input = { content: "Deploys skip all checks.", sessionId: "s1", name: "deploys", aliases: ["shipping"] };
    const waiting = await memory.remember(input, { rebind: true });

    expect(waiting).toMatchObject({ status: "waiting", aliases: [] });
    expect(waiting.name).toBeUndefined();
    expect(waiting.review.reason).toMatch(/example\.com.* It was to be called "deploys", "shipping", and is not\.$/);
    expect(await memory.get("deploys")).toMatchObject({ id: old.id });
    expect(await memory.get("shipping")).toBeUndefined();
  });

  it("[O5] takes the place of another only when it is accepted, and undoing that brings the other back", async () => {
    const { memory, old } = await afterTheWeb();

    const waiting = await memory.supersede("deploys", { content: "Deploys go to production.", sessionId: "s1" });

    expect(waiting).toMatchObject({ status: "waiting", relations: [{ kind: "supersedes", memory: old.id }] });
    expect(waiting.review.reason).toContain(`takes the place of ${old.id.slice(-8)}`);
    expect(await memory.get("deploys")).toMatchObject({ id: old.id, status: "active" });
    expect((await memory.recall("where deploys go")).map((found) => found.memory.id)).toEqual([old.id]);

    await memory.review.accept(waiting.id);
    expect(await memory.get("deploys")).toMatchObject({ id: waiting.id, status: "active", userVerified: true });
    expect(await memory.get(old.id)).toMatchObject({ status: "superseded", supersededBy: waiting.id });

    await memory.undo(waiting.id);
    expect(await memory.get("deploys")).toMatchObject({ id: old.id, status: "active" });
    expect(await memory.get(waiting.id)).toMatchObject({ status: "waiting" });
  });

  it("[O5] is not what is trusted, when a session that read from outside would rewrite it", async () => {
    const { memory, old } = await afterTheWeb();

    await expect(memory.revise(old.id, { content: "Deploys skip it.", sessionId: "s1" })).rejects.toMatchObject({
      code: "session-tainted",
      message: expect.stringMatching(/stays as it is\. .*example\.com/) as string,
      hint: expect.stringMatching(/tacit supersede/) as string,
    });
    await memory.revise(old.id, { tags: ["ops"], sessionId: "s2" });
    expect(await memory.get(old.id)).toMatchObject({ content: old.content, tags: ["ops"], status: "active" });
  });

  /** A memory that is trusted, and a session that has read from outside since. */
  async function afterTheWeb(): Promise<{ memory: TacitMemory; old: Memory }> {
    const memory = await watchedProject().open();
    const old = await memory.remember({ content: "Deploys go to staging first.", name: "deploys" });
    const session = toldSession("s1").starts().uses("WebFetch", { url: "https://example.com/a" }, "A page.");
    for (const event of session.events) memory.observe(event);
    return { memory, old };
  }

  it("[O5] is gone when it is rejected, and needs as many sessions again", async () => {
    const project = watchedProject();
    const solve = (round: number) =>
      fixesError(
        toldSession(`s${round}`, day(round)).starts().uses("WebSearch", { query: "pool" }, "A page."),
        round,
      ).ends();
    expect((await project.learn(solve(1))).waiting).toEqual([]);
    const [first] = (await project.learn(solve(2))).waiting as [Memory];
    const memory = await project.open();

    await memory.review.reject(first.id);
    const third = await project.learn(solve(3));
    const fourth = await project.learn(solve(4));

    expect(third.waiting).toEqual([]);
    expect(fourth.waiting).toMatchObject([{ type: first.type, content: first.content }]);
    expect(fourth.waiting[0]?.id).not.toBe(first.id);
  });

  it("[O5] never comes again when it is rejected for ever, also when nothing of it is left", async () => {
    const project = watchedProject();
    const [one] = (await project.learn(doubtful("s1"))).waiting as [Memory];
    const memory = await project.open();

    await memory.review.reject(one.id, { forever: true });
    expect((await project.learn(doubtful("s2"))).waiting).toEqual([]);
    await memory.restore(one.id);
    await memory.purge(one.id);
    const clean = await project.learn(corrects(toldSession("s3").starts(), fact).ends());

    expect([clean.learned, clean.waiting]).toEqual([[], []]);
    expect(await memory.list({ status: "any" })).toEqual([]);
  });

  it("[O5] that what does not wait cannot be rejected or accepted is said", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "Prices are in cents." });

    await expect(memory.review.accept(id, { content: "Prices are in euros." })).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(/does not wait for a review; it is active/) as string,
      hint: expect.stringMatching(/tacit verify/) as string,
    });
    expect(await memory.get(id)).toMatchObject({ content: "Prices are in cents.", userVerified: false });
    await expect(memory.review.reject(id)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(/does not wait for a review; it is active/) as string,
      hint: expect.stringMatching(/tacit forget/) as string,
    });
    await expect(memory.review.reject("nothing-like-it")).rejects.toMatchObject({ code: "memory-not-found" });
  });
});

function day(number: number): number {
  return Date.parse("2026-11-02T09:00:00Z") + number * 86_400_000;
}

/** Reads a file and says what is so instead of what was believed. */
function corrects(session: ToldSession, what: string): ToldSession {
  return session.reads("src/cart.ts").says(`Correction: ${what.charAt(0).toLowerCase()}${what.slice(1)}`);
}

/** A command fails, a file is mended, and the command passes. */
function fixesError(session: ToldSession, round: number): ToldSession {
  return session
    .runs("npm run migrate", "Error: connection pool of the ledger is exhausted\n    at src/stock.ts:1:1", true)
    .says("The cause is that the pool in src/stock.ts is never closed.")
    .reads("src/stock.ts")
    .edits("src/stock.ts", `pool${round}`, `closed${round}`)
    .runs("npm run migrate", "Done.");
}
