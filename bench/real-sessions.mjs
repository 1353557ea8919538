// What Tacit makes of sessions that other people's agents had with other people's repositories.
// `node bench/real-sessions.mjs REPOSITORY… [--product FOLDER] [--limit N] [--db FOLDER] [--out FILE] [--labels FILE] [--replay]`
//
// REPOSITORY is a git folder (bare or not) with the branch `entire/checkpoints/v1`, which the Entire CLI fills, for example
// a mirror of entireio/cli. Sessions are watched as by hooks, or with --replay learned from when they are over. Nothing is written to it, and nothing that is read is kept unless --out or --db ask for it.
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { temporaryFolder } from "./measure.mjs";
import { believeDates } from "./real-sessions/change-times.mjs";
import { readSessions } from "./real-sessions/read-checkpoints.mjs";
import { replaySessions } from "./real-sessions/replay-sessions.mjs";
import { renderFigures } from "./real-sessions/figures.mjs";
import { openWorkTree } from "./real-sessions/work-tree.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    product: { type: "string", default: dirname(import.meta.dirname) },
    limit: { type: "string" },
    db: { type: "string" },
    out: { type: "string" },
    labels: { type: "string" },
    replay: { type: "boolean", default: false },
  },
});
if (positionals.length === 0) throw new Error("Name a repository that has the branch entire/checkpoints/v1.");

const folder = temporaryFolder();
const place = realpathSync(folder.path);
const home = join(place, "home");
mkdirSync(home);
Object.assign(process.env, { HOME: home, TACIT_HOME: join(home, ".tacit") });

believeDates();
const all = [];
for (const repository of positionals) {
  const name = nameOf(resolve(repository));
  const started = performance.now();
  const { sessions, missing } = readSessions(repository);
  const chosen = sessions.slice(0, values.limit === undefined ? undefined : Number(values.limit));
  // Each person has a clone and a store of their own; in one for all, everybody's merges would pass for one's own.
  const people = new Map();
  for (const session of chosen) {
    const who = session.author?.email ?? "somebody";
    people.set(who, [...(people.get(who) ?? []), session]);
  }
  const parts = [];
  for (const [index, own] of [...people.values()].entries()) {
    const at = join(place, name.replaceAll("/", "+"), String(index));
    mkdirSync(at, { recursive: true });
    const part = await replaySessions({
      product: resolve(values.product),
      isLive: !values.replay,
      db: join(values.db ?? at, `${name.replaceAll("/", "+")}-${index}.db`),
      place,
      home,
      tree: openWorkTree(resolve(repository), at, name),
      sessions: own,
      onProgress: (done) =>
        process.stderr.write(`\r${name}, person ${index + 1} of ${people.size}: ${done.index + 1} of ${done.of}`),
    });
    parts.push(part);
  }
  const measured = { rows: parts.flatMap(({ rows }) => rows), memories: parts.flatMap(({ memories }) => memories) };
  process.stderr.write("\n");
  const seconds = Math.round((performance.now() - started) / 1000);
  all.push({ name, ...measured, people: people.size, missing, known: sessions.length, seconds });
}
if (values.out !== undefined) {
  const lines = all.flatMap(({ name, memories }) =>
    memories.map((one) => JSON.stringify({ repository: name, ...one })),
  );
  writeFileSync(values.out, lines.map((line) => `${line}\n`).join(""));
}
console.log(renderFigures(all, values.labels));
folder.remove();

/** A mirror lies at OWNER+NAME/repo; any other folder is its own name. */
function nameOf(repository) {
  const mirror = /([\w.-]+)\+([\w.-]+)\/[^/]+$/.exec(repository);
  return mirror ? `${mirror[1]}/${mirror[2]}` : `local/${basename(repository)}`;
}
