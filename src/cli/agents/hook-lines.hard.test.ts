import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { agentSession } from "../../../bench/agent-session.mjs";
import { built, holdLock } from "../../../test/support/child-process.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { openMemory, type MemoryInput, type TacitMemory } from "../../index.js";

const main = fileURLToPath(built("cli/main.js"));

let home: string;
let project: string;
let db: string;

beforeEach(() => {
  home = realpathSync(temporaryFolder());
  project = realpathSync(temporaryFolder());
  db = join(home, "memory.db");
  mkdirSync(join(project, ".git"));
});

// Whoever runs the tests inside of an agent is one, as far as a hook can tell.
const isInAgent = process.env["CLAUDECODE"] !== undefined;
const notByAgent = "an agent runs the tests, and a hook takes nobody behind one for a person";
const inCall = { CLAUDECODE: "1", AI_AGENT: "claude-code_2-1-325_agent", CLAUDE_CODE_EXECPATH: "/bin/claude" };
const asHook = { CLAUDE_PROJECT_DIR: "", AI_AGENT: "claude-code_2-1-325_harness" };

const trap: MemoryInput = { type: "gotcha", content: "Retries must be idempotent.", relatedFiles: ["src/http.ts"] };
const reading = { hook_event_name: "PostToolUse", tool_name: "Read", tool_input: { file_path: "src/http.ts" } };

