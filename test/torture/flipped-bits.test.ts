// Disks flip bits. A text that is no longer UTF-8 must cost nobody more than itself: libSQL ends a process that reads one.
// Every store is used in other processes, so that the test may open the files.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Diagnosis, Memory } from "../../src/index.js";
import { tacit } from "./programs.js";
import { report, scale } from "./scale.js";
import { randomFrom } from "./sentence.mjs";
import { closedStore, contentsIn, diagnosisIn, outcomeOf, useStore, type Call, type Outcome } from "./use-store.js";

const pageBytes = 4096;

describe("[S18] a store with flipped bits in its texts", () => {
  it("stays readable but for the damaged texts, and doctor names each of them", async () => {
    const { db, contents } = await closedStore(2 * scale.flippedTexts);
    const damaged = flipEveryOther(db, contents);
    const healthy = [...contents].filter(([id]) => !damaged.has(id));

    const outcomes = await useStore(db, [
      ["list"],
      ["store.diagnose"],
      ...healthy.slice(0, 20).map(([id]): Call => ["get", id]),
      ...[...damaged].slice(0, 20).map((id): Call => ["get", id]),
      ...healthy.slice(0, 20).map(([, content]): Call => ["recall", content]),
    ]);

    expect(outcomes.filter(({ error }) => error)).toEqual([]);
    expect(healthy.filter(([id, content]) => contentsIn(outcomes).get(id) !== content)).toEqual([]);
    expect(contentsIn(outcomes).size).toBe(contents.size);
    const found = outcomes.filter(({ verb }) => verb === "recall").map(({ value }) => firstFound(value));
    expect(found).toEqual(healthy.slice(0, 20).map(([id]) => id));
    expect(namedIn(diagnosisIn(outcomes))).toEqual(damaged);
    report(
      `${damaged.size} of ${contents.size} texts with a flipped bit: all named, ${healthy.length} others readable`,
    );
  });

  it("is read by every command, and says where the damage is", async () => {
    const { folder, db, contents } = await closedStore(20);
    const [id = "", content = ""] = [...contents][3] ?? [];
    flipHighBit(db, content);
    const others = [...contents.values()].filter((other) => other !== content);

    const [list, recall, exported, doctor] = await Promise.all([
      tacit(["list", "--db", db, "--project", "p", "--limit", "100", "--json"]),
      tacit(["recall", content, "--db", db, "--project", "p"]),
      tacit(["export", "--db", db, "--project", "p", "--output", join(folder, "all.jsonl")]),
      tacit(["doctor", "--db", db, "--project", "p"]),
    ]);

    expect([list.code, recall.code, exported.code, doctor.code]).toEqual([0, 0, 0, 1]);
    expect(others.filter((other) => !list.stdout.includes(other))).toEqual([]);
    expect(doctor.stdout).toContain(`memories.content`);
    expect(doctor.stdout).toContain(id.slice(-8));
  });

  it("stays readable though a list in one memory is no list any more", async () => {
    const { db, contents } = await closedStore(20);
    flip(db, readFileSync(db).indexOf('["tag3"]'), 7);

    const outcomes = await useStore(db, [
      ["list"],
      ["recall", "memory"],
      ["list", { tags: ["tag4"] }],
      ["store.diagnose"],
    ]);
    const repaired = outcomeOf(await useStore(db, [["store.repair"]]), "store.repair").value as Diagnosis;

    expect(outcomes.filter(({ error }) => error)).toEqual([]);
    expect(contentsIn(outcomes)).toEqual(contents);
    expect((outcomeOf(outcomes, "recall").value as unknown[]).length).toBeGreaterThan(0);
    expect(diagnosisIn(outcomes).checks.flatMap(({ damaged = [] }) => damaged)).toMatchObject([
      { table: "memories", column: "tags" },
    ]);
    expect(repaired.ok).toBe(true);
  });

  it("[S19] is whole again after a repair, which puts the damaged bytes aside and lets nobody be told of them", async () => {
    const { db, contents } = await closedStore(2 * 10);
    const damaged = flipEveryOther(db, contents);

    const repaired = outcomeOf(await useStore(db, [["store.repair"]]), "store.repair").value as Diagnosis;
    const outcomes = await useStore(db, [["list", { status: "any" }], ["store.diagnose"]]);

    expect(repaired.ok).toBe(true);
    expect(namedIn(repaired)).toEqual(damaged);
    expect(diagnosisIn(outcomes).ok).toBe(true);
    const listed = outcomeOf(outcomes, "list").value as Memory[];
    expect(listed.length).toBe(contents.size);
    expect(new Set(listed.filter(({ status }) => status !== "active").map(({ id }) => id))).toEqual(damaged);
    expect(listed.filter(({ id, content }) => !damaged.has(id) && contents.get(id) !== content)).toEqual([]);
  });

  it("[S19] leaves nothing of a damaged text behind that was repaired and purged", async () => {
    const { db, contents } = await closedStore(10);
    const [id = "", content = ""] = [...contents][3] ?? [];
    flipHighBit(db, content);

    const outcomes = await useStore(db, [["store.repair"], ["purge", id]]);

    expect(outcomes.filter(({ error }) => error)).toEqual([]);
    expect(readFileSync(db).includes(content.slice(12))).toBe(false);
  });

  it("works truly or says that it is damaged, wherever on its pages a bit flips", async () => {
    const { folder, db, contents } = await closedStore(60);
    const random = randomFrom(23);
    const pages = pagesOf(db, contents);
    const wrong: unknown[] = [];

    for (let round = 0; round < scale.flippedPages; round += 1) {
      const hurt = join(folder, `flip-${round}.db`);
      copyFileSync(db, hurt);
      const position = (pages[Math.floor(random() * pages.length)] ?? 0) * pageBytes + Math.floor(random() * pageBytes);
      flip(hurt, position, Math.floor(random() * 8));
      const calls: Call[] = [["list", { status: "any" }], ["recall", "memory"], ["store.diagnose"], ["store.repair"]];
      for (const problem of whatIsWrong(await useStore(hurt, calls), contents)) wrong.push({ position, problem });
    }

    expect(wrong).toEqual([]);
  });
});

