// Stores that cannot be written, cannot be read, or are no stores at all. Tacit says so, never "saved" when it was
// not, and never overwrites what it did not write. Every store is used in processes of its own, so that the test may
// open the files.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Store } from "../../src/storage/storage.js";
import type { Diagnosis, Memory } from "../../src/index.js";
import { runProgram, startProgram, tacit, temporaryFolder, type Said } from "./programs.js";
import { scale } from "./scale.js";
import { randomFrom, sentence } from "./sentence.mjs";

const pageBytes = 4096;
const nobody = 65534;

/** What a verb gave or threw, in a process of its own. */
interface Outcome {
  verb: string;
  args: unknown[];
  value?: unknown;
  error?: { name: string; code: string; message: string; hint: string; isMemoryError: boolean };
}

describe("a disk without room", () => {
  it("[ulimit -f] is told of each memory that was not saved, and keeps those that were", async () => {
    const db = join(temporaryFolder(), "memory.db");

    const lines = await runProgram("writer.mjs", fillingUp(db), { under: `ulimit -f 2000; exec "$@" < <(echo go)` });

    await expectOnlyAcknowledged(lines, db, ["store-failed", "store-full"]);
  });

  it("[a full file system] is told of each memory that was not saved, and keeps those that were", async () => {
    const outside = temporaryFolder();
    const room = join(outside, "room");
    const kept = join(outside, "kept");
    mkdirSync(room);
    mkdirSync(kept);
    // A file system of 2 MB that only this program and its children see.
    const inSmallRoom = (inside: string) =>
      `exec unshare -rm bash -c 'mount -t tmpfs -o size=2000k none "${room}" && ${inside}' bash "$@"`;
    if (spawnSync("bash", ["-c", inSmallRoom("true")]).status !== 0) {
      console.warn("Skipped: this system gives no private mount to make a full disk with.");
      return;
    }

    const lines = await runProgram("writer.mjs", fillingUp(join(room, "memory.db")), {
      under: inSmallRoom(`"$@" < <(echo go) && cp -a "${room}/." "${kept}/"`),
    });

    await expectOnlyAcknowledged(lines, join(kept, "memory.db"), ["store-full"]);
  });

  it("[max_page_count] says store-full, and goes on when there is room again", async () => {
    const store = new Store({ db: join(temporaryFolder(), "memory.db"), timeoutMs: 5000 });
    const keep = async (name: string) =>
      store.write(async (writer) =>
        writer.run("INSERT INTO store_state (name, value) VALUES (:name, :value)", { name, value: "x".repeat(20_000) }),
      );
    const setLimit = async (pages: number) =>
      store.write(async (writer) => writer.rows(`PRAGMA max_page_count = ${pages}`));
    await keep("before");
    const [size] = await store.read(async (reader) => reader.rows("PRAGMA page_count"));

    const limit = await setLimit(Number(size?.["page_count"]) + 2);
    const error: unknown = await keep("without room").catch((thrown: unknown) => thrown);
    await setLimit(1_000_000);
    await keep("after");

    const names = await store.read(async (reader) => reader.rows("SELECT name FROM store_state ORDER BY name"));
    await store.close();
    expect(limit[0]?.["max_page_count"]).toBe(Number(size?.["page_count"]) + 2);
    expect(error).toMatchObject({ name: "MemoryError", code: "store-full", hint: expect.any(String) });
    expect(names.map((row) => row["name"]).filter((name) => name !== "tokenizer")).toEqual(["after", "before"]);
  });

  function fillingUp(db: string): object {
    return { db, project: "p", name: "filler", seed: 1, count: 150 };
  }

  async function expectOnlyAcknowledged(lines: Said[], db: string, codes: string[]): Promise<void> {
    const acknowledged = lines.filter((line) => "id" in line);
    const errors = lines.flatMap((line) => ("error" in line ? [line["error"] as { name: string; code: string }] : []));
    const listed = await use(db, ["list", { status: "any" }], ["diagnose"], ["remember", { content: "room again" }]);

    expect(acknowledged.length).toBeGreaterThan(10);
    expect(errors.length).toBeGreaterThan(10);
    expect(errors.filter(({ name, code }) => name !== "MemoryError" || !codes.includes(code))).toEqual([]);
    expect(contentsIn(listed)).toEqual(new Map(acknowledged.map(({ id, content }) => [id, content])));
    expect(valueOf(listed, "diagnose")).toMatchObject({ ok: true });
    expect(await contentsOf(db)).toContain("room again");
  }
});

