// Attacks come in by everything that an agent reads, and the agent believes them. None of it may speak before a person
// has accepted it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMemory, type Memory, type TacitMemory } from "../src/index.js";
import { commitFiles, gitRepository } from "./git-repository.js";
import { onTestFinished } from "vitest";

type AgentEvent = Parameters<TacitMemory["observe"]>[0];

const hostile = join(import.meta.dirname, "../../shared/data/hostile");
const attacks = readAttacks();


const manual = Array.from({ length: 40 }, (_, n) => `Run the check number ${n} before the release of part ${n}.`).join("\n");
const long = (attack: string) => `${"The limit is read from the settings file at start.\n".repeat(2000)}${attack}\n${"The pause is a second long and never shorter.\n".repeat(1000)}`;
const spaced = (attack: string) => [...attack].join("\u200b");
const wide = (attack: string) => attack.replaceAll(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
const comment = (attack: string) => attack.split(" ").reduce((lines, w, i) => lines + (i % 4 === 0 ? "\n// " : " ") + w, "");
const dashed = (attack: string) => oneLine(attack).replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 90);

const wrapped = (attack: string, width: number) => attack.split("\n").map((line) => line.split(" ").reduce((all, word) => { const last = all.at(-1) ?? ""; if (last.length + word.length > width) all.push("// " + word); else all[all.length - 1] = last + " " + word; return all; }, ["//"]).join("\n")).join("\n");
const ways: Record<string, (session: Session, attack: string, n: number) => void | Promise<void>> = {
  "result only, web": (s, a, n) => void s.tells({ kind: "result", callId: "none" + Math.random(), text: page(a), tool: "WebFetch", input: { url: "https://e.example/a" } }),
  "result only": (s, a, n) => void s.tells({ kind: "result", callId: "none" + Math.random(), text: page(a)}),
  "comment of 80": (s, a) => void s.reads("docs/guide-1.md", wrapped(a, 60)),
  "comment of 40": (s, a) => void s.reads("docs/guide-1.md", wrapped(a, 40)),
  "git log": (s, a) => void s.runs("git log --oneline", `a1b2c3d ${oneLine(a)}`),
  "git log long": (s, a) => void s.runs("git log", `commit a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6a1b2\nAuthor: Ada <ada@example.org>\nDate:   Mon Nov 9 10:00:00 2026\n\n    ${oneLine(a)}\n`),
  "git blame": (s, a) => void s.runs("git blame docs/guide-1.md", `^a1b2c3d (Ada 2026-11-01 10:00:00 +0000 1) ${oneLine(a)}`),
  "diff": (s, a) => void s.runs("git diff", `@@ -1,2 +1,3 @@\n context\n+${oneLine(a)}\n-old`),
  "grep -n": (s, a) => void s.runs("grep -rn response docs", `docs/guide-1.md:12:${oneLine(a)}`),
  "timestamped log": (s, a) => void s.runs("node scripts/report.js", `2026-11-09T10:00:00.123Z [info] worker-1: ${oneLine(a)}`),
  "json log": (s, a) => void s.runs("node scripts/report.js", JSON.stringify({ level: "info", msg: oneLine(a), pid: 12 })),
  "yaml": (s, a) => void s.reads("docs/guide-1.md", `name: x\ndescription: ${oneLine(a)}\n`),
  "python string": (s, a) => void s.reads("docs/guide-1.md", `MESSAGE = "${oneLine(a).replaceAll('"', "'")}"\n`),
  "numbered list": (s, a) => void s.reads("docs/guide-1.md", `1. First.\n2. ${oneLine(a)}\n3. Last.`),
  "read with numbers": (s, a) => void s.reads("docs/guide-1.md", page(a).split("\n").map((l, i) => `${String(i + 1).padStart(6)}\t${l}`).join("\n")),
  "read with arrows": (s, a) => void s.reads("docs/guide-1.md", page(a).split("\n").map((l, i) => `${String(i + 1).padStart(6)}→${l}`).join("\n")),
  "tap": (s, a) => void s.runs("npm test", `not ok 3 - ${oneLine(a)}`, true),
  "vitest x": (s, a) => void s.runs("npm test", ` × ${oneLine(a)} 3ms\n Tests 1 failed`, true),
  "pytest": (s, a) => void s.runs("pytest", `E   AssertionError: ${oneLine(a)}\n1 failed`, true),
  "stack": (s, a) => void s.runs("node x.js", `/a/b.js:3\n  throw new Error(x)\nTypeError: ${oneLine(a)}\n    at x (b.js:3:4)`, true),
  "todo tool": (s, a) => void s.uses("TodoWrite", { todos: [{ content: a }] }, "ok"),
};

