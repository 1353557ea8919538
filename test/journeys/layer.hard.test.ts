import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { noteHistory } from "../../src/conversation/memory-file/note-history.js";
import { syncMemoryFile } from "../../src/conversation/memory-file/sync-memory-file.js";
import { compiled, ended, runProgram } from "../support/child-process.js";
import { layerProject } from "../support/layer-project.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("four processes at the same MEMORY.md and HISTORY.md", () => {
  it("[D2] lose no memory and no entry, write none twice, and show a reader whole files only", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const { context, folder, file, texts } = layerProject({ db, settings: { maxMemorySize: 65_536 } });
    mkdirSync(folder);
    // Of a process that was killed while it held the lock.
    const dead = execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).trim();
    writeFileSync(join(folder, ".lock"), `${dead}-12345`);

    const children = ["a", "b", "c", "d"].map((name) => runProgram(program(db, folder, name)));
    const running = new Set(children);
    const over = Promise.all(children.map((child) => ended(child).finally(() => running.delete(child))));
    const seen = new Set<string>();
    while (running.size > 0) {
      const text = readIfThere(file);
      if (text !== undefined) seen.add(text);
      await setImmediate();
    }

    expect(await over).toEqual([0, 0, 0, 0]);
    expect([...seen].filter((text) => !/^# Memory\n[^]*\n<!-- tacit 1[^\n]* -->\n$/.test(text))).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
    expect(await texts()).toHaveLength(4 * rounds * 2);
    await syncMemoryFile(context, folder);
    const told = readFileSync(file, "utf8");
    expect((await texts()).filter((text) => text.startsWith("Fact") && !told.includes(`- ${text}\n`))).toEqual([]);
    expect(await noteHistory(context, folder, { raw: async () => "" })).toBe(0);
    const entries = ["a", "b", "c", "d"].flatMap((name) =>
      Array.from({ length: rounds }, (_, n) => `(talk-${name}-${n}) `),
    );
    for (const name of ["HISTORY.md", "HISTORY-2026-04.md"]) {
      const text = readFileSync(join(folder, name), "utf8");
      expect(entries.filter((entry) => text.split(entry).length !== 2)).toEqual([]);
    }
    expect(readdirSync(folder).toSorted()).toEqual(["HISTORY-2026-04.md", "HISTORY.md", "MEMORY.md"]);
  });
});

const rounds = 6;

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Keeps a fact and an archive a round, and brings the files in step after each. */
function program(db: string, folder: string, name: string): string {
  return `
    import { Store } from ${JSON.stringify(compiled("storage/storage.js"))};
    import { openChanges } from ${JSON.stringify(compiled("memory/change/changes.js"))};
    import { remember } from ${JSON.stringify(compiled("memory/remember/remember-memories.js"))};
    import { defaultSettings } from ${JSON.stringify(compiled("config/settings.js"))};
    import { identifyFolder } from ${JSON.stringify(compiled("project/folder/identify-folder.js"))};
    import { noteHistory } from ${JSON.stringify(compiled("conversation/memory-file/note-history.js"))};
    import { syncMemoryFile } from ${JSON.stringify(compiled("conversation/memory-file/sync-memory-file.js"))};
    const store = new Store({ db: ${JSON.stringify(db)}, timeoutMs: 20000 });
    const from = {
      store,
      project: { id: "shop" },
      folder: () => identifyFolder("/"),
      settings: async () => ({ ...defaultSettings(), maxMemorySize: 65536 }),
      actor: { kind: "program" },
      changes: openChanges(),
      now: () => new Date(),
    };
    const folder = ${JSON.stringify(folder)};
    for (let n = 0; n < ${rounds}; n += 1) {
      const archivedAt = new Date(Date.UTC(2026, 3, 1, n)).toISOString();
      const data = { first: 2 * n + 1, last: 2 * n + 2, archivedAt };
      await remember(from, [
        { content: "Fact " + n + " that ${name} found out", type: "fact" },
        { type: "archive", name: "talk-${name}-" + n, content: "Said.", sessionId: "session ${name}", data },
      ]);
      await noteHistory(from, folder, { raw: async () => "" });
      await syncMemoryFile(from, folder);
    }
    await store.close();
  `;
}
