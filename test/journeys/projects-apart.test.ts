import type { MemoryContext } from "../../src/memory/change/change.js";
import { describe, expect, it } from "vitest";
import { defaultSettings } from "../../src/config/settings.js";
import { identifyFolder } from "../../src/project/folder/identify-folder.js";
import { findMemory, findMemoryOrForgotten, getMemory } from "../../src/memory/read/get-memory.js";
import {
  findForgottenByName,
  countMemories,
  listByKeys,
  listByReference,
  listRelatedFiles,
  listSameText,
  keyRange,
  listMemories,
  findNameHolder,
} from "../../src/memory/read/memory-queries.js";
import { bindName, listNameLosers } from "../../src/memory/write/names.js";
import {
  listFaded,
  listForgottenForGood,
  listLeastWorth,
  listLongExpired,
} from "../../src/memory/retention/prune-queries.js";
import { hashOf } from "../../src/memory/record/hash-of.js";
import { ensureProject, findProject, listProjectKeys, type Project } from "../../src/project/projects.js";
import { insertRelation } from "../../src/memory/relations/relation-queries.js";
import { remember } from "../../src/memory/remember/remember-memories.js";
import { listSimilar } from "../../src/memory/relations/similar.js";
import { filterConditions } from "../../src/memory/read/memory-filter.js";
import { findActiveModel } from "../../src/embedding/vectors/active-model.js";
import { BinaryVectorIndex } from "../../src/embedding/vectors/binary-vector-index.js";
import { StoreEmbedding } from "../../src/embedding/store-embedding.js";
import { listNearest } from "../../src/embedding/vectors/list-nearest.js";
import { countEmbedded } from "../../src/embedding/vectors/pending.js";
import { loadCandidates } from "../../src/retrieval/candidates/candidate.js";
import { listByCode } from "../../src/retrieval/candidates/code-graph.js";
import { listWordMatches } from "../../src/retrieval/keywords/list-word-matches.js";
import { listRecallCounts } from "../../src/retrieval/recall-counter.js";
import { recall } from "../../src/retrieval/recall.js";
import { listBeside } from "../../src/retrieval/candidates/neighbouring-turns.js";
import { readStatistics } from "../../src/retrieval/keywords/word-statistics.js";
import { Store, type Reader, type Writer } from "../../src/storage/storage.js";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { join } from "node:path";
import { unfollowed } from "../support/unfollowed.js";

const text = "the same words in both projects, long enough to be similar to each other";
const now = new Date("2026-01-01T00:00:00Z");

