import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";

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
      expect(tacit(...args)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" });
    },
  );

  it("is one document with --json", () => {
    expect(JSON.parse(tacit("--json", "--version").stdout)).toEqual({ version: expect.any(String) });
  });

  it("after two dashes is text like any other", () => {
    expect(JSON.parse(tacit("remember", "--json", "--", "--version").stdout)).toMatchObject({ content: "--version" });
  });
});

describe("help", () => {
  it.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%j prints the commands to standard output", (args) => {
    const run = tacit(...args);

    expect(run).toMatchObject({ code: 0, stderr: "" });
    for (const command of ["remember", "recall", "purge", "doctor", "tour"])
      expect(run.stdout).toContain(`\n  ${command} `);
  });

  it.each([[["help", "recall"]], [["recall", "--help"]], [["--help", "recall"]]])(
    "%j tells about one command, with the global flags",
    (args) => {
      const run = tacit(...args);

      expect(run).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("Usage: tacit recall") });
      for (const flag of ["--min-score", "--db", "--project", "--json", "--quiet"]) expect(run.stdout).toContain(flag);
    },
  );

  it("is one document with --json", () => {
    expect(JSON.parse(tacit("help", "list", "--json").stdout)).toEqual({
      help: expect.stringContaining("Usage: tacit list"),
    });
  });
});

describe("wrong usage", () => {
  it.each([
    [["rember"], "There is no command 'rember'.", "tacit remember"],
    [["rember", "--help"], "There is no command 'rember'.", "tacit remember"],
    [["help", "rember"], "There is no command 'rember'.", "tacit remember"],
    [["remember", "two", "words"], "Too many arguments", "quotes"],
    [["remember", "-dash"], "Unknown option '-dash'.", "--"],
    [["remember", "x", "--tga", "y"], "Unknown option '--tga'.", "Did you mean --tag?"],
    [["project", "jion"], "Too many arguments", "Usage: tacit project"],
    [["list", "--project"], "--project needs an id", "--project="],
    [["edit", "x"], "nothing to change", "tacit edit x"],
    [["flag", "x"], "needs one reason", "tacit flag x"],
    [["forget"], "references, or --query", "tacit forget"],
    [["forget", "x", "--query", "y"], "references, or --query", "tacit forget"],
    [["forget", "x", "--type", "y"], "belong to --query", "--query"],
    [["purge"], "a reference, --project, --all", "--yes"],
    [["purge", "--all"], "every memory of every project", "--yes"],
    [["purge", "--project"], "all 0 memories", "--yes"],
    [["purge", "--all", "--project", "--yes"], "a reference, --project, --all", "--yes"],
  ])("%j is told on standard error with what to type instead", (args, message, hint) => {
    const text = tacit(...args);
    const json = tacit("--json", ...args);

    expect(text).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^tacit: .+\n {2}/) });
    expect(json).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse(json.stderr)).toEqual({
      error: { code: "usage", message: expect.stringContaining(message), hint: expect.stringContaining(hint) },
    });
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
    tacit("remember", "x".repeat(60_000));
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

  it("an escape sequence in a reference does not reach the terminal through an error", () => {
    expect(tacit("show", "\u001B[2J").stderr).not.toContain("\u001B");
  });

  it("an unknown type is kept, and the nearest known one named", () => {
    const run = tacit("remember", "mind the gap", "--type", "gotca");

    expect(run.stdout).toContain("treated as a note");
    expect(run.stdout).toMatch(/tacit edit [0-9a-f]{8} --type gotcha/);
  });
});

describe("the tour", () => {
  it("keeps every promise it shows, and leaves the user's own store alone", () => {
    const run = tacit("tour", "--json");
    const report = JSON.parse(run.stdout) as { ok: boolean; steps: { title: string; checks: { holds: boolean }[] }[] };

    expect(report.steps.flatMap((step) => step.checks.filter((check) => !check.holds))).toEqual([]);
    expect(report.steps.length).toBeGreaterThan(10);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(home, "memory.db"))).toBe(false);
  });
});

function tacit(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const run = spawnSync(process.execPath, [main, ...args], { cwd: home, encoding: "utf8", env: environment() });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

function environment(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, ...rest } = process.env;
  return { ...rest, TACIT_HOME: home, NO_COLOR: "1" };
}
