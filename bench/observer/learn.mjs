// Lets Tacit watch generated sessions, one after the other, and tells what it made of them.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../../dist/index.js";
import { temporaryFolder } from "../measure.mjs";
import { generateSessions } from "./generate.mjs";
import { makeRepository } from "./made-up-repository.mjs";

/**
 * What was generated, and every memory that came of it with the signals that it rests on, after which session it was made
 * and whether it waits for a person.
 */
export async function learnFrom({ seed, sessions, mix }) {
  const folder = temporaryFolder();
  const root = join(realpathSync(folder.path), "shop");
  const home = process.env.TACIT_HOME;
  process.env.TACIT_HOME = join(folder.path, "home");
  const generated = generateSessions({ seed, sessions, mix, root });
  makeRepository(root, generated.project.files);

  // Words alone decide what is known already: a model would make the run long, and depend on which one it is.
  const memory = await openMemory({ db: join(folder.path, "memory.db"), directory: root, embedder: null });
  const made = new Map();
  for (const [index, { session, events }] of generated.sessions.entries()) {
    const reports = await take(memory, session, events);
    for (const { learned, waiting } of reports) for (const one of [...learned, ...waiting]) made.set(one.id, index);
  }
  const known = [
    ...(await memory.list({ limit: 1000 })),
    ...(await memory.list({ limit: 1000, status: "waiting" })).map((one) => ({ ...one, isWaiting: true })),
  ];
  const memories = [];
  for (const one of known) {
    const evidence = await memory.review.evidence(one.id);
    const shownIn = [...new Set(evidence.flatMap(({ sessions: seen }) => seen.map(({ sessionId }) => sessionId)))];
    memories.push({
      ...one,
      signals: evidence.map(({ signal }) => signal),
      evidence,
      shownIn,
      madeAfter: made.get(one.id),
    });
  }
  await memory.close();
  process.env.TACIT_HOME = home;
  if (home === undefined) delete process.env.TACIT_HOME;
  folder.remove();
  return { ...generated, memories };
}

async function take(memory, session, events) {
  if (!events) return (await memory.sessions.replay(session.stream())).sessions;
  for (const event of events) memory.observe(event);
  const report = await memory.finishSession(session.id);
  return report ? [report] : [];
}
