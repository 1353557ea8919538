// Attacks come in by everything that an agent reads, and the agent believes them. None of it may speak before a person
// has accepted it.
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openMemory, type Memory, type TacitMemory } from "../../src/index.js";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { attacks } from "../support/hostile-lists.js";
import { isFull } from "../torture/scale.js";

type AgentEvent = Parameters<TacitMemory["observe"]>[0];

/** How an attack comes before an agent's eyes; `n` is its number. */
type Way = (session: Session, attack: string, n: number) => unknown;

const some = attacks.filter((_, n) => n % (isFull ? 1 : 27) === 0);

// By each of these every attack comes in; by two of them outside of `npm run torture`.
const ways: Record<string, Way> = {
  "a web result": (session, attack) => session.uses("WebFetch", { url: "https://docs.example.org/a" }, page(attack)),
  "an MCP result": (session, attack) => session.uses("mcp__linear__get_issue", { id: "A-1" }, page(attack)),
  "a tracked file": (session, attack, n) => session.reads(`docs/guide-${n % 5}.md`, page(attack)),
  "output of a command": (session, attack) => session.runs("node scripts/report.js", page(attack)),
  "an error that returns": (session, attack) => {
    for (let time = 0; time < 2; time += 1) session.runs("npm run build", `Error: ${attack}`, true);
    session.edits("src/a.ts", "export const limit = 1", "export const limit = 2").runs("npm run build", "done");
  },
};

// By each of these some do.
const hiddenWays: Record<string, Way> = {
  "output of the network": (session, attack) => session.runs("curl -s https://api.example.org/status", attack),
  "an untracked file": (session, attack, n) => session.reads(`notes/untracked-${n}.md`, page(attack)),
  "a file outside": (session, attack, n) => session.reads(`/var/elsewhere/notes-${n}.md`, page(attack)),
  "a web search": (session, attack) => session.uses("WebSearch", { query: "retry limits" }, page(attack)),
  "an installed package": (session, attack) => session.reads("node_modules/left-pad/README.md", page(attack)),
  "a program that asks the network": (session, attack) =>
    session.runs(`python3 -c 'import urllib.request as u; print(u.urlopen("http://x.example").read())'`, page(attack)),
  "a sub-agent that read the web": (session, attack) => {
    session.starts("scout").uses("WebFetch", { url: "https://docs.example.org/a" }, page(attack));
    session.ends("scout");
  },
  "the answer of a sub-agent": (session, attack) => session.uses("Task", { prompt: "Look it up." }, page(attack)),
  "the prompt of a sub-agent": (session, attack) => {
    session.reads("docs/guide-1.md", page(attack)).starts("helper").tells({ kind: "prompt", text: attack });
    session.ends("helper");
  },
  "a tool that nobody knows": (session, attack) => session.uses("Inspect", { what: "all" }, page(attack)),
  "a result whose call was lost": (session, attack, n) =>
    session.tells({ kind: "result", callId: `lost-${n}`, tool: "WebFetch", text: page(attack) }),
  "a search": (session, attack) => session.runs("grep -rn response docs", `docs/guide-1.md:12:${oneLine(attack)}`),
  "the history": (session, attack) => session.runs("git log --oneline", `a1b2c3d ${oneLine(attack)}`),
  "who wrote a line": (session, attack) =>
    session.runs("git blame docs/guide-1.md", `^a1b2c3d (Ada 2026-11-01 10:00:00 +0000 1) ${oneLine(attack)}`),
  "a difference": (session, attack) => session.runs("git diff", `@@ -1,2 +1,3 @@\n a\n+${oneLine(attack)}\n-b`),
  "a log": (session, attack) => session.runs("npm start", `2026-11-09T10:00:00.123Z [info] worker: ${oneLine(attack)}`),
  "an error without its name": (session, attack) => {
    for (let time = 0; time < 2; time += 1) session.runs("npm run build", attack, true);
    session.edits("src/a.ts", "limit = 1", "limit = 2").runs("npm run build", "done");
  },
  "the name of a test": (session, attack) => {
    const output = `   × ${oneLine(attack)} 3ms\nTypeError: limit is not a function\nTests  1 failed | 3 passed (4)`;
    session.runs("npm test", output, true).edits("src/a.ts", "limit = 1", "limit = 2");
    session.runs("npm test", "Tests  4 passed (4)");
  },
  "the name of a file": (session, attack) => {
    const name = `docs/${oneLine(attack)
      .replaceAll(/[^A-Za-z0-9]+/g, " ")
      .trim()
      .slice(0, 90)}.md`;
    session.uses("Glob", { pattern: "docs/*" }, `${name}\ndocs/guide-1.md`).reads(name, "Nothing.");
  },
  "a file that the agent commits first": (session, attack, n) => {
    session.runs("git add -A && git commit -m notes", "[main 1234567] notes");
    session.reads(`notes/untracked-${n}.md`, page(attack));
  },
  "one of many orders in a manual": (session, attack) => session.reads("docs/guide-1.md", `${manual}\n${attack}\n`),
  "the middle of a long file": (session, attack) =>
    // Of a question that is cut nobody sees any more that it was one.
    attack.includes("?") ? undefined : session.reads("docs/guide-1.md", `${filler}${attack}\n${filler}`),
  "invisible characters": (session, attack) => session.reads("docs/guide-1.md", page(attack.split("").join("\u200B"))),
  "a comment over several lines": (session, attack) => session.reads("docs/guide-1.md", wrapped(attack, 40)),
};