/** Every function that reads the rows of a project. Each must see the one memory of its own project only. */
const queries: Record<string, (writer: Writer, project: Project, own: Known, other: Known) => Promise<unknown[]>> = {
  listByKeys: (writer, project, own, other) => listByKeys(writer, project, [own.key, other.key], now),
  listByReference: async (writer, project, _own, other) => [
    ...(await listByReference(writer, project, other.id, now)),
    ...(await listByReference(writer, project, other.id.slice(-8), now)),
    ...(await listByReference(writer, project, "shared-name", now)),
  ],
  findMemoryOrForgotten: async (writer, project, own, other) =>
    present([
      await findMemoryOrForgotten(writer, project, other.id, now),
      await findMemoryOrForgotten(writer, project, own.id, now),
    ]),
  findForgottenByName: async (writer, project, own) => {
    await writer.run(`UPDATE memories SET forgotten_at = 'x', released_names = '{"name":"was","aliases":["too"]}'`);
    const found = [
      await findForgottenByName(writer, project, "was", now),
      await findForgottenByName(writer, project, "too", now),
    ];
    return new Set(present(found).map(({ key }) => key)).has(own.key) && present(found).length === 2 ? [own] : [];
  },
  findMemory: async (writer, project, own, other) =>
    present([await findMemory(writer, project, other.id, now), await findMemory(writer, project, own.id, now)]),
  getMemory: async (writer, project, own, other) => {
    await expect(getMemory(writer, project, other.id, now)).rejects.toMatchObject({
      code: "memory-not-found",
      hint: expect.stringContaining("tacit list"),
    });
    return [await getMemory(writer, project, own.id, now)];
  },
  listMemories: (writer, project) => listMemories(writer, project, { status: "any" }, now),
  listSameText: (writer, project) => listSameText(writer, project, { type: "note", contentHash: hashOf(text) }, now),
  listRelatedFiles,
  countMemories: async (writer, project) => Array.from({ length: await countMemories(writer, project) }),
  findNameHolder: async (writer, project) => present([await findNameHolder(writer, project, "shared-name")]),
  listNameLosers: (writer, project) => listNameLosers(writer, project, ["shared-name"], undefined, { rebind: true }),
  listFaded: async (writer, project) => {
    await writer.run("UPDATE memories SET half_life_days = 1");
    return listFaded(writer, project, new Date("2027-01-01T00:00:00Z"));
  },
  listForgottenForGood: async (writer, project) => {
    await writer.run("UPDATE memories SET forgotten_at = '2020-01-01'");
    return listForgottenForGood(writer, project, now);
  },
  listLongExpired: async (writer, project) => {
    await writer.run("UPDATE memories SET forgotten_at = NULL, expires_at = '2020-01-01'");
    return listLongExpired(writer, project, 1, now);
  },
  listLeastWorth: async (writer, project) => {
    await writer.run("UPDATE memories SET forgotten_at = NULL, expires_at = NULL");
    return listLeastWorth(writer, project, 0, now);
  },
  listSimilar: async (writer, project, own) => {
    // A third memory in the own project is similar to the own one only.
    return listSimilar(writer, project, { key: own.key + 1000, content: text, type: "note" });
  },
  listWordMatches: async (writer, project) => {
    const statistics = await readStatistics(writer, {}, [{ text: "words", token: "word" }]);
    const filter = filterConditions({}, project, now);
    return listWordMatches(writer, project, statistics, filter, { limit: Infinity, most: Infinity });
  },
  loadCandidates: async (writer, project, own, other) => {
    const filter = filterConditions({}, project, now);
    return loadCandidates(writer, [own.key, other.key], filter, { withTokens: false });
  },
  listByCode: (writer, project) =>
    listByCode(writer, project, filterConditions({}, project, now), { active: ["f"], neighbours: [], linked: [] }),
  listBeside: async (writer, _project, own) => {
    await writer.run("UPDATE memories SET session_id = 'the same'");
    return [...(await listBeside(writer, [own.key]))].flatMap(([key, { before, after }]) => [key, ...before, ...after]);
  },
  listRecallCounts: async (writer, project) => {
    await writer.run(`INSERT OR IGNORE INTO recall_counts (project_number, day, mode, questions, unanswered, lifted, top_changed)
      SELECT number, '2026-01-01', 'words', 1, 0, 0, 0 FROM projects`);
    return listRecallCounts(writer, { id: project.id });
  },
  listNearest: async (writer, project) => {
    const model = present([await findActiveModel(writer)])[0];
    const [vector] = await fakeEmbedder().embed([text], "query");
    if (!model || !vector) return [];
    const index = new BinaryVectorIndex(project, model);
    return listNearest(writer, index, project, { vector, model }, filterConditions({}, project, now), 10);
  },
  countEmbedded: async (writer, project) => {
    const { embedded } = await countEmbedded(writer, await findActiveModel(writer), project);
    return Array.from({ length: embedded });
  },
  keyRange: async (writer, project) =>
    writer.rows("SELECT key FROM memories WHERE key BETWEEN :first AND :last", { ...keyRange(project) }),
  listProjectKeys: async (writer, project) => {
    await writer.run("DELETE FROM project_keys");
    await writer.run("INSERT INTO project_keys (key, project_number) SELECT 'path:' || id, number FROM projects");
    return listProjectKeys(writer, project);
  },
};

