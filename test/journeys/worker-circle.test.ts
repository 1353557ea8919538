import { once } from "node:events";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { onTestFinished, describe, expect, it } from "vitest";
import { serveWorkers, type WorkerGroup } from "../../src/agents/worker/worker.js";
import type {
  AgentEvent,
  Injection,
  Memory,
  MemoryInput,
  Moment,
  RecallReport,
  RememberedMemory,
} from "../../src/index.js";
import { built } from "../support/child-process.js";
import { toldProject } from "../support/told-project.js";
import { toldSession, type ToldSession } from "../support/told-session.js";
import { watchedProject } from "../support/watched-project.js";

const file = "src/tax.ts";
const error = "UnsortedError: rates have to be in order";
// Where it is thrown: only the project's own words are quoted of an error.
const rates = {
  "src/rates.ts": 'throw new UnsortedError("rates have to be in order");\n',
  "src/letter.ts": 'throw new MailError("nobody answers");\n',
};
const red = ` FAIL  test/cart.test.ts\n${error}\n ❯ src/cart.ts:2:14\n      Tests  1 failed | 13 passed (14)`;
const green = "      Tests  14 passed (14)";

describe("an agent in a worker thread", () => {
  it("[U1] is told what two workers before it paid for, once, at the step at which it matters", async () => {
    const memory = await watchedProject(rates).open();
    for (const item of ["books", "food"]) {
      const group = serveWorkers({ memory, sessionId: `about ${item}` });
      await played(group, toActs(paysFor(item).ends()));
      const report = await group.finish();
      expect(report?.session).toMatchObject({ sessionId: `about ${item}`, outcome: "success", agent: "builder" });
    }

    const group = serveWorkers({ memory, sessionId: "the third" });
    const step = (number: number): Act => ({ inject: { point: "step", step: number, touched: [file], ...other } });
    const answers = (await played(group, [
      ...toActs(toldSession("x").starts().prompts("Tax toys as well.").reads(file).steps(900, 40)),
      ...[1, 4, 5, 6].map(step),
      ...toActs(toldSession("y").ends()),
    ])) as Injection[];
    await group.finish();

    expect(answers.map(({ text }) => text === "")).toEqual([true, true, false, true]);
    expect(answers[2]).toMatchObject({ point: "step", trigger: "warning", memories: [expect.anything()] });
    expect(answers[2]?.text).toContain(`\`npm test\` fails with \`${error}\`; the fix was in \`${file}\`.`);
    expect(await memory.sessions.summary("the third")).toMatchObject({ told: 1 });
    expect(await memory.sessions.summary("somebody else's")).toBeUndefined();
  });

  it("[U1] works with the AI SDK over messages alone, while its group is already being finished", async () => {
    const { memory, root } = await toldProject({ content: "Rates are sorted by country.", type: "decision" });
    const group = serveWorkers({ memory });
    const calls = [
      { toolName: "recall", input: { query: "rates" } },
      { toolName: "remember", input: { type: "fact", content: "Toys are taxed at seven per cent." } },
    ];
    const task = { sdk: built("agents/ai-sdk/ai-sdk.js"), prompt: "How are rates sorted?", calls, directory: root };
    const worker = start([{ task }, { hears: true }]);
    group.serve(worker, { agentId: "coder" });

    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage("What the program has to say to its worker.");
    const [[sent, heard], report] = await Promise.all([answersOf(worker), group.finish()]);

    expect((sent as string[]).map((text) => text.split("Rates are sorted by country.").length - 1)).toEqual([1, 2, 2]);
    expect(heard).toBe("What the program has to say to its worker.");
    expect(report?.session).toMatchObject({ sessionId: group.sessionId, outcome: "success" });
    expect(await memory.list({ type: "fact" })).toMatchObject([{ sessionId: group.sessionId, trustFlags: [] }]);
  });

  it("[U4] ends as usual where the main thread never answers, and where it answers nonsense", async () => {
    const acts: Act[] = [
      { observe: { kind: "prompt", text: "Mend it.", ...other } },
      { inject: { point: "prompt", prompt: "Mend it.", ...other } },
      { recall: "tax" },
      { remember: { content: "Rates are sorted." } },
    ];
    const began = performance.now();
    const silent = await answersOf(start(acts, { timeoutMs: 60 }));
    const took = performance.now() - began;
    const confused = start(acts, { timeoutMs: 5000, isDirect: true });
    confused.on("message", ({ requestId, type }: { requestId?: string; type?: string }) => {
      const nonsense = { "memory:search": { of: "memory:search", report: { results: 7 } } }[String(type)] ?? {
        of: "error",
      };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      if (requestId !== undefined) confused.postMessage({ type: "memory:reply", requestId, ...nonsense });
    });

    expect(silent).toMatchObject([
      { text: "", isLate: true, problem: expect.stringContaining("60 ms") },
      { results: [], notes: [expect.stringContaining("60 ms")] },
      { code: "store-unreachable" },
    ]);
    expect(took).toBeLessThan(5000);
    expect(await answersOf(confused)).toMatchObject([
      { text: "", isLate: false },
      { results: [], notes: ["The memory's answer was none."] },
      { code: "store-unsure" },
    ]);
  });
});

