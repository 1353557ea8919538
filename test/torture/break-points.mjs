// Breaks in at every statement of a write transaction and at every change of a file: makes a copy of all that is on disk
// there, which is what a kill at that moment would leave, where that is not what the copy before holds; or is killed at the
// one that `dieAt` names.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const changing = [
  "writeFileSync",
  "writeSync",
  "linkSync",
  "rmSync",
  "renameSync",
  "mkdirSync",
  "fsyncSync",
  "openSync",
];
const changingLater = ["rename", "rm", "open", "writeFile", "appendFile", "mkdir", "unlink", "truncate"];
const ofHandle = ["writeFile", "appendFile", "write", "sync", "truncate", "chmod"];

export async function breakAtPoints({ modules, home, copies, dieAt }) {
  let count = 0;
  let copied = 0;
  let last = "";
  let isArmed = false;
  const heard = [];
  const point = (what) => {
    if (!isArmed) return;
    count += 1;
    if (count === dieAt) process.kill(process.pid, "SIGKILL");
    if (copies === undefined) return;
    isArmed = false;
    const now = `${heard.length} ${stampOf(home)}`;
    if (now !== last) {
      last = now;
      copied += 1;
      const copy = join(copies, String(copied));
      execFileSync("cp", ["-r", home, copy]);
      fs.writeFileSync(`${copy}.json`, JSON.stringify({ what, heard }));
    }
    isArmed = true;
  };

  const { Store } = await import(new URL("storage/storage.js", modules).href);
  const { write } = Store.prototype;
  Store.prototype.write = async function counted(work, options) {
    point("before a write");
    const result = await write.call(
      this,
      async (writer) => {
        const each = (run) => async (sql, args) => {
          point(`before ${sql.slice(0, 60)}`);
          return run(sql, args);
        };
        const done = await work({ ...writer, rows: each(writer.rows), run: each(writer.run) });
        point("before the commit");
        return done;
      },
      options,
    );
    point("after a write");
    return result;
  };
  for (const name of changing) fs[name] = around(fs[name], name);
  for (const name of changingLater) fs.promises[name] = aroundLater(fs.promises[name], name);
  const handle = await fs.promises.open(new URL(import.meta.url), "r");
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of ofHandle) prototype[name] = aroundLater(prototype[name], `handle.${name}`);
  syncBuiltinESMExports();

  function around(work, name) {
    return function counted(...args) {
      point(`before ${name}`);
      const result = work.apply(this, args);
      point(`after ${name}`);
      return result;
    };
  }

  function aroundLater(work, name) {
    return async function counted(...args) {
      point(`before ${name}`);
      const result = await work.apply(this, args);
      point(`after ${name}`);
      return result;
    };
  }

  return {
    arm: () => (isArmed = true),
    note: (line) => heard.push(line),
    counts: () => ({ count, copied }),
  };
}

/** What a next process would see: not the index of the log, which it makes anew, nor the name a lock had before it was one. */
function stampOf(folder) {
  const entries = fs.readdirSync(folder, { recursive: true }).filter((name) => !/-shm$|\.lock-/.test(String(name)));
  return entries.map((name) => `${String(name)} ${changeOf(join(folder, String(name)))}`).join("\n");
}

function changeOf(path) {
  const { mtimeNs, size } = fs.statSync(path, { bigint: true });
  return `${mtimeNs} ${size}`;
}