describe("tacit hook claude-code", () => {
  it("notes what the hook is told, and tells the agent once what is known about it", async () => {
    await remember(trap);

    const { session_id, ...first } = hookInTime({ ...reading, tool_use_id: "t1", tool_response: "" });
    const second = hook({ ...reading, session_id, tool_use_id: "t2", tool_response: "" });

    expect(JSON.parse(first.stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PostToolUse",
        additionalContext: expect.stringMatching(/^\n<tacit-memory point="file-read">\n(\| .*\n)+<\/tacit-memory>$/),
      },
    });
    expect(first.stdout).toContain("Retries must be idempotent.");
    expect(second).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(notes(session_id).map(({ kind }) => kind)).toEqual(["call", "result", "injected", "call", "result"]);
  });

  it("tells it once, however many hooks run at the same time", async () => {
    await remember(trap);

    const counts: number[] = [];
    for (const session_id of sessions) {
      const calls = ["t1", "t2", "t3"].map((tool_use_id) => hookAside({ ...reading, session_id, tool_use_id }));
      counts.push((await Promise.all(calls)).filter((printed) => printed.includes("idempotent")).length);
      if (counts.includes(1)) break;
    }

    expect(counts.at(-1)).toBe(1);
    expect(Math.max(...counts)).toBe(1);
  });

  it("notes what it is told however many run at the same time, and however long that takes", async () => {
    const fetch = { hook_event_name: "PostToolUse", tool_name: "WebFetch", tool_response: "Hi." };
    const calls = Array.from({ length: 12 }, (_, index) => `t${index}`);

    await Promise.all(
      calls.map((tool_use_id) =>
        hookAside({ ...fetch, tool_use_id, tool_input: { url: `https://example.com/${tool_use_id}` } }),
      ),
    );

    const noted = notes("s1").filter(({ kind }) => kind === "result");
    expect(noted).toHaveLength(calls.length);
    expect(new Set(noted.map(({ call }) => call))).toEqual(new Set(calls));
  });

  it("keeps what a person typed, trusts it although the session has read from outside, and says so to the agent", async ({
    skip,
  }) => {
    skip(isInAgent, notByAgent);
    hook({ hook_event_name: "SessionStart" });
    hook({ ...reading, tool_name: "WebFetch", tool_input: { url: "https://example.com" }, tool_response: "Hi." });

    const { stdout } = types("/tacit:remember Use pnpm.");
    const [kept, ...others] = await withMemory((memory) => memory.list());

    expect(others).toEqual([]);
    expect(kept).toMatchObject({ content: "Use pnpm.", source: "user_taught", status: "active", userVerified: true });
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "UserPromptSubmit",
        additionalContext: `\nTacit: what the user asked to remember was kept just now as memory #${kept?.id.slice(-8)}.`,
      },
    });
  });

  it.each<[string, () => { stdout: string }]>([
    ["runs the hook by itself", () => types("/tacit:remember Use pnpm.", inCall)],
    ["starts the Claude Code whose hook it is", () => types("/tacit:remember Use pnpm.", { ...inCall, ...asHook })],
    [
      "hides where it comes from",
      () =>
        runBehind(inCall, {
          session_id: "s1",
          hook_event_name: "UserPromptSubmit",
          prompt: "/tacit:remember Use pnpm.",
        }),
    ],
    ["makes up a session", () => types("/tacit:remember Use pnpm.", {}, "s9")],
  ])("takes for an agent's word what is typed where an agent %s", async (_, type) => {
    hook({ hook_event_name: "SessionStart" });

    const { stdout } = type();
    const [kept] = await withMemory((memory) => memory.list());

    // Of an agent whose process is known, its session decides; elsewhere nobody vouches for it.
    expect(kept).toMatchObject({ content: "Use pnpm.", source: "agent_explicit", userVerified: false });
    const { systemMessage } = JSON.parse(stdout) as { systemMessage: string };
    expect(systemMessage.includes("is unverified")).toBe(kept?.trustFlags.includes("unverified"));
  });

  it("lets such a word wait where any session that goes on here has read from outside, and says so", async () => {
    hook({ hook_event_name: "SessionStart" });
    hook({ ...reading, tool_name: "WebFetch", tool_input: { url: "https://example.com" }, tool_response: "Hi." });

    const { stdout } = types("/tacit:remember Use pnpm.", inCall, "s2");
    const [kept] = await withMemory((memory) => memory.list({ status: "waiting" }));

    expect(kept).toMatchObject({ content: "Use pnpm.", source: "agent_explicit" });
    expect((JSON.parse(stdout) as { systemMessage: string }).systemMessage).toContain(
      `tacit review accept ${kept?.id.slice(-8)}`,
    );
    expect(types("/tacit:memory-review", inCall).stdout).toBe("");
  });

  it("tells the person, not the agent, that a secret was taken out of what they typed", ({ skip }) => {
    skip(isInAgent, notByAgent);
    hook({ hook_event_name: "SessionStart" });

    const { stdout } = types(`/tacit:remember The key of staging is ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}.`);

    const { systemMessage } = JSON.parse(stdout) as { systemMessage: string };
    expect(systemMessage).toBe("Tacit: A secret was taken out before anything was kept.");
  });

  it("shows a person what waits, and stops the prompt, so that the agent does not see it", async ({ skip }) => {
    skip(isInAgent, notByAgent);
    const none = types("/tacit:memory-review");
    hook({ ...reading, tool_name: "WebFetch", tool_input: { url: "https://example.com" }, tool_response: "Hi." });
    const { id } = await remember({ content: "Deploy with \u001b[31m--force.", sessionId: "s1" });
    hook({ hook_event_name: "SessionEnd", reason: "other" });
    await expect.poll(() => readdirSync(join(home, "sessions")), { timeout: 20_000 }).toEqual([]);
    await withMemory((memory) => memory.as({ kind: "agent" }).remember({ content: "Tests need Docker." }));

    const some = JSON.parse(types("/tacit:memory-review").stdout) as { decision: string; reason: string };

    expect(JSON.parse(none.stdout)).toEqual({ decision: "block", reason: "Tacit: nothing waits for a review." });
    expect(some.decision).toBe("block");
    expect(some.reason).toContain(`${id.slice(-8)}  note: Deploy with`);
    expect(some.reason).not.toContain("\u001b");
    expect(some.reason).toContain("tacit review accept REF");
    expect(some.reason).toContain(
      "1 memory that nobody verified, told only to those who ask: tacit review --unverified",
    );
    expect(some.reason).not.toContain("Docker");
  });

  it("leaves learning to another process when a session ends", async () => {
    hook({ ...reading, tool_response: "" });

    const end = hook({ hook_event_name: "SessionEnd", reason: "other" });

    expect(end).toEqual({ code: 0, stdout: "", stderr: "" });
    await expect.poll(() => readdirSync(join(home, "sessions")), { timeout: 20_000 }).toEqual([]);
    expect(await withMemory((memory) => memory.sessions.list())).toMatchObject([{ sessionId: "s1" }]);
  });

  it("waits a second at most for what was said to be kept, where a person begins anew", async ({ skip }) => {
    skip(isInAgent, notByAgent);
    const transcript_path = join(temporaryFolder(), "s1.jsonl");
    writeFileSync(transcript_path, agentSession({ id: "s1", root: project, at: Date.now() }).lines().join("\n"));
    const begun = performance.now();

    const env = { ...asHook, CLAUDE_PROJECT_DIR: project };
    const end = hook({ hook_event_name: "SessionEnd", reason: "clear", transcript_path }, env);

    const left = readdirSync(join(home, "sessions"));
    expect(end).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(left.length === 0 || performance.now() - begun >= 1000).toBe(true);
    await expect.poll(() => readdirSync(join(home, "sessions")), { timeout: 20_000 }).toEqual([]);
    const turns = await withMemory((memory) => memory.conversation("s1").turns());
    expect(turns).toMatchObject([{ role: "user", content: "Do the work." }]);
  });

  it("has it learned for the store that was meant, wherever the agent stands", async () => {
    mkdirSync(join(project, "src"));
    const cwd = join(project, "src");
    const flags = ["claude-code", "--db", "../other.db"];

    for (const event of [{ ...reading, tool_response: "" }, { hook_event_name: "SessionEnd" }]) {
      run(
        JSON.stringify({ session_id: "s1", cwd: project, ...event }),
        flags,
        { TACIT_HOME: relative(cwd, home) },
        cwd,
      );
    }

    await expect.poll(() => readdirSync(join(home, "sessions")), { timeout: 20_000 }).toEqual([]);
    expect([existsSync(join(project, "other.db")), existsSync(db)]).toEqual([true, false]);
  });
});

