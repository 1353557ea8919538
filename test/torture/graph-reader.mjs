// Reads the graph without a pause until it is told to end, and says every state that it saw, once.
import { say, settings } from "./speak.mjs";

const { openMemory } = await import(settings.library);
const { Store } = await import(new URL("storage/storage.js", settings.modules));

const store = new Store({ db: settings.db, timeoutMs: 10_000 });
const memory = await openMemory({ db: settings.db, project: "p", directory: settings.directory });
const test = { isOver: false };
process.stdin.once("data", () => (test.isOver = true));
const seen = new Set();
let reads = 0;
const saw = (how, state) => {
  reads += 1;
  const key = `${how} ${state}`;
  if (!seen.has(key)) say({ how, state });
  seen.add(key);
};
while (!test.isOver) {
  const [row] = await store.read((reader) => reader.rows(settings.sql));
  saw("statement", String(row.state));
  for (const target of settings.targets) {
    // A target that is not there in one of the states.
    const answer = await memory.impact(target).catch((error) => ({ error: error.code }));
    saw(target, JSON.stringify("error" in answer ? answer : { ...answer, notes: [] }));
  }
  await new Promise((wake) => setTimeout(wake, 1));
}
say({ reads });
await memory.close();
await store.close();
process.stdin.destroy();
