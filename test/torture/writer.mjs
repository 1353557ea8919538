// Remembers `count` texts through the library once it is told to go, and says each that was acknowledged.
// Loaded ahead, so that going means opening the store and nothing else.
import "@libsql/client/sqlite3";
import { randomFrom, sentence } from "./sentence.mjs";
import { describeError, say, settings, told } from "./speak.mjs";

const { library, db, project, name, seed, count } = settings;
const { openMemory } = await import(library);
const random = randomFrom(seed);

say({ ready: true });
await told();
try {
  const memory = await openMemory({ db, project });
  for (let index = 0; index < count; index++) {
    const content = sentence(random, `${name} ${index}`);
    try {
      const { id } = await memory.remember({ content, tags: [name] });
      say({ id, content });
    } catch (error) {
      say({ error: describeError(error) });
    }
  }
  await memory.close();
} catch (error) {
  say({ error: describeError(error) });
}