describe.skipIf(process.platform === "win32")("a folder or file that may not be written", () => {
  const refusals = ["store-read-only", "store-unreachable"];

  it("a read-only folder with a store in it is not changed, and recall works or says why not", async () => {
    const { folder, db } = await closedStore(3);
    chmodSync(db, 0o444);
    protect(folder, 0o555);
    const before = picture(folder);

    const outcomes = await useAsNobody(db, ["recall", "memory"], ["list"], ["remember", { content: "not here" }], ["diagnose"], ["close"]);

    expectRefusal(outcomes, "remember", refusals);
    for (const verb of ["recall", "list"]) {
      const outcome = outcomeOf(outcomes, verb);
      if (outcome.error) expectRefusal(outcomes, verb, refusals);
      else expect(outcome.value).toHaveLength(3);
    }
    expect(outcomeOf(outcomes, "diagnose").error).toBeUndefined();
    expect(picture(folder)).toEqual(before);
  });

  it("a read-only file in a folder of one's own is not changed", async () => {
    const { folder, db, contents } = await closedStore(3);
    chmodSync(db, 0o444);
    protect(folder, 0o777);
    const before = picture(folder)["memory.db"];

    const outcomes = await useAsNobody(db, ["list"], ["remember", { content: "not here" }], ["close"]);

    expectRefusal(outcomes, "remember", refusals);
    const listed = outcomeOf(outcomes, "list");
    if (listed.error) expectRefusal(outcomes, "list", refusals);
    else expect(contentsIn(outcomes)).toEqual(contents);
    expect(picture(folder)["memory.db"]).toBe(before);
  });

  it("a new store in a read-only folder is refused, and reading it finds nothing", async () => {
    const folder = protect(temporaryFolder(), 0o555);

    const outcomes = await useAsNobody(join(folder, "memory.db"), ["list"], ["remember", { content: "not here" }], ["list"], ["close"]);

    expectRefusal(outcomes, "remember", refusals);
    expect(outcomes.filter(({ verb }) => verb === "list").map(({ value }) => value)).toEqual([[], []]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("a new folder below a read-only folder is refused", async () => {
    const folder = protect(temporaryFolder(), 0o555);

    const outcomes = await useAsNobody(join(folder, "new", "memory.db"), ["remember", { content: "not here" }], ["close"]);

    expectRefusal(outcomes, "remember", refusals);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("a folder that may not even be entered is refused, to readers too", async () => {
    const { folder, db } = await closedStore(1);
    protect(folder, 0o000);

    const outcomes = await useAsNobody(db, ["list"], ["remember", { content: "not here" }], ["diagnose"], ["close"]);

    expectRefusal(outcomes, "remember", refusals);
    expectRefusal(outcomes, "list", refusals);
    expect(outcomeOf(outcomes, "diagnose")).toMatchObject({ value: { ok: false } });
  });

  it("a folder that is a file is refused", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "not a folder");

    const outcomes = await use(join(file, "memory.db"), ["remember", { content: "not here" }], ["close"]);
    const run = await tacit(["remember", "not here", "--db", join(file, "memory.db"), "--json"]);

    expectRefusal(outcomes, "remember", refusals);
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: expect.stringMatching(/^store-/), hint: expect.any(String) } });
    expect(readFileSync(file, "utf8")).toBe("not a folder");
  });

  /** Root may write anywhere, so under root the work is done as nobody. */
  async function useAsNobody(db: string, ...calls: unknown[][]): Promise<Outcome[]> {
    return use(db, ...calls, ...(process.getuid?.() === 0 ? [{ asUser: nobody }] : []));
  }

  function protect(folder: string, mode: number): string {
    chmodSync(folder, mode);
    onTestFinished(() => chmodSync(folder, 0o700));
    return folder;
  }
});