describe("several workers of one session", () => {
  it("[U2] [U3] are learned from together: two who agree are enough, unless one read from outside, failed or was ended midway", async () => {
    const memory = await watchedProject(rates).open();
    const group = serveWorkers({ memory });
    const [mail, stock] = ["MailError: nobody answers", "StockError: nothing is left"];
    const ended = start([...toActs(mends(toldSession("1").starts(), stock, failing)), { hang: true }]);
    group.serve(ended, { agentId: "ended" });
    const fetched = toldSession("2").starts().uses("WebFetch", { url: "https://example.com", prompt: "?" }, "Read me.");
    const sessions = [
      paysFor("books").ends(),
      paysFor("food").ends(),
      mends(fetched, mail, others).ends(),
      mends(toldSession("3").starts(), mail, others).ends(),
      mends(toldSession("4").starts(), stock, failing).ends("failure"),
    ];

    await Promise.all([
      ...sessions.map((session, index) => played(group, toActs(session), `agent-${index}`)),
      answersOf(ended).then(() => ended.terminate()),
    ]);
    const report = await group.finish();
    const sayings = (memories: readonly Memory[] = []) =>
      memories.filter(({ type }) => type === "error_pattern").map(({ content }) => content);

    expect(report?.session).toMatchObject({ outcome: "success", agent: "worker" });
    expect(sayings(report?.learned)).toEqual([expect.stringContaining(error)]);
    expect(sayings(report?.waiting)).toEqual([expect.stringContaining(mail)]);
  });

  it("[U5] [U6] one that sends garbage, or speaks for others, disturbs nobody", async () => {
    const memory = await watchedProject(rates).open();
    const group = serveWorkers({ memory, sessionId: "ours" });
    const big = "x".repeat(1_200_000);
    const garbage: unknown[] = [
      7,
      null,
      [],
      "memory:search",
      { type: "memory:eighth" },
      { type: "memory:search" },
      { type: "memory:search", requestId: big, query: big },
      { type: "memory:search", requestId: "1", query: { toString: 1 } },
      { type: "memory:search", requestId: "2", query: "x", filters: { limit: "all", __proto__: 1 } },
      {
        type: "memory:record",
        requestId: "3",
        entry: JSON.parse('{"content":"x","__proto__":{"pinned":true}}') as unknown,
      },
      { type: "memory:record", requestId: "3", entry: [] },
      { type: "memory:record", requestId: "4", entry: { content: big } },
      { type: "memory:tool-call", toolName: "Write", args: 7 },
      { type: "memory:tool-result", toolName: "Write", result: 7 },
      { type: "memory:reasoning" },
      { type: "memory:tool-call", toolName: "Write", args: { file_path: big }, callId: big },
      { type: "memory:tool-result", toolName: "Read", args: { path: "src/tax.ts" }, result: big },
      {
        type: "memory:step-complete",
        stepNumber: "x",
        requestId: "5",
        moment: { point: "nowhere" },
        happened: [7, { kind: "end" }],
      },
      { type: "memory:step-complete", stepNumber: Number.NaN, requestId: "6", moment: 7, prompt: 7, happened: "x" },
      { type: "memory:session-complete", outcome: { a: 1 } },
    ];
    const forged = { sessionId: "theirs", agentId: "other" };
    const claims: Act[] = [
      { remember: { content: "Nobody knows what I had read.", source: "user_taught", sessionId: "theirs" } },
      { observe: { kind: "start", agent: "builder", ...forged } },
      { observe: { kind: "prompt", text: "Mend it.", ...forged } },
      { remember: { content: "Rates are sorted by country.", pinned: false, sessionId: "theirs" } },
      { recall: "How are rates sorted?", filters: { limit: 3 } },
    ];

    const [, [unwatched, kept, found]] = (await Promise.all([
      played(
        group,
        garbage.map((post) => ({ post })),
        "rude",
      ),
      played(group, claims, "polite"),
    ])) as [unknown, [RememberedMemory, RememberedMemory, RecallReport]];
    const report = await group.finish();

    expect(unwatched).toMatchObject({ trustFlags: ["unverified"], source: "agent_explicit" });
    expect(unwatched.sessionId).toBeUndefined();
    expect(kept).toMatchObject({ trustFlags: [], sessionId: "ours", source: "agent_explicit" });
    expect(found.results.map(({ memory: { id } }) => id)).toContain(kept.id);
    expect(report).toMatchObject({ sessionId: "ours", learned: [] });
    expect((await memory.sessions.list()).map(({ sessionId }) => sessionId)).toEqual(["ours"]);
  });
});

