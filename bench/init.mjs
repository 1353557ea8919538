// `tacit init --yes` on this repository as a stranger has it: from the packed tarball, in a fresh clone and a fresh home.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./measure.mjs";

const here = join(import.meta.dirname, "..");
const question = "how do I run the tests";
const answer = "The tests run with `npm test`";

export async function measureInit() {
  const folder = temporaryFolder();
  const home = join(folder.path, "home");
  const clone = join(folder.path, "clone");
  mkdirSync(home);
  writeFileSync(join(folder.path, "package.json"), JSON.stringify({ name: "stranger", private: true }));
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder.path], { cwd: here });
  const tarball = readdirSync(folder.path).find((name) => name.endsWith(".tgz"));
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--omit=dev", `./${tarball}`], {
    cwd: folder.path,
  });
  run("git", ["clone", "--quiet", here, clone], {});

  const peak = join(folder.path, "peak");
  const note = join(folder.path, "note-peak.cjs");
  writeFileSync(
    note,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`,
  );
  const main = join(folder.path, "node_modules", "tacit-memory", "dist", "cli", "main.js");
  // Nothing of this machine but what it takes to run: an agent's own variable may lead out of this home.
  const { PATH, Path, SystemRoot, TMPDIR, TEMP } = process.env;
  const inherited = { PATH, Path, SystemRoot, TMPDIR, TEMP };
  const env = { ...inherited, HOME: home, USERPROFILE: home, APPDATA: home, TACIT_HOME: join(home, ".tacit") };
  const tacit = (...args) => run(process.execPath, ["--require", note, main, ...args], { cwd: clone, env });

  const first = tacit("init", "--yes", "--json");
  const megabytes = Number(readFileSync(peak, "utf8")) / 1024;
  const again = tacit("init", "--yes", "--json");
  const asked = tacit("recall", question, "--limit", "1", "--json");
  const learned = JSON.parse(first.stdout);
  const [found] = JSON.parse(asked.stdout).results;
  folder.remove();
  return {
    text: `\`tacit init --yes\` from the packed tarball in a fresh home, on a clone of this repository: ${learned.files} files, ${learned.symbols} symbols, ${learned.commits} commits, ${learned.project.facts.added} facts from its own files. Then \`tacit recall "${question}"\`.`,
    rows: [
      { what: "the first time, s", value: first.ms / 1000, atMost: 60 },
      { what: "memory at its peak, MB", value: megabytes },
      { what: "again, s", value: again.ms / 1000 },
      { what: "facts changed by the second time", value: changesOf(JSON.parse(again.stdout)), atMost: 0 },
      { what: "the question, s", value: asked.ms / 1000 },
      { what: "its first answer is true", value: found?.memory.content.startsWith(answer) ? 1 : 0, atLeast: 1 },
    ],
  };
}

function changesOf({ project: { facts } }) {
  return facts.added + facts.updated + facts.forgotten;
}

function run(command, args, options) {
  const start = performance.now();
  const isScript = process.platform === "win32" && command === "npm";
  const done = spawnSync(command, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, shell: isScript, ...options });
  const ms = performance.now() - start;
  if (done.status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${done.stderr}`);
  return { ms, stdout: done.stdout };
}
