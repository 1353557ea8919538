// A day with Tacit, whose writes record-writes.c notes down. What it has been told is done goes as a line into ROOT/acks.log, and
// thereby into its place among the writes.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { root, dist, isFirstDay, writer, count } = JSON.parse(process.argv[2] ?? "{}");
const project = join(root, "project");
const acks = openSync(join(root, "acks.log"), "a");

if (writer === undefined) await day();
else await write();

async function write() {
  const { openMemory } = await import(`${dist}index.js`);
  for (let n = 0; n < count;) {
    const memory = await openMemory({ directory: project, embedder: null });
    for (const end = Math.min(n + 15, count); n < end; n += 1) {
      const token = `token${writer}${n}x`;
      const content = `Writer ${writer} noted item ${n}: ${token} ${"filler ".repeat((n * 7) % 40)}ends`;
      const { id } = await memory.remember({ type: "note", content });
      ack({ kind: "kept", id, content });
      if (n % 10 === 4) {
        ack({ kind: "changing", id });
        await memory.revise(id, { content: `${content} revised` });
        ack({ kind: "kept", id, content: `${content} revised` });
      }
      if (n % 10 === 7) {
        ack({ kind: "changing", id });
        await memory.forget(id);
        ack({ kind: "forgotten", id });
      }
      if (n % 10 === 9) {
        ack({ kind: "changing", id });
        await memory.purge(id);
        ack({ kind: "purged", id, token });
      }
    }
    // The last one to close moves the log into the database, and removes it.
    await memory.close();
  }
}

async function day() {
  if (!isFirstDay) mkdirSync(join(root, ".tacit"), { mode: 0o700 });
  for (const folder of [join(project, "src"), join(root, ".claude"), join(root, ".cursor")]) {
    mkdirSync(folder, { recursive: true });
  }
  const [settings, cursor] = [join(root, ".claude/settings.json"), join(root, ".cursor/mcp.json")];
  writeFileSync(settings, '{\n  "model": "opus",\n  "env": { "A": "1" }\n}\n');
  writeFileSync(cursor, '{ "mcpServers": { "other": { "command": "x" } } }\n');
  writeFileSync(join(project, "src/a.ts"), "export const a = 1;\n");
  see(settings, cursor);
  // All before it was there long ago.
  ack({ kind: "begin" });

  if (isFirstDay) session("first");
  await writing("solo", 30);
  await Promise.all([writing("left", 25), writing("right", 25)]);
  for (const id of ["second", "third"]) session(id);
  for (let n = 0; n < 4; n += 1) {
    tacit("remember", `Decision ${n}: we use tool${n} for step ${n}`, "--type", "decision");
    tacit("chat", "memory");
    const at = tacit("chat", "memory", "--path").trim().split("\n").at(-1) ?? "";
    see(...(at.endsWith(".md") ? [at] : listIn(at)));
  }
  for (const days of [30, 40, 50]) {
    tacit("config", "set", "cleanupDays", String(days));
    see(join(root, ".tacit/tacit.config.json"));
  }
  tacit("install", "claude-code", "cursor", "--yes");
  see(settings, cursor);
  const { memories } = JSON.parse(tacit("list", "--type", "decision", "--json"));
  tacit("share", ...memories.map(({ id }) => id));
  see(...listIn(join(project, ".tacit/memories")));
  tacit("edit", memories[0].id, "Decision again: we use another tool for that step");
  tacit("share");
  see(...listIn(join(project, ".tacit/memories")));
  tacit("backup", join(root, "copy.db"));
  ack({ kind: "database", file: join(root, "copy.db") });
  tacit("export", "--archive", "--output", join(root, "archive"));
  ack({ kind: "database", file: join(root, "archive/memory.db") });
  see(...listIn(join(root, "archive/memories")), join(root, "archive/memories.jsonl"));
  await writing("late", 15);
  tacit("uninstall");
  see(settings, cursor);
}

function ack(line) {
  writeSync(acks, `${JSON.stringify(line)}\n`);
}

/** What these files say is now Tacit's word. */
function see(...files) {
  for (const file of files) ack({ kind: "file", file, text: readFileSync(file, "latin1") });
}

function listIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}

async function writing(name, many) {
  const settings = JSON.stringify({ root, dist, writer: name, count: many });
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), settings], { stdio: "inherit" });
  const code = await new Promise((done) => child.on("exit", done));
  if (code !== 0) throw new Error(`The writer ${name} ended with ${code}.`);
}

/** The hooks of an agent, an event each. */
function session(id) {
  const event = (one) =>
    run(
      ["observe"],
      JSON.stringify({ session_id: id, cwd: project, transcript_path: join(root, "none.jsonl"), ...one }),
    );
  event({ hook_event_name: "SessionStart", source: "startup" });
  for (let n = 0; n < 2; n += 1) {
    const use = { tool_name: "Read", tool_use_id: `use${n}`, tool_input: { file_path: join(project, "src/a.ts") } };
    event({ hook_event_name: "PreToolUse", ...use });
    event({ hook_event_name: "PostToolUse", ...use, tool_response: { type: "text", file: { content: "x" } } });
  }
  event({ hook_event_name: "SessionEnd", reason: "exit" });
  ack({ kind: "session", id });
}

function tacit(...args) {
  return run(args, "");
}

function run(args, input) {
  const main = fileURLToPath(`${dist}cli/main.js`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: project,
    input,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`tacit ${args.join(" ")} ended with ${status}. ${stdout} ${stderr}`);
  return stdout;
}
