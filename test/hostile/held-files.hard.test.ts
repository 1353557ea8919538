import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { built, compiled } from "../support/child-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const main = fileURLToPath(built("cli/main.js"));

describe("where no file can be moved or removed while it is open, as on Windows", () => {
  beforeEach(({ skip }) =>
    skip(process.platform !== "linux", "/proc, which tells what a process has open, is Linux's"),
  );

  it("[S22] an archive is written, and leaves nothing behind", async () => {
    const folder = temporaryFolder();
    await tacit(folder, "remember", "Tests need the database running");

    await tacit(folder, "export", "--archive", "--output", join(folder, "archive"));

    expect(readdirSync(join(folder, "archive")).toSorted()).toEqual([
      "README.md",
      "memories",
      "memories.jsonl",
      "memory.db",
    ]);
    expect(readdirSync(join(folder, "tmp"))).toEqual([]);
    const archived = await tacit(folder, "list", "--db", join(folder, "archive", "memory.db"));
    expect(archived).toContain("Tests need the database running");
  });

  it("[S22] a store is backed up, and leaves nothing behind", async () => {
    const folder = temporaryFolder();
    await tacit(folder, "remember", "Tests need the database running");

    await tacit(folder, "backup", join(folder, "copies", "copy.db"));

    expect(readdirSync(join(folder, "copies"))).toEqual(["copy.db"]);
  });

  it("[S22] the copy of a server can be given its name as soon as it is made", async () => {
    const folder = temporaryFolder();
    const [db, part, copy] = ["memory.db", "copy.part", "copy.db"].map((name) => join(folder, name));
    await tacit(folder, "remember", "Tests need the database running");

    await runLikeWindows(folder, [
      "--input-type=module",
      "-e",
      `import { renameSync } from "node:fs";
       import { copyServer } from ${JSON.stringify(compiled("storage/copy-server.js"))};
       import { Store } from ${JSON.stringify(compiled("storage/storage.js"))};
       const store = new Store({ db: ${JSON.stringify(db)}, timeoutMs: 5000 });
       await copyServer(store, ${JSON.stringify(part)});
       renameSync(${JSON.stringify(part)}, ${JSON.stringify(copy)});`,
    ]);

    expect(await tacit(folder, "list", "--db", String(copy))).toContain("Tests need the database running");
  });
});

/** What the command prints, with the store of this folder unless the line names another. */
async function tacit(folder: string, ...args: string[]): Promise<string> {
  const db = args.includes("--db") ? [] : ["--db", join(folder, "memory.db")];
  return runLikeWindows(folder, [main, ...args, ...db, "--project", "shop"]);
}

/** Runs Node, where renaming, linking and removing what the process has open fails with EBUSY. Throws what it complains of. */
async function runLikeWindows(folder: string, args: string[]): Promise<string> {
  const watcher = join(folder, "like-windows.mjs");
  writeFileSync(
    watcher,
    `import fs from "node:fs";
     import { syncBuiltinESMExports } from "node:module";
     const isOpen = (path) => fs.readdirSync("/proc/self/fd").some((fd) => {
       try {
         return (fs.readlinkSync("/proc/self/fd/" + fd) + "/").startsWith(path + "/");
       } catch {
         return false;
       }
     });
     for (const [of, name] of [
       ...["renameSync", "linkSync", "rmSync", "unlinkSync"].map((name) => [fs, name]),
       ...["rename", "link", "rm", "unlink"].map((name) => [fs.promises, name]),
     ]) {
       const original = of[name];
       of[name] = (path, ...rest) => {
         if (!isOpen(path)) return original(path, ...rest);
         const error = Object.assign(new Error("EBUSY: " + name + " " + path), { code: "EBUSY" });
         if (of === fs.promises) return Promise.reject(error);
         throw error;
       };
     }
     syncBuiltinESMExports();`,
  );
  const tmp = join(folder, "tmp");
  mkdirSync(tmp, { recursive: true });
  const env = { ...process.env, TMPDIR: tmp, NODE_OPTIONS: `--import ${pathToFileURL(watcher).href}` };
  return (await promisify(execFile)(process.execPath, args, { env, cwd: folder })).stdout;
}
