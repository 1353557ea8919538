// `node bench/beside.mjs OTHER [--rounds N]`: times this build beside another one (the folder of a built checkout, or its
// `dist/cli/main.js`), turn by turn, through the command line alone. On a busy machine only the ratios count; an even number
// of rounds lets each build go first equally often.
import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { hookInputs, listFinishers, memoryOf, timeProgram } from "./hook-stage.mjs";
import { median, temporaryFolder } from "./measure.mjs";
import { generateSessions } from "./observer/generate.mjs";
import { makeRepository } from "./observer/made-up-repository.mjs";
import { renderTable } from "./render-table.mjs";

const memories = 1000;
const noted = 200;
const learned = 10;
const running = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "20" } },
});
const [given] = positionals.map((path) => resolve(path));
const mains = {
  other: given?.endsWith(".js") ? given : join(given ?? "", "dist", "cli", "main.js"),
  this: join(import.meta.dirname, "..", "dist", "cli", "main.js"),
};
const rounds = Number(values.rounds);
if (given === undefined || !Object.values(mains).every(existsSync) || !(rounds >= 1)) {
  console.error(
    "Build this checkout, and name another one that is built: node bench/beside.mjs ../tacit-0.9.0 --rounds 20",
  );
  process.exit(2);
}

const folder = temporaryFolder();
const path = realpathSync(folder.path);
const [root, home] = [join(path, "shop"), join(path, "home")];
const env = {
  ...process.env,
  HOME: path,
  TACIT_HOME: home,
  TACIT_EMBEDDING: "none",
  // A hook never exits with an error; this makes it report one on standard error.
  TACIT_DEBUG: "1",
  CLAUDE_PROJECT_DIR: root,
};
const steps = listSteps();
const runs = Object.fromEntries(["node", ...steps.map(({ what }) => what)].map((what) => [what, []]));
const troubles = [];

await stageHome();
// The first round is a warm-up: its times are dropped, its answers are checked.
for (let round = 0; round <= rounds; round += 1) {
  for (const build of Object.keys(mains)) cpSync(join(path, `${build}-warm`), join(path, build), { recursive: true });
  for (const step of steps) await takeTurns(step, round);
  for (const build of Object.keys(mains)) {
    if (round === 0) await inHome(build, () => requireLearned(build));
    rmSync(join(path, build), { recursive: true });
  }
}
folder.remove();
console.log(renderResults());
for (const trouble of troubles) console.error(trouble);
process.exitCode = troubles.length > 0 ? 1 : 0;

/** Runs bare Node once and each build once; the build that goes first alternates (ABBA). */
async function takeTurns({ what, args, input, isSilent = false }, round) {
  const node = await measure(["-e", "0"]);
  const taken = {};
  for (const build of round % 2 === 0 ? ["other", "this"] : ["this", "other"]) {
    taken[build] = await inHome(build, () => measure([mains[build], ...args], input));
    const { code, stdout, stderr } = taken[build];
    const isWrong = code !== 0 || (stdout === "") !== isSilent || /^tacit (?:hook|observe):/m.test(stderr);
    if (isWrong) troubles.push(`${what}, ${build}, round ${round}: code ${code}, said "${stdout}" ${stderr}`);
  }
  if (round === 0) return;
  runs.node.push(node);
  runs[what].push(taken);
}

/** Session notes contain the path of their home, so both builds use the same path, each with its own copy. */
async function inHome(build, work) {
  renameSync(join(path, build), home);
  const result = await work();
  while (listFinishers(root).length > 0) await new Promise((wake) => setTimeout(wake, 20));
  renameSync(home, join(path, build));
  return result;
}

/** Wall time of the whole process, and CPU time including the children it waited for. */
async function measure(words, input) {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@"';
  const line = ["-c", script, "bash", process.execPath, ...words];
  const { stderr, ...run } = await timeProgram("bash", line, { input, cwd: root, env });
  const lines = stderr.trimEnd().split("\n");
  const [user, system] = lines.pop().replaceAll(",", ".").split(" ").map(Number);
  return { ...run, stderr: lines.join("\n"), cpuMs: 1000 * (user + system) };
}

async function tacit(main, args, input) {
  const { code, stdout, stderr } = await timeProgram(process.execPath, [main, ...args], { input, cwd: root, env });
  if (code !== 0) throw new Error(`tacit ${args.join(" ")} failed with ${main}: ${stderr}`);
  return stdout;
}