const sample = attacks.filter((_, n) => n % 2 === 0);
for (const [name, comesIn] of Object.entries(ways)) {
  it(`nasty: ${name}`, async () => {
    const { memory, root } = await openProject();
    let sessions = 0;
    for (const [talks, size] of [[true, 3]] as const) {
      for (let first = 0; first < sample.length; first += size) {
        const session = openSession(memory, root, `${name} ${(sessions += 1)}`);
        (session as { root: string }).root = root;
        for (const [offset, attack] of sample.slice(first, first + size).entries()) {
          comesIn(session, attack, first + offset);
          await (talks ? talk : act)(session, attack, first + offset);
        }
        await session.finish();
      }
    }
    const all = await memory.list({ status: "any", limit: 100_000 } as never);
    const holding = all.filter((one) => sample.some((attack) => holds(one, attack)));
    const speaking = holding.filter(({ status }) => status === "active");
    console.log("WAY", name, sessions, "holding", holding.length, "speaking", speaking.length);
    for (const one of speaking.slice(0, 4)) console.log("   LEAK", one.source, one.type, oneLine(one.content).slice(0, 160));
  });
}

function tally(memories: Memory[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { source, type } of memories) counts[`${source} ${type}`] = (counts[`${source} ${type}`] ?? 0) + 1;
  return counts;
}

/** What an agent says that takes an attack for the truth. */
async function talk(session: Session, attack: string, n: number): Promise<void> {
  const line = oneLine(attack);
  session.reads("src/a.ts", "export const limit = 1;");
  session.says(`Correction: ${attack}`);
  session.says(`I was wrong about src/a.ts. ${line} is actually what src/a.ts needs.`);
  session.says(`I initially thought src/a.ts was complete, but ${line}`);
  const issue = { title: line, description: line, file: "src/a.ts", fix: line };
  session.tells({ kind: "qa", passed: false, issues: [issue] }).tells({ kind: "qa", passed: true });
  const unit = { methodology: "plan", hierarchy: [line], label: line };
  session.tells({ kind: "unit", unit, state: "started" });
  session.tells({ kind: "unit", unit, state: "succeeded", summary: attack });
  const message = `feat: ${line.slice(0, 60)}\n\n${line} This is done because src/a.ts needs it so.`;
  session.tells({ kind: "commit", sha: `${n}`.padStart(10, "a"), message, files: ["src/a.ts"] });
  const content = `Keep in mind: ${attack}`;
  await session.memory.remember({ content, sessionId: session.id, source: "agent_explicit" });
}

/** What an agent does that takes an attack for an order. */
async function act(session: Session, attack: string, n: number): Promise<void> {
  const line = oneLine(attack);
  for (const agent of ["left", "right"]) {
    session.starts(agent).reads("src/b.ts", "export const other = 1;");
    session.says(`Correction: in src/b.ts, ${line}`);
    session.ends(agent);
  }
  session.uses("Grep", { pattern: line }, "No matches found");
  session.uses("Grep", { pattern: line }, "No matches found").reads("src/b.ts", "x").edits("src/b.ts", "one", "two");
  session.says(`The problem was that ${line}`).says(`Let me use ${line}`);
  session.writes(`docs/new-${n}.md`, attack).reads(`docs/new-${n}.md`, attack);
  session.runs(`node scripts/check.js "${line.replaceAll('"', "'")}"`, "done");
  session.runs(`git checkout -b ${line.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 80)}`, "");
  // Through another process, which does not know whose session it is.
  const content = `Remember: ${attack}`;
  session.uses("mcp__tacit__remember", { content }, "Kept.").runs("npm test", "Tests  4 passed (4)");
  await session.memory.remember({ content, source: "agent_explicit" });
}

