// Finishes the sessions that are over, as whoever comes next does: by asking for something, or by being told to.
import { readdirSync, rmSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describeError, say, settings, told } from "./speak.mjs";

// With `diesAfter` it is killed while it removes a folder, when so many files of it are gone.
if (settings.diesAfter !== undefined) {
  files.rm = async (folder) => {
    const names = readdirSync(folder).toSorted();
    if (settings.reversed) names.reverse();
    for (const name of names.slice(0, settings.diesAfter)) rmSync(join(folder, name));
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  };
  syncBuiltinESMExports();
}

const { openMemory } = await import(settings.library);
const memory = await openMemory({ db: settings.db, directory: settings.directory });
try {
  say({ ready: true });
  if (settings.waits) await told();
  say({ begun: true });
  if (settings.asks === undefined) {
    const reports = await memory.finishSessions();
    say({ finished: reports.filter(({ isRepeated }) => !isRepeated).map(({ sessionId }) => sessionId) });
  } else {
    const found = await memory.recall(settings.asks);
    say({ recalled: found.map(({ memory: { content } }) => content) });
  }
} catch (error) {
  say({ error: describeError(error) });
} finally {
  await memory.close();
}
say({ closed: true });
