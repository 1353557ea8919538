// Opens what a loss of power left below ROOT, for each line of standard input, and answers with a line: what is wrong with it.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const { root, dist, build } = JSON.parse(process.argv[2] ?? "{}");
const home = join(root, ".tacit");
const project = join(root, "project");
const { openMemory } = await import(`${dist}index.js`);
const { uninstall } = await import(`${build}install/uninstall.js`);
const { openMachine } = await import(`${build}install/agents/machine.js`);

for await (const line of createInterface({ input: process.stdin })) {
  const problems = [];
  const { acks, later } = JSON.parse(line);
  const told = (kind, detail) => problems.push({ kind, detail });
  try {
    checkFiles(acks, later, told);
    checkPurged(acks, told);
    const spools = readSpools();
    await checkStore(acks, spools, told);
    checkPurged(acks, told);
    for (const { file } of acks.filter(({ kind }) => kind === "database")) await checkDatabase(file, told);
    checkUninstall(told);
  } catch (error) {
    told("the check failed", `${error.code ?? ""} ${error.stack}`);
  }
  process.stdout.write(`${JSON.stringify(problems)}\n`);
}

/** A file says what Tacit last said it does, or what it was about to. */
function checkFiles(acks, later, told) {
  const texts = new Map();
  for (const { kind, file, text } of acks) if (kind === "file") texts.set(file, [...(texts.get(file) ?? []), text]);
  const coming = later.filter(({ kind }) => kind === "file");
  for (const [file, seen] of texts) {
    if (!existsSync(file)) {
      told("a file is gone", file);
      continue;
    }
    const now = readFileSync(file, "latin1");
    const next = coming.filter((one) => one.file === file).map(({ text }) => text);
    const isLast = now === seen.at(-1);
    if (!isLast && seen.includes(now) && !next.includes(now)) told("a file is an older one", file);
    checkWhole(file, now, [...seen, ...next], told);
  }
  // Those of which nothing was said yet may be missing, never torn.
  for (const { file, text } of coming) {
    if (!texts.has(file) && existsSync(file)) checkWhole(file, readFileSync(file, "latin1"), [text], told);
  }
}

function checkWhole(file, now, known, told) {
  if (now === "" || now.includes("\0")) told("a file is hollow", `${file}, ${now.length} bytes`);
  else if (!known.includes(now) && known.some((text) => text.startsWith(now))) told("a file is cut short", file);
}

function checkPurged(acks, told) {
  const files = existsSync(home) ? readdirSync(home).filter((name) => name.startsWith("memory.db")) : [];
  const bytes = files.map((name) => readFileSync(join(home, name)));
  for (const { kind, token } of acks) {
    if (kind === "purged" && bytes.some((all) => all.includes(token))) told("purged bytes are back", token);
  }
}

async function checkStore(acks, spools, told) {
  const memory = await openMemory({ directory: existsSync(project) ? project : root, embedder: null });
  try {
    const found = new Map((await memory.list({ status: "any" })).map((one) => [one.id, one]));
    const last = new Map();
    const texts = new Map();
    for (const one of acks) {
      if (one.id === undefined || one.kind === "session") continue;
      last.set(one.id, one);
      if (one.kind === "kept") texts.set(one.id, one.content);
    }
    for (const [id, { kind }] of last) {
      const [now, content] = [found.get(id), texts.get(id)];
      if (kind === "purged" && now) told("a purged memory is back", id);
      if (kind === "forgotten" && now?.status === "active") told("a forgotten memory is back", id);
      if (kind !== "kept") continue;
      if (!now) told("a memory is lost", content);
      else if (now.content !== content) told("a memory says what it said before", content);
    }
    for (const { name, status, message } of (await memory.store.diagnose()).checks) {
      // It warns of agents that start Tacit from a folder for temporary files.
      if (status !== "ok" && name !== "agents") told(`doctor: ${name}`, message);
    }
    const kept = [...last].find(([, { kind }]) => kind === "kept");
    const [token] = /token\w+/.exec(texts.get(kept?.[0]) ?? "") ?? [];
    if (token && !(await memory.recall(token)).some(({ memory: one }) => one.id === kept?.[0])) {
      told("a memory is not found by its words", token);
    }
    const { id } = await memory.remember({ type: "note", content: `The power is back ${Math.random()}` });
    if (!(await memory.get(id))) told("nothing new is kept", id);
    const learned = JSON.stringify(await memory.sessions.list());
    for (const { kind, id: session } of acks) {
      const isThere = learned.includes(`"${session}"`) || spools.some((text) => holdsEnd(text, session));
      if (kind === "session" && !isThere) told("a session is lost", session);
    }
  } finally {
    await memory.close();
  }
}

function readSpools() {
  const all = existsSync(home) ? readdirSync(home, { recursive: true }) : [];
  return all.filter((name) => name.endsWith(".jsonl")).map((name) => readFileSync(join(home, name), "latin1"));
}

function holdsEnd(text, session) {
  return text.includes(`"sessionId":"${session}"`) && text.includes('"kind":"end"');
}

async function checkDatabase(file, told) {
  if (!existsSync(file) || statSync(file).size === 0) {
    told("a copy is gone", file);
    return;
  }
  const copy = await openMemory({ db: file, directory: root, embedder: null });
  try {
    const { checks } = await copy.store.diagnose();
    for (const { name, status, message } of checks) {
      if (status === "broken") told(`doctor of a copy: ${name}`, message);
    }
  } finally {
    await copy.close();
  }
}

/** Wherever the power failed, agents can be disconnected, and their files are as they were. */
function checkUninstall(told) {
  const expected = {
    ".claude/settings.json": '{\n  "model": "opus",\n  "env": { "A": "1" }\n}\n',
    ".cursor/mcp.json": '{ "mcpServers": { "other": { "command": "x" } } }\n',
  };
  for (const { agent, state } of uninstall(undefined, openMachine({ tacitHome: home }))) {
    if (state === "failed") told("an agent cannot be disconnected", agent);
  }
  for (const [file, text] of Object.entries(expected)) {
    const path = join(root, file);
    const now = existsSync(path) ? readFileSync(path, "utf8") : undefined;
    if (now !== text) told("an agent's file is not as it was", `${file}: ${now}`);
  }
}
