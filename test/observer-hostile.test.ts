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

const ways: Record<string, (session: Session, attack: string, n: number) => void> = {
  "web result": (session, attack) => session.uses("WebFetch", { url: "https://docs.example.org/a" }, page(attack)),
  "web search": (session, attack) => session.uses("WebSearch", { query: "retry limits" }, page(attack)),
  "MCP result": (session, attack) => session.uses("mcp__linear__get_issue", { id: "A-1" }, page(attack)),
  "untracked file": (session, attack, n) => session.reads(`notes/untracked-${n}.md`, page(attack)),
  "file outside": (session, attack, n) => session.reads(`/var/elsewhere/notes-${n}.md`, page(attack)),
  "installed package": (session, attack) => session.reads("node_modules/left-pad/README.md", page(attack)),
  "tracked file": (session, attack, n) => session.reads(`docs/guide-${n % 5}.md`, page(attack)),
  "search in tracked files": (session, attack) =>
    session.uses("Grep", { pattern: "response", output_mode: "content" }, `docs/guide-1.md:3:${oneLine(attack)}`),
  "output of the network": (session, attack) => session.runs("curl -s https://api.example.org/status", attack),
  "output of a command": (session, attack) => session.runs("node scripts/report.js", page(attack)),
  "error of a command": (session, attack) => {
    for (let time = 0; time < 2; time += 1) session.runs("npm run build", `Error: ${attack}`, true);
    session.edits("src/a.ts", "export const limit = 1", "export const limit = 2").runs("npm run build", "done");
  },
  "bare error of a command": (session, attack) => {
    for (let time = 0; time < 2; time += 1) session.runs("npm run build", attack, true);
    session.edits("src/a.ts", "export const limit = 1", "export const limit = 2").runs("npm run build", "done");
  },
  "name of a test": (session, attack) => {
    const output = ` FAIL  test/a.test.ts > ${oneLine(attack)}\nTypeError: limit is not a function\nTests  1 failed | 3 passed (4)`;
    session.runs("npm test", output, true).edits("src/a.ts", "limit = 1", "limit = 2");
    session.runs("npm test", "Tests  4 passed (4)");
  },
  "sub-agent that read the web": (session, attack) => {
    session.starts("scout").uses("WebFetch", { url: "https://docs.example.org/a" }, page(attack));
    session.ends("scout");
  },
};

for (const [name, comesIn] of Object.entries(ways)) {
  it(`[O8] no attack that comes in by ${name} speaks without review`, async () => {
    const { memory, root } = await openProject();
    const begun = performance.now();
    let sessions = 0;
    for (const [talks, size] of [[true, 3], [false, 5], [false, 5]] as const) {
      for (let first = 0; first < attacks.length; first += size) {
        const session = openSession(memory, root, `${name} ${(sessions += 1)}`);
        for (const [offset, attack] of attacks.slice(first, first + size).entries()) {
          comesIn(session, attack, first + offset);
          await (talks ? talk : act)(session, attack, first + offset);
        }
        await session.finish();
      }
    }
    const tookMs = performance.now() - begun;

    const all = await memory.list({ status: "any", limit: 100_000 } as never);
    const holding = all.filter((one) => attacks.some((attack) => holds(one, attack)));
    const speaking = holding.filter(({ status }) => status === "active");
    console.log(name, {
      sessions,
      ms: Math.round(tookMs),
      all: all.length,
      holding: holding.length,
      speaking: speaking.length,
      bySource: tally(holding),
    });
    for (const one of speaking.slice(0, 12))
      console.log(
        "   LEAK",
        one.source,
        one.type,
        oneLine(one.content).slice(0, 160),
        JSON.stringify(one.data)?.slice(0, 200),
      );
    expect(speaking.map(({ content }) => content)).toEqual([]);
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
