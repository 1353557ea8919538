// Does what drives a session, in the library or as hooks do it, and kills itself at the point that it is told.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { say, settings } from "./speak.mjs";

const { modules, db, directory, events = [], moment, does, dieAt } = settings;
const load = async (file) => import(new URL(file, modules).href);

/** As hard as it can be: nothing is flushed, no handler runs. */
function die(point) {
  if (point === dieAt) process.kill(process.pid, "SIGKILL");
}

const { writeSync } = fs;
fs.writeSync = (file, data, ...rest) => {
  const kind = /"kind":"(injected|call)"/.exec(Buffer.from(data).toString("utf8"))?.[1];
  if (kind) die(`before the note of ${kind}`);
  const written = writeSync(file, data, ...rest);
  if (kind) die(`after the note of ${kind}`);
  return written;
};
const { rename, rm } = fs.promises;
fs.promises.rename = async (from, to) => {
  const kind = /\.(finishing|gone)-/.exec(String(to))?.[1];
  if (kind) die(`before ${kind}`);
  const done = await rename(from, to);
  if (kind) die(`after ${kind}`);
  return done;
};
fs.promises.rm = async (path, options) => {
  if (/\.gone-/.test(String(path))) die("before the removal");
  return rm(path, options);
};
syncBuiltinESMExports();

const { Store } = await load("storage/storage.js");
const { write } = Store.prototype;
Store.prototype.write = async function dying(work, options) {
  let isLearning = false;
  const result = await write.call(
    this,
    async (writer) => {
      const run = async (sql, args) => {
        isLearning ||= sql.includes("observer_spools");
        if (isLearning) die("within the transaction");
        return writer.run(sql, args);
      };
      const done = await work({ ...writer, run });
      if (isLearning) die("before the commit");
      return done;
    },
    options,
  );
  if (isLearning) die("after the commit");
  return result;
};

if (does === "note") {
  const { observeOnce } = await load("hook/observe-once.js");
  await observeOnce(events, { db, directory });
} else if (does === "inject") {
  const { injectOnce } = await load("hook/inject-once.js");
  await injectOnce(moment, { db, directory, deadlineMs: 30_000 });
} else {
  const { openMemory } = await load("index.js");
  const memory = await openMemory({ db, directory, embedder: null });
  die("opened");
  for (const event of events) memory.observe(event);
  // Whoever asks what a session was told waits until all of it is noted.
  await memory.sessions.summary("any");
  say({ noted: events.length });
  die("noted");
  if (moment) await memory.inject(moment, { deadlineMs: 30_000 });
  die("told");
  if (does === "finish") await memory.finishSessions();
  else if (events.length > 0) await memory.finishSession(events[0].sessionId);
  die("finished");
  await memory.close();
}
say({ closed: true });