/** At most one memory may differ, unless the store says that it is damaged. A repair may fail, and then says so. */
function whatIsWrong(outcomes: Outcome[], contents: Map<string, string>): unknown[] {
  const errors = outcomes.filter(({ error }) => error && error.code !== "store-damaged");
  const list = outcomeOf(outcomes, "list");
  if (list.error) return errors;
  const differing = [...contents].filter(([id, content]) => contentsIn(outcomes).get(id) !== content);
  return [...errors, ...differing.slice(1)];
}

/** Flips one bit, any of the eight, in every other text. */
function flipEveryOther(db: string, contents: Map<string, string>): Set<string> {
  const random = randomFrom(18);
  const chosen = [...contents].filter((_, index) => index % 2 === 1);
  const bytes = readFileSync(db);
  for (const [, content] of chosen) {
    const position = bytes.indexOf(content) + Math.floor(random() * content.length);
    bytes[position] = (bytes[position] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  writeFileSync(db, bytes);
  return new Set(chosen.map(([id]) => id));
}

function flipHighBit(db: string, content: string): void {
  flip(db, readFileSync(db).indexOf(content) + 10, 7);
}

function flip(file: string, position: number, bit: number): void {
  const bytes = readFileSync(file);
  bytes[position] = (bytes[position] ?? 0) ^ (1 << bit);
  writeFileSync(file, bytes);
}

/** The pages on which texts of memories lie. */
function pagesOf(db: string, contents: Map<string, string>): number[] {
  const bytes = readFileSync(db);
  return [...new Set([...contents.values()].map((content) => Math.floor(bytes.indexOf(content) / pageBytes)))];
}

function namedIn({ checks }: Diagnosis): Set<string> {
  return new Set(checks.flatMap(({ damaged = [] }) => damaged.flatMap(({ memory }) => memory ?? [])));
}

function firstFound(value: unknown): string | undefined {
  return (value as { memory: Memory }[])[0]?.memory.id;
}
