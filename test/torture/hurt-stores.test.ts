// Stores that are damaged, and files that are no stores. Tacit says so, never "saved" when it was not, and never
// overwrites what it did not write. Every store is used in other processes, so that the test may open the files.
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/index.js";
import { runProgram, startProgram, tacit, temporaryFolder } from "./programs.js";
import { scale } from "./scale.js";
import { randomFrom } from "./sentence.mjs";
import {
  changesSince,
  closedStore,
  contentsIn,
  diagnosisIn,
  notRefused,
  outcomeOf,
  picture,
  useStore,
  type Call,
  type ClosedStore,
  type Outcome,
} from "./use-store.js";

const pageBytes = 4096;
const everyUse: Call[] = [["list"], ["recall", "memory"], ["remember", { content: "not here" }], ["store.diagnose"]];

describe("[S8] a damaged store", () => {
  it("works truly or says that it is damaged, whichever page was overwritten", async () => {
    const { folder, db, contents } = await closedStore(250);
    const random = randomFrom(7);
    const pages = Array.from({ length: statSync(db).size / pageBytes }, (_, index) => index);
    const wrong: unknown[] = [];

    for (const [round, page] of shuffled(pages, random).slice(0, scale.damagedPages).entries()) {
      const hurt = join(folder, `page-${page}.db`);
      copyFileSync(db, hurt);
      overwrite(hurt, page * pageBytes, round % 3 === 2 ? Buffer.alloc(pageBytes) : noise(random, pageBytes));
      for (const problem of await whatIsWrong(hurt, contents)) wrong.push({ page, problem });
    }

    expect(wrong).toEqual([]);
  });

  it("works truly or says that it is damaged when the heads of pages were overwritten", async () => {
    const { folder, db, contents } = await closedStore(250);
    const random = randomFrom(11);
    const wrong: unknown[] = [];

    for (let round = 0; round < Math.ceil(scale.damagedPages / 2); round++) {
      const hurt = join(folder, `head-${round}.db`);
      copyFileSync(db, hurt);
      // Where a page says what lies where. Further down lies text, which no database can tell from other text.
      const page = 1 + Math.floor(random() * (statSync(db).size / pageBytes - 1));
      overwrite(hurt, page * pageBytes, noise(random, 48));
      for (const problem of await whatIsWrong(hurt, contents)) wrong.push({ head: page, problem });
    }

    expect(wrong).toEqual([]);
  });

  it.each([
    ["half of it", (bytes: number) => Math.floor(bytes / pageBytes / 2) * pageBytes],
    ["half of it, to the middle of a page,", (bytes: number) => Math.floor(bytes / pageBytes / 2) * pageBytes + 123],
    ["one page", () => pageBytes],
    ["a piece of 100 bytes", () => 100],
  ])("is refused and not touched when only %s is left", async (_, left) => {
    const { folder, db } = await closedStore(100);
    truncateSync(db, left(statSync(db).size));
    const before = picture(folder);

    const outcomes = await useStore(db, everyUse);
    const doctor = await tacit(["doctor", "--db", db, "--json"]);

    expect(notRefused(outcomes, ["list", "recall", "remember"], ["store-damaged", "store-not-a-database"])).toEqual([]);
    expect(diagnosisIn(outcomes)).toMatchObject({ ok: false });
    expect(doctor.code).toBe(1);
    expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: false });
    expect(changesSince(before, folder)).toEqual([]);
  });

  it("is refused and not touched when it is empty while its log still holds changes", async () => {
    const { folder, db } = await killedStore();
    truncateSync(db, 0);
    const before = picture(folder);

    const outcomes = await useStore(db, [...everyUse, ["purge", { all: true }]]);

    expect(statSync(`${db}-wal`).size).toBeGreaterThan(0);
    expect(notRefused(outcomes, ["list", "recall", "remember", "purge"], ["store-damaged"])).toEqual([]);
    expect(diagnosisIn(outcomes)).toMatchObject({ ok: false });
    expect(changesSince(before, folder)).toEqual([]);
  });

  it("keeps what its log held when the process that wrote it was killed", async () => {
    const { db, contents } = await killedStore();

    const outcomes = await useStore(db, [["list"], ["store.diagnose"]]);

    expect(contents.size).toBeGreaterThan(0);
    // One more may have been saved whose acknowledgement was never heard.
    expect([...contents].filter(([id, content]) => contentsIn(outcomes).get(id) !== content)).toEqual([]);
    expect(diagnosisIn(outcomes)).toMatchObject({ ok: true });
  });

  /** Uses every verb on a damaged copy, then opens it anew and looks whether what was said is so. */
  async function whatIsWrong(db: string, contents: Map<string, string>): Promise<unknown[]> {
    const [first = "", second = "", third = "", fourth = "", fifth = ""] = contents.keys();
    const sound = await isSound(db);
    const outcomes = await useStore(db, [
      ["store.diagnose"],
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
      ["store.backup", `${db}.copy`],
    ]);
    const said = new Map(acknowledged(outcomes).map((memory) => [memory.id, memory]));
    const fresh = await useStore(
      db,
      [...said.keys()].map((id): Call => ["get", id, { forgotten: true }]),
    );
    // Where the damaged page holds what it rests on, it is there, and whoever asks for it hears of the damage.
    const asked = fresh.filter(({ verb }) => verb === "get");
    const refused = [...said.keys()].filter((_, index) => asked[index]?.error?.code === "store-damaged");
    const rows = sound || refused.length === 0 ? [] : await runProgram("integrity.mjs", { db, ids: refused });
    const there = new Map(rows.map(({ id, content }) => [id, content]));
    const found = new Map(fresh.flatMap(({ value }) => (value ? [[(value as Memory).id, value as Memory]] : [])));
    const seen = [...(outcomeOf(outcomes, "list").error ? [] : contentsIn(outcomes))];
    return [
      ...outcomes.filter(({ error }) => error && (sound || !saysDamaged(error))),
      ...seen.filter(([id, content]) => contents.get(id) !== content),
      ...(sound && seen.length < contents.size ? [`sound, yet only ${seen.length} memories are listed`] : []),
      ...(!sound && diagnosisIn(outcomes).ok ? ["damaged, yet doctor finds nothing"] : []),
      ...[...said.values()].filter(({ id, content, status, pinned }) => {
        if (there.get(id) === content) return false;
        const fetched = found.get(id);
        return fetched?.content !== content || fetched.status !== status || fetched.pinned !== pinned;
      }),
      ...(outcomeOf(outcomes, "store.backup").error || (await isSound(`${db}.copy`)) ? [] : ["the back-up is damaged"]),
    ];
  }

  /** A row that the damage hides is missing; everything else is said to be damage. */
  function saysDamaged({ isMemoryError, code, hint }: NonNullable<Outcome["error"]>): boolean {
    return isMemoryError && hint !== "" && ["store-damaged", "store-not-a-database", "memory-not-found"].includes(code);
  }

  /** The memories as the verbs that write said they are now, the last word on each. */
  function acknowledged(outcomes: Outcome[]): Memory[] {
    const writing = new Set(["remember", "rememberMany", "revise", "supersede", "forget", "pin"]);
    return outcomes
      .filter(({ verb, value }) => writing.has(verb) && value)
      .flatMap(({ value }) => value as Memory | Memory[]);
  }

  /** What SQLite itself thinks, asked in a process of its own. */
  async function isSound(db: string): Promise<boolean> {
    const [line] = await runProgram("integrity.mjs", { db });
    return line?.["sound"] === true;
  }

  /** A store whose writer was killed, so that its log still lies beside it. */
  async function killedStore(): Promise<ClosedStore> {
    const folder = temporaryFolder();
    const db = join(folder, "memory.db");
    const writer = startProgram("writer.mjs", { db, project: "p", name: "killed", seed: 5, count: 1000 });
    writer.tell();
    await writer.heard(() => writer.lines.filter((line) => "id" in line).length >= 5);
    writer.kill();
    await writer.ended;
    const lines = writer.lines.filter((line) => "id" in line);
    return { folder, db, contents: new Map(lines.map(({ id, content }) => [String(id), String(content)])) };
  }
});

