// After a purge not one byte of a memory is in the database, its log or any file beside it: the raw files are searched.
// Every store is used in other processes, so that the test may open the files.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  callVerbs,
  hold,
  release,
  type RunningProgram,
  startProgram,
  tacit,
  temporaryFolder,
  wait,
} from "./programs.js";
import { isFull, report, scale } from "./scale.js";
import { randomFrom, sentence, word } from "./sentence.mjs";

type Call = [verb: string, ...args: unknown[]];

/** A memory that is to vanish: the calls of its life, and all that it must not leave behind. */
interface Victim {
  name: string;
  life: Call[];
  traces: string[];
}

it("[S11] leaves no byte of a memory that was revised, merged, recalled, forgotten, restored and purged among others", async () => {
  for (let round = 0; round < scale.purgeRounds; round++) {
    const random = randomFrom(round);
    const { folder, db, keeper } = await newStore(random);
    const victims = Array.from({ length: 6 }, (_, index) => victim(random, `victim${index}`));
    const traces = victims.flatMap((one) => one.traces);
    // One life after the other, with others between them, so that pages split and fill around the victims.
    for (const { life } of victims) await use(db, others(random, 30), ...life, others(random, 10), ["close"]);
    const before = await search(folder, traces);

    const purges = await use(
      db,
      ...victims.map(({ name }): Call => ["purge", name]),
      ["store.diagnose"],
      ["list"],
      ["close"],
    );
    const besideTheLog = await search(folder, traces);
    await release(keeper);
    const afterwards = await search(folder, traces);

    expect(before.length).toBeGreaterThan(40);
    expect(purges.slice(1, 7).map(({ value }) => value)).toEqual(victims.map(() => ({ purged: 1, erasure: "done" })));
    expect({ round, besideTheLog, afterwards }).toEqual({ round, besideTheLog: [], afterwards: [] });
    expect(valueOf(purges, "store.diagnose")).toMatchObject({ ok: true });
    expect(valueOf(purges, "list")).toHaveLength(20 + 6 * 40);
  }
  report(`purge: ${scale.purgeRounds * 6} memories in ${scale.purgeRounds} stores, 0 bytes left`);
});

it("[S11] leaves no byte of words that share their beginning, which an index would keep to tell its pages apart", async () => {
  const random = randomFrom(77);
  const { folder, db, keeper } = await newStore(random);
  const beginnings = [word(random, 8), word(random, 8)];
  const [first = "", second = ""] = beginnings.map((beginning) =>
    Array.from({ length: 1500 }, () => `${beginning}${word(random, 3)}`).join(" "),
  );
  const calls: Call[] = [
    ["remember", { content: first, name: "victim" }],
    ["revise", "victim", { content: second }],
  ];
  await use(db, ...calls, others(random, 30), ["close"]);
  const before = await search(folder, beginnings);

  const purged = await use(db, ["purge", "victim"], ["close"]);
  const besideTheLog = await search(folder, beginnings);
  await release(keeper);

  expect(before).not.toEqual([]);
  expect(valueOf(purged, "purge")).toEqual({ purged: 1, erasure: "done" });
  expect(besideTheLog).toEqual([]);
});

it.each<[what: string, target: object, survivors: number]>([
  ["of a project that is purged", { project: true }, 20],
  ["when everything is purged", { all: true }, 0],
])("leaves no byte %s", async (_, target, survivors) => {
  const random = randomFrom(42);
  const { folder, db, keeper } = await newStore(random);
  const victims = Array.from({ length: isFull ? 6 : 3 }, (_unused, index) => victim(random, `victim${index}`));
  const traces = [...victims.flatMap((one) => one.traces), "projectofvictims"];
  for (const one of victims) await useAs("projectofvictims", db, others(random, 20), ...one.life, ["close"]);
  const before = await search(folder, traces);

  const purged = await useAs("projectofvictims", db, ["purge", target], ["store.diagnose"], ["close"]);
  const besideTheLog = await search(folder, traces);
  await release(keeper);
  const afterwards = await search(folder, traces);
  const left = await use(db, ["list"], ["store.diagnose"], ["close"]);

  expect(before.length).toBeGreaterThan(20);
  expect(valueOf(purged, "purge")).toMatchObject({ erasure: "done" });
  expect({ besideTheLog, afterwards }).toEqual({ besideTheLog: [], afterwards: [] });
  expect(valueOf(left, "list")).toHaveLength(survivors);
  expect(valueOf(left, "store.diagnose")).toMatchObject({ ok: true });
});

