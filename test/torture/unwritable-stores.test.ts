// Stores that cannot be written: the disk is full, or it is somebody else's. Tacit says so, never "saved" when it was
// not, and what was saved before is still there.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { canRead, heedModes } from "../../bench/heed-modes.mjs";
import type { Memory } from "../../src/index.js";
import { Store } from "../../src/storage/storage.js";
import { runProgram, tacit, temporaryFolder, type Said } from "./programs.js";
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
  type Outcome,
} from "./use-store.js";

const remember: Call = ["remember", { content: "not here" }];

describe("[S8] a disk without room", () => {
  it("[ulimit -f] refuses with an error, and keeps exactly what was acknowledged", async () => {
    const db = join(temporaryFolder(), "memory.db");

    const lines = await runProgram("writer.mjs", fillingUp(db), { under: `ulimit -f 2000; exec "$@" < <(echo go)` });

    expect(await whatIsWrong(lines, db, ["store-failed", "store-full"])).toEqual([]);
  });

  it("[a full file system] refuses with store-full, and keeps exactly what was acknowledged", async ({ skip }) => {
    const outside = temporaryFolder();
    const room = join(outside, "room");
    const kept = join(outside, "kept");
    mkdirSync(room);
    mkdirSync(kept);
    // A file system of 2 MB that only this program and its children see.
    const inSmallRoom = (inside: string) =>
      `exec unshare -rm bash -c 'mount -t tmpfs -o size=2000k none "${room}" && ${inside}' bash "$@"`;
    const isGiven = canRead(inSmallRoom('exec "$@"'), import.meta.filename);
    skip(!isGiven, "this system gives no private mount to make a full disk with");

    const lines = await runProgram("writer.mjs", fillingUp(join(room, "memory.db")), {
      under: inSmallRoom(`"$@" < <(echo go) && cp -a "${room}/." "${kept}/"`),
    });

    expect(await whatIsWrong(lines, join(kept, "memory.db"), ["store-full"])).toEqual([]);
  });

  it("[max_page_count] refuses with store-full, and goes on when there is room again", async () => {
    const store = new Store({ db: join(temporaryFolder(), "memory.db"), timeoutMs: 5000 });
    const keep = async (name: string) =>
      store.write(async (writer) =>
        writer.run("INSERT INTO store_state (name, value) VALUES (:name, :value)", { name, value: "x".repeat(20_000) }),
      );
    const setLimit = async (pages: number) => {
      const [row] = await store.write(async (writer) => writer.rows(`PRAGMA max_page_count = ${pages}`));
      return row?.["max_page_count"];
    };
    await keep("before");
    const [size] = await store.read(async (reader) => reader.rows("PRAGMA page_count"));
    const pages = Number(size?.["page_count"]) + 2;

    const limit = await setLimit(pages);
    const error: unknown = await keep("without room").catch((thrown: unknown) => thrown);
    await setLimit(1_000_000);
    await keep("after");

    const rows = await store.read(async (reader) => reader.rows("SELECT name FROM store_state ORDER BY name"));
    await store.close();
    expect(limit).toBe(pages);
    expect(error).toMatchObject({ name: "MemoryError", code: "store-full", hint: expect.any(String) });
    expect(rows.map((row) => row["name"]).filter((name) => name !== "tokenizer")).toEqual(["after", "before"]);
  });

  function fillingUp(db: string): object {
    return { db, project: "p", name: "filler", seed: 1, count: 150 };
  }

  /** Errors that are not these, memories that were acknowledged and are not there, and the other way round. */
  async function whatIsWrong(lines: Said[], db: string, codes: string[]): Promise<unknown[]> {
    const acknowledged = new Map(lines.filter((line) => "id" in line).map(({ id, content }) => [id, content]));
    const errors = lines.flatMap((line) => ("error" in line ? [line["error"] as { name: string; code: string }] : []));
    const after = await useStore(db, [["list"], ["store.diagnose"], ["remember", { content: "room again" }]]);
    const stored = contentsIn(after);
    const later = await useStore(db, [["list"]]);
    return [
      ...(acknowledged.size > 10 && errors.length > 10 ? [] : [`${acknowledged.size} saved, ${errors.length} refused`]),
      ...errors.filter(({ name, code }) => name !== "MemoryError" || !codes.includes(code)),
      ...[...acknowledged].filter(([id, content]) => stored.get(String(id)) !== content),
      ...[...stored.keys()].filter((id) => !acknowledged.has(id)),
      ...diagnosisIn(after).checks.filter(({ status }) => status !== "ok"),
      ...([...contentsIn(later).values()].includes("room again") ? [] : ["cannot be written with room again"]),
    ];
  }
});