describe("[S7] what is no store of Tacit's", () => {
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    noise(randomFrom(3), 20_000),
  ]);

  it.each<[what: string, bytes: Buffer]>([
    ["a long text", Buffer.from("These are the notes of somebody else.\n".repeat(300))],
    ["a short text", Buffer.from("a short note\n")],
    ["a picture", png],
    ["a single byte", Buffer.from([0])],
    ["a page of zeroes", Buffer.alloc(pageBytes)],
  ])("%s is refused and stays as it is", async (_, bytes) => {
    const folder = temporaryFolder();
    const db = join(folder, "notes");
    writeFileSync(db, bytes);

    expect(await whatIsWrong(folder, db, ["store-not-a-database"])).toEqual([]);
  });

  it.each<[what: string, schema: string[]]>([
    ["another program's database", ["CREATE TABLE customers (name TEXT)", "INSERT INTO customers VALUES ('Ada')"]],
    ["another program's database in WAL mode", ["PRAGMA journal_mode = WAL", "CREATE TABLE customers (name TEXT)"]],
    [
      "a database with another program's schema_migrations",
      ["CREATE TABLE schema_migrations (version TEXT PRIMARY KEY)"],
    ],
    ["a database with nothing but a view", ["CREATE VIEW one AS SELECT 1 AS number"]],
    [
      "an empty database that another program has claimed",
      ["PRAGMA application_id = 1196444487", "PRAGMA user_version = 7"],
    ],
  ])("%s is refused and stays as it is", async (_, schema) => {
    const folder = temporaryFolder();
    const db = join(folder, "theirs.db");
    await runProgram("integrity.mjs", { db, schema });

    expect(await whatIsWrong(folder, db, ["store-foreign"])).toEqual([]);
  });

  it("a folder is refused and stays as it is", async () => {
    const folder = temporaryFolder();
    const db = join(folder, "folder");
    mkdirSync(db);
    writeFileSync(join(db, "file"), "inside");

    expect(await whatIsWrong(folder, db, ["store-unreachable", "store-not-a-database"])).toEqual([]);
  });

  it("a store of a newer Tacit is refused with store-newer and stays as it is", async () => {
    const { folder, db } = await closedStore(3);
    const schema = ["INSERT INTO schema_migrations (number, name) VALUES (999999, 'from the future')"];
    await runProgram("integrity.mjs", { db, schema });

    expect(await whatIsWrong(folder, db, ["store-newer"])).toEqual([]);
  });

  /** Every verb and the command line must refuse it, and nothing in the folder may change. */
  async function whatIsWrong(folder: string, db: string, codes: string[]): Promise<unknown[]> {
    const before = picture(folder);
    const others: Call[] = [
      ["get", "x"],
      ["purge", { all: true }],
      ["store.backup", join(folder, "copy.db")],
      ["store.repair"],
    ];
    const outcomes = await useStore(db, [...everyUse, ...others]);
    const run = await tacit(["remember", "not here", "--db", db, "--json"]);
    const { error } = JSON.parse(run.stderr || "{}") as { error?: { code: string; hint: string } };
    return [
      ...notRefused(outcomes, ["list", "recall", "get", "remember", "purge", "store.backup"], codes),
      ...(diagnosisIn(outcomes).ok ? ["doctor finds nothing wrong"] : []),
      ...(run.code === 1 && run.stdout === "" && error && codes.includes(error.code) && error.hint !== "" ? [] : [run]),
      ...changesSince(before, folder),
    ];
  }
});

function overwrite(file: string, position: number, bytes: Buffer): void {
  const handle = openSync(file, "r+");
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

function noise(random: () => number, bytes: number): Buffer {
  return Buffer.from(Array.from({ length: bytes }, () => Math.floor(random() * 256)));
}

function shuffled<T>(items: T[], random: () => number): T[] {
  const placed = items.map((item) => ({ item, at: random() }));
  return placed.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
