import { describe, expect, it } from "vitest";
import { agentSession } from "../../bench/agent-session.mjs";
import { openMemory, type LanguageModel, type OpenOptions, type TacitMemory } from "../../src/index.js";
import { Store } from "../../src/storage/storage.js";
import { built, ended, runProgram } from "../support/child-process.js";
import { observedProject, type ObservedProject } from "../support/observed-project.js";

const day = 86_400_000;

describe("looking over many sessions", () => {
  it("[O13] a module is looked over at 5, 10, 20, 50 and 100 sessions, and never twice", async () => {
    const project = observedProject();
    const memory = await open(project);
    const seen: [number, string][] = [];
    for (let count = 1; count <= 101; count += 1) {
      await memory.sessions.replay(shortSession(project, count).stream());
      const made = await occasions(project, "src/billing");
      if (made.length > seen.length) seen.push([count, made.at(-1) ?? ""]);
    }

    expect(seen).toEqual([
      [5, "at 5"],
      [10, "at 10"],
      [20, "at 20"],
      [50, "at 50"],
      [100, "at 100"],
    ]);
    expect((await memory.sessions.synthesize()).looked).toEqual([]);
    await memory.close();
  });

  it("[O13] pairs of modules are looked over once a week, and what is found waits with its reason and figures", async () => {
    const project = observedProject();
    const memory = await open(project);
    for (let count = 1; count <= 6; count += 1) await memory.sessions.replay(farApart(project, count).stream());
    await memory.close();
    await forgetOccasions(project);
    expect((await waiting(project)).filter(({ content }) => content.includes("change together"))).toEqual([]);

    const first = await synthesizeAt(project, Date.now());
    const again = await synthesizeAt(project, Date.now());
    const nextWeek = await synthesizeAt(project, Date.now() + 7 * day);

    expect(first.looked.map(({ module }) => module)).toContain("*");
    expect(first.waiting).toMatchObject([
      {
        type: "causal_dependency",
        status: "waiting",
        content:
          "`src/api/schema.ts` and `src/db/orders.ts` change together: of 6 sessions that had both, all of them edited both.",
        review: { state: "pending", reason: expect.stringMatching(/looking over 6 sessions of all modules/) },
      },
    ]);
    expect(again).toEqual({ looked: [], waiting: [] });
    expect(nextWeek.looked).toMatchObject([{ module: "*", memories: 0 }]);
    const told = await project.recallElsewhere("What changes together with src/api/schema.ts?");
    expect(told.map(({ id }) => id)).not.toContain(first.waiting[0]?.id);
    expect(await project.tacit("show", first.waiting[0]?.id ?? "", "--evidence")).toMatch(
      /synthesis +together: .*\n(?:.*\n)*.*were used together in 6 sessions, and both edited in 6/,
    );
  });

  it("[O13] of two processes at the same moment one does it", async () => {
    const project = observedProject();
    const memory = await open(project);
    for (let count = 1; count <= 6; count += 1) await memory.sessions.replay(farApart(project, count).stream());
    await memory.close();
    await forgetOccasions(project);

    const reports = await Promise.all([elsewhere(project), elsewhere(project), elsewhere(project)]);

    const looked = reports.flatMap((report) => report.looked.map(({ module, occasion }) => `${module} ${occasion}`));
    expect(looked.length).toBeGreaterThanOrEqual(3);
    expect(new Set(looked).size).toBe(looked.length);
    expect(reports.flatMap((report) => report.waiting)).toHaveLength(1);
    expect((await waiting(project)).filter(({ content }) => content.includes("change together"))).toHaveLength(1);
  });

  it("[O13] asked for at any time, it proposes nothing that is known, and nothing that was refused for ever", async () => {
    const project = observedProject();
    const memory = await open(project);
    for (let count = 1; count <= 6; count += 1) await memory.sessions.replay(farApart(project, count).stream());
    const { waiting: before } = await memory.sessions.synthesize({ force: true });
    const known = await memory.list({ status: "waiting" });
    const found = known.find(({ content }) => content.includes("change together"));

    const again = await memory.sessions.synthesize({ force: true });
    await memory.review.reject(found?.id ?? "", { forever: true });
    for (let count = 7; count <= 10; count += 1) await memory.sessions.replay(farApart(project, count).stream());
    const after = await memory.sessions.synthesize({ force: true });

    expect(before).toEqual([]);
    expect(again.looked.length).toBeGreaterThan(0);
    expect(again.waiting).toEqual([]);
    expect(after.waiting).toEqual([]);
    expect((await memory.list({ status: "waiting" })).filter(({ content }) => content.includes("schema.ts"))).toEqual(
      [],
    );
    await memory.close();
  });

  it("[O13] with a language model, at most five of what it proposes wait; without a usable reply, the figures speak", async () => {
    const many = Array.from({ length: 8 }, (_, n) => ({
      type: "gotcha",
      content: `${["Prices", "Rates", "Invoices", "Orders", "Users", "Tokens", "Logins", "Dates"][n]} are kept apart from everything else here.`,
      relatedFiles: ["src/api/schema.ts"],
      confidence: 0.7,
    }));
    const proposed = async (reply: string) => {
      const project = observedProject();
      const memory = await open(project);
      for (let count = 1; count <= 6; count += 1) await memory.sessions.replay(farApart(project, count).stream());
      await memory.close();
      await forgetOccasions(project);
      const asking = await open(project, { languageModel: fakeModel(reply) });
      const report = await asking.sessions.synthesize();
      await asking.close();
      return report;
    };

    const good = await proposed(JSON.stringify(many));
    const garbage = await proposed("I would rather not.");

    for (const { memories } of good.looked) expect(memories).toBeLessThanOrEqual(5);
    expect(good.waiting.length).toBeGreaterThan(0);
    expect(new Set(good.waiting.map(({ content }) => content)).size).toBe(good.waiting.length);
    expect([...good.waiting, ...garbage.waiting].every(({ status }) => status === "waiting")).toBe(true);
    expect(garbage.waiting.map(({ type }) => type)).toEqual(["causal_dependency"]);
  });
});

