// What a hook of an agent takes, over a bare `node -e 0` of the same minute: the agent waits for each. With `--bad`: what it
// takes while something is wrong.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hookInputs, stageHooks, timeProgram } from "./hook-stage.mjs";
import { troubles } from "./hook-troubles.mjs";
import { median, percentile } from "./measure.mjs";

const rounds = 40;

export async function measureHooks() {
  const stage = await stageHooks();
  const { home, run } = await stage.openHome("home");
  const inputs = hookInputs(stage.root);
  const tells = new Set(["SessionStart", "UserPromptSubmit", "PostToolUse Read, told something"]);
  const nodeMs = [];
  const hookMs = Object.fromEntries(Object.keys(inputs).map((name) => [name, []]));
  let untold = 0;
  const sessions = new Set(readdirSync(join(home, "sessions")));
  // Turn by turn, so that what else the machine does hits all of them.
  for (let n = 0; n < rounds; n += 1) {
    for (const [name, input] of Object.entries(inputs)) {
      nodeMs.push((await timeProgram(process.execPath, ["-e", "0"])).ms);
      const { ms, code, stdout, stderr } = await run(input(`s${n}`));
      if (code !== 0) throw new Error(`${name} failed: ${stderr}`);
      hookMs[name].push(ms);
      if (tells.has(name) !== (stdout !== "")) untold += 1;
    }
    while (stage.finishers().length > 0) await new Promise((wake) => setTimeout(wake, 50));
    // So that each round finds as many sessions as the first.
    for (const name of readdirSync(join(home, "sessions")).filter((one) => !sessions.has(one))) {
      rmSync(join(home, "sessions", name), { recursive: true, force: true });
    }
  }
  stage.remove();
  const node = { p50: median(nodeMs), p95: percentile(nodeMs, 0.95), quickest: Math.min(...nodeMs) };
  return {
    text: `The whole process, over \`node -e 0\` turn by turn, p95 over p95. 2,000 memories, a session of 200 noted events, 50
other sessions that go on. \`node bench/hooks.mjs --bad\` prints what it takes while something is wrong.`,
    rows: [
      { what: "node -e 0, ms p50", value: node.p50 },
      ...Object.entries(hookMs).flatMap(([name, ms]) => [
        { what: `${name}, ms over node p95`, value: percentile(ms, 0.95) - node.p95, atMost: 120 },
        { what: "… p50", value: median(ms) - node.p50 },
        { what: "… the quickest of each", value: Math.min(...ms) - node.quickest },
      ]),
      { what: "answers that were missing for want of time, or came unasked", value: untold, atMost: 0 },
    ],
  };
}

/** The slowest hook of every kind in each trouble, in milliseconds of the whole process. */
async function measureTroubles() {
  const stage = await stageHooks({ memories: 200, noted: 20, others: 5 });
  const inputs = hookInputs(stage.root);
  const rows = [];
  for (const [index, trouble] of troubles.entries()) {
    const { name, isSilent, enter } = trouble;
    const home = await stage.openHome(`home-${index}`);
    const entered = await enter(home);
    if (entered.reason !== undefined) {
      console.warn(`SKIPPED ${name}: ${entered.reason}.`);
      continue;
    }
    const { leave, input: change = (text) => text, ...options } = entered;
    const slow = { ms: 0 };
    const wrong = [];
    for (const [kind, input] of Object.entries(inputs)) {
      const { ms, code, stdout } = await home.run(change(input(`s${index}`)), options);
      if (ms > slow.ms) Object.assign(slow, { ms, kind });
      if (code !== 0 || (isSilent && stdout !== "")) wrong.push(`${kind}: ${code} ${stdout.slice(0, 80)}`);
    }
    await leave?.();
    rows.push({ what: `${name} (${slow.kind})`, value: slow.ms, atMost: 1000, wrong });
  }
  stage.remove();
  return rows;
}

if (process.argv[1] === import.meta.filename) {
  const rows = process.argv.includes("--bad") ? await measureTroubles() : (await measureHooks()).rows;
  const isHeld = ({ value, atMost = Infinity, wrong = [] }) => value <= atMost && wrong.length === 0;
  for (const row of rows) {
    console.log(`${row.what}: ${row.value.toFixed(1)}${isHeld(row) ? "" : ` (missed) ${row.wrong?.join(", ") ?? ""}`}`);
  }
  process.exitCode = rows.every(isHeld) ? 0 : 1;
}
