import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { built } from "../../../test/support/child-process.js";
import { commitFiles, gitRepository } from "../../../test/support/git-repository.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";

const main = fileURLToPath(built("cli/main.js"));

let home: string;
let project: string;

beforeEach(() => {
  home = temporaryFolder();
  project = realpathSync(temporaryFolder());
  mkdirSync(join(project, ".git"));
  mkdirSync(join(project, "src"));
});

describe("tacit observe", () => {
  it("notes what a hook is told, for the work tree that the agent is in", () => {
    const run = observe(JSON.stringify(hook({ hook_event_name: "UserPromptSubmit", prompt: "Mend the parser." })));

    expect(run).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(lines()).toMatchObject([
      { sessionId: "s1", root: project, db: join(realpathSync(home), "memory.db") },
      { kind: "prompt", text: "Mend the parser." },
    ]);
  });

  it("puts all events of a session into one spool, wherever the agent goes within the work tree", () => {
    observe(JSON.stringify(hook({ hook_event_name: "SessionStart", source: "startup" })));
    const below = hook({ hook_event_name: "UserPromptSubmit", prompt: "Go.", cwd: join(project, "src") });
    observe(JSON.stringify(below));

    expect(spools().length).toBe(1);
    expect(lines().map(({ kind }) => kind)).toEqual([undefined, "start", "prompt"]);
  });

  it("takes the folder that the agent was started in for the root, outside git", () => {
    const folder = realpathSync(temporaryFolder());
    mkdirSync(join(folder, "src"));
    const input = hook({ hook_event_name: "UserPromptSubmit", prompt: "Go.", cwd: join(folder, "src") });

    observe(JSON.stringify(input), [], { CLAUDE_PROJECT_DIR: folder });

    expect(lines()[0]).toMatchObject({ root: folder });
  });

  it("keeps a session in one spool when the agent leaves the work tree", () => {
    const elsewhere = temporaryFolder();
    const end = hook({ hook_event_name: "UserPromptSubmit", prompt: "Go.", cwd: elsewhere });

    observe(JSON.stringify(hook({ hook_event_name: "SessionStart" })), [], { CLAUDE_PROJECT_DIR: project });
    observe(JSON.stringify(end), [], { CLAUDE_PROJECT_DIR: project });

    expect(spools().length).toBe(1);
    expect(lines().map(({ kind }) => kind)).toEqual([undefined, "start", "prompt"]);
  });

  it("says what kind of session it is, where that is told", () => {
    const input = JSON.stringify(hook({ hook_event_name: "SessionStart" }));

    observe(input, ["--type", "pr_review"]);
    const wrong = observe(input, ["--type=party"], { TACIT_DEBUG: "1" });

    expect(lines().map(({ type }) => type)).toEqual([undefined, "pr_review", undefined]);
    expect(wrong.stderr).toContain("--type is one of build, pr_review");
  });

  it("reads one document a line, and passes over damaged ones", () => {
    const prompts = ["one", "two"].map((prompt) =>
      JSON.stringify(hook({ hook_event_name: "UserPromptSubmit", prompt })),
    );

    observe(`${prompts[0]}\n{"cut": \n\n${prompts[1]}\n`);

    expect(lines().map(({ text }) => text)).toEqual([undefined, "one", "two"]);
  });

  it("reads events of Tacit's own form, for the store and the project that are named", () => {
    const event = { sessionId: "s9", kind: "prompt", text: "Mend it." };
    const db = join(realpathSync(home), "other.db");

    const cwd = gitRepository();
    commitFiles(cwd, { "README.md": "# Shop\n" });

    const run = observe(JSON.stringify(event), ["--db", db, "--project=shop", "--from", "tacit"], {}, cwd);

    expect(run).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(lines()).toMatchObject([
      { sessionId: "s9", db, project: "shop" },
      // What git has when a session begins, also where its agent does not say that it does.
      { kind: "start", commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string },
      { kind: "prompt", text: "Mend it." },
    ]);
  });

  it.each(["user", "project"])("writes nothing where the %s has switched Tacit off", (whose) => {
    writeFileSync(join(whose === "user" ? home : project, "tacit.config.json"), '{ "enabled": false }');

    const run = observe(JSON.stringify(hook({ hook_event_name: "UserPromptSubmit", prompt: "Go." })));

    expect(run).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(existsSync(join(home, "sessions"))).toBe(false);
  });

  it("writes nothing where a package.json switches Tacit off, and does not mind one that is none", () => {
    const input = JSON.stringify(hook({ hook_event_name: "UserPromptSubmit", prompt: "Go." }));
    writeFileSync(join(project, "package.json"), '{ "tacit": { "enabled": false } }');

    observe(input);
    const written = existsSync(join(home, "sessions"));
    writeFileSync(join(project, "package.json"), '{ "tacit": ');
    observe(input);

    expect(written).toBe(false);
    expect(spools().length).toBe(1);
  });

  it("makes no store, not before a session is over", () => {
    observe(JSON.stringify(hook({ hook_event_name: "UserPromptSubmit", prompt: "Go." })));

    // Beside what is noted, where the system tells it, whose process the agent is.
    expect(readdirSync(home).filter((name) => name !== "agent-processes")).toEqual(["sessions"]);
  });
});

