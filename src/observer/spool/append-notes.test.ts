import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  jsonValue,
  nat,
  oneof,
  option,
  property,
  record,
  string,
  tuple,
  type Arbitrary,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { compiled, ended, runProgram, startProgram } from "../../../test/support/child-process.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Note } from "../observer.js";
import { readUntrustedMark } from "./untrusted-mark.js";
import { validateNote } from "../notes/validate-note.js";
import { readHeader, readSpool } from "./read-spool.js";
import { appendNotes } from "./append-notes.js";
import { openSpoolPlace, spoolFolder, type SpoolPlace } from "./spool-place.js";

describe("a spool", () => {
  it("gives back what was written, each agent in its order", async () => {
    await assert(
      asyncProperty(array(tuple(option(agentId, { nil: undefined }), array(arbitraryNote))), async (all) => {
        const place = newPlace();
        for (const [agent, notes] of all) await appendNotes(place, "s", agent, notes);

        const read = await readAll(place, "s");

        for (const agent of new Set(all.map(([id]) => id))) {
          const written = all.flatMap(([id, notes]) => (id === agent ? notes : []));
          expect(read.notes.filter((one) => one.agentId === agent).map(({ note }) => note)).toEqual(plain(written));
        }
        expect(read.skipped).toBe(0);
        expect(read.notes.length).toBe(all.flatMap(([, notes]) => notes).length);
      }),
      { numRuns: 40 },
    );
  });

  it("is for its owner only, and says whose it is", async () => {
    const place = newPlace({ project: "shop" });

    await appendNotes(place, "s1", undefined, [prompt(1)]);
    await appendNotes(place, "s1", "helper", [prompt(2)]);

    const folder = spoolFolder(place, "s1");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(await readHeader(folder)).toEqual({
      spool: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sessionId: "s1",
      db: place.db,
      root: place.root,
      project: "shop",
    });
  });

  it("is made by the first note and not before", async () => {
    const place = newPlace();

    await appendNotes(place, "s", undefined, []);

    expect(readdirSync(place.home)).toEqual([]);
  });

  it("goes on after a line that was cut", async () => {
    const place = newPlace();
    const file = join(spoolFolder(place, "s"), "main.jsonl");
    await appendNotes(place, "s", undefined, [prompt(1), prompt(2)]);
    truncateSync(file, statSync(file).size - 5);

    await appendNotes(place, "s", undefined, [prompt(3)]);

    const { notes, skipped } = await readAll(place, "s");
    expect(notes.map(({ note }) => note)).toEqual([prompt(1), prompt(3)]);
    expect(skipped).toBe(1);
  });

  it("has a header even where the first line was cut", async () => {
    const place = newPlace();
    const file = join(spoolFolder(place, "s"), "main.jsonl");
    await appendNotes(place, "s", undefined, [prompt(1)]);
    truncateSync(file, 20);

    await appendNotes(place, "s", undefined, [prompt(2)]);

    expect(await readHeader(spoolFolder(place, "s"))).toMatchObject({ sessionId: "s" });
    expect((await readAll(place, "s")).notes).toEqual([{ agentId: undefined, note: prompt(2) }]);
  });

  it("skips and counts what is no note, however long", async () => {
    const place = newPlace();
    const file = join(spoolFolder(place, "s"), "main.jsonl");
    await appendNotes(place, "s", undefined, [prompt(1)]);
    const damaged = ["no JSON", "null", "[]", '{"kind":"prompt"}', '{"kind":"constructor","at":1}', "\ud800\0"];
    appendFileSync(file, `${damaged.join("\n")}\n\n\n${"x".repeat(3_000_000)}\n`);
    await appendNotes(place, "s", undefined, [prompt(2)]);

    const { notes, skipped } = await readAll(place, "s");

    expect(notes.map(({ note }) => note)).toEqual([prompt(1), prompt(2)]);
    expect(skipped).toBe(damaged.length + 1);
  });

  it("notes at once that content came from outside, and keeps to the first", async () => {
    const place = newPlace();
    await appendNotes(place, "s", undefined, [prompt(1)]);
    const before = readUntrustedMark(spoolFolder(place, "s"), "outside");
    await appendNotes(place, "s", "helper", [fetched("example.org")]);
    await appendNotes(place, "s", undefined, [fetched("example.com")]);

    expect(before).toBeUndefined();
    expect(readUntrustedMark(spoolFolder(place, "s"), "outside")).toEqual({ from: "web", what: "example.org" });
    expect(readUntrustedMark(spoolFolder(place, "other"), "outside")).toBeUndefined();
  });

  it("does without what tells little when it is full, and never without what tells of the outside", async () => {
    const place = newPlace();
    const folder = spoolFolder(place, "s");
    await appendNotes(place, "s", undefined, [prompt(1)]);
    await appendNotes(place, "s", "helper", [prompt(1)]);
    truncateSync(join(folder, agentFile(folder)), 51 * 1024 * 1024);
    const step: Note = { kind: "step", at: 2 };
    const look: Note = { kind: "call", at: 2, call: "a", tool: "LS", does: "other" };
    const read: Note = { kind: "call", at: 2, call: "b", tool: "Read", does: "read", files: ["vendor/a.md"] };

    await appendNotes(place, "s", undefined, [step, look, read, fetched("example.org"), prompt(3)]);

    const { notes } = await readAll(place, "s");
    const ofMain = notes.filter(({ agentId: agent }) => agent === undefined).map(({ note }) => note);
    expect(ofMain).toEqual([prompt(1), read, fetched("example.org"), prompt(3)]);
  });

  it("takes nothing but the end when it runs over", async () => {
    const place = newPlace();
    const folder = spoolFolder(place, "s");
    await appendNotes(place, "s", undefined, [prompt(1)]);
    await appendNotes(place, "s", "helper", [prompt(1)]);
    truncateSync(join(folder, agentFile(folder)), 60.5 * 1024 * 1024);
    const end: Note = { kind: "end", at: 3, outcome: "success" };

    await appendNotes(place, "s", undefined, [prompt(2), end]);

    const { notes } = await readAll(place, "s");
    expect(notes.slice(0, 2).map(({ note }) => note)).toEqual([prompt(1), end]);
  });

  it("does not make a file for each of countless agents", async () => {
    const place = newPlace();

    for (let count = 0; count < 300; count++) await appendNotes(place, "s", `agent ${count}`, [prompt(count)]);

    expect(readdirSync(spoolFolder(place, "s")).length).toBeLessThanOrEqual(257);
    expect((await readAll(place, "s")).notes.length).toBe(300);
  });

  it("loses no line of eight processes that write at once", async () => {
    const place = newPlace();
    const programs = Array.from({ length: 8 }, (_, writer) => runProgram(writingProgram(place, writer, 200)));

    const codes = await Promise.all(programs.map(ended));

    expect(codes).toEqual(Array.from({ length: 8 }, () => 0));
    const { notes, skipped } = await readAll(place, "s");
    const texts = notes.map(({ note }) => (note.kind === "prompt" ? note.text.slice(0, 10).trim() : ""));
    expect(skipped).toBe(0);
    for (let writer = 0; writer < 8; writer++) {
      const own = texts.filter((text) => text.startsWith(`${writer}:`));
      expect(own).toEqual(Array.from({ length: 200 }, (_, count) => `${writer}:${count}`));
    }
    const headers = readFileSync(join(spoolFolder(place, "s"), "main.jsonl"), "utf8").match(/"spool":"[^"]+"/g);
    expect((await readHeader(spoolFolder(place, "s")))?.spool).toBe(headers?.[0]?.slice(9, -1));
  });

  it("can be read after its writer was killed, with all that the writer told of", async () => {
    for (let round = 0; round < 5; round++) {
      const place = newPlace();
      const child = await startProgram(writingProgram(place, 0, 100_000));
      let told = "";
      child.stdout?.on("data", (text: Buffer) => (told += text.toString()));
      await new Promise((wake) => setTimeout(wake, 30 + round * 17));
      child.kill("SIGKILL");
      await ended(child);

      await appendNotes(place, "s", undefined, [prompt(9)]);

      const { notes, skipped } = await readAll(place, "s");
      expect(skipped).toBeLessThanOrEqual(1);
      expect(notes.at(-1)?.note).toEqual(prompt(9));
      const complete = told.lastIndexOf("\n") < 0 ? 0 : told.slice(0, told.lastIndexOf("\n")).split("\n").length;
      expect(notes.length).toBeGreaterThanOrEqual(complete);
    }
  });
});