describe("a damaged store", () => {
  it("works truly or says that it is damaged, whichever page was overwritten", async () => {
    const { folder, db, contents } = await closedStore(250);
    const pages = statSync(db).size / pageBytes;
    const random = randomFrom(7);
    const chosen = shuffled(Array.from({ length: pages }, (_, index) => index), random).slice(0, scale.damagedPages);

    for (const [round, page] of chosen.entries()) {
      const hurt = join(folder, `page-${page}.db`);
      copyFileSync(db, hurt);
      overwrite(hurt, page * pageBytes, round % 3 === 2 ? Buffer.alloc(pageBytes) : noise(random, pageBytes));

      await expectTrueOrDamaged(hurt, contents, `page ${page} of ${pages}`);
    }
  });

  it("works truly or says that it is damaged when bytes in the middle of pages were overwritten", async () => {
    const { folder, db, contents } = await closedStore(250);
    const random = randomFrom(11);

    for (let round = 0; round < Math.ceil(scale.damagedPages / 2); round++) {
      const hurt = join(folder, `bytes-${round}.db`);
      copyFileSync(db, hurt);
      // Cell pointers and cell headers lie in the first bytes after a page's header; what follows is text, which no
      // database can tell from other text.
      const page = 1 + Math.floor(random() * (statSync(db).size / pageBytes - 1));
      overwrite(hurt, page * pageBytes, noise(random, 48));

      await expectTrueOrDamaged(hurt, contents, `the head of page ${page}`);
    }
  });

  it.each([
    ["half of it", (bytes: number) => Math.floor(bytes / pageBytes / 2) * pageBytes],
    ["half of it, in the middle of a page", (bytes: number) => Math.floor(bytes / 2) + 123],
    ["one page", () => pageBytes],
    ["100 bytes", () => 100],
  ])("is refused and not touched when only %s is left", async (_, left) => {
    const { folder, db } = await closedStore(100);
    truncateSync(db, left(statSync(db).size));
    const before = picture(folder);

    const outcomes = await use(db, ["list"], ["recall", "memory"], ["remember", { content: "not here" }], ["diagnose"], ["close"]);
    const doctor = await tacit(["doctor", "--db", db, "--json"]);

    for (const verb of ["list", "recall", "remember"]) expectRefusal(outcomes, verb, ["store-damaged", "store-not-a-database"]);
    expect(valueOf(outcomes, "diagnose")).toMatchObject({ ok: false });
    expect(doctor.code).toBe(1);
    expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: false });
    expectUntouched(folder, before);
  });

  it("is refused and not touched when it is empty while its log still holds changes", async () => {
    const { folder, db } = await killedStore();
    truncateSync(db, 0);
    const before = picture(folder);

    const outcomes = await use(db, ["list"], ["recall", "memory"], ["remember", { content: "not here" }], ["purge", { all: true }], ["diagnose"], ["close"]);

    expect(statSync(`${db}-wal`).size).toBeGreaterThan(0);
    expectRefusal(outcomes, "remember", ["store-damaged"]);
    for (const verb of ["list", "recall"]) expectRefusal(outcomes, verb, ["store-damaged"]);
    expect(valueOf(outcomes, "diagnose")).toMatchObject({ ok: false });
    expectUntouched(folder, before);
  });

  it("keeps what its log held when the process that wrote it was killed", async () => {
    const { db, contents } = await killedStore();

    const outcomes = await use(db, ["list"], ["diagnose"], ["close"]);

    expect(contents.size).toBeGreaterThan(0);
    expect(contentsIn(outcomes)).toEqual(contents);
    expect(valueOf(outcomes, "diagnose")).toMatchObject({ ok: true });
  });

  /** Uses every verb on a damaged copy, then looks from a fresh process whether what was said is so. */
  async function expectTrueOrDamaged(db: string, contents: Map<string, string>, where: string): Promise<void> {
    const [first = "", second = "", third = "", fourth = "", fifth = ""] = contents.keys();
    const sound = await isSound(db);
    const outcomes = await use(
      db,
      ["diagnose"],
      ["list"],
      ["recall", contents.get(first)?.split(" ")[3] ?? ""],
      ["get", first],
      ["remember", { content: "remembered in a damaged store", tags: ["new"] }],
      ["rememberMany", [{ content: "many in a damaged store" }, { content: "more in a damaged store" }]],
      ["revise", second, { content: "revised in a damaged store" }],
      ["supersede", third, { content: "superseding in a damaged store" }],
      ["forget", fourth],
      ["pin", fifth],
      ["purge", first],
      ["backup", `${db}.copy`],
      ["close"],
    );

    for (const { verb, error } of outcomes) {
      if (!error) continue;
      expect.soft({ where, verb, ...error }).toMatchObject({
        isMemoryError: true,
        // A row that cannot be found is said to be missing only when the damage hides it; then doctor says so.
        code: expect.stringMatching(sound ? /^never$/ : /^store-(damaged|not-a-database)$|^memory-not-found$/),
        hint: expect.any(String),
      });
    }
    const seen = outcomeOf(outcomes, "list").value as Memory[] | undefined;
    for (const { id, content } of seen ?? []) expect.soft({ where, content }).toEqual({ where, content: contents.get(id) });
    if (sound) expect.soft(seen, where).toHaveLength(contents.size);
    else expect.soft({ where, diagnosis: valueOf(outcomes, "diagnose") }).toMatchObject({ diagnosis: { ok: false } });

    const fresh = await use(db, ...acknowledgedIds(outcomes).map((id) => ["get", id]), ["get", second], ["get", fourth], ["get", fifth], ["close"]);
    const found = new Map(fresh.flatMap(({ value }) => (value ? [[(value as Memory).id, value as Memory]] : [])));
    for (const { verb, value } of outcomes) {
      if (!["remember", "supersede", "revise", "pin"].includes(verb) || !value) continue;
      const { id, content } = value as Memory;
      expect.soft({ where, verb, content: found.get(id)?.content }).toEqual({ where, verb, content });
    }
    for (const { id, content } of (outcomeOf(outcomes, "rememberMany").value as Memory[] | undefined) ?? []) {
      expect.soft({ where, content: found.get(id)?.content }).toEqual({ where, content });
    }
    if (outcomeOf(outcomes, "forget").value) expect.soft(found.has(fourth), where).toBe(false);
    if (outcomeOf(outcomes, "backup").value) expect.soft(await isSound(`${db}.copy`), where).toBe(true);
  }

  function acknowledgedIds(outcomes: Outcome[]): string[] {
    return outcomes.flatMap(({ verb, value }) =>
      verb === "remember" || verb === "supersede"
        ? value
          ? [(value as Memory).id]
          : []
        : verb === "rememberMany"
          ? ((value as Memory[] | undefined) ?? []).map(({ id }) => id)
          : [],
    );
  }

  /** What SQLite itself thinks, asked in a process of its own. */
  async function isSound(db: string): Promise<boolean> {
    const [line] = await runProgram("integrity.mjs", { db });
    return line?.["sound"] === true;
  }
});

