// The command line and the library as scripts rely on them, run from the packed tarball.
// This file only grows: a line that stands here is a promise, and changing it breaks somebody.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import type * as Tacit from "../../src/index.js";

const installedIn = inject("installedIn");
const packageFolder = join(installedIn, "node_modules", "tacit-memory");

let home: string;
let db: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tacit-contract-"));
  db = join(home, "memory.db");
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("the command line", () => {
  it("prints its version and nothing else", () => {
    const manifest = createRequire(import.meta.url)(join(packageFolder, "package.json")) as { version: string };

    expect(tacit("--version")).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
  });

  it("remember prints the memory", () => {
    const memory = json(
      tacit(
        "remember",
        "Run the linter before pushing",
        "--type",
        "convention",
        "--file",
        "src/a.ts",
        "--module",
        "api",
        "--tag",
        "ci",
        "--tag",
        "lint",
        "--name",
        "lint-first",
        "--confidence",
        "0.9",
        "--metadata",
        "team=core",
        "--scope",
        "module",
        "--session",
        "s1",
        "--expires",
        "2999-01-01",
        "--pin",
        "--db",
        db,
        "--project",
        "p",
        "--json",
      ),
    );

    expect(memory).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      project: "p",
      type: "convention",
      content: "Run the linter before pushing",
      name: "lint-first",
      relatedFiles: ["src/a.ts"],
      relatedModules: ["api"],
      tags: ["ci", "lint"],
      confidence: 0.9,
      metadata: { team: "core" },
      scope: "module",
      sessionId: "s1",
      expiresAt: "2999-01-01T00:00:00.000Z",
      pinned: true,
    });
  });

  it("remember takes type note by default, and text from standard input", () => {
    const memory = json(tacitWithInput("- starts with a dash", "remember", "-", "--db", db, "--json"));

    expect(memory).toMatchObject({ type: "note", content: "- starts with a dash", confidence: 0.8, scope: "global" });
  });

  it("text beginning with a dash follows --", () => {
    expect(json(tacit("remember", "--json", "--db", db, "--", "--dashing"))).toMatchObject({ content: "--dashing" });
  });

  it("[R2] recall prints the query and results with memory, score, matched and why", () => {
    const kept = json(tacit("remember", "Deploy with blue-green on Fridays", "--db", db, "--project", "p", "--json"));
    tacit("remember", "Nothing to see", "--db", db, "--project", "p");

    const answer = json(tacit("--db", db, "recall", "how do we deploy", "--project", "p", "--json", "--limit", "5"));

    expect(answer).toMatchObject({ query: "how do we deploy" });
    expect(answer.results).toHaveLength(1);
    expect(answer.results[0]).toMatchObject({
      memory: { id: kept.id },
      score: expect.any(Number),
      matched: ["deploy"],
      why: expect.any(String),
    });
  });

  it("[R4] recall filters by type, file, module, tag, scope, session, metadata, time and score", () => {
    const filters = [
      "--type",
      "gotcha",
      "--file",
      "src/a.ts",
      "--module",
      "api",
      "--tag",
      "x",
      "--scope",
      "module",
      "--session",
      "s1",
      "--metadata",
      "k=v",
    ];
    const kept = json(tacit("remember", "retry the upload twice", ...filters, "--db", db, "--json"));
    tacit("remember", "retry the download twice", "--db", db);

    const all = json(tacit("recall", "retry", "--db", db, "--json"));
    const some = json(
      tacit(
        "recall",
        "retry",
        ...filters,
        "--since",
        "2020-01-01",
        "--min-score",
        "0",
        "--explain",
        "--db",
        db,
        "--json",
      ),
    );
    const none = json(tacit("recall", "retry", "--since", "2999-01-01", "--db", db, "--json"));

    expect(all.results).toHaveLength(2);
    expect(some.results.map((result: { memory: { id: string } }) => result.memory.id)).toEqual([kept.id]);
    expect(none.results).toEqual([]);
  });

  it("[R6] a question with no searchable word returns nothing and says why", () => {
    tacit("remember", "the and of", "--db", db);

    const answer = json(tacit("recall", "the of and", "--db", db, "--json"));

    expect(answer).toMatchObject({ results: [], note: expect.stringMatching(/no searchable word/i) });
  });

  it("list prints memories, newest first or by uses", () => {
    json(tacit("remember", "first", "--db", db, "--json"));
    json(tacit("remember", "second", "--tag", "t", "--db", db, "--json"));

    const recent = json(tacit("list", "--sort", "recent", "--db", db, "--json"));
    const tagged = json(tacit("list", "--sort", "uses", "--tag", "t", "--db", db, "--json"));

    expect(contents(recent)).toEqual(["second", "first"]);
    expect(contents(tagged)).toEqual(["second"]);
  });

  it("show, edit, pin, verify, flag and supersede print the memory they worked on", () => {
    const { id } = json(tacit("remember", "port 8080", "--name", "port", "--db", db, "--json"));

    expect(json(tacit("show", id, "--db", db, "--json"))).toMatchObject({ id, content: "port 8080" });
    expect(json(tacit("edit", "port", "port 8081", "--tag", "net", "--db", db, "--json"))).toMatchObject({
      id,
      content: "port 8081",
      tags: ["net"],
    });
    expect(json(tacit("pin", id, "--db", db, "--json"))).toMatchObject({ id, pinned: true });
    expect(json(tacit("verify", id, "--db", db, "--json"))).toMatchObject({ id, userVerified: true });
    expect(json(tacit("flag", id, "--reason", "outdated", "--db", db, "--json"))).toMatchObject({
      id,
      review: { state: "flagged", reason: "outdated" },
    });
    const newer = json(tacit("supersede", id, "port 9090", "--db", db, "--json"));
    expect(newer).toMatchObject({ content: "port 9090", name: "port" });
    expect(json(tacit("show", id, "--db", db, "--json"))).toMatchObject({
      supersededBy: newer.id,
      validUntil: expect.any(String),
    });
  });

  it("[M7] forget is undone by restore", () => {
    const { id } = json(tacit("remember", "ephemeral", "--name", "gone", "--db", db, "--json"));

    expect(json(tacit("forget", "gone", "--db", db, "--json"))).toMatchObject({ id, forgottenAt: expect.any(String) });
    expect(json(tacit("list", "--db", db, "--json")).memories).toEqual([]);
    expect(json(tacit("restore", id, "--db", db, "--json"))).toMatchObject({ id, name: "gone" });
    expect(contents(json(tacit("list", "--db", db, "--json")))).toEqual(["ephemeral"]);
  });

  it("[C4] forget --query lists first and acts with --yes", () => {
    tacit("remember", "cat one", "--db", db);
    tacit("remember", "cat two", "--db", db);

    const dry = json(tacit("forget", "--query", "cat", "--db", db, "--json"));
    const before = json(tacit("list", "--db", db, "--json"));
    const done = json(tacit("forget", "--query", "cat", "--yes", "--db", db, "--json"));
    const after = json(tacit("list", "--db", db, "--json"));

    expect(dry).toMatchObject({ dryRun: true });
    expect(dry.memories).toHaveLength(2);
    expect(before.memories).toHaveLength(2);
    expect(done).toMatchObject({ dryRun: false });
    expect(done.memories).toHaveLength(2);
    expect(after.memories).toEqual([]);
  });

  it("[C4] purge wants --yes, and takes one memory, a project, or all", () => {
    const { id } = json(tacit("remember", "alpha", "--project", "one", "--db", db, "--json"));
    tacit("remember", "beta", "--project", "one", "--db", db);
    tacit("remember", "gamma", "--project", "two", "--db", db);

    expect(tacit("purge", id, "--project", "one", "--db", db).code).toBe(2);
    expect(json(tacit("purge", id, "--yes", "--project", "one", "--db", db, "--json"))).toEqual({
      purged: 1,
      erasure: "done",
    });
    expect(json(tacit("purge", "--project", "one", "--yes", "--db", db, "--json"))).toMatchObject({ purged: 1 });
    expect(json(tacit("purge", "--all", "--yes", "--db", db, "--json"))).toMatchObject({ purged: 1 });
  });

  it("[S9] backup writes a file that is a store of its own, and never overwrites one", () => {
    tacit("remember", "keep me", "--project", "p", "--db", db);
    const copy = join(home, "copy.db");

    expect(json(tacit("backup", copy, "--db", db, "--json"))).toMatchObject({ file: copy, memories: 1 });
    expect(contents(json(tacit("list", "--project", "p", "--db", copy, "--json")))).toEqual(["keep me"]);
    expect(tacit("backup", copy, "--db", db).code).toBe(1);
  });

  it("doctor exits 0 unless something is broken", () => {
    const empty = tacit("doctor", "--db", db, "--json");
    tacit("remember", "well", "--db", db);
    const healthy = tacit("doctor", "--db", db, "--json");

    expect(json(empty)).toMatchObject({ ok: true });
    expect(json(healthy)).toMatchObject({ ok: true, checks: expect.any(Array) });
  });

  it("[C1] with --json every error is one document on stderr, exit 1, and wrong usage exit 2", () => {
    const missing = tacit("show", "nobody", "--db", db, "--json");
    const unknownOption = tacit("remember", "x", "--nonsense", "--json", "--db", db);
    const unknownCommand = tacit("rember", "--json");
    const badNumber = tacit("recall", "x", "--limit", "many", "--json", "--db", db);

    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(missing.stderr)).toEqual({
      error: { code: "memory-not-found", message: expect.any(String), hint: expect.any(String) },
    });
    for (const wrong of [unknownOption, unknownCommand, badNumber]) {
      expect(wrong).toMatchObject({ code: 2, stdout: "" });
      expect(JSON.parse(wrong.stderr)).toEqual({
        error: { code: "usage", message: expect.any(String), hint: expect.any(String) },
      });
    }
  });

  it("[C1] without --json errors are text on stderr with the same exit codes", () => {
    expect(tacit("show", "nobody", "--db", db)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("nobody"),
    });
    expect(tacit("remember")).toMatchObject({ code: 2, stdout: "" });
  });

  it("[S5] keeps its store in TACIT_HOME, and reading creates no file", () => {
    tacit("list", "--json");
    const afterReading = existsSync(db);
    tacit("remember", "now there is a file");

    expect(afterReading).toBe(false);
    expect(existsSync(db)).toBe(true);
  });

  it("[C2] takes --db, --project, --json and --quiet anywhere on the line", () => {
    tacit("--db", db, "--project", "p", "--json", "remember", "wherever");

    for (const args of [
      ["--json", "list", "--db", db, "--project=p"],
      ["list", "--project", "p", "--json", `--db=${db}`],
    ]) {
      expect(contents(json(tacit(...args)))).toEqual(["wherever"]);
    }
  });

  it("[C3] prints no escape sequence that a memory contains", () => {
    const { id } = json(
      tacit("remember", "red \u001b[31malert\u001b[0m \u0007", "--tag", "\u001b[2J", "--db", db, "--json"),
    );

    for (const command of [["list"], ["recall", "alert", "--explain"], ["show", id]]) {
      const { code, stdout } = tacit(...command, "--db", db);
      expect(code).toBe(0);
      expect(stdout).toContain("alert");
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
    }
  });

  it("[C3] escapes in JSON what a terminal would obey, and it parses back to the same", () => {
    const run = tacit("remember", "eight bit \u009b31m csi", "--db", db, "--json");

    expect(run.stdout).not.toMatch(/[\u007f-\u009f]/);
    expect(json(run).content).toBe("eight bit \u009b31m csi");
  });

  it("--quiet prints ids only", () => {
    expect(tacit("remember", "hush", "--quiet", "--db", db).stdout).toMatch(/^[0-9a-f-]{36}\n$/);
  });
});