const refusals = ["store-read-only", "store-unreachable"];

describe("a folder or file that may not be written", () => {
  let under = "";

  beforeEach(({ skip }) => {
    const heeding = heedModes();
    if ("reason" in heeding) skip(heeding.reason);
    else ({ under } = heeding);
  });

  it("a store in a read-only folder is not changed, and can be read or says why not", async () => {
    const { folder, db, contents } = await closedStore(3);
    chmodSync(db, 0o444);
    protect(folder, 0o555);
    const before = picture(folder);

    const outcomes = await useHeeding(db, ["recall", "memory"], ["list"], remember, ["store.diagnose"]);

    expect(notRefused(outcomes, ["remember"], refusals)).toEqual([]);
    expect(neitherTrueNorRefused(outcomes, ["recall", "list"], contents)).toEqual([]);
    expect(diagnosisIn(outcomes).checks.filter(({ status }) => status !== "ok")).not.toEqual([]);
    expect(changesSince(before, folder)).toEqual([]);
  });

  it("a read-only file in a folder of one's own is not changed, and can be read or says why not", async () => {
    const { folder, db, contents } = await closedStore(3);
    chmodSync(db, 0o444);
    protect(folder, 0o777);
    const before = picture(folder);

    const outcomes = await useHeeding(db, ["list"], remember);

    expect(notRefused(outcomes, ["remember"], refusals)).toEqual([]);
    expect(neitherTrueNorRefused(outcomes, ["list"], contents)).toEqual([]);
    expect(picture(folder)["memory.db"]).toBe(before["memory.db"]);
  });

  it("a new store in a read-only folder is refused, and reading it finds nothing", async () => {
    const folder = protect(temporaryFolder(), 0o555);

    const outcomes = await useHeeding(join(folder, "memory.db"), remember, ["list"]);

    expect(notRefused(outcomes, ["remember"], refusals)).toEqual([]);
    expect(outcomeOf(outcomes, "list")).toMatchObject({ value: [] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("a new folder below a read-only folder is refused", async () => {
    const folder = protect(temporaryFolder(), 0o555);

    const outcomes = await useHeeding(join(folder, "new", "memory.db"), remember);

    expect(notRefused(outcomes, ["remember"], refusals)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("a folder that may not even be entered is refused, to readers too, and doctor can be asked", async () => {
    const { folder, db } = await closedStore(1);
    protect(folder, 0o000);

    const outcomes = await useHeeding(db, ["list"], remember, ["store.diagnose"]);

    expect(notRefused(outcomes, ["remember", "list"], refusals)).toEqual([]);
    expect(diagnosisIn(outcomes)).toMatchObject({ ok: false });
  });

  async function useHeeding(db: string, ...calls: Call[]): Promise<Outcome[]> {
    return useStore(db, calls, { under });
  }

  /** Reading may be refused as well; if it is not, it must give everything. */
  function neitherTrueNorRefused(outcomes: Outcome[], verbs: string[], contents: Map<string, string>): unknown[] {
    return verbs.flatMap((verb) => {
      const { error, value } = outcomeOf(outcomes, verb);
      if (error) return notRefused(outcomes, [verb], refusals);
      const memories = (value as (Memory | { memory: Memory })[]).map((one) => ("memory" in one ? one.memory : one));
      const isTrue =
        memories.length === contents.size && memories.every(({ id, content }) => contents.get(id) === content);
      return isTrue ? [] : [value];
    });
  }

  function protect(folder: string, mode: number): string {
    chmodSync(folder, mode);
    onTestFinished(() => chmodSync(folder, 0o700));
    return folder;
  }
});

it("a folder that is a file is refused", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "not a folder");

  const outcomes = await useStore(join(file, "memory.db"), [remember]);
  const run = await tacit(["remember", "not here", "--db", join(file, "memory.db"), "--json"]);

  expect(notRefused(outcomes, ["remember"], refusals)).toEqual([]);
  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: expect.stringMatching(/^store-/) } });
  expect(readFileSync(file, "utf8")).toBe("not a folder");
});