it("[S11] leaves nothing of what was purged through the command line", async () => {
  const random = randomFrom(5);
  const { folder, db, keeper } = await newStore(random);
  const { name, life, traces } = victim(random, "victim");
  await use(db, ...life, ["close"]);
  const before = await search(folder, traces);

  const run = await tacit(["purge", name, "--yes", "--db", db, "--project", "p", "--json"]);
  const besideTheLog = await search(folder, traces);
  await release(keeper);

  expect(before.length).toBeGreaterThan(40);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(run.stdout)).toEqual({ purged: 1, erasure: "done" });
  expect(besideTheLog).toEqual([]);
});

it.each<[who: string, finish: (db: string) => Promise<unknown>]>([
  ["the next close", async (db) => use(db, ["list"], ["close"])],
  ["doctor", async (db) => tacit(["doctor", "--db", db, "--project", "p", "--json"])],
  ["the next purge", async (db) => use(db, ["purge", { all: true }])],
])("says pending while another process reads the old pages, and %s finishes it", async (_, finish) => {
  const random = randomFrom(9);
  const { folder, db, keeper } = await newStore(random);
  const { name, life, traces } = victim(random, "victim");
  await use(db, ...life, ["close"]);
  const reader = await hold(db, "read");

  const purged = await use(db, ["purge", name], ["close"]);
  const doctor = await tacit(["doctor", "--db", db, "--project", "p", "--json"]);
  const whilePending = await search(folder, traces);
  await release(reader);
  await finish(db);
  const finished = await search(folder, traces);
  const later = await tacit(["doctor", "--db", db, "--project", "p", "--json"]);
  await release(keeper);

  expect(valueOf(purged, "purge")).toEqual({ purged: 1, erasure: "pending" });
  expect(doctor.code).toBe(0);
  expect(erasureCheck(JSON.parse(doctor.stdout))).toMatchObject({ status: "warning", hint: expect.any(String) });
  expect(whilePending).not.toEqual([]);
  expect(finished).toEqual([]);
  expect(erasureCheck(JSON.parse(later.stdout))).toMatchObject({ status: "ok" });
  expect(await search(folder, traces)).toEqual([]);
});

it("[S11] leaves nothing when the purging process is killed, once doctor has looked", async () => {
  let gone = 0;
  for (let round = 0; round < scale.killsDuringPurge; round++) {
    const random = randomFrom(100 + round);
    const { folder, db, keeper } = await newStore(random);
    const { name, life, traces } = victim(random, "victim");
    await use(db, ...life, ["close"]);

    const purging = startProgram("verbs.mjs", { db, project: "p", calls: [["purge", name], ["close"]] });
    await purging.heard(({ call }) => (call as Call)[0] === "open");
    await wait(Math.random() * 30);
    purging.kill();
    await purging.ended;
    const after = await use(db, ["store.diagnose"], ["get", name], ["close"]);
    const left = await search(folder, traces);
    await release(keeper);

    const isGone = valueOf(after, "get") === null;
    const wasAcknowledged = purging.lines.some(({ call, value }) => (call as Call)[0] === "purge" && value);
    gone += isGone ? 1 : 0;
    expect(valueOf(after, "store.diagnose")).toMatchObject({ ok: true });
    expect({ round, left: isGone ? left : [] }).toEqual({ round, left: [] });
    expect({ round, isLost: wasAcknowledged && !isGone }).toEqual({ round, isLost: false });
  }
  report(`purge killed: ${scale.killsDuringPurge} kills, ${gone} after the memory was gone, 0 bytes left`);
});

/**
 * A store with a few memories, and a process that keeps it open all the time: without that, whoever closes the file
 * last would tidy its log away, and nothing that is left in there would ever be seen.
 */
async function newStore(random: () => number): Promise<{ folder: string; db: string; keeper: RunningProgram }> {
  const folder = temporaryFolder();
  const db = join(folder, "memory.db");
  await use(db, others(random, 20), ["close"]);
  return { folder, db, keeper: await hold(db, "open") };
}

/** Calls verbs in another process. None of them may fail. */
async function use(db: string, ...calls: Call[]): Promise<{ call: Call; value: unknown }[]> {
  return useAs("p", db, ...calls);
}