describe("the library", () => {
  it("openMemory gives the verbs, remember takes one object, recall an array", async () => {
    const { openMemory } = await library();
    const memory = await openMemory({
      db,
      project: "p",
      directory: home,
      timeoutMs: 5000,
      now: () => new Date("2026-01-02T03:04:05Z"),
    });

    const kept = await memory.remember({
      content: "Retries must be idempotent",
      type: "gotcha",
      name: "retries",
      tags: ["http"],
      relatedFiles: ["src/http.ts"],
      relatedModules: ["http"],
      scope: "module",
      sessionId: "s1",
      createdAt: "2020-01-01T00:00:00Z",
      metadata: { ticket: 7 },
      confidence: 0,
      expiresAt: "2999-01-01T00:00:00Z",
      pinned: true,
      source: "agent_explicit",
    });
    const found = await memory.recall("idempotent retries", { limit: 3 });
    const listed = await memory.list();

    expect(kept).toMatchObject({
      confidence: 0,
      metadata: { ticket: 7 },
      createdAt: "2020-01-01T00:00:00.000Z",
      merged: false,
    });
    expect(found).toMatchObject([
      {
        memory: { id: kept.id },
        score: expect.any(Number),
        matched: ["idempotent", "retries"],
        why: expect.any(String),
      },
    ]);
    expect(listed.map((entry) => entry.id)).toEqual([kept.id]);
    expect(await memory.get(kept.id)).toMatchObject({ id: kept.id });
    expect(await memory.get("nobody")).toBeUndefined();
    await memory.close();
  });

  it("[M9] default expiry runs from when Tacit stored it, never from a past createdAt", async () => {
    const { openMemory } = await library();
    const memory = await openMemory({ db, project: "p", now: () => new Date("2026-06-01T00:00:00Z") });

    const turn = await memory.remember({ type: "conversation", content: "hello", createdAt: "2020-01-01T00:00:00Z" });

    expect(turn.expiresAt).toBe("2026-07-01T00:00:00.000Z");
    await memory.close();
  });

  it("[M5] rememberMany answers in input order, and structured data is kept", async () => {
    const { openMemory } = await library();
    const memory = await openMemory({ db, project: "p" });
    const data = { approachTried: "a", whyItFailed: "b", alternativeUsed: "c", taskContext: "d" };

    const kept = await memory.rememberMany([
      { content: "one" },
      { type: "dead_end", content: "two", data },
      { content: "three" },
    ]);

    expect(kept.map((entry) => entry.content)).toEqual(["one", "two", "three"]);
    expect(kept[1]?.data).toEqual(data);
    await memory.close();
  });

  it("revise, supersede, forget, restore, pin, verify, flag and purge", async () => {
    const { openMemory } = await library();
    const memory = await openMemory({ db, project: "p" });
    const { id } = await memory.remember({ content: "v1" });

    expect(await memory.revise(id, { content: "v2", tags: ["t"] })).toMatchObject({ id, content: "v2", tags: ["t"] });
    expect(await memory.pin(id)).toMatchObject({ pinned: true });
    expect(await memory.verify(id)).toMatchObject({ userVerified: true });
    expect(await memory.flag(id, "wrong")).toMatchObject({ review: { state: "flagged", reason: "wrong" } });
    const next = await memory.supersede(id, { content: "v3" });
    expect(await memory.get(id)).toMatchObject({ supersededBy: next.id });
    await memory.forget(next.id);
    expect(await memory.get(next.id)).toBeUndefined();
    await memory.restore(next.id);
    expect(await memory.get(next.id)).toMatchObject({ content: "v3" });
    expect(await memory.purge(next.id)).toEqual({ purged: 1, erasure: "done" });
    expect(await memory.purge({ project: true })).toMatchObject({ purged: 1 });
    expect(await memory.purge({ all: true })).toMatchObject({ purged: 0 });
    await memory.close();
  });

  it("what goes wrong is a MemoryError with code, message and hint", async () => {
    const { openMemory, MemoryError } = await library();
    const memory = await openMemory({ db, project: "p" });

    const refusal: unknown = await memory.remember({ content: "nul \0 inside" }).catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(MemoryError);
    expect(refusal).toMatchObject({ code: "content-refused", message: expect.any(String), hint: expect.any(String) });
    await memory.close();
  });
});

function tacit(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  return tacitWithInput("", ...args);
}

function tacitWithInput(input: string, ...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const run = spawnSync(process.execPath, [join(packageFolder, "dist", "cli", "main.js"), ...args], {
    cwd: home,
    input,
    encoding: "utf8",
    env: { ...process.env, TACIT_HOME: home, NO_COLOR: "1" },
  });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

// oxlint-disable-next-line typescript/no-explicit-any -- documents of many shapes, each matched by its test
function json(run: { code: number | null; stdout: string; stderr: string }): any {
  expect(run).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(run.stdout);
}

function contents(document: { memories: { content: string }[] }): string[] {
  return document.memories.map((memory) => memory.content);
}

async function library(): Promise<typeof Tacit> {
  return (await import(pathToFileURL(join(packageFolder, "dist", "index.js")).href)) as typeof Tacit;
}