describe("what is no store of Tacit's", () => {
  const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), noise(randomFrom(3), 20_000)]);

  it.each<[what: string, bytes: Buffer, code: string]>([
    ["a long text", Buffer.from("These are the notes of somebody else.\n".repeat(300)), "store-not-a-database"],
    ["a short text", Buffer.from("a short note\n"), "store-not-a-database"],
    ["a picture", png, "store-not-a-database"],
    ["a single byte", Buffer.from([0]), "store-not-a-database"],
    ["a page of zeroes", Buffer.alloc(pageBytes), "store-not-a-database"],
  ])("%s is refused and stays as it is", async (_, bytes, code) => {
    const folder = temporaryFolder();
    const db = join(folder, "notes");
    writeFileSync(db, bytes);

    await expectRefusedAndUntouched(folder, db, [code]);
  });

  it.each<[what: string, schema: string[]]>([
    ["another program's database", ["CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO customers (name) VALUES ('Ada')"]],
    ["another program's database in WAL mode", ["PRAGMA journal_mode = WAL", "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)"]],
    ["a database with another program's schema_migrations", ["CREATE TABLE schema_migrations (version TEXT PRIMARY KEY)", "INSERT INTO schema_migrations VALUES ('20260101')"]],
    ["a database with nothing but a view", ["CREATE VIEW one AS SELECT 1 AS number"]],
    ["a database that another program has claimed, still without tables", ["PRAGMA application_id = 1196444487", "PRAGMA user_version = 7"]],
  ])("%s is refused and stays as it is", async (_, schema) => {
    const folder = temporaryFolder();
    const db = join(folder, "theirs.db");
    await runProgram("integrity.mjs", { db, schema });

    await expectRefusedAndUntouched(folder, db, ["store-foreign"]);
  });

  it("a folder is refused and stays as it is", async () => {
    const folder = temporaryFolder();
    const db = join(folder, "folder");
    mkdirSync(db);
    writeFileSync(join(db, "file"), "inside");

    await expectRefusedAndUntouched(folder, db, ["store-unreachable", "store-not-a-database"]);
  });

  it("a store of a newer Tacit is refused with store-newer and stays as it is", async () => {
    const { folder, db } = await closedStore(3);
    await runProgram("integrity.mjs", { db, schema: ["INSERT INTO schema_migrations (number, name) VALUES (999999, 'from the future')"] });

    await expectRefusedAndUntouched(folder, db, ["store-newer"]);
  });

  async function expectRefusedAndUntouched(folder: string, db: string, codes: string[]): Promise<void> {
    const before = picture(folder);

    const calls = [["list"], ["recall", "memory"], ["get", "x"], ["remember", { content: "not here" }], ["purge", { all: true }], ["backup", join(folder, "copy.db")], ["repair"], ["diagnose"], ["close"]];
    const outcomes = await use(db, ...calls);
    const run = await tacit(["remember", "not here", "--db", db, "--json"]);

    for (const verb of ["list", "recall", "get", "remember", "purge", "backup"]) expectRefusal(outcomes, verb, codes);
    expect.soft(valueOf(outcomes, "diagnose")).toMatchObject({ ok: false });
    expect.soft(run).toMatchObject({ code: 1, stdout: "" });
    const { error } = JSON.parse(run.stderr) as { error: { code: string; hint: string } };
    expect.soft(codes).toContain(error.code);
    expect.soft(error.hint).not.toBe("");
    expectUntouched(folder, before);
  }
});