describe("the place of a spool", () => {
  it("is the same however the store is written", () => {
    const home = temporaryFolder();
    const place = { home, root: "/r" };
    const file = join(home, "m.db");

    expect(openSpoolPlace({ ...place, db: `file://${file}` })).toEqual(openSpoolPlace({ ...place, db: file }));
    expect(openSpoolPlace({ ...place, db: join(home, "not", "yet", "..", "yet", "m.db") })?.db).toMatch(
      /not.yet.m\.db$/,
    );
  });

  it("holds no credentials, and is none for a store in memory", () => {
    const place = { home: "/h", root: "/r" };

    expect(openSpoolPlace({ ...place, db: ":memory:" })).toBeUndefined();
    expect(openSpoolPlace({ ...place, db: "libsql://ada:secret@db.example.org/x?authToken=secret" })?.db).toBe(
      "libsql://db.example.org/x",
    );
  });

  it("differs by store, root and session", () => {
    const place: SpoolPlace = { home: "/h", db: "/a", root: "/r" };
    const folders = [place, { ...place, db: "/b" }, { ...place, root: "/s" }].map((one) => spoolFolder(one, "1"));

    expect(new Set([...folders, spoolFolder(place, "2")]).size).toBe(4);
  });
});

describe("the shape of a note", () => {
  it("is that of every note, and nothing of a wrong type stays in it", () => {
    assert(
      property(arbitraryNote, (note) => {
        expect(validateNote(plain(note))).toEqual(plain(note));
      }),
    );
    assert(
      property(arbitraryNote, nat(), (note, choice) => {
        const names = Object.keys(note);
        const name = names[choice % names.length] as string;
        const wrong = { ...note, [name]: { odd: true, toString: 1 } };
        expect(validateNote(wrong) ?? {}).not.toHaveProperty(name);
      }),
    );
  });

  it("is not that of arbitrary JSON", () => {
    assert(
      property(jsonValue(), (value) => {
        expect(validateNote(value)).toBeUndefined();
      }),
    );
  });
});

