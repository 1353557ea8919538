import { expect, it } from "vitest";
import type { VectorsOf } from "../../src/exchange/chroma/chroma-options.js";
import { exportToChroma } from "../../src/exchange/chroma/export-to-chroma.js";
import { importFromChroma } from "../../src/exchange/chroma/import-from-chroma.js";
import type { MemoryRecord } from "../../src/memory/memory.js";
import { forget } from "../../src/memory/retention/forget.js";
import { revise } from "../../src/memory/edit/revise.js";
import { idOf, keep, noon, projectContext, recordsOf, stored } from "./keep-records.js";

/** What holds of every Chroma server: the fake one, and the real one in `npm run test:remote`. */
export function testChroma(start: () => Promise<string>): void {
  it("gives a project back as it was, unverified, and changes nothing the second time, on either side", async () => {
    const url = await start();
    const [here, there] = [await projectContext(), await projectContext({ now: "2027-01-01T00:00:00.000Z" })];
    await keep(here, records());

    const sent = await exportToChroma(here, url, vectorsOf);
    const taken = await importFromChroma(there, url);
    const before = await entriesOf(url);
    const again = [await exportToChroma(here, url, vectorsOf), await importFromChroma(there, url)];

    expect(sent).toEqual({ format: "chroma", output: url, collection: "memories", memories: 3 });
    expect(taken).toMatchObject({ kinds: ["chroma"], added: 3, leftOut: 0 });
    const review = { state: "pending", reason: "It comes from the collection memories of a Chroma server." };
    expect(await recordsIn(there)).toEqual(
      (await recordsIn(here)).map((record) => ({ ...record, review, trustFlags: ["unverified"] })),
    );
    expect(again).toMatchObject([{ memories: 3 }, { added: 0, unchanged: 3 }]);
    expect(await entriesOf(url)).toEqual(before);
  });

  it("holds what readers of such a collection look for: three types, flat metadata, times in UTC, 384 dimensions", async () => {
    const url = await start();
    const context = await projectContext();
    await keep(context, records());

    await exportToChroma(context, url, vectorsOf);

    const [convention, keyed, turn] = await entriesOf(url);
    expect(convention).toMatchObject({
      id: idOf(1),
      document: "Use pnpm",
      metadata: {
        type: "fact",
        tacit_type: "convention",
        created_at: "2026-01-01T00:00:00.000",
        "ci.os": "linux",
        "ci.deep.n": 1.5,
        list: '["a",1]',
      },
    });
    expect(convention?.metadata).not.toHaveProperty("none");
    expect(keyed?.metadata).toMatchObject({ type: "context", context_key: "task" });
    expect(turn?.metadata).toMatchObject({ type: "conversation" });
    expect(convention?.embedding).toHaveLength(384);
  });

  it("loses there what a memory no longer says, and keeps what was forgotten here", async () => {
    const url = await start();
    const context = await projectContext();
    await keep(context, records());
    await exportToChroma(context, url, vectorsOf);
    await revise(context, idOf(1), { content: "Use npm", metadata: { ci: { os: "mac" } }, tags: [] });
    await forget(context, [idOf(2)]);

    const { memories } = await exportToChroma(context, url, vectorsOf);

    const [convention, keyed] = await entriesOf(url);
    expect(memories).toBe(2);
    expect(convention).toMatchObject({ document: "Use npm", metadata: { "ci.os": "mac" } });
    for (const key of ["ci.deep.n", "list", "tacit_tags", "tacit_metadata"])
      expect(convention?.metadata).not.toHaveProperty(key);
    expect(keyed?.document).toBe("Ship it");
  });

  it("is taken in by what its types and times say, once, and under names of its own", async () => {
    const url = await start();
    const context = await projectContext();
    await fill(url, [
      {
        id: idOf(9),
        document: "Hi, I am Alex",
        metadata: { type: "conversation", created_at: "2026-11-10T08:30:00.123456" },
      },
      {
        id: "obs-1",
        document: "The user waved",
        metadata: { type: "observation", created_at: "2026-11-10T08:30:00+01:00" },
      },
      { id: "p", document: "Likes tea", metadata: { type: "preference", category: "user_profile", field: "drink" } },
      { id: "today", document: "Meeting at four", metadata: { type: "event", created_at: noon.replace("Z", "") } },
      { id: "old", document: "Fix the arm", metadata: { type: "task", created_at: "2025-01-01T10:00:00" } },
      { id: "odd", document: "Odd", metadata: { type: "Sensor Reading", created_at: "yesterday", "a.b": 1 } },
      { id: "none", document: "Bare" },
      { id: "empty", document: " " },
    ]);

    const tried = await importFromChroma(context, url, { dryRun: true });
    const nothingYet = await recordsOf(context);
    const taken = await importFromChroma(context, url);
    const again = await importFromChroma(context, url);

    expect([tried, taken, again]).toMatchObject([
      { added: 7, leftOut: 1 },
      { added: 7, leftOut: 1, kinds: ["chroma"], collection: "memories" },
      { added: 0, unchanged: 7 },
    ]);
    expect(nothingYet).toEqual([]);
    const kept = Object.fromEntries((await recordsIn(context)).map((record) => [record.content, record]));
    expect(kept["Hi, I am Alex"]).toMatchObject({
      id: idOf(9),
      type: "conversation",
      createdAt: "2026-11-10T08:30:00.123Z",
      metadata: {},
      // Turns have their 30 days here, too, from when they were said.
      expiresAt: "2026-12-10T08:30:00.123Z",
    });
    expect(kept["The user waved"]).toMatchObject({
      type: "conversation",
      createdAt: "2026-11-10T07:30:00.000Z",
      metadata: { importedId: "obs-1", importedType: "observation" },
    });
    expect(kept["Likes tea"]).toMatchObject({
      type: "fact",
      scope: "global",
      createdAt: noon,
      metadata: { category: "user_profile", field: "drink", importedType: "preference" },
    });
    expect(kept["Meeting at four"]).toMatchObject({ type: "context", scope: "session" });
    expect(Date.parse(kept["Meeting at four"]?.expiresAt ?? "")).toBeGreaterThan(Date.parse(noon));
    expect(kept["Fix the arm"]).toMatchObject({ type: "context", createdAt: "2025-01-01T10:00:00.000Z" });
    expect(Date.parse(kept["Fix the arm"]?.expiresAt ?? "")).toBeLessThan(Date.parse("2025-01-03"));
    expect(kept["Odd"]).toMatchObject({ type: "sensor_reading", createdAt: noon, metadata: { "a.b": 1 } });
    expect(kept["Bare"]).toMatchObject({ type: "fact", metadata: { importedId: "none" } });
  });

  it("is not there: what is missing is told with what to do, and nothing is made by looking", async () => {
    const url = await start();
    const context = await projectContext();

    await expect(importFromChroma(context, `${url}?collection=others`)).rejects.toMatchObject({
      code: "import-refused",
      message: `${url}: it has no collection others.`,
    });
    expect(await exportToChroma(context, `${url}?collection=others`, vectorsOf)).toMatchObject({ memories: 0 });
    await expect(importFromChroma(context, `${url}?collection=others`)).rejects.toThrow("no collection others");
  });

  it("takes no vectors of another size beside those that it has, and is not touched", async () => {
    const url = await start();
    const context = await projectContext();
    await keep(context, records());
    await fill(url, [{ id: "a", document: "A" }], 3);

    await expect(exportToChroma(context, url, vectorsOf)).rejects.toMatchObject({
      code: "export-refused",
      message: expect.stringContaining("vectors of 3 dimensions"),
      hint: expect.stringContaining("collection="),
    });
    expect(await entriesOf(url)).toHaveLength(1);
  });
}