/** Too little to learn from, but a session of its module. */
function shortSession({ root }: ObservedProject, count: number) {
  const at = Date.now() - 200 * day + count * day;
  const file = ["price", "rates", "invoice", "ledger"][count % 4];
  return agentSession({ id: `short-${count}`, root, at, prompt: "Look." }).reads(`src/billing/${file}.ts`);
}

/** Two files that are always changed in the same session, but with so much in between that no signal sees it. */
function farApart({ root }: ObservedProject, count: number) {
  const at = Date.now() - 100 * day + count * day;
  const session = agentSession({ id: `far-${count}`, root, at, prompt: `Task ${count}.` });
  session.edits("src/api/schema.ts", "1", String(count));
  for (let n = 0; n < 3; n += 1) session.edits(`src/ui/part-${count}-${n}.ts`, "a", "b");
  session.edits("src/db/orders.ts", "1", String(count));
  return session.runs("npm test", { text: "Tests  41 passed (41)" });
}

async function open({ db, root }: ObservedProject, options: OpenOptions = {}): Promise<TacitMemory> {
  return openMemory({ db, directory: root, embedder: null, ...options });
}

async function synthesizeAt(project: ObservedProject, now: number) {
  const memory = await open(project, { now: () => now });
  try {
    return await memory.sessions.synthesize();
  } finally {
    await memory.close();
  }
}

async function waiting(project: ObservedProject) {
  return (await project.allMemories()).filter(({ status }) => status === "waiting");
}

async function occasions({ db }: ObservedProject, module: string): Promise<string[]> {
  const store = new Store({ db, timeoutMs: 5000 });
  const rows = await store.read((reader) =>
    reader.rows("SELECT occasion FROM observer_syntheses WHERE module = :module ORDER BY made_at", { module }),
  );
  await store.close();
  return rows.map((row) => String(row["occasion"]));
}

/** As if nobody had looked yet, and nothing had been found. */
async function forgetOccasions(project: ObservedProject): Promise<void> {
  const memory = await open(project);
  for (const { id } of await memory.list({ status: "waiting" })) await memory.purge(id);
  await memory.close();
  const store = new Store({ db: project.db, timeoutMs: 5000 });
  await store.write(async (writer) => {
    await writer.run("DELETE FROM observer_syntheses");
    await writer.run("UPDATE observer_co_access SET promoted_at = NULL");
  });
  await store.close();
}

async function elsewhere({ db, root }: ObservedProject) {
  const child = runProgram(`
    import { openMemory } from ${JSON.stringify(built("index.js"))};
    const memory = await openMemory(${JSON.stringify({ db, directory: root, embedder: null })});
    console.log(JSON.stringify(await memory.sessions.synthesize()));
    await memory.close();`);
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  expect(await ended(child)).toBe(0);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Awaited<
    ReturnType<TacitMemory["sessions"]["synthesize"]>
  >;
}

function fakeModel(reply: string): LanguageModel {
  return { modelId: "fake", lastProblem: undefined, generate: async () => reply };
}
