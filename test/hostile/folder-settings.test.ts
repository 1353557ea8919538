import { mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultSettings } from "../../src/config/settings.js";
import { observeOnce } from "../../src/hook/observe-once.js";
import type { TacitMemory } from "../../src/index.js";
import { gitRepository } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { runTacit } from "../support/run-tacit.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Folders without a remote: none of them says whose it is. */
const folders: Record<string, () => string> = {
  "a plain folder, such as an unpacked archive": () => realpathSync(temporaryFolder()),
  "a repository without a remote": () => gitRepository(),
};

describe.each(Object.entries(folders))("the settings in the file of %s", (_, make) => {
  it("[TR70] count only once a person accepted them, unless they take something away", async () => {
    const root = make();
    writeFileSync(join(root, "tacit.config.json"), '{ "maxEntries": 1, "cleanupDays": 0, "injectionConfidence": 0 }');
    const { db, memory } = await openAt(root);
    await memory.rememberMany([{ content: "one" }, { content: "two" }]);

    const before = await memory.list();
    const notices = await memory.store.notices();
    await memory.close();
    const again = await openAt(root, db);
    await again.memory.projects.accept();
    await again.memory.close();
    const after = await openAt(root, db);
    const { evicted } = await after.memory.remember({ content: "three" });

    expect(before).toHaveLength(2);
    expect(notices).toEqual(
      ["cleanupDays", "maxEntries", "injectionConfidence"].map((name) => expect.stringContaining(name)),
    );
    expect(evicted).toHaveLength(2);
    expect(await after.memory.store.notices()).toEqual([]);
  });

  it("[TR70] are told as pending until then, beside the value in force", async () => {
    const root = make();
    writeFileSync(join(root, "tacit.config.json"), '{ "windowTurns": 1, "enabled": false }');
    const { db, memory } = await openAt(root);

    const before = await memory.projects.config();
    await memory.projects.accept();
    await memory.close();
    const after = await (await openAt(root, db)).memory.projects.config();

    expect(before).toMatchObject({
      settings: { windowTurns: defaultSettings().windowTurns, enabled: false },
      origins: { windowTurns: "default", enabled: "project" },
    });
    expect(before.pending).toEqual({ windowTurns: 1 });
    expect(after).toMatchObject({ settings: { windowTurns: 1 }, origins: { windowTurns: "project" }, pending: {} });
  });

  it("[TR70] wait again where their value changes, as with a branch of somebody else", async () => {
    const root = make();
    writeFileSync(join(root, "tacit.config.json"), '{ "maxEntries": 100 }');
    const { db, memory } = await openAt(root);
    await memory.rememberMany([{ content: "one" }, { content: "two" }]);
    await memory.projects.accept();
    await memory.close();
    writeFileSync(join(root, "tacit.config.json"), '{ "maxEntries": 1 }');
    const later = await openAt(root, db);

    const { evicted } = await later.memory.remember({ content: "three" });

    expect(evicted).toBeUndefined();
    expect(await later.memory.store.notices()).toEqual([
      "maxEntries in this project's file waits for: tacit project accept",
    ]);
  });

  it("[TR71] count at once where a person set them with tacit config, and only those", async () => {
    const root = make();
    writeFileSync(join(root, "tacit.config.json"), '{ "cleanupDays": 0 }');
    const { db, memory } = await openAt(root);
    await memory.rememberMany([{ content: "one" }, { content: "two" }]);
    await memory.close();
    const set = await runTacit(["--db", db, "config", "set", "maxEntries", "2", "--local"], { cwd: root, env: {} });
    const later = await openAt(root, db);

    const { evicted } = await later.memory.remember({ content: "three" });

    expect(set.code).toBe(0);
    expect(evicted).toHaveLength(1);
    expect(await later.memory.store.notices()).toEqual([
      "cleanupDays in this project's file waits for: tacit project accept",
    ]);
  });

  it("[TR71] count not at all where an agent set them", async () => {
    const root = make();
    const { db, memory } = await openAt(root);
    await memory.rememberMany([{ content: "one" }, { content: "two" }]);
    await memory
      .as({ kind: "agent" })
      .projects.configure("project", "maxEntries", "1")
      .catch(() => undefined);
    await memory.close();

    const { evicted } = await (await openAt(root, db)).memory.remember({ content: "three" });

    expect(evicted).toBeUndefined();
  });

  it("[TR72] may switch Tacit off, and not on where the user has switched it off", async () => {
    const home = userHome('{ "enabled": false }');
    onTestFinished(() => void userHome("{}"));
    const known = spoolsIn(home);
    const root = make();
    writeFileSync(join(root, "tacit.config.json"), '{ "enabled": true }');
    const { db, memory } = await openAt(root);
    const start = { sessionId: "s1", kind: "start" } as const;

    await expect(memory.remember({ content: "one" })).rejects.toMatchObject({ code: "disabled" });
    await observeOnce([start, { sessionId: "s1", kind: "prompt", text: "Hello." }], { home, db, directory: root });
    expect(spoolsIn(home)).toEqual(known);
    await memory.projects.accept();
    await memory.close();
    await observeOnce([start, { sessionId: "s1", kind: "prompt", text: "Hello." }], { home, db, directory: root });

    expect(spoolsIn(home)).toHaveLength(known.length + 1);
    await expect((await openAt(root, db)).memory.remember({ content: "one" })).resolves.toMatchObject({
      content: "one",
    });
    userHome("{}");
    const other = make();
    writeFileSync(join(other, "tacit.config.json"), '{ "enabled": false, "autoInject": false }');
    await expect((await openAt(other)).memory.remember({ content: "one" })).rejects.toMatchObject({ code: "disabled" });
  });
});

async function openAt(
  root: string,
  db = join(temporaryFolder(), "memory.db"),
): Promise<{ db: string; memory: TacitMemory }> {
  return { db, memory: await openTestMemory({ db, project: undefined, directory: root, embedder: null }) };
}

/** What the user's own file says. */
function userHome(text: string): string {
  const home = process.env["TACIT_HOME"] as string;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "tacit.config.json"), text);
  return home;
}

function spoolsIn(home: string): string[] {
  try {
    return readdirSync(join(home, "sessions"));
  } catch {
    return [];
  }
}
