import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { MemoryError, type HistoryEntry, type Memory, type TacitMemory } from "../../src/index.js";
import { built } from "../support/child-process.js";
import { after, holderOf, Refusal, type Model, type Operation, type Reference } from "../support/names-model.js";
import { movableClock, openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const pool = ["a", "b", "c"];
const maxEntries = 4;

const name = fc.constantFrom(...pool);
const anyReference = fc.oneof(name, fc.nat(1), fc.nat(maxEntries - 1));
const some = fc.uniqueArray(name, { minLength: 1, maxLength: 2 });
const rebind = fc.boolean();

const add: fc.Arbitrary<Operation> = fc.record({
  verb: fc.constant("add" as const),
  name: fc.option(name, { nil: null }),
  aliases: fc.uniqueArray(name, { maxLength: 2 }),
  isArchive: fc.boolean(),
  rebind,
});
const operation: fc.Arbitrary<Operation> = fc.oneof(
  add,
  fc.record({ verb: fc.constant("rename" as const), of: anyReference, name, keep: fc.boolean(), rebind }),
  fc.record({ verb: fc.constant("alias" as const), of: anyReference, names: some, rebind }),
  fc.record({ verb: fc.constant("unalias" as const), name }),
  fc.record({ verb: fc.constant("write" as const), of: anyReference, force: fc.boolean() }),
  fc.record({ verb: fc.constant("remove" as const), of: anyReference }),
  fc.record({ verb: fc.constant("restore" as const), of: anyReference }),
  { weight: 3, arbitrary: fc.record({ verb: fc.constant("undo" as const), of: anyReference, back: fc.nat(3) }) },
);
// Something to begin with, or most operations would have nothing to work on.
const operations = fc
  .tuple(add, add, fc.array(operation, { minLength: 1, maxLength: 7, size: "max" }))
  .map(([first, second, others]) => [first, second, ...others]);

describe("names", () => {
  it("[N1] [N2] [N3] [N4] [N5] [N6] [N7] [N8] [N9] do what a simple model does, seen from another connection after each operation", async () => {
    // Counting uses by itself would write beside the test, and two connections of one process block each other.
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const clock = movableClock("2026-01-01T00:00:00Z");
    const db = join(temporaryFolder(), "memory.db");
    const connections = [await openTestMemory({ db, now: clock.now }), await openTestMemory({ db, now: clock.now })];
    const refusals = new Set<string>();
    let run = 0;

    await fc.assert(
      fc.asyncProperty(operations, async (chosen) => {
        const world: World = { run: `run-${(run += 1)}`, connections, clock, model: noEntries, known: [], steps: 0 };
        for (const each of chosen) {
          const refusal = await step(world, each);
          if (refusal) refusals.add(refusal);
        }
      }),
      { numRuns: 200 },
    );

    // A model that refuses nothing would prove nothing about refusals.
    const codes = [
      "archive-kept",
      "invalid-input",
      "memory-forgotten",
      "memory-not-found",
      "name-taken",
      "undo-refused",
    ];
    expect([...refusals]).toEqual(expect.arrayContaining(codes));
    expect((await connections[0]?.store.diagnose())?.ok).toBe(true);
  });

  it("[N8] are seen at once by another process that has the store open", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });
    const { id } = await memory.remember({ content: "x", name: "one" });
    const other = startResolver(db);
    const seen: unknown[] = [await resolved(other, ["one", "two", "three"])];

    for (const change of [
      () => memory.rename("one", "two", { keep: true }),
      () => memory.alias("two", ["three"]),
      () => memory.unalias("one"),
      () => memory.undo(id),
      () => memory.forget(id),
      () => memory.restore(id),
    ]) {
      await change();
      seen.push(await resolved(other, ["one", "two", "three"]));
    }

    expect(seen).toEqual([
      [id, null, null],
      [id, id, null],
      [id, id, id],
      [null, id, id],
      [id, id, id],
      [null, null, null],
      [id, id, id],
    ]);
    other.disconnect();
    await once(other, "exit");
  });
});

