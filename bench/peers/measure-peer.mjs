// What the child process does: `node measure-peer.mjs PEER TASK INPUT`, the answer goes to the parent as a message.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { peers } from "./peers.mjs";

const page = 1000;
const told = 10_000;
const [, , key, task, input] = process.argv;
const tasks = { rank, fill, ask, answerOnce };
// Who asked is gone; nobody would end a run that takes minutes.
process.on("disconnect", () => process.exit(1));
const answer = await tasks[task](peers[key], JSON.parse(input));
process.send(answer, () => process.exit(0));

/** Adds each collection, asks its questions, and gives the ids that came back for each. */
async function rank(peer, { folder, file, limits }) {
  const collections = JSON.parse(readFileSync(file, "utf8"));
  const found = [];
  mkdirSync(folder, { recursive: true });
  for (const { id, items, questions } of collections) {
    const opened = await peer.open(folder, id);
    await opened.add(items);
    for (const question of questions) {
      found.push({});
      for (const limit of limits) found.at(-1)[limit] = await opened.search(question, limit);
    }
    await opened.close();
    process.send({ progress: `${found.length} questions` });
  }
  return { found };
}

/** Adds as many as it can in the time it is given; at least one page. */
async function fill(peer, { folder, file, budgetMs }) {
  const items = JSON.parse(readFileSync(file, "utf8"));
  mkdirSync(folder, { recursive: true });
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  const opened = await peer.open(folder, "scale");
  let added = 0;
  while (added < items.length && elapsed() < budgetMs) {
    const next = items.slice(added, added + page);
    await opened.add(next);
    added += next.length;
    if (added % told === 0) process.send({ progress: `${added} added` });
  }
  // What keeps its index in memory has kept nothing before this.
  await opened.close();
  return { added, perSecond: added / (elapsed() / 1000) };
}

/** Asks as many of the questions as it can in the time it is given; at least ten. */
async function ask(peer, { folder, questions, budgetMs }) {
  const opened = await peer.open(folder, "scale");
  const times = [];
  const found = [];
  const started = performance.now();
  for (const question of questions) {
    if (times.length >= 10 && performance.now() - started > budgetMs) break;
    const start = performance.now();
    found.push(await opened.search(question, 10));
    times.push(performance.now() - start);
  }
  const rssMb = residentMb(opened.pid ?? process.pid);
  await opened.close();
  return { times, found, rssMb };
}

/** From nothing to the first answer. */
async function answerOnce(peer, { folder, question }) {
  const opened = await peer.open(folder, "scale");
  const found = await opened.search(question, 10);
  return { found };
}

function residentMb(pid) {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}
