// One machine drives a session, in a process that stays and in one for each event: they note, inject and learn the same.
import { createReadStream, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { array, assert, asyncProperty, constantFrom, nat, oneof, record, type Arbitrary } from "fast-check";
import { expect, it } from "vitest";
import type { AgentEvent, MemoryInput, Moment } from "../../src/index.js";
import { agentSession } from "../../bench/agent-session.mjs";
import { readEvents } from "../../src/hook/observe-once.js";
import { openTranscriptReport, readTranscript } from "../../src/observer/transcripts/transcripts.js";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { runs } from "../support/property-runs.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { byHooks, isEnd, resident, type Runtime } from "../support/session-runtimes.js";

type Step = { event: AgentEvent } | { moment: Moment };

const files = ["src/tax.ts", "src/cart.ts", "src/db/orders.ts", "config/rates.yaml", "test/tax.test.ts"];
const seeds: MemoryInput[] = [
  { content: "The rate in `src/tax.ts` is a factor.", type: "gotcha", relatedFiles: ["src/tax.ts"], confidence: 0.9 },
  { content: "Orders are never deleted.", type: "convention", confidence: 0.9, pinned: true },
  { content: "The cart rounds up.", type: "gotcha", relatedFiles: ["src/cart.ts"], confidence: 0.9 },
];

it("[O20] notes, injections and memories are the same in a process that stays and in one for each event", async () => {
  await assert(
    asyncProperty(
      array(array(anyDeed(), { minLength: 3, maxLength: 25 }), { minLength: 1, maxLength: 2 }),
      async (lives) => {
        const root = newProject();

        const [stays, hooks] = await bothOf(
          root,
          lives.flatMap((deeds) => stepsOf(root, deeds)),
        );

        expect(hooks).toEqual(stays);
      },
    ),
    { numRuns: runs(80) },
  );
});

it("[O20] so are they for what hooks of Claude Code tell of a session, with sub-agents and a resumed one", async () => {
  const root = newProject();
  const at = Date.now() - 3_600_000;
  const session = (id: string, round: number) =>
    agentSession({ id, root, at: at + round * 600_000, prompt: "Books are taxed less now: src/tax.ts" })
      .reads("src/tax.ts")
      .says("Wait, I was wrong: `rateOf` takes percent, not a factor.")
      .sub("helper")
      .reads("src/cart.ts")
      .back()
      .edits("src/tax.ts", "1.2", `1.${round}`)
      .runs("npm test", { text: "Error: expected 1 to be 2", failed: true })
      .edits("src/tax.ts", `1.${round}`, "1.1")
      .runs("npm test", { text: "Tests  41 passed (41)" });
  const hooks = ["a", "b", "a"].flatMap((id, round) => session(id, round).hooks());
  const steps: Step[] = [];
  for (const { at: then, ...hook } of hooks) {
    for (const event of await readEvents("claude-code", hook)) steps.push({ event: { ...event, at: Number(then) } });
    const { session_id: sessionId = "", hook_event_name: name } = hook as Record<string, string>;
    if (name === "SessionStart") steps.push({ moment: { point: "session-start", sessionId } });
    if (name === "UserPromptSubmit") steps.push({ moment: { point: "prompt", sessionId, prompt: "src/tax.ts" } });
    if (name === "PostToolUse") steps.push({ moment: { point: "file-read", sessionId, files: ["src/tax.ts"] } });
  }

  const [stays, once] = await bothOf(root, steps);

  expect(once).toEqual(stays);
  expect(stays.known).toMatchObject({ sessions: [{ sessionId: "a" }, { sessionId: "b" }] });
});

it("[O20] so is what was said before a compaction, and what the agent is told after it", async () => {
  const root = newProject();
  const transcript = join(temporaryFolder(), "a.jsonl");
  const told = agentSession({ id: "a", root, at: Date.now() - 3_600_000, prompt: "Which rate holds for books?" })
    .says("Books are taxed at seven percent.")
    .prompts("Then always round down.");
  writeFileSync(transcript, `${told.lines().join("\n")}\n`);
  const whose = { sessionId: "a" };

  const [stays, once] = await bothOf(root, [
    { event: { ...whose, kind: "start", agent: "test", transcript } },
    { event: { ...whose, kind: "prompt", text: "Which rate holds for books?" } },
    { moment: { ...whose, point: "session-start" } },
    { event: { ...whose, kind: "compacted", transcript } },
    { moment: { ...whose, point: "session-start", continues: "compacted" } },
    { event: { ...whose, kind: "call", callId: "1", tool: "Read", input: { file_path: join(root, "src/tax.ts") } } },
  ]);

  expect(once).toEqual(stays);
  expect(stays.injected).toMatchObject([{ isAny: true }, { isAny: true, text: expect.stringContaining("archive") }]);
});

it("[O20] so are they for a recorded session of Claude Code", async ({ skip }) => {
  const sample = join(import.meta.dirname, "../../../shared/data/transcripts/claude-code-2.1.jsonl");
  skip(!existsSync(sample), "../shared/data/transcripts does not hold claude-code-2.1.jsonl");
  const root = newProject();
  const events: AgentEvent[] = [];
  for await (const event of readTranscript(createReadStream(sample), openTranscriptReport())) events.push(event);

  const [stays, once] = await bothOf(
    root,
    withCallsTold(events).map((event) => ({ event })),
  );

  expect(events.length).toBeGreaterThan(5);
  expect(once).toEqual(stays);
});

/** What each runtime noted before the end of each session, injected at each moment, and knows afterwards. */
async function bothOf(root: string, steps: readonly Step[]) {
  const at = Date.now();
  const sessions = new Set(steps.map((step) => ("event" in step ? step.event : step.moment).sessionId));
  const ends = [...sessions].map((sessionId): Step => ({ event: { sessionId, at, kind: "end", outcome: "success" } }));
  const all = [...steps, ...ends];
  return Promise.all([drive(await resident(root, seeds), all), drive(await byHooks(root, seeds), all)]);
}

async function drive(runtime: Runtime, steps: readonly Step[]) {
  const [noted, injected]: [unknown[], unknown[]] = [[], []];
  for (const step of steps) {
    if ("event" in step) {
      if (isEnd(step.event)) noted.push(await runtime.notes());
      await runtime.hand(step.event);
    } else {
      const { text, memories, files: shown, trigger, isLate, problem } = await runtime.inject(step.moment);
      const contents = await runtime.contents();
      injected.push({
        isAny: text !== "",
        text: text.replaceAll(/[0-9a-f]{8,}(?:-[0-9a-f]+)*/g, "(id)"),
        memories: memories.map(({ id, why }) => [contents.get(id), why]),
        shown,
        trigger,
        isLate,
        problem,
      });
    }
  }
  return { noted, injected, known: await runtime.known() };
}

/** A process that did not see a call is told of it with the result, as hooks of agents do. */
function withCallsTold(events: readonly AgentEvent[]): AgentEvent[] {
  const calls = new Map(events.flatMap((event) => (event.kind === "call" ? [[event.callId, event]] : [])));
  return events.map((event) => {
    const call = event.kind === "result" ? calls.get(event.callId) : undefined;
    return call ? { ...event, tool: call.tool, input: call.input } : event;
  });
}

type Fields<K extends AgentEvent["kind"]> = Omit<Extract<AgentEvent, { kind: K }>, "sessionId" | "agentId" | "at">;

/** What agents do, and moments at which they are told something; `who` is a session and an agent of it. */
type Deed = { who: number } & (
  | { tells: AgentEvent["kind"]; more: number }
  | { acts: number; on: number }
  | { asks: number }
);

function anyDeed(): Arbitrary<Deed> {
  const who = nat(5);
  return oneof(
    {
      weight: 4,
      arbitrary: record({ who, tells: constantFrom(...(Object.keys(tellings) as AgentEvent["kind"][])), more: nat(9) }),
    },
    { weight: 5, arbitrary: record({ who, acts: nat(7), on: nat(files.length - 1) }) },
    { weight: 3, arbitrary: record({ who, asks: nat(3) }) },
  );
}

const unitOf = (n: number) => ({ methodology: "native", hierarchy: ["shop", `part ${n}`], label: `Part ${n}` });

/** An event of every kind, in some forms. A call comes with its result, below. */
const tellings: { [K in AgentEvent["kind"]]: (n: number) => Fields<K> } = {
  start: (n) => ({
    kind: "start",
    agent: "test",
    ...(n > 6 && { subtasks: 8 }),
    ...(n % 2 === 0 && { type: "build" }),
  }),
  prompt: (n) => ({ kind: "prompt", text: n === 0 ? "" : `Fix part ${n} of the tax.` }),
  call: (n) => ({ kind: "call", callId: `open ${n}`, tool: "Read", input: { file_path: files[n % files.length] } }),
  result: (n) => ({
    kind: "result",
    callId: `lone ${n}`,
    text: "export {};",
    tool: "Read",
    input: { file_path: files[0] },
  }),
  reasoning: (n) => ({
    kind: "reasoning",
    text: n % 3 === 0 ? "Let me see." : `I was wrong: the limit of \`job${n}\` is given in seconds, not minutes.`,
  }),
  step: (n) => ({ kind: "step", inputTokens: 100 * n, outputTokens: 10 }),
  unit: (n) => ({
    kind: "unit",
    unit: unitOf(n),
    state: (["started", "succeeded", "failed"] as const)[n % 3] ?? "started",
    summary: `Part ${n} is done.`,
  }),
  subagent: (n) => ({ kind: "subagent", state: n % 2 === 0 ? "started" : "ended", childId: "helper", task: "Look." }),
  qa: (n) => ({
    kind: "qa",
    passed: n % 2 === 0,
    issues: n % 2 === 0 ? [] : [{ title: `Rounding ${n}`, file: "src/cart.ts" }],
  }),
  commit: (n) => ({ kind: "commit", sha: `abcdef${n}`, message: `Fix part ${n}`, files: ["src/tax.ts"] }),
  remember: (n) => ({ kind: "remember", content: `Keep ${n} in mind.` }),
  injected: (n) => ({ kind: "injected", point: "asked", memories: [], tokens: n }),
  compacted: () => ({ kind: "compacted" }),
  end: (n) => ({ kind: "end", outcome: (["success", "failure", "abandoned", "unknown"] as const)[n % 4] ?? "unknown" }),
};

/** What agents do with tools: read, change, search, run, fetch. */
function actOf(
  root: string,
  n: number,
  file: string,
): { tool: string; input: Record<string, unknown>; text: string; isError?: true } {
  const path = join(root, file);
  const acts = [
    { tool: "Read", input: { file_path: path }, text: "     1\texport {};\n" },
    {
      tool: "Edit",
      input: { file_path: path, old_string: "1.2", new_string: "1.3" },
      text: `The file ${path} has been updated.`,
    },
    {
      tool: "Edit",
      input: { file_path: path, old_string: "1.3", new_string: "1.2" },
      text: `The file ${path} has been updated.`,
    },
    { tool: "Grep", input: { pattern: "rateOf" }, text: `Found 1 file\n${path}` },
    { tool: "Bash", input: { command: "npm test" }, text: "Tests  12 passed (12)" },
    {
      tool: "Bash",
      input: { command: "npm test" },
      text: "Exit code 1\nTypeError: rate is not a function",
      isError: true as const,
    },
    { tool: "WebFetch", input: { url: "https://example.com/tax", prompt: "What?" }, text: "A page." },
    { tool: "Write", input: { file_path: path, content: "export {};" }, text: `File created successfully at: ${path}` },
  ];
  return acts[n % acts.length] as (typeof acts)[number];
}

function momentOf(n: number, whose: { sessionId: string; agentId?: string }): Moment {
  const moments: Moment[] = [
    { ...whose, point: "session-start" },
    { ...whose, point: "prompt", prompt: "Which rate does src/tax.ts take?" },
    { ...whose, point: "file-read", files: ["src/tax.ts"] },
    { ...whose, point: "step", touched: ["src/cart.ts"], searches: ["rateOf"] },
  ];
  return moments[n % moments.length] as Moment;
}

function stepsOf(root: string, deeds: readonly Deed[]): Step[] {
  const begun = Date.now() - 3_600_000;
  let [now, calls] = [begun, 0];
  return deeds.flatMap((deed): Step[] => {
    // Most of what happens in a session is its main agent's.
    const whose = { sessionId: deed.who % 3 === 2 ? "b" : "a", ...(deed.who > 3 && { agentId: "helper" }) };
    if ("asks" in deed) return [{ moment: momentOf(deed.asks, whose) }];
    const at = () => (now += 1000);
    if ("tells" in deed) {
      return [{ event: { ...whose, at: at(), ...tellings[deed.tells](deed.more) } as AgentEvent }];
    }
    const { tool, input, text, ...failed } = actOf(root, deed.acts, files[deed.on] ?? "");
    const callId = `call ${(calls += 1)}`;
    return [
      { event: { ...whose, at: at(), kind: "call", callId, tool, input } },
      { event: { ...whose, at: at(), kind: "result", callId, tool, input, text, ...failed } },
    ];
  });
}

function newProject(): string {
  const root = gitRepository();
  commitFiles(root, Object.fromEntries(files.map((file) => [file, "export const rate = 1.2;\n"])));
  return root;
}