/** Another process that keeps a store open and answers which memories names mean. */
function startResolver(db: string): ChildProcess {
  const program = `
    import { openMemory } from ${JSON.stringify(built("index.js"))};
    const memory = await openMemory({ db: ${JSON.stringify(db)}, project: "test" });
    process.on("message", async (names) => {
      const found = [];
      for (const name of names) found.push((await memory.get(name))?.id ?? null);
      process.send(found);
    });
    process.on("disconnect", () => memory.close());
  `;
  return spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

async function resolved(process: ChildProcess, names: string[]): Promise<unknown> {
  const answer = once(process, "message");
  process.send(names);
  return ((await answer) as unknown[])[0];
}

const noEntries: Model = { entries: [], steps: [] };

/** One sequence of operations. Its memories carry its tag, and its names its own ending: the store is used for all. */
interface World {
  run: string;
  connections: TacitMemory[];
  clock: ReturnType<typeof movableClock>;
  model: Model;
  /** Of each entry, how it was remembered. */
  known: { id: string; createdAt: string }[];
  steps: number;
}

/** Does one operation in both worlds, through one connection, and compares them through the other. */
async function step(world: World, each: Operation): Promise<string | undefined> {
  const { connections, clock, known } = world;
  if (each.verb === "add" && world.model.entries.length === maxEntries) return undefined;
  clock.addDays(0.001);
  world.steps += 1;
  const [writing, reading] = (world.steps % 2 ? connections : connections.toReversed()) as [TacitMemory, TacitMemory];
  const content = `text ${world.steps} of ${world.run}`;
  const expected = attempt(() => after(world.model, each, content));

  const found = await apply(writing, world, each, content).catch((error: unknown) => error);

  expect(refusalOf(found), JSON.stringify(each)).toEqual(refusalOf(expected, known));
  if (each.verb === "add" && !(found instanceof Error)) known.push(found as Memory);
  if (!(expected instanceof Refusal)) world.model = expected;
  await compare(reading, world);
  return expected instanceof Refusal ? expected.code : undefined;
}

/** The code of a refusal and who holds the name; nothing for what was done. */
function refusalOf(outcome: unknown, known: World["known"] = []): { code?: string; holder?: string | undefined } {
  if (outcome instanceof Refusal) {
    return {
      code: outcome.code,
      holder: outcome.holder === undefined ? undefined : known[outcome.holder]?.id.slice(-8),
    };
  }
  if (outcome instanceof MemoryError) {
    return { code: outcome.code, holder: /belongs to ([0-9a-f]{8}) /.exec(outcome.message)?.[1] };
  }
  if (outcome instanceof Error) throw outcome;
  return {};
}

function attempt(work: () => Model): Model | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function apply(memory: TacitMemory, world: World, each: Operation, content: string): Promise<unknown> {
  const called = (word: string) => `${word} ${world.run}`;
  const of = (reference: Reference) =>
    typeof reference === "string" ? called(reference) : (world.known[reference]?.id ?? "nobody");
  switch (each.verb) {
    case "add":
      return memory.remember(
        {
          content,
          type: each.isArchive ? "archive" : "note",
          tags: [world.run],
          aliases: each.aliases.map(called),
          ...(each.name !== null && { name: called(each.name) }),
        },
        { rebind: each.rebind },
      );
    case "rename": {
      const options = { keep: each.keep, rebind: each.rebind };
      const { takenFrom } = await memory.rename(of(each.of), called(each.name), options);
      return expectTaken(world, [each.name], each.of, takenFrom);
    }
    case "alias": {
      const { takenFrom } = await memory.alias(of(each.of), each.names.map(called), { rebind: each.rebind });
      return expectTaken(world, each.names, each.of, takenFrom);
    }
    case "unalias":
      return memory.unalias(called(each.name));
    case "write":
      return memory.revise(of(each.of), { content }, { force: each.force });
    case "remove":
      return memory.forget(of(each.of));
    case "restore":
      return memory.restore(of(each.of));
    case "undo": {
      const changes = await memory.history(of(each.of));
      const { number } = changes[Math.min(each.back, changes.length - 1)] as HistoryEntry;
      return memory.undo(of(each.of), { number });
    }
    default:
      return each satisfies never;
  }
}

/** Whoever loses a name is told. */
function expectTaken({ model, known }: World, names: string[], of: Reference, takenFrom: string[]): void {
  const own = typeof of === "number" ? of : holderOf(model, of);
  const losers = names.map((each) => holderOf(model, each)).filter((holder) => holder !== undefined && holder !== own);
  expect(new Set(takenFrom)).toEqual(new Set(losers.map((holder) => known[holder as number]?.id)));
}

async function compare(memory: TacitMemory, { run, model, known }: World): Promise<void> {
  const called = (word: string) => `${word} ${run}`;
  for (const each of pool) {
    const holder = holderOf(model, each);
    expect((await memory.get(called(each)))?.id, each).toBe(holder === undefined ? undefined : known[holder]?.id);
  }
  const listed = (await memory.list({ tags: [run] })).map(({ id, createdAt, content, name: word, aliases }) => [
    id,
    { createdAt, content, name: word, aliases },
  ]);
  const expected = model.entries.flatMap(({ facts: { content, name: word, aliases, forgotten } }, index) => {
    const { id, createdAt } = known[index] as Memory;
    const names = { name: word === null ? undefined : called(word), aliases: aliases.map(called) };
    return forgotten === null ? [[id, { createdAt, content, ...names }]] : [];
  });
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(expected));
}