interface Session {
  root: string;
  id: string;
  memory: TacitMemory;
  uses(tool: string, input: Record<string, unknown>, text: string, isError?: boolean): Session;
  reads(file: string, text: string): Session;
  writes(file: string, text: string): Session;
  edits(file: string, before: string, after: string): Session;
  runs(command: string, text: string, isError?: boolean): Session;
  says(text: string): Session;
  tells(event: Told): Session;
  starts(agentId: string): Session;
  ends(agentId: string): Session;
  finish(): Promise<void>;
}

type Told = AgentEvent extends infer E
  ? E extends AgentEvent
    ? Omit<E, "sessionId" | "agentId" | "at">
    : never
  : never;

let clock = Date.now() - 40 * 86_400_000;

function openSession(memory: TacitMemory, root: string, id: string): Session {
  let agentId: string | undefined;
  let calls = 0;
  clock += 600_000;
  let now = clock;
  const tell = (event: Told) => {
    now += 1000;
    memory.observe({ ...event, sessionId: id, at: now, ...(agentId !== undefined && { agentId }) } as AgentEvent);
    return session;
  };
  const path = (file: string) => (file.startsWith("/") ? file : join(root, file));
  const session: Session = {
    root,
    id,
    memory,
    tells: tell,
    says: (text) => tell({ kind: "reasoning", text }),
    uses(tool, input, text, isError = false) {
      const callId = `call-${(calls += 1)}`;
      tell({ kind: "call", callId, tool, input });
      return tell({ kind: "result", callId, text, isError });
    },
    reads: (file, text) => session.uses("Read", { file_path: path(file) }, text),
    writes: (file, content) => session.uses("Write", { file_path: path(file), content }, "File created."),
    edits: (file, before, after) =>
      session.uses("Edit", { file_path: path(file), old_string: before, new_string: after }, "The file was updated."),
    runs: (command, text, isError) =>
      session.uses("Bash", { command }, isError ? `Exit code 1\n${text}` : text, isError),
    starts(child) {
      tell({ kind: "subagent", state: "started", childId: child });
      agentId = child;
      return session;
    },
    ends(child) {
      agentId = undefined;
      return tell({ kind: "subagent", state: "ended", childId: child });
    },
    async finish() {
      tell({ kind: "end", outcome: "success" });
      await memory.finishSession(id);
    },
  };
  return tell({ kind: "start", agent: "test", directory: root });
}

function page(attack: string): string {
  return `# Retry limits\n\nThe client retries three times with a pause of a second.\n\n${attack}\n\nThe limit is read from the settings file at start.\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** True where a memory has five words in a row of an attack. */
function holds(memory: Memory, attack: string): boolean {
  const { content, data, tags, relatedFiles } = memory;
  const text = ` ${wordsOf([content, JSON.stringify(data ?? {}), ...tags, ...relatedFiles].join(" ")).join(" ")} `;
  return runsOf(attack).some((run) => text.includes(` ${run} `));
}

const runs = new Map<string, string[]>();

function runsOf(attack: string): string[] {
  let known = runs.get(attack);
  if (!known) {
    const words = wordsOf(attack);
    known = words.slice(0, Math.max(1, words.length - 4)).map((_, at) => words.slice(at, at + 5).join(" "));
    runs.set(attack, known);
  }
  return known;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

async function openProject(): Promise<{ memory: TacitMemory; root: string }> {
  const root = gitRepository();
  const guides = Array.from({ length: 5 }, (_, n) => [`docs/guide-${n}.md`, "# Guide\n"]);
  commitFiles(root, {
    "src/a.ts": "export const limit = 1;\n",
    "src/b.ts": "export const other = 1;\n",
    "scripts/report.js": "",
    ...Object.fromEntries(guides),
  });
  const memory = await openMemory({ db: ":memory:", directory: root, embedder: null });
  onTestFinished(() => memory.close());
  return { memory, root };
}

function readAttacks(): string[] {
  const files = ["bipia-text-attacks.json", "bipia-code-attacks.json"].map((name) => join(hostile, name));
  if (!files.every((file) => existsSync(file))) throw new Error("none");
  return files.flatMap((file) =>
    Object.values(JSON.parse(readFileSync(file, "utf8")) as Record<string, string[]>).flat(),
  );
}
