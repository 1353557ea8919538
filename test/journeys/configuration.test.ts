import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { letTimePass } from "../support/let-time-pass.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import type { TacitMemory } from "../../src/index.js";

describe("configuration", () => {
  it("[K1] counts the project's file before the user's, and that before the default", async () => {
    const { memory, root } = await openWith({
      "home/tacit.config.json": '{ "cleanupDays": 10, "autoInject": false }',
      "project/tacit.config.yaml": "cleanupDays: 20\n",
    });
    await acceptFolder(memory.db, root);

    const { settings, origins } = await memory.projects.config();

    expect(settings).toMatchObject({ enabled: true, autoInject: false, cleanupDays: 20, maxEntries: null });
    expect(origins).toMatchObject({
      enabled: "default",
      autoInject: "user",
      cleanupDays: "project",
      maxEntries: "default",
    });
  });

  it("[K1] counts a tacit.config file before package.json", async () => {
    const { memory, root } = await openWith({
      "project/package.json": '{ "name": "x", "tacit": { "cleanupDays": 1 } }',
      "project/tacit.config.jsonc": '{ "cleanupDays": 2 // days\n }',
    });
    await acceptFolder(memory.db, root);

    expect((await memory.projects.config()).settings.cleanupDays).toBe(2);
  });

  it.each([
    [
      "a value of the wrong kind",
      '{\n  "enabled": true,\n  "maxEntries": "many"\n}',
      /tacit\.config\.json:3: maxEntries/,
    ],
    ["an unknown key", '{\n  "maxEntrys": 3\n}', /tacit\.config\.json:2:.*maxEntrys/],
    ["a syntax error", '{\n  "maxEntries": \n}', /tacit\.config\.json:\d/],
  ])("[K2] names file, line and key of %s; nothing new is kept, and reading goes on", async (_what, text, message) => {
    const { memory, root } = await openWith({});
    await memory.remember({ content: "kept before" });
    await memory.close();
    writeFileSync(join(root, "tacit.config.json"), text);
    const later = await openTestMemory({ db: memory.db, directory: root });

    await expect(later.remember({ content: "new" })).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringMatching(message),
    });
    expect(await later.recall("kept before")).toHaveLength(1);
    expect((await later.store.diagnose()).checks).toContainEqual(
      expect.objectContaining({ name: "config", status: "broken", message: expect.stringMatching(message) }),
    );
  });

  it("[K3] changes one value, and leaves comments, order and layout", async () => {
    const before = '{\n    // how many\n    "maxEntries": 5, "autoInject": true,\n}\n';
    const { memory, root } = await openWith({ "project/tacit.config.json": before });

    const file = await memory.projects.configure("project", "maxEntries", "7");

    expect(file).toBe(join(root, "tacit.config.json"));
    expect(readFileSync(file, "utf8")).toBe(before.replace("5", "7"));
  });

  it("[K4] never runs a file", async () => {
    const { memory, root } = await openWith({});
    const trace = join(root, "it-ran");
    const program = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(trace)}, "");`;
    writeFileSync(join(root, "tacit.config.mjs"), program);

    await expect(memory.projects.config()).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("tacit.config.mjs is not read"),
    });
    expect(existsSync(trace)).toBe(false);
  });

  it("[K7] of a project does not say which models are asked, or where", async () => {
    const { memory } = await openWith({
      "home/tacit.config.json": '{ "embeddingProvider": "bundled" }',
      "project/tacit.config.yaml": "cleanupDays: 20\nembeddingUrl: https://evil.example\n",
    });

    await expect(memory.projects.config()).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("tacit.config.yaml:2: embeddingUrl is the user's alone to set"),
    });
    await expect(memory.projects.configure("project", "embeddingProvider", "openai")).rejects.toMatchObject({
      code: "config-invalid",
    });
  });

  it("[K5] that switches Tacit off keeps nothing new, and lets everything be read, exported and erased", async () => {
    const { memory, root } = await openWith({});
    await memory.remember({ content: "kept before", name: "old" });
    await memory.close();
    writeFileSync(join(root, "tacit.config.json"), '{ "enabled": false }');
    const off = await openTestMemory({ db: memory.db, directory: root });
    const file = join(temporaryFolder(), "memories.jsonl");

    for (const verb of [
      () => off.remember({ content: "new" }),
      () => off.supersede("old", { content: "new" }),
      () => off.exchange.import(file),
      () => off.exchange.share(),
    ]) {
      await expect(verb()).rejects.toMatchObject({ code: "disabled" });
    }
    expect(await off.recall("kept")).toHaveLength(1);
    expect(await off.exchange.export({ format: "jsonl", output: file })).toMatchObject({ memories: 1 });
    expect(await off.purge("old")).toMatchObject({ purged: 1 });
  });

  it("[K6] of a clone limits nothing until the folder is accepted, and says so", async () => {
    const { memory, root } = await openWith({
      "project/tacit.config.json": '{ "maxEntries": 1, "autoInject": false }',
    });
    await memory.close();
    execFileSync("git", ["init", "-q"], { cwd: root });
    execFileSync("git", ["remote", "add", "origin", "https://example.com/team/app.git"], { cwd: root });
    const clone = await openTestMemory({ db: memory.db, project: undefined, directory: root });

    await clone.remember({ content: "first" });
    expect(await clone.remember({ content: "second" })).not.toHaveProperty("evicted");
    expect(await clone.store.notices()).toEqual([expect.stringContaining("maxEntries")]);
    await clone.projects.accept();
    await clone.close();
    const accepted = await openTestMemory({ db: memory.db, project: undefined, directory: root });

    expect(await accepted.store.notices()).toEqual([]);
    expect((await accepted.remember({ content: "third" })).evicted).toHaveLength(2);
  });

  it("[K6] that waits does not keep a memory from being pruned and closed", async () => {
    const { memory, root } = await openWith({ "project/tacit.config.json": '{ "maxEntries": 1 }' });
    await memory.close();
    execFileSync("git", ["init", "-q"], { cwd: root });
    execFileSync("git", ["remote", "add", "origin", "https://example.com/team/app.git"], { cwd: root });
    const clone = await openTestMemory({ project: undefined, directory: root });
    await clone.remember({ content: "first" });
    // Settings are asked for again after a second.
    letTimePass(1100);

    expect(await clone.store.prune()).toEqual({ faded: [], evicted: [], purged: [] });
    await clone.close();
  });

  it("[L7] that allows three memories forgets the least worth keeping for a fourth, and tells", async () => {
    const { memory } = await openWith({ "home/tacit.config.json": '{ "maxEntries": 3 }' });
    await memory.remember({ content: "unsure", confidence: 0.2 });
    await memory.remember({ content: "pinned and unsure", confidence: 0.1, pinned: true });
    await memory.remember({ content: "sure", confidence: 0.9 });

    const fourth = await memory.remember({ content: "new and unsure", confidence: 0.1 });

    expect(fourth.evicted).toMatchObject([{ content: "unsure", status: "forgotten", forgottenReason: "evicted" }]);
    expect((await memory.list()).map(({ content }) => content).toSorted()).toEqual([
      "new and unsure",
      "pinned and unsure",
      "sure",
    ]);
    expect(await memory.restore(fourth.evicted?.[0]?.id ?? "")).toMatchObject({ status: "active" });
  });
});

/** A memory whose user and project have these files, below `home/` and `project/`. */
async function openWith(files: Record<string, string>): Promise<{ memory: TacitMemory; root: string }> {
  const folder = temporaryFolder();
  for (const part of ["home", "project"]) mkdirSync(join(folder, part));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const before = process.env["TACIT_HOME"];
  process.env["TACIT_HOME"] = join(folder, "home");
  onTestFinished(() => {
    if (before === undefined) delete process.env["TACIT_HOME"];
    else process.env["TACIT_HOME"] = before;
  });
  const root = join(folder, "project");
  return { memory: await openTestMemory({ db: join(folder, "memory.db"), directory: root }), root };
}

/** A person says that what the project's file sets counts. */
async function acceptFolder(db: string, directory: string): Promise<void> {
  const here = await openTestMemory({ db, project: undefined, directory });
  await here.projects.accept();
}