function records(): MemoryRecord[] {
  return [
    stored({
      id: idOf(1),
      type: "convention",
      content: "Use pnpm",
      tags: ["ci"],
      relatedFiles: ["package.json"],
      // A key of its own that is called as one of theirs, and what has no flat form.
      metadata: { ci: { os: "linux", deep: { n: 1.5 } }, list: ["a", 1], none: null, type: "mine", tacit_x: true },
    }),
    stored({
      id: idOf(2),
      type: "context",
      content: "Ship it",
      scope: "session",
      metadata: { context_key: "task" },
      expiresAt: "2999-01-01T00:00:00.000Z",
    }),
    stored({
      id: idOf(3),
      type: "conversation",
      content: "User: hello",
      sessionId: "s",
      provenanceSessionIds: ["s"],
      data: { role: "user", sequence: 1 },
      name: "greeting",
    }),
  ];
}

async function recordsIn(context: Parameters<typeof recordsOf>[0]): Promise<MemoryRecord[]> {
  return (await recordsOf(context)).map(({ record }) => record);
}

/** The same text, the same vector. */
const vectorsOf: VectorsOf = async (memories) =>
  memories.map(({ content }) =>
    Array.from({ length: 384 }, (_, index) => Math.fround(Math.sin(content.length + index))),
  );

interface Held {
  id: string;
  document: string;
  metadata: Record<string, unknown>;
  embedding: number[];
}

const path = "api/v2/tenants/default_tenant/databases/default_database/collections";

/** What the collection `memories` holds, by its ids. */
async function entriesOf(url: string): Promise<Held[]> {
  const { id } = (await ask(`${url}/${path}/memories`)) as { id: string };
  const include = ["documents", "metadatas", "embeddings"];
  const got = (await ask(`${url}/${path}/${id}/get`, { limit: 100, include })) as Record<string, unknown[]>;
  const held = (got["ids"] as string[]).map((entry, index) => ({
    id: entry,
    document: got["documents"]?.[index] as string,
    metadata: got["metadatas"]?.[index] as Record<string, unknown>,
    embedding: got["embeddings"]?.[index] as number[],
  }));
  return held.toSorted((a, b) => a.id.localeCompare(b.id));
}

/** As another program would. */
async function fill(
  url: string,
  entries: { id: string; document: string; metadata?: Record<string, unknown> }[],
  dimensions = 384,
): Promise<void> {
  const { id } = (await ask(`${url}/${path}`, { name: "memories", get_or_create: true })) as { id: string };
  await ask(`${url}/${path}/${id}/upsert`, {
    ids: entries.map((entry) => entry.id),
    documents: entries.map(({ document }) => document),
    metadatas: entries.map(({ metadata }) => metadata ?? null),
    embeddings: entries.map(() => Array.from({ length: dimensions }, () => 0.5)),
  });
}

async function ask(url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}