describe("tacit observe never fails", () => {
  it.each<[string, string | Buffer, string[]]>([
    ["nothing", "", []],
    ["ten megabytes of one letter", "x".repeat(10_000_000), []],
    ["ten megabytes of JSON", JSON.stringify({ session_id: "s", a: "x".repeat(10_000_000) }), []],
    ["countless damaged lines", "{\n".repeat(2_000_000), []],
    ["bytes that are no text", Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256)), []],
    ["JSON of another kind", '[1, null, {}, [], "x", 1e999]', []],
    ["wrong types", '{"hook_event_name": 1, "session_id": {}, "cwd": "\\u0000"}', []],
    ["a prototype", '{"__proto__": 1, "session_id": "__proto__", "hook_event_name": "constructor"}', []],
    ["deep nesting", "[".repeat(200_000), []],
    ["an agent that it does not know", "{}", ["--from", "nobody"]],
    ["an agent left out", "{}", ["--from"]],
    ["a store left out", "{}", ["--db"]],
    ["a flag that it does not know", "{}", ["--bogus", "word"]],
    ["an address that is none", '{"session_id":"s","hook_event_name":"SessionEnd"}', ["--db", "libsql://["]],
    ["a folder that is none", '{"session_id":"s","hook_event_name":"Stop","cwd":"/none/at/all"}', []],
  ])("for %s", (_, input, flags) => {
    const run = observe(input, flags);

    expect(run).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("for a home that cannot be written to, and tells of it only where it is asked to", () => {
    const input = JSON.stringify(hook({ hook_event_name: "UserPromptSubmit", prompt: "Go." }));
    const file = join(home, "file");
    writeFileSync(file, "");

    const silent = observe(input, [], { TACIT_HOME: file });
    const told = observe(input, [], { TACIT_HOME: file, TACIT_DEBUG: "1" });

    expect(silent).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(told).toMatchObject({ code: 0, stdout: "" });
    expect(told.stderr).toMatch(/^tacit observe: .+\n$/);
  });

  it("for a configuration that cannot be read, and then notes nothing", () => {
    writeFileSync(join(home, "tacit.config.json"), '{ "enabled": fal');

    const run = observe(JSON.stringify(hook({ hook_event_name: "UserPromptSubmit", prompt: "Go." })));

    expect(run).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(existsSync(join(home, "sessions"))).toBe(false);
  });

  it("for a reader of its errors that has gone", () => {
    const script = `printf '{}' | "$@" observe --from nobody 2>&1 >/dev/null | true; echo done`;
    const run = spawnSync("sh", ["-c", script, "sh", process.execPath, main], {
      encoding: "utf8",
      env: { ...process.env, TACIT_DEBUG: "1" },
    });

    expect(run.stdout).toBe("done\n");
  });
});

interface Hook {
  [name: string]: unknown;
}

function hook(fields: Hook): Hook {
  return { session_id: "s1", cwd: project, ...fields };
}

function observe(input: string | Buffer, flags: string[] = [], env: Record<string, string> = {}, cwd = project) {
  const { CLAUDE_PROJECT_DIR: _unset, ...inherited } = process.env;
  const run = spawnSync(process.execPath, [main, "observe", ...flags], {
    input,
    cwd,
    encoding: "utf8",
    env: { ...inherited, TACIT_HOME: home, ...env },
    timeout: 30_000,
  });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

function spools(): string[] {
  return readdirSync(join(home, "sessions"));
}

function lines(): Record<string, unknown>[] {
  const [name = ""] = spools();
  const text = readFileSync(join(home, "sessions", name, "main.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
