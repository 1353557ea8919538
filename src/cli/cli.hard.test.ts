import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { runTacit, type TacitRun } from "../../test/support/run-tacit.js";

const main = join(inject("installedIn"), "node_modules", "tacit-memory", "dist", "cli", "main.js");

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tacit-cli-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("the version", () => {
  it.each([[["-V"]], [["--version"]], [["--db", "m.db", "--version"]], [["recall", "x", "-V"]]])(
    "answers %j",
    (args) => {
      expect(started(...args)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
        stderr: "",
      });
    },
  );

  it("is one document with --json", () => {
    expect(JSON.parse(started("--json", "--version").stdout)).toEqual({ version: expect.any(String) });
  });

  it("after two dashes is text like any other", () => {
    expect(JSON.parse(started("remember", "--json", "--", "--version").stdout)).toMatchObject({ content: "--version" });
  });
});

describe("the streams", () => {
  it("standard input is read for a dash only", async () => {
    const child = spawn(process.execPath, [main, "remember", "no dash", "--quiet"], {
      env: environment(),
      stdio: "pipe",
    });

    // Its standard input stays open; a command that read it would wait for ever.
    const code = await new Promise((resolve) => child.on("close", resolve));

    expect(code).toBe(0);
  });

  it("a reader that goes away early ends the command quietly", async () => {
    await tacit("remember", "x".repeat(60_000));
    const child = spawn(process.execPath, [main, "list", "--json"], {
      env: environment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const complaints: Buffer[] = [];
    child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
    child.stdout.destroy();

    const code = await new Promise((resolve) => child.on("close", resolve));

    expect(Buffer.concat(complaints).toString()).toBe("");
    expect(code).toBe(0);
  });
});

async function tacit(...args: string[]): Promise<TacitRun> {
  return tacitIn(home, ...args);
}

function tacitIn(cwd: string, ...args: string[]): Promise<TacitRun> {
  return runTacit(args, { cwd, env: { TACIT_HOME: home } });
}

/** The command of the packed package, in a process of its own. */
function started(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const run = spawnSync(process.execPath, [main, ...args], { cwd: home, encoding: "utf8", env: environment() });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

function environment(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, ...rest } = process.env;
  return { ...rest, TACIT_HOME: home, NO_COLOR: "1" };
}
