// Runs test files of this tree against the code of another one.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../measure.mjs";

/**
 * Every test of these files or folders with its name and whether it passed; undefined where this tree has none. The other
 * tree is not written to: its code is linked, the tests are copied, and one that is given as a text runs in their place.
 */
export function runSuites({ product, tests, paths, added }) {
  const found = paths.filter((path) => existsSync(join(tests, path)));
  if (found.length === 0) return undefined;
  const folder = temporaryFolder();
  const root = folder.path;
  for (const name of readdirSync(product)) {
    if (!["test", "node_modules", ".git"].includes(name)) symlinkSync(join(product, name), join(root, name));
  }
  // A folder of its own, so that nothing is written to the other tree's.
  mkdirSync(join(root, "node_modules"));
  for (const name of readdirSync(join(product, "node_modules"))) {
    if (name !== ".vite") symlinkSync(join(product, "node_modules", name), join(root, "node_modules", name));
  }
  cpSync(join(tests, "test"), join(root, "test"), { recursive: true });
  if (added) writeFileSync(join(root, added.path), added.text);
  const output = join(root, "results.json");
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const args = [
    "run",
    "--config",
    "vitest.hard.config.ts",
    "--reporter=json",
    `--outputFile=${output}`,
    ...(added ? [added.path] : found),
  ];
  // None of these tests needs the packed tarball.
  const env = { ...process.env, TACIT_INSTALLED_IN: product };
  const run = spawnSync(process.execPath, [vitest, ...args], { cwd: root, env, encoding: "utf8", maxBuffer: 1 << 28 });
  if (!existsSync(output)) throw new Error(`The tests did not run:\n${run.stdout}\n${run.stderr}`);
  const { testResults } = JSON.parse(readFileSync(output, "utf8"));
  if (testResults.length === 0) throw new Error(`The tests did not run:\n${run.stdout}\n${run.stderr}`);
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  folder.remove();
  return all.map(({ fullName, status }) => ({ name: fullName, isPassed: status === "passed" }));
}
