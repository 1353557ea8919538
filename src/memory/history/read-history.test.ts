import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { movableClock, openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { TacitMemory } from "../../index.js";
import type { HistoryEntry } from "./read-history.js";
import type { ChangeVerb } from "./stored-changes.js";

type Clock = ReturnType<typeof movableClock>;

/** Each way to change the memory that is called runner, and what its history says of it then. */
const changes: [ChangeVerb, (memory: TacitMemory, clock: Clock) => Promise<unknown>, HistoryEntry["fields"]][] = [
  [
    "merged",
    (memory) => memory.remember({ type: "gotcha", content: "use jest", tags: ["ci"], sessionId: "s1" }),
    { tags: { before: [], after: ["ci"] }, provenanceSessionIds: { before: [], after: ["s1"] } },
  ],
  [
    "edited",
    (memory) => memory.revise("runner", { content: "use vitest", confidence: 0, expiresAt: "2030-01-01" }),
    {
      content: { before: "use jest", after: "use vitest" },
      citationText: { before: "use jest", after: "use vitest" },
      confidence: { before: 0.8, after: 0 },
      expiresAt: { after: "2030-01-01T00:00:00.000Z" },
    },
  ],
  ["edited", (memory) => memory.revise("runner", { name: null }), { name: { before: "runner" } }],
  ["renamed", (memory) => memory.rename("runner", "test-runner"), { name: { before: "runner", after: "test-runner" } }],
  [
    "aliased",
    (memory) => memory.alias("runner", ["jest"]),
    { aliases: { before: ["tests"], after: ["jest", "tests"] } },
  ],
  ["unaliased", (memory) => memory.unalias("tests"), { aliases: { before: ["tests"], after: [] } }],
  [
    "related",
    (memory) => memory.relate("runner", { kind: "validates", file: "src/a.ts" }),
    {
      relations: {
        before: [],
        after: [{ kind: "validates", file: "src/a.ts", confidence: 1, automatic: false }],
      },
    },
  ],
  ["pinned", (memory) => memory.pin("runner"), { pinned: { before: false, after: true } }],
  ["verified", (memory) => memory.verify("runner"), { userVerified: { before: false, after: true } }],
  [
    "flagged",
    (memory) => memory.flag("runner", "we moved on"),
    { review: { before: { state: "none" }, after: { state: "flagged", reason: "we moved on" } } },
  ],
  [
    "forgotten",
    (memory) => memory.forget("runner"),
    {
      name: { before: "runner" },
      aliases: { before: ["tests"], after: [] },
      forgottenAt: { after: "2026-01-02T00:00:00.000Z" },
      releasedNames: { after: { name: "runner", aliases: ["tests"] } },
    },
  ],
  [
    "faded",
    async (memory, clock) => {
      clock.addDays(181);
      await memory.store.prune();
    },
    {
      name: { before: "runner" },
      aliases: { before: ["tests"], after: [] },
      forgottenAt: { after: "2026-07-02T00:00:00.000Z" },
      forgottenReason: { after: "faded" },
      releasedNames: { after: { name: "runner", aliases: ["tests"] } },
    },
  ],
];

describe("the history of a memory", () => {
  it.each(changes)("[L8] tells that it was %s, when, and what it was before", async (verb, change, fields) => {
    const { memory, clock, id } = await openWithRunner();
    clock.addDays(1);

    await change(memory, clock);

    expect(await memory.history(id)).toEqual([
      { number: 2, verb, at: clock.now().toISOString(), fields, alsoChanged: [] },
      { number: 1, verb: "remembered", at: "2026-01-01T00:00:00.000Z", fields: {}, alsoChanged: [] },
    ]);
  });

  it("[L8] tells of what is taken back by another verb as of everything else, newest first", async () => {
    const { memory, id } = await openWithRunner();
    const relation = { kind: "validates", file: "src/a.ts" } as const;

    await memory.pin(id);
    await memory.pin(id, false);
    await memory.relate(id, relation);
    await memory.unrelate(id, relation);
    await memory.forget(id);
    await memory.restore(id);
    await memory.undo(id);

    const told = await memory.history(id);
    const verbs = ["undone", "restored", "forgotten", "unrelated", "related", "unpinned", "pinned", "remembered"];
    expect(told.map(({ verb }) => verb)).toEqual(verbs);
    expect(told.map(({ number }) => number)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await memory.get(id)).toBeUndefined();
  });

  it("[L8] tells of a memory that had to make room", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "tacit.config.json"), '{ "maxEntries": 1 }');
    vi.stubEnv("TACIT_HOME", home);
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "the first" });

    await memory.remember({ content: "the second" });

    expect((await memory.history(id))[0]).toMatchObject({
      verb: "evicted",
      fields: { forgottenReason: { after: "evicted" } },
    });
    vi.unstubAllEnvs();
  });

  it("[L8] names the other memories that the same operation changed", async () => {
    const memory = await openTestMemory();
    const holder = await memory.remember({ content: "had the name", name: "port" });
    const heir = await memory.remember({ content: "takes the name", name: "port" }, { rebind: true });
    const thief = await memory.remember({ content: "takes it again" });
    await memory.alias(thief.id, ["port"], { rebind: true });
    const successor = await memory.supersede(thief.id, { content: "the port is 9090" });

    const told = await Promise.all([holder, heir, thief, successor].map(({ id }) => memory.history(id)));

    const [ofHolder, ofHeir, ofThief, ofSuccessor] = told.map((each) =>
      each.map(({ verb, alsoChanged }) => [verb, ...alsoChanged]),
    );
    expect(ofHolder).toEqual([["renamed", heir.id], ["remembered"]]);
    expect(ofHeir).toEqual([
      ["aliased", thief.id],
      ["remembered", holder.id],
    ]);
    expect(ofThief).toEqual([["superseded", successor.id], ["aliased", heir.id], ["remembered"]]);
    expect(ofSuccessor).toEqual([["remembered", thief.id]]);
  });

  it("[L8] has no step for what changed nothing", async () => {
    const { memory, id } = await openWithRunner();

    await memory.pin(id, false);
    await memory.rename(id, "runner");
    await memory.alias(id, ["tests", "runner", "tests"]);
    await memory.revise(id, { content: "use jest" });
    await memory.remember({ type: "gotcha", content: "use jest" });
    await memory.restore(id);

    expect(await memory.history(id)).toHaveLength(1);
  });

  it("[L8] has no step for a change that was refused", async () => {
    const { memory, id } = await openWithRunner();
    await memory.remember({ content: "another", name: "taken" });

    await expect(memory.alias(id, ["free", "taken"])).rejects.toMatchObject({ code: "name-taken" });

    expect(await memory.history(id)).toHaveLength(1);
    expect(await memory.get("free")).toBeUndefined();
  });

  it("[L8] stays with a memory that is forgotten, and is there in the next process", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });
    const { id } = await memory.remember({ content: "old text", name: "n" });
    await memory.revise(id, { content: "new text" });
    await memory.forget(id);
    const before = await memory.history(id);
    await memory.close();

    const after = await (await openTestMemory({ db })).history("n");

    expect(after.map(({ verb }) => verb)).toEqual(["forgotten", "edited", "remembered"]);
    expect(after).toEqual(before);
  });

  it("[L8] of what is not there is an error, and creates no store", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });

    await expect(memory.history("nobody")).rejects.toMatchObject({ code: "memory-not-found" });
    await expect(memory.undo("nobody")).rejects.toMatchObject({ code: "memory-not-found" });

    expect(readdirSync(join(db, ".."))).toEqual([]);
  });

  it("[L8] of nothing at all is a mistake of the caller, whatever there is", async () => {
    const empty = await openTestMemory();
    const { memory } = await openWithRunner();

    for (const each of [empty, memory]) {
      for (const reference of [undefined, null, "", 7] as never[]) {
        const calls = [
          () => each.history(reference),
          () => each.undo(reference),
          () => each.restore(reference),
          () => each.get(reference),
        ];
        for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "invalid-input" });
      }
    }
  });

  it("[L8] is purged with the memory: no byte of an earlier text stays", async () => {
    const folder = temporaryFolder();
    const memory = await openTestMemory({ db: join(folder, "memory.db") });
    const { id } = await memory.remember({ content: "the parrot sleeps", name: "parrot-name" });
    await memory.revise(id, { content: "the walrus sleeps", tags: ["walrus-tag"] });
    await memory.rename(id, "otter-name");
    await memory.supersede(id, { content: "nobody sleeps" });
    const words = ["parrot", "walrus", "otter-name"];
    const told = JSON.stringify(await memory.history(id));

    await memory.purge(id);
    // The successor inherited the name, and forgets it with its own history.
    await memory.purge("otter-name");
    await memory.close();

    expect(words.filter((word) => !told.includes(word))).toEqual([]);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    expect(files.length).toBeGreaterThan(0);
    expect([...words, id].filter((word) => files.some((bytes) => bytes.includes(word)))).toEqual([]);
  });
});

async function openWithRunner(): Promise<{ memory: TacitMemory; clock: Clock; id: string }> {
  const clock = movableClock("2026-01-01T00:00:00Z");
  const memory = await openTestMemory({ now: clock.now });
  const { id } = await memory.remember({ type: "gotcha", content: "use jest", name: "runner", aliases: ["tests"] });
  return { memory, clock, id };
}
