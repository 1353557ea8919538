// A project with a store and noted sessions, the hook command as an agent runs it, and what Claude Code hands to its hooks.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openMemory } from "../dist/index.js";
import { observeOnce } from "../build/hook/observe-once.js";
import { temporaryFolder } from "./measure.mjs";
import { makeRepository } from "./observer/made-up-repository.mjs";

const main = join(import.meta.dirname, "..", "dist", "cli", "main.js");
const types = ["gotcha", "decision", "convention", "error_pattern", "fact", "preference", "pattern", "requirement"];

/** As large as daily use makes it: memories, a session `busy` of so many noted events, other sessions that go on. */
export async function stageHooks({ memories = 2000, noted = 200, others = 50 } = {}) {
  const folder = temporaryFolder();
  const path = realpathSync(folder.path);
  const root = join(path, "shop");
  makeRepository(root, [
    ["src/queue.ts", "export {};\n"],
    ["src/quiet.ts", "export {};\n"],
  ]);
  const made = join(path, "made");
  const memory = await openMemory({ db: join(made, "memory.db"), directory: root, embedder: null });
  await memory.rememberMany(Array.from({ length: memories }, (_, n) => memoryOf(n)));
  await memory.close();
  // A copy, which nobody holds open: a database that was closed stays open until its statements are garbage.
  const openHome = async (name) => {
    const home = join(path, name);
    mkdirSync(home, { mode: 0o700 });
    for (const file of readdirSync(made)) cpSync(join(made, file), join(home, file));
    const place = { home, directory: root };
    await observeOnce([...eventsOf("busy", noted)], place);
    for (let n = 0; n < others; n += 1) await observeOnce([...eventsOf(`other-${n}`, noted)], place);
    const env = { ...process.env, TACIT_HOME: home, CLAUDE_PROJECT_DIR: root, TACIT_EMBEDDING: "none" };
    const run = (input, options = {}) => runHook(input, { cwd: root, ...options, env: { ...env, ...options.env } });
    return { home, root, db: join(home, "memory.db"), run };
  };
  return { root, openHome, finishers: () => listFinishers(root), remove: folder.remove };
}

/** Memories about everything in the shop; `src/queue.ts` has a warning. */
export function memoryOf(n) {
  if (n === 0) {
    const content = "Retries of src/queue.ts must be idempotent, else the queue doubles orders";
    return { content, type: "gotcha", confidence: 0.9, relatedFiles: ["src/queue.ts"] };
  }
  const [first, second] = [nouns[n % nouns.length], nouns[(n * 7) % nouns.length]];
  const content = `The ${first} of part${n % 97} wants its ${second} renewed every ${n} orders`;
  const type = types[n % types.length];
  return { content, type, ...(n % 3 > 0 && { relatedFiles: [`src/part${n % 97}/file${n % 13}.ts`] }) };
}

const nouns = "basket cache ledger stock label carrier invoice refund price tax voucher session token queue".split(" ");

function* eventsOf(sessionId, count) {
  yield { sessionId, kind: "start", agent: "claude-code" };
  for (let n = 1; n < count; n += 2) {
    const input = { file_path: `src/part${n % 97}/file${n % 13}.ts` };
    yield { sessionId, kind: "call", callId: `c${n}`, tool: "Read", input };
    yield { sessionId, kind: "result", callId: `c${n}`, tool: "Read", input, text: "export {};\n" };
  }
}

/**
 * Runs the hook of Claude Code. With `under`, a shell script that gets the command line as "$@"; with `keepOpen` its input
 * never ends; with `killAfterMs` it is killed.
 */
async function runHook(input, { args = [], under, keepOpen = false, killAfterMs, ...options }) {
  const line = [process.execPath, main, ...args, "hook", "claude-code"];
  const [executable, ...words] = under === undefined ? line : ["bash", "-c", under, "bash", ...line];
  return timeProgram(executable, words, { input, keepOpen, killAfterMs, ...options });
}

export async function timeProgram(executable, words, { input = "", keepOpen = false, killAfterMs, ...options } = {}) {
  const start = performance.now();
  const child = spawn(executable, words, { stdio: "pipe", ...options });
  // It may be gone before it has read everything.
  child.stdin.on("error", () => undefined);
  child.stdin.write(input);
  if (!keepOpen) child.stdin.end();
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const exit = new Promise((done, fail) => {
    child.on("error", fail).on("exit", (code) => done({ code, ms: performance.now() - start }));
  });
  const [stdout, stderr, ended] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  clearTimeout(timer);
  child.stdin.destroy();
  return { ...ended, stdout, stderr };
}

/** Processes that learn from the ended sessions of a project; nothing where the system does not tell. */
export function listFinishers(root) {
  const names = process.platform === "linux" ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  return names.filter((name) => {
    try {
      const isIn = readlinkSync(`/proc/${name}/cwd`) === root;
      return isIn && readFileSync(`/proc/${name}/cmdline`, "latin1").includes("observe\0--finish");
    } catch {
      return false;
    }
  });
}

/** What each kind of hook is told; where something is told once, in the session `id`. */
export function hookInputs(root) {
  const hook = (hook_event_name, fields) =>
    JSON.stringify({ session_id: "busy", cwd: root, transcript_path: join(root, "none"), hook_event_name, ...fields });
  const tool = (event, id, tool_name, tool_input, more = {}) =>
    hook(event, { tool_name, tool_input, tool_use_id: `t-${id}`, ...more });
  const file = (name) => ({ file_path: join(root, "src", name) });
  const edit = { ...file("quiet.ts"), old_string: "a", new_string: "b" };
  const content = { type: "text", file: { content: "export {};\n" } };
  const prompt = "Why does the queue double orders when retries happen?";
  return {
    SessionStart: (id) => hook("SessionStart", { session_id: id, source: "startup" }),
    UserPromptSubmit: (id) => hook("UserPromptSubmit", { session_id: `p-${id}`, prompt }),
    PreToolUse: (id) => tool("PreToolUse", id, "Bash", { command: "npm test" }),
    "PostToolUse Read, told something": (id) =>
      tool("PostToolUse", id, "Read", file("queue.ts"), { session_id: `r-${id}`, tool_response: content }),
    "PostToolUse Read": (id) => tool("PostToolUse", id, "Read", file("quiet.ts"), { tool_response: content }),
    "PostToolUse Edit": (id) => tool("PostToolUse", id, "Edit", edit, { tool_response: {} }),
    Stop: () => hook("Stop", { stop_hook_active: false }),
    SessionEnd: (id) => hook("SessionEnd", { session_id: id, reason: "other" }),
  };
}