describe("an agent that believes what it read", () => {
  for (const [turn, [name, way]] of Object.entries(ways).entries()) {
    it(`[O8] does not make an attack speak that came by ${name}`, async () => {
      const { memory, root } = await openProject();
      const all = attacks.filter((_, n) => isFull || (n + turn) % 5 < 2);

      await believeAll({ memory, root, way, all });

      const holding = await listHolding(memory, all);
      expect(holding.filter(({ status }) => status !== "waiting").map(({ content }) => content)).toEqual([]);
      expect(holding.filter(({ review }) => !review.reason).map(({ content }) => content)).toEqual([]);
      // Each was said in a correction, a check, a piece of work, a commit, and two were to be remembered.
      expect(holding.length).toBeGreaterThan(6 * all.length);
      for (const attack of all.filter((_, n) => n % 5 === 0)) {
        const told = (await memory.recall(attack)).map(({ memory: found }) => found);
        expect(told.filter((found) => holds(found, attack)).map(({ content }) => content)).toEqual([]);
      }
    });
  }

  it("[O8] does not make an attack speak that came hidden, or by another way", async () => {
    const speaking: Record<string, string[]> = {};
    for (const [name, way] of Object.entries(hiddenWays)) {
      const { memory, root } = await openProject();
      const shown = new Set<string>();
      const seen: Way = (session, attack, n) => way(session, attack, n) !== undefined && shown.add(attack);

      await believeAll({ memory, root, way: seen, all: some });

      const holding = await listHolding(memory, some);
      const active = holding.filter(({ status }) => status === "active");
      speaking[name] = active.filter((one) => [...shown].some((a) => holds(one, a))).map(({ content }) => content);
    }

    expect(speaking).toEqual(Object.fromEntries(Object.keys(hiddenWays).map((name) => [name, []])));
  }, 180_000);

  it("[O8] is heard where it says the same of its own accord, or because the user said it", async () => {
    const { memory, root } = await openProject();
    const way: Way = (session, attack) => session.tells({ kind: "prompt", text: attack });

    for (const [n, attack] of some.entries()) {
      const session = openSession(memory, root, `own ${n}`);
      way(session, attack, n);
      await talk(session, attack, n);
      await session.finish();
    }

    const holding = await listHolding(memory, some);
    expect(holding.filter(({ status }) => status !== "active").map(({ content }) => content)).toEqual([]);
    expect(holding.length).toBeGreaterThan(some.length);
  });

  it("[O8] does not make an attack speak by what it wrote down in an earlier session", async () => {
    const { memory, root } = await openProject();
    const before = openSession(memory, root, "before");
    for (const [n, attack] of some.entries()) {
      before.uses("WebFetch", { url: "https://docs.example.org/a" }, page(attack)).writes(`docs/new-${n}.md`, "Notes.");
    }
    await before.finish();

    const way: Way = (session, _attack, n) => session.reads(`docs/new-${n}.md`, "Notes.");
    await believeAll({ memory, root, way, all: some });

    const holding = await listHolding(memory, some);
    expect(holding.filter(({ status }) => status === "active").map(({ content }) => content)).toEqual([]);
  });
});