/** `tacit sessions` lists those that are over. */
async function requireLearned(build) {
  const listed = await tacit(mains[build], ["sessions", "--json"]);
  if (!listed.includes('"busy"')) throw new Error(`The session was not finished by ${mains[build]}: ${listed}`);
}

/** The other build stages the home; each build then opens its own copy once, which migrates the store if need be. */
async function stageHome() {
  const { project, sessions } = generateSessions({ mix: "noisy", sessions: 100, root });
  makeRepository(root, [
    ...project.files,
    ["src/queue.ts", "export function retry(order: string) {\n  return order;\n}\n"],
    ["src/quiet.ts", "export {};\n"],
  ]);
  mkdirSync(home, { mode: 0o700 });
  await tacit(mains.other, ["index"]);
  await tacit(mains.other, ["import", "-"], linesOf(Array.from({ length: memories }, (_, n) => memoryOf(n))));
  const distance = ({ session }) => Math.abs(session.hooks().length - noted);
  const [busy, ...others] = sessions.toSorted((a, b) => distance(a) - distance(b)).map(({ session }) => session);
  await tacit(mains.other, ["observe"], linesOf(others.slice(0, learned).flatMap((one) => one.hooks())));
  const going = others.slice(learned, learned + running).flatMap((one) => one.hooks({ end: false }));
  const own = busy.hooks({ end: false }).map((hook) => ({ ...hook, session_id: "busy" }));
  await tacit(mains.other, ["observe"], linesOf([...going, ...own]));
  for (const build of Object.keys(mains)) cpSync(home, join(path, `${build}-warm`), { recursive: true });
  rmSync(home, { recursive: true });
  for (const build of Object.keys(mains)) await inHome(`${build}-warm`, () => tacit(mains[build], ["list"]));
}

function linesOf(documents) {
  return documents.map((document) => `${JSON.stringify(document)}\n`).join("");
}

/** Every round runs these in this order, in a fresh copy of the home. */
function listSteps() {
  const inputs = hookInputs(root);
  const readsTold = "PostToolUse Read, told something";
  const hook = (name, isSilent = false) => ({
    what: `hook ${name}`,
    args: ["hook", "claude-code"],
    input: inputs[name]("s"),
    isSilent,
  });
  const { tool_response: _, ...call } = JSON.parse(inputs[readsTold]("s"));
  const before = JSON.stringify({ ...call, hook_event_name: "PreToolUse" });
  const end = JSON.stringify({ ...JSON.parse(inputs.SessionEnd("s")), session_id: "busy" });
  const told = "The refund of a voucher must wait for the ledger, else it is booked twice";
  return [
    { what: "list", args: ["list"] },
    { what: "recall --words", args: ["recall", "how often is the ledger renewed", "--words"] },
    hook("SessionStart"),
    hook("UserPromptSubmit"),
    { ...hook("PreToolUse", true), what: "hook PreToolUse Read", input: before },
    hook(readsTold),
    hook("PostToolUse Read", true),
    hook("PostToolUse Edit", true),
    hook("SessionEnd", true),
    { what: "remember", args: ["remember", told, "--type", "gotcha"] },
    { what: "remember --file", args: ["remember", "Jobs run twice", "--type", "gotcha", "--file", "src/queue.ts"] },
    { what: `observe SessionEnd, ${noted} events`, args: ["observe"], input: end, isSilent: true },
  ];
}

function renderResults() {
  const node = { ms: median(runs.node.map(({ ms }) => ms)), cpuMs: median(runs.node.map(({ cpuMs }) => cpuMs)) };
  const over = (what, build, unit) => median(runs[what].map((taken) => taken[build][unit])) - node[unit];
  const lines = steps.map(({ what }) => ({
    what,
    values: {
      other: over(what, "other", "ms"),
      this: over(what, "this", "ms"),
      ratio: over(what, "this", "ms") / over(what, "other", "ms"),
      cpu: over(what, "this", "cpuMs") / over(what, "other", "cpuMs"),
    },
  }));
  const names = {
    other: "other, ms over node",
    this: "this, ms over node",
    ratio: "this / other",
    cpu: "CPU, this / other",
  };
  const bare = `node -e 0: ${node.ms.toFixed(1)} ms, ${node.cpuMs.toFixed(1)} ms of CPU. Medians; rounds: ${rounds}.`;
  return `${renderTable({ names, lines })}\n\n${bare}`;
}