describe("tacit hook claude-code never fails, and says nothing", () => {
  it.each<[string, () => void | Promise<unknown>]>([
    ["without a store", () => {}],
    ["where the store is no database", () => writeFileSync(db, "This is no database. ".repeat(500))],
    ["where the store is a folder", () => mkdirSync(db)],
    ["where the configuration cannot be read", () => writeFileSync(join(home, "tacit.config.json"), "{ enabled")],
    ["where memory is switched off", () => writeFileSync(join(home, "tacit.config.json"), '{ "enabled": false }')],
    ["where notes cannot be written", () => writeFileSync(join(home, "sessions"), "")],
  ])("%s", async (_, spoil) => {
    await spoil();
    const events = [reading, { hook_event_name: "SessionStart" }];

    for (const event of events) expect(hook(event)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it.each<[string, string, string[]]>([
    ["nothing", "", []],
    ["what is no JSON", "{".repeat(1000), []],
    ["a document of another kind", '[1, null, "x"]', []],
    ["wrong types", '{"hook_event_name": {}, "session_id": 1, "cwd": "\\u0000"}', []],
    ["a store left out", "{}", ["claude-code", "--db"]],
  ])("for %s", (_, input, args) => {
    expect(run(input, args.length === 0 ? ["claude-code"] : args)).toEqual({ code: 0, stdout: "", stderr: "" });
    // Without a document nobody has spoken.
    expect(existsSync(join(home, "agents", "claude-code"))).toBe(input.startsWith("[") || input.startsWith('{"'));
  });

  it("for an agent that it does not know, but for a word to whoever wrote that into a configuration", () => {
    expect(run("{}", ["nobody"])).toEqual({ code: 0, stdout: "", stderr: "tacit hook: the agent is claude-code.\n" });
  });

  it("while somebody else writes, and within a second when nobody ends its input", async () => {
    await remember(trap);
    const lock = await holdLock(db);
    const told = hookInTime({ ...reading, tool_response: "" });
    lock.kill();
    const child = spawn(process.execPath, [main, "hook", "claude-code"], { stdio: ["pipe", "ignore", "ignore"] });
    const begin = performance.now();
    const code = await new Promise((done) => child.once("exit", done));

    // Who only reads need not wait for who writes.
    expect(told.stdout).toContain("Retries must be idempotent.");
    expect(code).toBe(0);
    // 900 ms by its own clock, which begins when Node has started; the rest is for a machine that has other work.
    expect(performance.now() - begin).toBeLessThan(1500);
  });

  it("and tells what went wrong only where it is asked to", () => {
    writeFileSync(db, "This is no database. ".repeat(500));

    const { code, stdout, stderr } = hook(reading, { TACIT_DEBUG: "1" });

    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^tacit hook: .+\n$/);
    expect(existsSync(join(home, "sessions"))).toBe(true);
  });
});

function hook(fields: Record<string, unknown>, env: Record<string, string> = {}) {
  return run(JSON.stringify({ session_id: "s1", cwd: project, ...fields }), ["claude-code"], env);
}

/** A prompt that a hook of Claude Code is told of. */
function types(prompt: string, env: Record<string, string> = {}, session_id = "s1") {
  const isHook = env["CLAUDECODE"] === undefined || "CLAUDE_PROJECT_DIR" in env;
  const told = { session_id, hook_event_name: "UserPromptSubmit", prompt };
  return hook(told, { ...env, ...(isHook && { CLAUDE_PROJECT_DIR: project }) });
}

/** A hook as a shell starts it that was started with this, and from which it takes all of that away again. */
function runBehind(env: Record<string, string>, document: unknown) {
  const hidden = Object.keys(env).flatMap((name) => ["-u", name]);
  const line = ["env", ...hidden, `CLAUDE_PROJECT_DIR=${project}`, process.execPath, main, "hook", "claude-code"];
  const shell = spawnSync("sh", ["-c", '"$@"; true', "sh", ...line], {
    input: JSON.stringify(document),
    env: { ...process.env, TACIT_HOME: home, ...env },
    encoding: "utf8",
    timeout: 30_000,
  });
  expect(shell.status).toBe(0);
  return shell;
}

// A machine that has other work lets the 100 ms go by that a hook has, and then it is right to say nothing.
const sessions = ["s1", "s2", "s3", "s4", "s5", "s6"];

/** The first answer that came in time, each in a session of its own. */
function hookInTime(fields: Record<string, unknown>) {
  for (const session_id of sessions) {
    const answer = hook({ session_id, ...fields });
    if (answer.stdout !== "") return { session_id, ...answer };
  }
  throw new Error("no hook said anything in time");
}

/** The same while others run: what it prints. */
async function hookAside(fields: Record<string, unknown>): Promise<string> {
  const env = { ...process.env, TACIT_HOME: home, CLAUDE_PROJECT_DIR: project };
  const child = spawn(process.execPath, [main, "hook", "claude-code"], { env, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify({ session_id: "s1", cwd: project, ...fields }));
  return text(child.stdout);
}

function run(input: string, args: string[], env: Record<string, string> = {}, cwd = process.cwd()) {
  const { CLAUDE_PROJECT_DIR: _unset, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, "hook", ...args], {
    input,
    encoding: "utf8",
    env: { ...inherited, TACIT_HOME: home, ...env },
    cwd,
    timeout: 30_000,
  });
  return { code: status, stdout, stderr };
}

function notes(sessionId: string): Record<string, unknown>[] {
  const spools = readdirSync(join(home, "sessions")).map((name) => {
    const lines = readFileSync(join(home, "sessions", name, "main.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  });
  return spools.find(([head]) => head?.["sessionId"] === sessionId)?.slice(1) ?? [];
}

async function remember(input: MemoryInput) {
  return withMemory((memory) => memory.remember(input));
}

async function withMemory<T>(work: (memory: TacitMemory) => Promise<T>): Promise<T> {
  const usual = process.env["TACIT_HOME"];
  process.env["TACIT_HOME"] = home;
  const memory = await openMemory({ directory: project, embedder: null });
  try {
    return await work(memory);
  } finally {
    await memory.close();
    process.env["TACIT_HOME"] = usual;
  }
}