async function useAs(project: string, db: string, ...calls: Call[]): Promise<{ call: Call; value: unknown }[]> {
  const lines = await callVerbs({ db, project, calls });
  expect(lines.filter((line) => "error" in line)).toEqual([]);
  return lines as unknown as { call: Call; value: unknown }[];
}

function valueOf(answers: { call: Call; value: unknown }[], verb: string): unknown {
  return answers.find(({ call }) => call[0] === verb)?.value;
}

function erasureCheck(diagnosis: unknown): unknown {
  return (diagnosis as { checks: { name: string }[] }).checks.find(({ name }) => name === "erasure");
}

function others(random: () => number, count: number): Call {
  return [
    "rememberMany",
    Array.from({ length: count }, () => ({
      content: sentence(random, `other ${word(random)}`),
      tags: [`tag-${word(random, 2)}`],
      relatedFiles: [`src/${word(random, 2)}/${word(random, 3)}.ts`],
      metadata: { ticket: word(random, 4) },
    })),
  ];
}

/** A memory in every field of which stand words that nothing else in the store has. */
function victim(random: () => number, name: string): Victim {
  const traces: string[] = [];
  const secret = (): string => {
    // Longer than any word of the others, so that nothing of it can be in the store by chance.
    const made = word(random, 10);
    traces.push(made);
    return made;
  };
  const secrets = (count: number): string => Array.from({ length: count }, () => secret()).join(" ");
  const camel = secret().replace(/^./, (letter) => letter.toUpperCase());
  const own = `${name}${secret()}`;
  const content = `Once ${secrets(12)} and get${camel}ById.`;
  const long = `Then ${secrets(250)}.`;
  const session = `session-${secret()}`;
  const life: Call[] = [
    [
      "remember",
      {
        type: "dead_end",
        content,
        name: own,
        aliases: [`alias-${secret()}`],
        tags: [secret(), `Tag-${secret()}`],
        relatedFiles: [`src/${secret()}/${secret()}.ts`],
        relatedModules: [secret()],
        sessionId: session,
        agent: secret(),
        commit: secret(),
        branch: `feature/${secret()}`,
        metadata: { [secret()]: secret(), nested: { list: [secret()] } },
        data: { approachTried: secret(), whyItFailed: secret(), extra: { deep: secret() } },
        graphNodes: [secret()],
        citationText: secret(),
        workUnit: { methodology: secret(), hierarchy: [secret()], label: secret() },
        methodology: secret(),
        chunk: { kind: "prose", startLine: 1, endLine: 2, contextPrefix: secret() },
        relations: [{ kind: "validates", file: `src/${secret()}.ts`, confidence: 1, automatic: false }],
      },
    ],
    [
      "remember",
      {
        type: "dead_end",
        content,
        tags: [secret()],
        relatedFiles: [`lib/${secret()}.ts`],
        sessionId: `session-${secret()}`,
      },
    ],
    ["recall", content],
    ["revise", own, { content: long, tags: [secret(), secret()] }],
    ["recall", long.slice(0, 200)],
    [
      "revise",
      own,
      { content: `At last ${secrets(5)}.`, relatedFiles: [`src/${secret()}.ts`], metadata: { after: secret() } },
    ],
    ["flag", own, `because ${secret()}`],
    ["forget", own],
    ["restore", own],
    ["get", own],
  ];
  // The index cuts off endings, and may keep of a word only what its neighbour in the alphabet does not share.
  return { name: own, life, traces: [...traces, ...traces.map((trace) => trace.slice(2, 16))] };
}

/** Which traces are in which files of a folder, as they are written or in small letters. */
async function search(folder: string, traces: string[]): Promise<string[]> {
  // Thousands of traces in megabytes: each place is looked up by its first four characters.
  const byBeginning = new Map<number, string[]>();
  for (const trace of new Set(traces.map((one) => one.toLowerCase()))) {
    const beginning = Buffer.from(trace).readInt32LE();
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), trace]);
  }
  return readdirSync(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file)).toString("latin1").toLowerCase();
    const bytes = Buffer.from(text, "latin1");
    const found = new Set<string>();
    for (let at = 0; at + 4 <= bytes.length; at += 1) {
      for (const trace of byBeginning.get(bytes.readInt32LE(at)) ?? [])
        if (text.startsWith(trace, at)) found.add(trace);
    }
    return [...found].map((trace) => `${trace} in ${file}`);
  });
}