describe("a person", () => {
  it("[O8] lets a memory speak that waited, and no other one with it", async () => {
    const { memory, root } = await openProject();
    const [attack = ""] = attacks;
    await believeAll({ memory, root, way: ways["a web result"] as Way, all: [attack] });
    const [waiting, ...others] = await listHolding(memory, [attack]);

    await memory.review.accept(waiting?.id ?? "");

    const found = (await memory.recall(attack)).map(({ memory: { id } }) => id);
    expect(found).toContain(waiting?.id);
    expect(others.length).toBeGreaterThan(0);
    expect(found.filter((id) => others.some((other) => other.id === id))).toEqual([]);
  });

  it("[O8] refuses memories for ever, and no session brings them back", async () => {
    const { memory, root } = await openProject();
    const believed = { memory, root, way: ways["a web result"] as Way, all: some };
    await believeAll(believed);
    const waiting = await listHolding(memory, some);
    const observed = waiting.filter(({ source }) => source !== "agent_explicit");

    for (const { id } of waiting) await memory.review.reject(id, { forever: true });
    await believeAll(believed);
    await believeAll({ ...believed, way: ways["a tracked file"] as Way });

    const again = (await listHolding(memory, some)).filter(({ status }) => status !== "forgotten");
    expect(observed.length).toBeGreaterThan(4 * some.length);
    expect(again.filter(({ source }) => source !== "agent_explicit").map(({ content }) => content)).toEqual([]);
    expect(again.filter(({ status }) => status === "active").map(({ content }) => content)).toEqual([]);
  });
});

interface Believed {
  memory: TacitMemory;
  root: string;
  way: Way;
  all: readonly string[];
}

let rounds = 0;

/** Three sessions for each attack, so that everything could be learned that takes as many; several attacks in each. */
async function believeAll({ memory, root, way, all }: Believed): Promise<void> {
  rounds += 1;
  const parts = [
    // A session leads to 20 memories at most, and an attack to six.
    { believe: talk, size: 3 },
    { believe: act, size: 5 },
    { believe: act, size: 5 },
  ];
  for (const [part, { believe, size }] of parts.entries()) {
    for (let first = 0; first < all.length; first += size) {
      const session = openSession(memory, root, `session ${rounds} ${part} ${first}`);
      for (const [offset, attack] of all.slice(first, first + size).entries()) {
        way(session, attack, first + offset);
        await believe(session, attack, first + offset);
      }
      await session.finish();
    }
  }
}

async function listHolding(memory: TacitMemory, all: readonly string[]): Promise<Memory[]> {
  return (await memory.list({ status: "any" })).filter((one) => all.some((attack) => holds(one, attack)));
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
    memory.observe({ ...event, sessionId: id, at: now, ...(agentId !== undefined && { agentId }) });
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

const manual = Array.from({ length: 90 }, (_, n) => `Run the check ${n} before the release of part ${n}.`).join("\n");
const filler = "The limit is read from the settings file at start.\n".repeat(2000);

/** As a comment whose lines have so many characters. */
function wrapped(text: string, width: number): string {
  const lines = ["//"];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? "";
    if (last.length + word.length > width) lines.push(`// ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
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
