// What watching costs: an event, a hook's process, the end of a long session; and that nothing is written before the end.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../dist/index.js";
import { median, percentile, temporaryFolder } from "./measure.mjs";
import { longSession } from "./observer/long-session.mjs";
import { makeRepository } from "./observer/made-up-repository.mjs";

const main = join(import.meta.dirname, "..", "dist", "cli", "main.js");
const library = join(import.meta.dirname, "..", "dist", "index.js");
const hookRuns = 31;
const ends = 5;

export async function measureObserverSpeed() {
  const folder = temporaryFolder();
  const home = process.env.TACIT_HOME;
  process.env.TACIT_HOME = join(folder.path, "home");
  const root = join(realpathSync(folder.path), "shop");
  const db = join(folder.path, "memory.db");
  const sessions = Array.from({ length: 2 * ends }, (_, n) => longSession({ root, id: `long-${n}`, seed: n + 1 }));
  makeRepository(root, sessions[0].files);
  const place = { db, directory: root, embedder: null };

  const memory = await openMemory(place);
  // So that there is a database that could change.
  await memory.remember({ content: "The shop closes at eight." });
  const eventMs = [];
  const tailsMs = [];
  const handedMs = [];
  const warmMs = [];
  const warmCpuMs = [];
  let changed = 0;
  for (const { events } of sessions.slice(0, ends)) {
    const before = markOf(db);
    const own = await watch(memory, events);
    eventMs.push(...own.wholeMs);
    tailsMs.push(percentile(own.wholeMs, 0.99));
    handedMs.push(...own.handedMs);
    if (markOf(db) !== before) changed += 1;
    const cpuBefore = process.cpuUsage();
    warmMs.push(await timeOf(() => memory.finishSession(events[0].sessionId, { isQuick: true })));
    const cpu = process.cpuUsage(cpuBefore);
    warmCpuMs.push((cpu.user + cpu.system) / 1000);
  }
  await memory.close();

  const coldMs = [];
  for (const { events } of sessions.slice(ends)) {
    const watching = await openMemory(place);
    await watch(watching, events);
    await watching.close();
    coldMs.push(finishElsewhere(place, events[0].sessionId));
  }
  const hook = measureHook(root);
  process.env.TACIT_HOME = home;
  if (home === undefined) delete process.env.TACIT_HOME;
  folder.remove();
  return [
    { what: "observe(event) until it gives back, ms p99", value: percentile(handedMs, 0.99), atMost: 0.2 },
    { what: `… with what is done for it afterwards, ms p50 of ${eventMs.length}`, value: median(eventMs) },
    // Where other processes want the processor too, a tail of microseconds is theirs; the quietest session tells ours.
    { what: `… ms p99, the quietest of ${ends} sessions`, value: Math.min(...tailsMs), atMost: 0.2 },
    { what: "… ms p99 of all", value: percentile(eventMs, 0.99) },
    { what: "node -e 0, ms p50", value: hook.node },
    { what: "tacit observe in a hook over node -e 0, ms", value: hook.over, atMost: 60 },
    { what: "end of 5,000 events in the process that watched, ms p50", value: median(warmMs), atMost: 100 },
    { what: "… the quickest", value: Math.min(...warmMs) },
    { what: "… time of the processor, ms p50", value: median(warmCpuMs) },
    { what: "… the first, with what has to be loaded", value: warmMs[0] },
    { what: "… in a process of its own, opening included, ms p50", value: median(coldMs), atMost: 100 },
    { what: "… the quickest", value: Math.min(...coldMs) },
    { what: "sessions that wrote to the database before their end", value: changed, atMost: 0 },
  ];
}

/** Hands over events one by one. What the process does for each when it has given back counts as well. */
async function watch(memory, [first, ...events]) {
  memory.observe(first);
  // The first one loads the room; until it is there, events only queue.
  await memory.sessions.acute(first.sessionId);
  const handedMs = [];
  const wholeMs = [];
  for (const event of events) {
    const start = performance.now();
    memory.observe(event);
    handedMs.push(performance.now() - start);
    await new Promise(setImmediate);
    wholeMs.push(performance.now() - start);
  }
  await memory.sessions.acute(first.sessionId);
  return { handedMs, wholeMs };
}

/** The database as it lies on disk. */
function markOf(db) {
  const hash = createHash("sha256");
  for (const path of [db, `${db}-wal`]) hash.update(existsSync(path) ? readFileSync(path) : "");
  return hash.digest("hex");
}

async function timeOf(work) {
  const start = performance.now();
  const result = await work();
  if (!result) throw new Error("Nothing was seen of the session.");
  return performance.now() - start;
}

function finishElsewhere(place, sessionId) {
  const script = `
    const { openMemory } = await import(${JSON.stringify(library)});
    const start = performance.now();
    const memory = await openMemory(${JSON.stringify(place)});
    const report = await memory.finishSession(${JSON.stringify(sessionId)}, { isQuick: true });
    console.log(JSON.stringify({ ms: performance.now() - start, calls: report?.session.toolCalls }));
    await memory.close();`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  const { ms, calls } = status === 0 ? JSON.parse(stdout) : {};
  if (!calls) throw new Error(`The session was not finished: ${stderr || stdout}`);
  return ms;
}

/** Turn by turn, so that what else the machine does hits both. */
function measureHook(root) {
  const input = JSON.stringify({
    session_id: "hooked",
    cwd: root,
    transcript_path: join(root, "none.jsonl"),
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_use_id: "toolu_1",
    tool_input: { file_path: join(root, "package.json") },
    tool_response: readFileSync(join(root, "package.json"), "utf8"),
  });
  const nodeMs = [];
  const hookMs = [];
  for (let n = 0; n < hookRuns; n += 1) {
    nodeMs.push(timeRun(["-e", "0"], {}));
    hookMs.push(timeRun([main, "observe"], { input, cwd: root }));
  }
  return { node: median(nodeMs), over: median(hookMs) - median(nodeMs) };
}

function timeRun(args, options) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", ...options });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
  return ms;
}

if (process.argv[1] === import.meta.filename) {
  const rows = await measureObserverSpeed();
  const isHeld = ({ value, atMost = Infinity }) => value <= atMost;
  for (const row of rows) console.log(`${row.what}: ${Number(row.value.toFixed(3))}${isHeld(row) ? "" : " (missed)"}`);
  process.exitCode = rows.every(isHeld) ? 0 : 1;
}
