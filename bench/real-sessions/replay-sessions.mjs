// Lets a product learn from sessions one after the other, and lists what it made of them.
import { join } from "node:path";
import { withOwnPaths } from "./own-paths.mjs";

/**
 * What each session led to, and every memory as it was when its session had ended and as it is once the remote's default
 * branch holds the work. Each session has a memory that was opened for it.
 */
export async function replaySessions({ product, isLive, db, place, home, tree, sessions, onProgress = () => {} }) {
  const { openMemory } = await import(join(product, "dist/index.js"));
  const learn = isLive ? await openWatching(product) : replay;
  let now = 0;
  // Words alone decide what is known already: a run with the model takes much longer, and depends on which one it is.
  const open = () => openMemory({ db, directory: tree.root, embedder: null, now: () => new Date(now) });
  const made = new Map();
  const rows = [];
  for (const [index, session] of sessions.entries()) {
    const { how, sha } = tree.begin(session);
    now = session.endedAt + 60_000;
    const memory = await open();
    if (index === 0) await memory.projects.accept();
    const transcript = stream(withOwnPaths(session, { root: tree.root, home, sha }));
    const reports = await learn(memory, transcript, () => tree.commit(session, now));
    tree.commit(session, Infinity);
    const mergedBy = tree.mergedBy(session);
    for (const { sessionId, session: record, learned, waiting } of reports) {
      for (const one of [...learned, ...waiting]) {
        if (!made.has(one.id))
          made.set(one.id, { after: sessionId, mergedBy, ...(await describe(memory, one, place)) });
      }
      rows.push({ id: sessionId, how, outside: record.outside });
    }
    if (reports.length === 0) rows.push({ id: session.id, how, isEmpty: true });
    await memory.close();
    onProgress({ index, of: sessions.length });
  }
  await withMemory(open, (memory) => addLater(memory, made, place));
  tree.merge();
  const states = await withMemory(open, async (memory) => {
    // What a person looks at is brought up to date first.
    await memory.review.pending();
    return statesOf(memory, made);
  });
  const memories = [...made].map(([id, one]) => ({ ...one, atLast: states.get(id) }));
  return { rows, memories };
}

/** As `tacit replay` learns from what is over. */
async function replay(memory, transcript, commit) {
  commit();
  return (await memory.sessions.replay(transcript)).sessions;
}

/** As hooks tell of a session while it goes on: git is asked what it had when the session began. */
async function openWatching(product) {
  const { readTranscript, openTranscriptReport } = await import(
    join(product, "build/observer/transcripts/transcripts.js")
  );
  return async (memory, transcript, commit) => {
    const ids = new Set();
    for await (const event of readTranscript(transcript, openTranscriptReport())) {
      memory.observe(event);
      ids.add(event.sessionId);
    }
    // What HEAD was when it began is noted by now.
    for (const id of ids) await memory.sessions.acute(id);
    commit();
    const reports = [];
    for (const id of ids) reports.push(await memory.finishSession(id));
    return reports.filter(Boolean);
  };
}

/** What was made beside the sessions: by synthesis, and by looking over what agents had stated. */
async function addLater(memory, made, place) {
  for (const status of ["active", "waiting"]) {
    for (const one of await memory.list({ limit: 10_000, status })) {
      if (!made.has(one.id)) made.set(one.id, await describe(memory, one, place));
    }
  }
}

/** The folder of this run stands in no content, so that two runs say the same. */
async function describe(memory, one, place) {
  const evidence = await memory.review.evidence(one.id);
  return {
    id: one.id,
    type: one.type,
    content: one.content.replaceAll(place, ""),
    atEnd: stateOf(one),
    signals: [...new Set(evidence.map(({ signal }) => signal))],
    sessions: [...new Set(evidence.flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId)))],
    evidence,
  };
}

/** By id; one that was let go since has none. */
async function statesOf(memory, made) {
  const states = new Map();
  for (const id of made.keys()) {
    const one = await memory.get(id).catch(() => undefined);
    if (one) states.set(id, stateOf(one));
  }
  return states;
}

async function withMemory(open, work) {
  const memory = await open();
  const result = await work(memory);
  await memory.close();
  return result;
}

function stateOf({ status, review, trustFlags, confidence }) {
  return { status, reason: review?.reason, trustFlags, confidence };
}

async function* stream(text) {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += 1 << 16) yield bytes.subarray(from, from + (1 << 16));
}
