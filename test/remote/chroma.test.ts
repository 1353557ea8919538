// The suite of the fake Chroma server once more, with a real one on loopback for each test.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, onTestFinished } from "vitest";
import { testChroma } from "../support/chroma-contract.js";
import { ended } from "../support/child-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { freePort } from "./fake-servers.js";

// The last one that runs with glibc 2.36 (Debian 12): those from 1.0.6 on want 2.39, 1.3.4 wants 2.38. Chroma's own package
// only wraps it.
const version = "1.0.5";
const platforms: Record<string, string> = {
  "linux-x64": "linux-x64-gnu",
  "linux-arm64": "linux-arm64-gnu",
  "darwin-x64": "darwin-x64",
  "darwin-arm64": "darwin-arm64",
};

const chroma = fetchChroma();

describe("[E13] a collection of a real Chroma server", () => {
  beforeEach(({ skip }) => {
    if ("missing" in chroma) skip(`there is no Chroma server here: ${chroma.missing}`);
  });

  testChroma(startChroma);
});

type Fetched = { folder: string; package: string } | { missing: string };

/** Brings the server into node_modules/.cache once. */
function fetchChroma(): Fetched {
  const platform = platforms[`${process.platform}-${process.arch}`];
  if (platform === undefined) return { missing: `npm has none for ${process.platform}-${process.arch}.` };
  const name = `chromadb-js-bindings-${platform}`;
  const folder = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "tacit-chroma", version);
  if (problemOf(process.execPath, ["-e", `require("${name}")`], folder) === undefined) return { folder, package: name };

  console.log(`Fetching ${name} ${version} (400 MB) into node_modules/.cache/tacit-chroma …`);
  // Whatever is there was interrupted half-way.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "chroma", private: true }));
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${version}`];
  const missing =
    problemOf("npm", install, folder) ?? problemOf(process.execPath, ["-e", `require("${name}")`], folder);
  return missing === undefined ? { folder, package: name } : { missing };
}

function problemOf(command: string, args: string[], cwd: string): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 300_000 });
  if (status === 0) return undefined;
  return `${command} ${args.join(" ")}: ${error?.message ?? stderr.trim().split("\n").slice(0, 8).join(" ")}`;
}

/** A server of the running test's own, ended when the test ends. */
async function startChroma(): Promise<string> {
  if ("missing" in chroma) throw new Error(chroma.missing);
  const port = await freePort();
  const path = join(temporaryFolder(), "data");
  const line = ["chroma", "run", "--path", path, "--host", "127.0.0.1", "--port", String(port)];
  const program = `require("${chroma.package}").cli(${JSON.stringify(line)})`;
  const child = spawn(process.execPath, ["-e", program], { cwd: chroma.folder, stdio: "ignore" });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended(child);
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(url, child);
  return url;
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`Chroma ended with ${child.exitCode} before it was ready`);
    const answer = await fetch(`${url}/api/v2/heartbeat`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(20);
  }
  throw new Error("Chroma did not answer within ten seconds");
}