function newPlace(fields: Partial<SpoolPlace> = {}): SpoolPlace {
  const home = temporaryFolder();
  return { home, db: join(home, "memory.db"), root: "/project", ...fields };
}

async function readAll(place: SpoolPlace, sessionId: string) {
  const report = { skipped: 0 };
  const notes: { agentId: string | undefined; note: Note }[] = [];
  const folder = spoolFolder(place, sessionId);
  mkdirSync(folder, { recursive: true });
  for await (const { agentId, notes: some } of readSpool(folder, report))
    for (const note of some) notes.push({ agentId, note });
  return { notes, skipped: report.skipped };
}

function agentFile(folder: string): string {
  return readdirSync(folder).find((name) => name.startsWith("agent-")) as string;
}

function prompt(at: number): Note {
  return { kind: "prompt", at, text: `prompt ${at}` };
}

function fetched(host: string): Note {
  return { kind: "call", at: 5, call: host, tool: "WebFetch", does: "fetch", outside: { from: "web", what: host } };
}

/** Writes notes of different lengths, and tells of each when it is written. */
function writingProgram(place: SpoolPlace, writer: number, count: number): string {
  return `
    import { appendNotes } from ${JSON.stringify(compiled("observer/spool/append-notes.js"))};
    import { writeSync } from "node:fs";
    for (let n = 0; n < ${count}; n++) {
      const text = ("${writer}:" + n).padEnd(10) + "x".repeat((n * 37) % 9000);
      await appendNotes(${JSON.stringify(place)}, "s", undefined, [{ kind: "prompt", at: n, text }]);
      writeSync(1, n + "\\n");
    }
  `;
}

/** As JSON carries it. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

const text = oneof(string({ unit: "binary", maxLength: 30 }), constantFrom("\ud800", "\0", "\n", "\u2028", ""));
const agentId = constantFrom("a", "b/../c", "\ud83d\ude00", "x".repeat(500));
const at = integer({ min: 0, max: 4e12 });
const outside = record({ from: constantFrom("web" as const, "mcp" as const, "file" as const), what: text });

const arbitraryNote: Arbitrary<Note> = oneof(
  record({ kind: constant("start" as const), at, root: text }),
  record({ kind: constant("prompt" as const), at, text }),
  record(
    {
      kind: constant("call" as const),
      at,
      call: text,
      tool: text,
      does: constantFrom("read" as const, "run" as const, "other" as const),
      files: array(text),
      edit: record({ pairs: array(tuple(text, text)), lines: nat() }),
      command: record({ line: text, name: text, purpose: constantFrom("test" as const, "look" as const) }),
      outside,
    },
    { requiredKeys: ["kind", "at", "call", "tool", "does"] },
  ),
  record(
    {
      kind: constant("result" as const),
      at,
      call: text,
      bytes: nat(),
      failed: boolean(),
      error: record({ fingerprint: text, message: text, kind: text }),
      outside,
    },
    { requiredKeys: ["kind", "at", "call", "bytes"] },
  ),
  record({
    kind: constant("said" as const),
    at,
    sayings: array(record({ is: constantFrom("plan" as const, "cause" as const), text })),
  }),
  record({
    kind: constant("unit" as const),
    at,
    unit: record({ methodology: text, hierarchy: array(text), label: text }),
    state: constantFrom("started" as const, "failed" as const),
  }),
  record({ kind: constant("commit" as const), at, sha: text, message: text, files: array(text) }),
  record({ kind: constant("end" as const), at, outcome: constantFrom("success" as const, "unknown" as const) }),
);
