/** The life of a memory on the command line: names, relations, history, undoing, fading. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runTacit, type TacitRun } from "../../../test/support/run-tacit.js";
import { openMemory, type TacitMemory } from "../../index.js";

const shortId = /[0-9a-f]{8}/.source;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const obeyed = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/;

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tacit-life-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("rename", () => {
  it("gives a memory another name, and says what becomes of the old one", async () => {
    const { id } = await document("remember", "no deploys on fridays");

    expect(await firstLine("rename", id, "one")).toMatch(says("ID is now called one."));
    expect(await firstLine("rename", "one", "two")).toMatch(says("Renamed ID to two; one is free."));
    expect(await firstLine("rename", "two", "three", "--keep")).toMatch(
      says("Renamed ID to three; two stays as an alias."),
    );
    expect(await firstLine("rename", "three", "three")).toMatch(says("ID is called three already."));
    expect(await document("show", "two")).toMatchObject({ id, name: "three", aliases: ["two"] });
    expect(await tacit("show", "one")).toMatchObject({ code: 1, stdout: "" });
  });

  it("refuses a name that is taken, and with --rebind says from whom it took it", async () => {
    const { id: loser } = await document("remember", "first", "--name", "rule");
    const { id } = await document("remember", "second", "--name", "other");

    const refused = await tacit("rename", "other", "rule", "--json");
    const moved = (await tacit("rename", "other", "rule", "--rebind")).stdout;

    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: "name-taken",
      message: expect.stringContaining(loser.slice(-8)),
      hint: expect.stringContaining("--rebind"),
    });
    expect(moved).toContain(`Taken from ${loser.slice(-8)}; tacit undo ${id.slice(-8)} gives it back.`);
    expect(await firstLine("undo", id)).toMatch(/^Took back change 2 /);
    expect(await document("show", loser)).toMatchObject({ name: "rule" });
  });

  it("answers with the memory and those that lost the name, or its id alone", async () => {
    const { id: loser } = await document("remember", "first", "--name", "rule");
    const { id } = await document("remember", "second");

    expect(await document("rename", id, "rule", "--rebind")).toMatchObject({ id, name: "rule", takenFrom: [loser] });
    expect(await tacit("rename", "rule", "law", "--quiet")).toEqual({ code: 0, stdout: `${id}\n`, stderr: "" });
  });
});

describe("alias and unalias", () => {
  it("add names that work like ids, and take them away again", async () => {
    const { id } = await document("remember", "no deploys on fridays", "--name", "rule");

    expect(await firstLine("alias", "rule", "friday", "no fridays")).toMatch(
      says("ID also answers to friday, no fridays."),
    );
    expect(await document("show", "no fridays")).toMatchObject({ id, name: "rule", aliases: ["friday", "no fridays"] });
    expect(await firstLine("unalias", "no fridays")).toMatch(says("no fridays no longer means ID; it is free."));
    expect(await document("unalias", "friday")).toMatchObject({ id, aliases: [] });
    expect((await tacit("show", "friday")).code).toBe(1);
  });

  it("tell only of the names that are new", async () => {
    await document("remember", "no deploys on fridays", "--name", "rule", "--alias", "law");

    expect(await firstLine("alias", "rule", "rule", "law")).toMatch(says("ID already answers to rule, law."));
    expect(await firstLine("alias", "rule", "law", "friday", "friday")).toMatch(says("ID also answers to friday."));
  });

  it("are undone one by one", async () => {
    await document("remember", "we use libsql", "--name", "why-libsql");
    await tacit("alias", "why-libsql", "database-choice");
    await tacit("rename", "why-libsql", "why-postgres", "--keep");

    expect(await document("undo", "why-postgres", "2")).toMatchObject({
      name: "why-postgres",
      aliases: ["why-libsql"],
    });
  });

  it("refuse what another memory holds, and what is no alias", async () => {
    const { id: loser } = await document("remember", "first", "--name", "rule", "--alias", "law");
    const { id } = await document("remember", "second");

    expect(await error("alias", id, "free", "law")).toMatchObject({ code: "name-taken" });
    expect(await error("show", "free")).toMatchObject({ code: "memory-not-found" });
    expect(await error("unalias", "rule")).toMatchObject({
      code: "invalid-input",
      hint: expect.stringContaining("rename"),
    });
    expect(await error("unalias", "nobody")).toMatchObject({ code: "memory-not-found" });
    expect(await document("alias", id, "law", "--rebind")).toMatchObject({ id, aliases: ["law"], takenFrom: [loser] });
    expect((await tacit("alias", id, "third", "--quiet")).stdout).toBe(`${id}\n`);
  });
});

describe("--rebind", () => {
  it("moves a name with remember, edit and supersede too", async () => {
    const { id: first } = await document("remember", "first", "--name", "rule");

    expect(await error("remember", "second", "--name", "rule")).toMatchObject({ code: "name-taken" });
    const { id: second } = await document("remember", "second", "--name", "rule", "--rebind");
    expect(await error("edit", first, "--name", "rule")).toMatchObject({ code: "name-taken" });
    expect(await document("edit", first, "--name", "rule", "--rebind")).toMatchObject({ id: first, name: "rule" });
    expect(await error("supersede", second, "third", "--name", "rule")).toMatchObject({ code: "name-taken" });
    const { id: third } = await document("supersede", second, "third", "--name", "rule", "--rebind");
    expect((await document("show", "rule")).id).toBe(third);
    expect(await document("show", first)).not.toHaveProperty("name");
  });
});

describe("relate", () => {
  it("relates a memory to another by any reference, or to a file, and takes it back", async () => {
    const { id } = await document("remember", "retry twice", "--name", "retry");
    const { id: other } = await document("remember", "retries are idempotent", "--name", "idempotent");

    expect(await firstLine("relate", "retry", "required_with", "idempotent")).toMatch(
      says("Related ID: required with idempotent."),
    );
    expect(await document("relate", "retry", "validates", "--file", "./a.ts", "--confidence", "0.6")).toMatchObject({
      id,
      relations: expect.arrayContaining([
        { kind: "required_with", memory: other, confidence: 1, automatic: false },
        { kind: "validates", file: "a.ts", confidence: 0.6, automatic: false },
      ]),
    });
    expect(await firstLine("relate", "retry", "required_with", other, "--remove")).toMatch(
      says("Took a relation of ID away: "),
    );
    expect((await tacit("relate", "retry", "validates", "--file", "./a.ts", "--remove", "--quiet")).stdout).toBe(
      `${id}\n`,
    );
    expect(
      (await document("show", "retry")).relations.filter((each: { automatic: boolean }) => !each.automatic),
    ).toEqual([]);
  });

  it("says so when there is no such relation, no such memory, or it is the same one", async () => {
    await document("remember", "retry twice", "--name", "retry");

    expect(await error("relate", "retry", "validates", "--file", "a.ts", "--remove")).toMatchObject({
      code: "memory-not-found",
      message: expect.stringContaining("no such relation"),
    });
    expect(await error("relate", "retry", "validates", "nobody")).toMatchObject({ code: "memory-not-found" });
    expect(await error("relate", "retry", "validates", "retry")).toMatchObject({ code: "invalid-input" });
  });
});

describe("history and undo", () => {
  it("show every change, newest first, and take one back", async () => {
    const { id } = await document("remember", "port 8080", "--name", "port");
    await tacit("edit", "port", "port 9090", "--tag", "net");
    await tacit("rename", "port", "staging-port");
    const ref = id.slice(-8);

    expect((await tacit("history", "staging-port")).stdout.split("\n")).toEqual([
      "3  renamed     just now",
      "   name        port → staging-port",
      "2  edited      just now",
      "   content     port 8080 → port 9090",
      "   tags        (none) → net",
      "1  remembered  just now",
      "",
      `tacit undo ${ref} NUMBER takes one of them back.`,
      "",
    ]);
    expect((await tacit("undo", "staging-port", "2")).stdout).toBe(
      [
        `Took back change 2 of ${ref} (edited just now); tacit undo ${ref} redoes it.`,
        "  content  port 9090 → port 8080",
        "  tags     net → (none)",
        "",
        `${ref}  note  port 8080`,
        `                staging-port · just now`,
        "",
      ].join("\n"),
    );
    expect(await document("undo", id)).toMatchObject({ content: "port 9090", undone: { number: 4, verb: "undone" } });
    expect((await tacit("undo", id, "--quiet")).stdout).toBe(`${id}\n`);
    expect(await document("show", id)).toMatchObject({ content: "port 8080", name: "staging-port" });
  });

  it("tell programs the id and what each field was and became", async () => {
    const { id } = await document("remember", "port 8080", "--name", "port");
    await tacit("pin", "port");
    const history = await document("history", "port");

    expect(history).toEqual({
      id,
      changes: [
        {
          number: 2,
          verb: "pinned",
          at: expect.any(String),
          fields: { pinned: { before: false, after: true } },
          alsoChanged: [],
        },
        { number: 1, verb: "remembered", at: expect.any(String), fields: {}, alsoChanged: [] },
      ],
    });
    expect((await tacit("history", "port", "--quiet")).stdout).toBe(`${id}\n`);
  });

  it("do not undo what a later change built on, unless forced", async () => {
    await document("remember", "one", "--name", "it");
    await tacit("edit", "it", "two");
    await tacit("edit", "it", "three");

    expect(await error("undo", "it", "2")).toMatchObject({
      code: "undo-refused",
      hint: expect.stringContaining("--force"),
    });
    expect((await tacit("undo", "it", "2", "--force")).stdout).toContain("content  three → one");
    expect(await firstLine("undo", "it", "2", "--force")).toMatch(
      /^Everything in change 2 .* was taken back already\.$/,
    );
  });

  it("take the remembering itself back by forgetting", async () => {
    const { id } = await document("remember", "never mind", "--name", "it");
    const ref = id.slice(-8);

    expect(await firstLine("undo", "it")).toBe(
      `Took back change 1 of ${ref} (remembered just now); tacit restore ${ref} brings it back.`,
    );
    expect((await document("history", "it")).changes.map(({ verb }: { verb: string }) => verb)).toEqual([
      "undone",
      "remembered",
    ]);
    expect(await document("restore", "it")).toMatchObject({ id, status: "active" });
  });

  it("name what is not there", async () => {
    await document("remember", "one", "--name", "it");

    for (const command of ["history", "undo"]) {
      expect(await error(command, "nobody")).toMatchObject({ code: "memory-not-found" });
    }
    expect(await error("undo", "it", "7")).toMatchObject({
      message: expect.stringContaining("no change 7"),
      hint: expect.stringContaining("tacit history"),
    });
  });

  it("print no escape sequence that an old or new text contains", async () => {
    await document("remember", "red \u001B[31malert\u0007", "--name", "it", "--tag", "\u001B[2J");
    const runs = [
      await tacit("edit", "it", "8 bit \u009B31m csi\u001B]0;owned\u0007"),
      await tacit("history", "it"),
      await tacit("undo", "it"),
      await tacit("relate", "it", "validates", "--file", "\u001B[2J.ts"),
      await tacit("rename", "it", "\u001B[2J"),
      await tacit("undo", "\u001B[2J"),
      await tacit("history", "\u001B[2J"),
    ];

    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 1, 1, 1]);
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toMatch(obeyed);
    expect(runs[1]?.stdout).toContain("alert");
  });
});

describe("an archive", () => {
  it("keeps its text unless edit is forced", async () => {
    await document("remember", "what was said", "--type", "archive", "--name", "talk");

    expect(await error("edit", "talk", "rewritten")).toMatchObject({
      code: "archive-kept",
      hint: expect.stringContaining("--force"),
    });
    expect(await document("edit", "talk", "--tag", "old")).toMatchObject({ content: "what was said", tags: ["old"] });
    expect(await document("edit", "talk", "rewritten", "--force")).toMatchObject({ content: "rewritten" });
  });
});

describe("prune", () => {
  it("says when there is nothing to prune, and creates no store", async () => {
    expect(await tacit("prune")).toEqual({ code: 0, stdout: "Nothing to prune.\n", stderr: "" });
    expect(await document("prune", "--dry-run")).toEqual({ dryRun: true, faded: [], evicted: [], purged: [] });
    expect((await tacit("prune", "--quiet")).stdout).toBe("");
  });

  it("lists what would go and leaves it, then lets it go", async () => {
    const { id: recent } = await document("remember", "recent trap", "--type", "gotcha");
    const [old, pinned, gone] = await longAgo(200, (memory) =>
      memory.rememberMany([
        { content: "old trap", type: "gotcha" },
        { content: "old pinned trap", type: "gotcha", pinned: true },
        { content: "old news" },
      ]),
    );
    await longAgo(100, (memory) => memory.forgetMany([gone?.id ?? ""]));

    const planned = (await tacit("prune", "--dry-run")).stdout;
    const plan = await document("prune", "--dry-run");
    const listed = (await tacit("list", "--quiet")).stdout;
    const ids = (await tacit("prune", "--dry-run", "--quiet")).stdout;
    const done = (await tacit("prune")).stdout;

    expect(planned).toMatch(/^Would forget 1 memory that nobody used for three half-lives:\n.* old trap\n/);
    expect(planned).toMatch(/\n\nWould erase 1 memory for good, let go or expired long ago:\n.* old news\n/);
    expect(plan).toMatchObject({ dryRun: true, faded: [{ id: old?.id }], evicted: [], purged: [{ id: gone?.id }] });
    expect(new Set(listed.trim().split("\n"))).toEqual(new Set([recent, old?.id, pinned?.id]));
    expect(ids).toBe(`${old?.id}\n${gone?.id}\n`);
    expect(done).toMatch(
      /^Forgot 1 memory that nobody used[^]*Erased 1 memory for good[^]*tacit restore REF brings back/,
    );
    expect((await tacit("show", old?.id ?? "")).stdout).toMatch(
      /^status +forgotten, because it had faded: .*; tacit restore [0-9a-f]{8} brings it back until /m,
    );
    expect((await tacit("show", gone?.id ?? "")).code).toBe(1);
    expect((await tacit("prune")).stdout).toBe("Nothing to prune.\n");
    expect(await document("restore", old?.id ?? "")).toMatchObject({ status: "active" });
  });

  it("evicts what is beyond maxEntries", async () => {
    for (const text of ["alpha", "beta", "gamma"]) await tacit("remember", text);
    writeFileSync(join(home, "tacit.config.json"), '{ "maxEntries": 1 }');

    expect((await tacit("prune")).stdout).toMatch(
      /^Forgot 2 memories to stay within maxEntries:\n.* alpha\n[^]*beta\n/,
    );
    expect((await document("list")).memories).toMatchObject([{ content: "gamma" }]);
  });
});

describe("remember within maxEntries", () => {
  it("says what it forgot to make room, and how to bring it back", async () => {
    writeFileSync(join(home, "tacit.config.json"), '{ "maxEntries": 1 }');
    const { id } = await document("remember", "alpha");

    const text = (await tacit("remember", "beta")).stdout;
    const answer = await document("remember", "gamma");

    const ref = id.slice(-8);
    expect(text).toContain(
      `Forgot 1 memory to stay within maxEntries: ${ref} (alpha); tacit restore ${ref} brings it back.`,
    );
    expect(answer).toMatchObject({ content: "gamma", evicted: [{ content: "beta", forgottenReason: "evicted" }] });
    expect((await tacit("show", id)).stdout).toMatch(
      /^status +forgotten, because there were more memories than maxEntries;/m,
    );
  });

  it("names a few of many", async () => {
    for (const text of ["one", "two", "three", "four", "five", "six"]) await tacit("remember", text);
    writeFileSync(join(home, "tacit.config.json"), '{ "maxEntries": 1 }');

    expect((await tacit("remember", "seven")).stdout).toMatch(
      /^Forgot 6 memories to stay .*\(five\), and others; tacit restore ID brings one back\.$/m,
    );
  });
});

describe("what holds everywhere", () => {
  it("stands back for the project's own, is marked as such, and left out with --no-user", async () => {
    const { id: everywhere } = await document("remember", "answer in short sentences", "--project", "user");
    const { id: own } = await document("remember", "this project writes long sentences");

    const text = (await tacit("recall", "sentences")).stdout;

    expect(text.split("\n\n").map((each) => each.includes("everywhere · "))).toEqual([false, true]);
    expect((await tacit("recall", "sentences", "--explain")).stdout).toContain("; holds everywhere (--project user)");
    expect((await tacit("recall", "sentences", "--quiet")).stdout).toBe(`${own}\n${everywhere}\n`);
    expect((await tacit("recall", "sentences", "--quiet", "--no-user")).stdout).toBe(`${own}\n`);
  });

  it("is not forgotten by a search from within a project", async () => {
    await document("remember", "answer in short sentences", "--project", "user");
    await document("remember", "this project writes long sentences");

    expect((await document("forget", "--query", "sentences", "--yes")).memories).toMatchObject([
      { content: "this project writes long sentences" },
    ]);
    expect((await document("list", "--project", "user")).memories).toHaveLength(1);
    expect((await document("forget", "--query", "sentences", "--yes", "--project", "user")).memories).toHaveLength(1);
  });
});

describe("show", () => {
  it("tells what is left of a confidence", async () => {
    await document("remember", "so that today's pruning is done");
    const trap = await longAgo(60, (memory) => memory.remember({ content: "old trap", type: "gotcha" }));

    expect((await tacit("show", trap.id)).stdout).toMatch(/^confidence +0\.8, now 0\.4: fades, half-life 60 days$/m);
    // Showing it was a use.
    expect((await tacit("show", trap.id)).stdout).toMatch(/^confidence +0\.8: fades, half-life 60 days$/m);
  });
});

/** The sentence with any short id in the place of ID. */
function says(sentence: string): RegExp {
  return new RegExp(`^${sentence.replaceAll(".", "\\.").replaceAll("ID", shortId)}`);
}

/** Does something as if so many days ago. */
async function longAgo<T>(days: number, work: (memory: TacitMemory) => Promise<T>): Promise<T> {
  const now = () => Date.now() - days * 86_400_000;
  const memory = await openMemory({ db: join(home, "memory.db"), directory: home, now });
  const result = await work(memory);
  await memory.close();
  return result;
}

async function firstLine(...args: string[]): Promise<string> {
  const run = await tacit(...args);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  return run.stdout.split("\n")[0] ?? "";
}

// oxlint-disable-next-line typescript/no-explicit-any -- documents of many shapes, each matched by its test
async function document(...args: string[]): Promise<any> {
  const run = await tacit(...args, "--json");
  expect(run).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(run.stdout);
}

async function error(...args: string[]): Promise<{ code: string; message: string; hint: string }> {
  const run = await tacit(...args, "--json");
  expect(run).toMatchObject({ code: 1, stdout: "" });
  return JSON.parse(run.stderr).error;
}

function tacit(...args: string[]): Promise<TacitRun> {
  return runTacit(args, { cwd: home, env: { TACIT_HOME: home } });
}