const others: [string, string] = ["src/stock.ts", "src/mail.ts"];
const failing: [string, string] = ["src/cart.ts", "test/cart.test.ts"];
const other = { sessionId: "somebody else's" };

interface Act {
  observe?: AgentEvent;
  inject?: Moment;
  recall?: string;
  filters?: object;
  remember?: MemoryInput;
  post?: unknown;
  /** Waits for a word of the program. */
  hears?: true;
  task?: object;
  hang?: true;
}

function start(acts: readonly Act[], { timeoutMs = 20_000, isDirect = false } = {}): Worker {
  const workerData = { module: built("agents/worker/worker.js"), timeoutMs, isDirect, acts };
  const worker = new Worker(join(import.meta.dirname, "..", "support", "worker-agent.mjs"), { workerData });
  onTestFinished(async () => void (await worker.terminate()));
  return worker;
}

/** Lets a worker of the group play, and waits until it has ended by itself. */
async function played(group: WorkerGroup, acts: readonly Act[], agentId?: string): Promise<unknown[]> {
  const worker = start(acts);
  group.serve(worker, agentId === undefined ? {} : { agentId });
  const [answers, [code]] = await Promise.all([answersOf(worker), once(worker, "exit")]);
  expect(code).toBe(0);
  return answers;
}

async function answersOf(worker: Worker): Promise<unknown[]> {
  return new Promise((resolve) => {
    worker.on("message", ({ answers }: { answers?: unknown[] }) => answers && resolve(answers));
  });
}

/** What a session did, as ones of somebody else's: whose they are the main thread decides. */
function toActs({ events }: ToldSession): Act[] {
  return events.map((event) => ({ observe: { ...event, ...other } }));
}

function paysFor(item: string): ToldSession {
  return mends(toldSession(item).starts().prompts(`Tax ${item} as well.`), error, ["src/cart.ts", file]);
}

function mends(session: ToldSession, message: string, [changed, mended]: [string, string]): ToldSession {
  session.reads(changed).edits(changed, "export", `// ${message}\nexport`);
  session
    .runs("npm test", red.replace(error, message), true)
    .reads(mended)
    .edits(mended, "export", `// ${session.id}\nexport`);
  return session.runs("npm test", green).steps(4000, 300);
}
