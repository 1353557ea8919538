// Makes a fresh clone ready to run: installs from the lockfile and builds, each only when it is missing
// or out of date. Plain Node with no dependency, because it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tacit needs Node 20.19 or newer; this is ${process.version}. See https://nodejs.org for a newer one.`);
  process.exit(1);
}

const installed = hashOf(["package.json", "package-lock.json"]);
step("dependencies", join("node_modules", ".tacit-installed"), installed, "npm", ["ci", "--no-audit", "--no-fund"]);
step(
  "dist/",
  join("node_modules", ".tacit-built"),
  hashOf([...filesBelow("src"), ...filesBelow("scripts"), "tsconfig.json", "tsconfig.build.json"]),
  process.execPath,
  [join("scripts", "build.mjs")],
);

/** Runs the command unless the stamp file already carries this hash and the result is there. */
function step(what, stamp, hash, command, args) {
  const present = what === "dist/" ? ["build", "dist"].every(hasCommand) : existsSync("node_modules");
  if (present && existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  console.error(what === "dist/" ? "Building dist/ …" : "Installing dependencies from package-lock.json …");
  const run = spawnSync(command, args, {
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32" && command === "npm",
  });
  if (run.status !== 0) {
    console.error(
      `Could not prepare ${what}: \`${[command, ...args].join(" ")}\` failed${run.error ? ` (${run.error.message})` : ""}.`,
    );
    process.exit(run.status ?? 1);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

function hasCommand(folder) {
  return existsSync(join(folder, "cli", "main.js"));
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

function filesBelow(folder) {
  return readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]));
}