describe("two projects in one file", () => {
  it.each(Object.keys(queries))("[P1] are kept apart by %s", async (name) => {
    const { store, projects } = await twoProjects();

    await store.write(async (writer) => {
      for (const [own, other] of [projects, projects.toReversed()] as [Known, Known][]) {
        const rows = await queries[name]?.(writer, own.project, own, other);
        expect(rows).toHaveLength(1);
      }
    });
    await store.close();
  });

  it("[P1] are kept apart by every query that takes a project: none is missing here", async () => {
    const modules = await Promise.all([
      import("../../src/memory/read/memory-queries.js"),
      import("../../src/memory/write/names.js"),
      import("../../src/memory/retention/prune-queries.js"),
      import("../../src/memory/read/get-memory.js"),
      import("../../src/memory/relations/similar.js"),
      import("../../src/embedding/vectors/list-nearest.js"),
      import("../../src/embedding/vectors/pending.js"),
      import("../../src/retrieval/candidates/candidate.js"),
      import("../../src/retrieval/candidates/code-graph.js"),
      import("../../src/retrieval/keywords/list-word-matches.js"),
      import("../../src/retrieval/recall-counter.js"),
      import("../../src/retrieval/candidates/neighbouring-turns.js"),
    ]);
    const takingAProject = modules
      .flatMap((module) => Object.entries(module) as [string, unknown][])
      .filter(([, value]) => typeof value === "function" && /\bproject\b/.test(String(value).split("{")[0] ?? ""))
      .map(([name]) => name);

    // Writing: bindName and relate are proved below, linkSimilar is made of listSimilar and relate. notFound words a message, notFoundHere too (see getMemory), toMemory reads a row.
    const elsewhere = new Set(["bindName", "linkSimilar", "notFound", "notFoundHere", "toMemory"]);
    // Of another module, or taking keys and a filter instead.
    const further = new Set(["listProjectKeys", "loadCandidates", "listBeside"]);
    expect(takingAProject.filter((name) => !elsewhere.has(name)).toSorted()).toEqual(
      Object.keys(queries)
        .filter((name) => !further.has(name))
        .toSorted(),
    );
  });

  it("[P1] cannot take each other's names or relate to each other's memories", async () => {
    const { store, projects } = await twoProjects();
    const [one, two] = projects as [Known, Known];

    await store.write(async (writer) => bindName(writer, one.project, one.key, "free", "alias"));
    await store.write(async (writer) => bindName(writer, two.project, two.key, "free", "alias"));
    const crossing = store.write(async (writer) =>
      insertRelation(writer, one.project, one.key, { kind: "similar", memory: two.id, confidence: 1, automatic: true }),
    );

    await expect(crossing).rejects.toMatchObject({ code: "memory-not-found" });
    await store.close();
  });

  it("[P1] are kept apart by every verb of the library", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const mine = await openTestMemory({ db, project: "mine" });
    const theirs = await openTestMemory({ db, project: "theirs" });
    const { id } = await theirs.remember({ content: "secret plan", name: "plan", tags: ["t"], relatedFiles: ["f"] });
    await mine.remember({ content: "something else" });

    const verbs = [
      () => mine.revise(id, { content: "x" }),
      () => mine.supersede("plan", { content: "x" }),
      () => mine.forget(id),
      () => mine.restore(id),
      () => mine.purge(id),
      () => mine.pin("plan"),
      () => mine.verify(id),
      () => mine.flag(id, "x"),
    ];
    for (const verb of verbs) await expect(verb()).rejects.toMatchObject({ code: "memory-not-found" });
    expect(await mine.get(id)).toBeUndefined();
    expect(await mine.recall("secret plan", { status: "any" })).toEqual([]);
    expect(await mine.recall("plan", { tags: ["t"] })).toEqual([]);
    expect(await mine.list({ files: ["f"] })).toEqual([]);
    expect(await mine.purge({ project: true })).toMatchObject({ purged: 1 });
    expect(await theirs.get("plan")).toMatchObject({ content: "secret plan", status: "active" });
  });
});

interface Known {
  project: Project;
  key: number;
  id: string;
}

async function twoProjects(): Promise<{ store: Store; projects: Known[] }> {
  const store = new Store({ db: ":memory:", timeoutMs: 1000 });
  const projects: Known[] = [];
  for (const id of ["one", "two"]) {
    const context: MemoryContext = {
      store,
      project: { id },
      folder: () => identifyFolder("/"),
      settings: async () => defaultSettings(),
      ...unfollowed,
      now: () => now,
    };
    const [kept] = await remember(context, [{ content: text, name: "shared-name", tags: ["t"], relatedFiles: ["f"] }]);
    expect((await recall(context, {}, "words")).results).toHaveLength(1);
    projects.push(
      await store.write(async (writer) => {
        const project = await ensureProject(writer, { id }, now);
        const memoryId = kept?.id as string;
        return { project, id: memoryId, key: await keyOf(writer, memoryId) };
      }),
    );
  }
  const embedding = new StoreEmbedding({ store, now: () => now, openEmbedder: async () => fakeEmbedder() });
  expect(await embedding.embedPending()).toMatchObject({ embedded: 2, pending: 0 });
  await embedding.close();
  await store.read(async (reader) => expect((await findProject(reader, { id: "three" })).project).toBeUndefined());
  return { store, projects };
}

async function keyOf(reader: Reader, id: string): Promise<number> {
  const [row] = await reader.rows("SELECT key FROM memories WHERE id = :id", { id });
  return Number(row?.["key"]);
}

function present<T>(values: (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}
