import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import type { IndexReport } from "../../src/index.js";
import { built } from "../support/child-process.js";
import { gitRepository, writeFiles } from "../support/git-repository.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it("[G45] files are parsed by the process itself where its threads have no memory for a parser", async () => {
  const root = gitRepository();
  // More than are parsed without threads.
  const names = Array.from({ length: 60 }, (_, n) => `f${n}`);
  writeFiles(root, Object.fromEntries(names.map((name) => [`src/${name}.ts`, `export function ${name}() {}\n`])));

  const report = await indexWithoutMemoryInThreads(root);

  expect(report).toMatchObject({ changed: 60, symbols: 60, problems: [] });
});

async function indexWithoutMemoryInThreads(root: string): Promise<IndexReport> {
  const before = pathToFileURL(join(import.meta.dirname, "..", "support", "no-memory-in-threads.mjs")).href;
  const db = join(temporaryFolder(), "memory.db");
  const line = ["--import", before, fileURLToPath(built("cli/main.js")), "index", "--json", "--db", db];
  const child = spawn(process.execPath, line, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return JSON.parse(await text(child.stdout)) as IndexReport;
}
