// Changes a store without end, to be killed. Says what it is about to do, and again when that was acknowledged.
import { randomFrom, sentence } from "./sentence.mjs";
import { describeError, say, settings } from "./speak.mjs";

const { library, db, project, name, seed } = settings;
const { openMemory } = await import(library);
const random = randomFrom(seed);
const memory = await openMemory({ db, project });
const mine = [];

// Far beyond what fits into the life of a writer, yet not for ever, should nobody come to kill it.
for (let step = 0; step < 20_000; step++) {
  const text = (part = "") => sentence(random, `${name} ${step}${part}`);
  const chance = random();
  if (mine.length < 2 || chance < 0.4) {
    const contents = [text()];
    await attempt(step, { verb: "remember", contents }, async () => {
      const { id } = await memory.remember({ content: contents[0], tags: [name], relatedFiles: [`src/${name}.ts`] });
      mine.push(id);
      return [id];
    });
  } else if (chance < 0.55) {
    const contents = ["a", "b", "c"].map(text);
    await attempt(step, { verb: "rememberMany", contents }, async () => {
      const kept = await memory.rememberMany(contents.map((content) => ({ content, tags: [name] })));
      const ids = kept.map(({ id }) => id);
      mine.push(...ids);
      return ids;
    });
  } else {
    const at = Math.floor(random() * mine.length);
    const target = mine[at];
    const contents = [text()];
    if (chance < 0.75) {
      await attempt(step, { verb: "revise", target, contents }, async () => {
        const { id } = await memory.revise(target, { content: contents[0], tags: [name, "revised"] });
        return [id];
      });
    } else if (chance < 0.85) {
      mine.splice(at, 1);
      await attempt(step, { verb: "forget", target }, async () => [(await memory.forget(target)).id]);
    } else if (chance < 0.96) {
      mine.splice(at, 1);
      await attempt(step, { verb: "supersede", target, contents }, async () => {
        const { id } = await memory.supersede(target, { content: contents[0] });
        mine.push(id);
        return [id];
      });
    } else {
      mine.splice(at, 1);
      await attempt(step, { verb: "purge", target }, async () => {
        await memory.purge(target);
        return [target];
      });
    }
  }
}

async function attempt(step, about, work) {
  say({ step, about });
  try {
    say({ step, ids: await work() });
  } catch (error) {
    say({ step, error: describeError(error) });
  }
}