/** Calls verbs in a process of its own; settings such as `asUser` may stand among the calls. */
async function use(db: string, ...calls: (unknown[] | { asUser: number })[]): Promise<Outcome[]> {
  const settings = Object.assign({}, ...calls.filter((call) => !Array.isArray(call))) as object;
  const lines = await runProgram("verbs.mjs", { db, project: "p", timeoutMs: 3000, calls: calls.filter((call) => Array.isArray(call)), ...settings });
  return lines.map(({ call, ...rest }) => {
    const [verb, ...args] = call as [string, ...unknown[]];
    return { verb, args, ...rest } as Outcome;
  });
}

function outcomeOf(outcomes: Outcome[], verb: string): Outcome {
  const found = outcomes.find((outcome) => outcome.verb === verb);
  if (!found) throw new Error(`${verb} was never reached: ${JSON.stringify(outcomes)}`);
  return found;
}

function valueOf(outcomes: Outcome[], verb: string): Diagnosis {
  return outcomeOf(outcomes, verb).value as Diagnosis;
}

function expectRefusal(outcomes: Outcome[], verb: string, codes: string[]): void {
  const { error, value } = outcomeOf(outcomes, verb);
  expect.soft({ verb, value, error }).toMatchObject({ verb, error: { isMemoryError: true, hint: expect.stringMatching(/./) } });
  expect.soft(codes, `${verb}: ${error?.message ?? "no error"}`).toContain(error?.code);
}

function contentsIn(outcomes: Outcome[]): Map<string, string> {
  return new Map((outcomeOf(outcomes, "list").value as Memory[]).map(({ id, content }) => [id, content]));
}

async function contentsOf(db: string): Promise<string[]> {
  return [...contentsIn(await use(db, ["list"], ["close"])).values()];
}

/** A store that no process has open, with so many memories in it. */
async function closedStore(count: number): Promise<{ folder: string; db: string; contents: Map<string, string> }> {
  const folder = temporaryFolder();
  const db = join(folder, "memory.db");
  const random = randomFrom(count);
  const inputs = Array.from({ length: count }, (_, index) => ({
    content: sentence(random, `memory ${index}`),
    tags: [`tag${index % 7}`],
    relatedFiles: [`src/file${index % 11}.ts`],
  }));
  const outcomes = await use(db, ["rememberMany", inputs], ["close"]);
  const kept = outcomeOf(outcomes, "rememberMany").value as Memory[];
  expect(readdirSync(folder)).toEqual(["memory.db"]);
  return { folder, db, contents: new Map(kept.map(({ id }, index) => [id, inputs[index]?.content ?? ""])) };
}

/** A store whose writer was killed, so that its log still lies beside it. */
async function killedStore(): Promise<{ folder: string; db: string; contents: Map<string, string> }> {
  const folder = temporaryFolder();
  const db = join(folder, "memory.db");
  const writer = startProgram("writer.mjs", { db, project: "p", name: "killed", seed: 5, count: 100_000 });
  writer.tell();
  await writer.heard(() => writer.lines.filter((line) => "id" in line).length === 5);
  writer.kill();
  await writer.ended;
  const contents = new Map(writer.lines.filter((line) => "id" in line).map(({ id, content }) => [String(id), String(content)]));
  expect(existsSync(`${db}-wal`)).toBe(true);
  return { folder, db, contents };
}

/** Every file below a folder by its hash. */
function picture(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(folder.length + 1), createHash("sha256").update(readFileSync(file)).digest("hex")];
    }),
  );
}

/** What was there is the same byte for byte, and nothing with a byte in it came to be. */
function expectUntouched(folder: string, before: Record<string, string>): void {
  const after = picture(folder);
  const empty = createHash("sha256").digest("hex");
  for (const [file, hash] of Object.entries(before)) expect.soft({ file, hash: after[file] }).toEqual({ file, hash });
  expect.soft(Object.entries(after).filter(([file, hash]) => !(file in before) && hash !== empty)).toEqual([]);
}

function overwrite(file: string, position: number, bytes: Buffer): void {
  const handle = openSync(file, "r+");
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

function noise(random: () => number, bytes: number): Buffer {
  return Buffer.from(Array.from({ length: bytes }, () => Math.floor(random() * 256)));
}

function shuffled<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
