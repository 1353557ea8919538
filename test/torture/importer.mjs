// Imports a file through the library once it is told to go, and says how far it is and what it reported. With `pauseAt`
// it stops there, in the middle of its transaction, until a file of the name `goOn` comes to be.
import { existsSync } from "node:fs";
import { describeError, say, settings, told } from "./speak.mjs";

const { library, db, project, file, pauseAt = Infinity, goOn } = settings;
const { openMemory } = await import(library);
const memory = await openMemory({ db, project });

say({ ready: true });
await told();
try {
  const report = await memory.exchange.import(file, { onProgress });
  say({ report });
  await memory.close();
} catch (error) {
  say({ error: describeError(error) });
}

function onProgress(done, phase) {
  say({ phase, done });
  if (phase !== "writing" || done < pauseAt) return;
  while (!existsSync(goOn)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}
