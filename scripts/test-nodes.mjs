// What must work on every version of Node that Tacit supports: the packed command, and the suites that touch the system most.
// Each Node comes as a package from npm; TACIT_NODES_IN names folders instead in which one is installed already.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// The oldest that package.json allows, and the two that are maintained longest.
const versions = ["20.19.0", "22", "24"];
const suites = [
  "src/storage/",
  "src/memory/",
  "src/retrieval/",
  "src/mcp/",
  "src/agents/",
  "src/cli/agents/hook-lines",
  ...readdirSync(join(import.meta.dirname, "..", "test", "journeys"))
    .filter((name) => /circle.*\.test\.ts$/.test(name))
    .map((name) => `test/journeys/${name}`),
];
const configs = ["vitest.config.ts", "vitest.hard.config.ts"];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const scratch = mkdtempSync(join(tmpdir(), "tacit-nodes-"));
const rows = [];
try {
  const installedIn = installTarball();
  for (const node of findNodes()) {
    const version = run(node, ["--version"]).stdout.trim();
    const home = join(scratch, `home-${version}`);
    const main = join(installedIn, "node_modules", "tacit-memory", "dist", "cli", "main.js");
    const tacit = (...args) =>
      run(node, [main, ...args], { cwd: installedIn, env: { ...process.env, TACIT_HOME: home } });
    await check(version, "remember", () => tacit("remember", "Deploys go out on Tuesdays", "--project", "demo").ok);
    await check(version, "recall", () =>
      tacit("recall", "which weekday is the release?", "--project", "demo").stdout.includes("Tuesdays"),
    );
    await check(version, "doctor", () => tacit("doctor", "--project", "demo").ok);
    await check(version, "mcp", () => initialises(node, main, home));
    await check(version, "suites", () => runSuites(node, version, installedIn));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.table(rows);
process.exitCode = rows.length > 0 && rows.every(({ result }) => !result.startsWith("FAILED")) ? 0 : 1;

async function check(node, what, work) {
  const start = performance.now();
  const answer = await work();
  const result = answer === true ? "ok" : answer === false ? "FAILED" : answer;
  rows.push({ node, what, result, seconds: Math.round((performance.now() - start) / 100) / 10 });
  console.log(`${node}  ${what}: ${result}`);
}

function installTarball() {
  const folder = join(scratch, "stranger");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  npm(["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  npm(["install", "--prefer-offline", "--no-audit", "--no-fund", "--omit=dev", `./${tarball}`], folder);
  return folder;
}

function findNodes() {
  const given = (process.env["TACIT_NODES_IN"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const folders = given.length > 0 ? given : versions.map((version) => installNode(version));
  const name = process.platform === "win32" ? "node.exe" : "node";
  return folders.map((folder) => realpathSync(join(folder, "node_modules", "node", "bin", name)));
}

function installNode(version) {
  const folder = join(scratch, `node-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  npm(["install", "--no-audit", "--no-fund", `node@${version}`], folder);
  return folder;
}

/** An MCP client's first message, and whether it is answered. */
async function initialises(node, main, home) {
  const server = spawn(node, [main, "mcp", "--project", "demo"], {
    cwd: home,
    env: { ...process.env, TACIT_HOME: home },
  });
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test-nodes", version: "1" } };
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  const answer = await new Promise((done) => {
    const giveUp = setTimeout(() => done(""), 20_000);
    server.stdout.once("data", (bytes) => {
      clearTimeout(giveUp);
      done(String(bytes));
    });
  });
  const ended = new Promise((done) => server.once("exit", done));
  server.stdin.end();
  await ended;
  return answer.includes('"serverInfo"');
}

function runSuites(node, version, installedIn) {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const runs = configs.map((config) => {
    const report = join(scratch, `report-${version}-${config}.json`);
    const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
    const args = [vitest, "run", "--config", config, ...suites, ...reporters];
    const { ok, stdout } = run(node, args, { cwd: root, env: { ...process.env, TACIT_INSTALLED_IN: installedIn } });
    const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = readReport(report);
    const isGood = ok && passed > 0 && failed === 0;
    if (!isGood) console.log(stdout.slice(-5000));
    return { passed, failed, isGood };
  });
  const sum = (figure) => runs.reduce((total, one) => total + one[figure], 0);
  if (runs.every(({ isGood }) => isGood)) return `${sum("passed")} passed`;
  return `FAILED ${sum("failed")} of ${sum("passed") + sum("failed")}`;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

function npm(args, cwd) {
  const { ok, stdout } = run("npm", args, { cwd, shell: process.platform === "win32" });
  if (!ok) throw new Error(`npm ${args.join(" ")} failed:\n${stdout}`);
}

function run(command, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 2 ** 28, ...options });
  return { ok: status === 0, stdout: `${stdout}${status === 0 ? "" : stderr}` };
}
