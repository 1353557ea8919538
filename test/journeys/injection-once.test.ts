import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { inject } from "../../src/injection/inject.js";
import { injectOnce } from "../../src/hook/inject-once.js";
import { openMemory, type MemoryInput, type Moment } from "../../src/index.js";
import { remember } from "../../src/memory/remember/remember-memories.js";
import { compiled, runProgram } from "../support/child-process.js";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { learned, runHook } from "../support/hook-process.js";
import { injectionPorts } from "../support/injection-ports.js";
import { projectContext } from "../support/keep-records.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { toldProject, type SomeMoment, type ToldProject } from "../support/told-project.js";

const file = "src/pdf/render.ts";
const trap: MemoryInput = { content: "The renderer leaks a process.", type: "gotcha", relatedFiles: [file] };
const rule: MemoryInput = { content: "Amounts are kept in cents.", type: "convention" };
const reading: SomeMoment = { point: "file-read", files: [file] };
const starting: SomeMoment = { point: "session-start" };
const asking: SomeMoment = { point: "prompt", prompt: "Why does the renderer leak a process?", prefetch: "none" };
const stepping: SomeMoment = { point: "step", step: 5, touched: [file] };

describe("nothing is told twice", () => {
  it("[I4] in a session, whatever leads to it, and by whatever process", async () => {
    const project = await toldProject(trap);
    const other = await project.open();

    expect(await project.told(reading)).toEqual([trap.content]);
    for (const moment of [reading, asking, stepping, { point: "session-start", files: [file] } as const]) {
      expect(await project.told(moment)).toEqual([]);
      expect((await other.inject({ sessionId: "s1", ...moment }, calm)).text).toBe("");
      expect((await injectOnce({ sessionId: "s1", ...moment }, place(project))).text).toBe("");
    }
    expect(await project.told({ ...reading, sessionId: "s2" })).toEqual([trap.content]);
  });

  it("[I4] by one process that is asked for several things at once", async () => {
    const { tell } = await toldProject(trap);

    const answers = await Promise.all([tell(reading), tell(stepping), tell(reading), tell(asking)]);

    expect(answers.filter(({ text }) => text !== "")).toHaveLength(1);
  });

  it("[I4] by six processes that run at the same time, as hooks do", async () => {
    const { db, root } = await toldProject(trap);
    const home = process.env["TACIT_HOME"];
    const moment = { sessionId: "s1", ...reading };
    const program = `
      import { injectOnce } from ${JSON.stringify(compiled("hook/inject-once.js"))};
      const told = await injectOnce(${JSON.stringify(moment)}, ${JSON.stringify({ home, db, directory: root, ...calm })});
      console.log(told.text);`;

    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => textOf(runProgram(program).stdout as NodeJS.ReadableStream)),
    );

    expect(answers.filter((answer) => answer.includes("leaks a process"))).toHaveLength(1);
    expect(answers.filter((answer) => answer === "\n")).toHaveLength(5);
  });

  it("[I4] but again after a compaction, which the agent's memory did not survive", async () => {
    const project = await toldProject(trap, rule);
    const { memory, told } = project;
    expect(await told(reading)).toEqual([trap.content]);
    expect(await told(starting)).toEqual([rule.content]);

    memory.observe({ sessionId: "s1", kind: "compacted" });

    expect(await told({ point: "session-start", continues: "compacted" })).toEqual([rule.content]);
    expect(await told(reading)).toEqual([trap.content]);
    expect(await told(reading)).toEqual([]);
  });

  it("[I4] in a session that was learned from and is resumed", async () => {
    const { memory, told } = await toldProject(trap, rule);
    memory.observe({ sessionId: "s1", kind: "prompt", text: "Print it." });
    expect(await told(reading)).toEqual([trap.content]);
    memory.observe({ sessionId: "s1", kind: "end" });
    await memory.finishSession("s1");

    memory.observe({ sessionId: "s1", kind: "start" });

    expect(await told(reading)).toEqual([]);
    expect(await told({ point: "session-start", continues: "resumed" })).toEqual([rule.content]);
  });

  it("[I4] to one agent of a session; each of its sub-agents has a memory of its own", async () => {
    const { told } = await toldProject(trap);

    for (const agentId of [undefined, "explore-1", "explore-2", "../../main"]) {
      const agent = agentId === undefined ? {} : { agentId };
      expect(await told({ ...reading, ...agent })).toEqual([trap.content]);
      expect(await told({ ...reading, ...agent })).toEqual([]);
    }
  });
});

describe("hooks", () => {
  it("[I4] tell it again after PreCompact, and not when the session is resumed", { retry: 2 }, async () => {
    const project = await toldProject(trap);
    const tellHook = (document: Record<string, unknown>) =>
      runHook(project, { session_id: "s1", cwd: project.root, ...document });
    const read = {
      hook_event_name: "PostToolUse",
      tool_name: "Read",
      tool_input: { file_path: file },
      tool_response: "",
    };
    const start = (source: string) => tellHook({ hook_event_name: "SessionStart", source });

    await start("startup");
    expect(await tellHook({ ...read, tool_use_id: "t1" })).toContain("leaks a process");
    await tellHook({ hook_event_name: "PreCompact", trigger: "auto" });
    await start("compact");
    expect(await tellHook({ ...read, tool_use_id: "t2" })).toContain("leaks a process");
    await tellHook({ hook_event_name: "SessionEnd", reason: "other" });
    await learned(project, "s1");
    await start("resume");
    expect(await tellHook({ ...read, tool_use_id: "t3" })).toBe("");
  });
});

describe("never told", () => {
  it.each<[string, (project: ToldProject, id: string) => unknown]>([
    ["what was flagged", ({ memory }, id) => memory.flag(id, "It is wrong.")],
    ["what was superseded", ({ memory }, id) => memory.supersede(id, { content: "It holds no longer.", type: "note" })],
    ["what was forgotten", ({ memory }, id) => memory.forget(id)],
    ["what is not sure enough", ({ memory }, id) => memory.revise(id, { confidence: 0.5 })],
  ])("[I5] is %s", async (_what, change) => {
    const project = await toldProject();
    const { id } = await project.memory.remember(trap);

    await change(project, id);

    expect(await tellEverywhere(project)).not.toContain("leaks a process");
  });

  it("[I5] is what has expired, waits for a person, came from outside, or nobody verified; nor private parts", async () => {
    const project = await toldProject({ ...trap, content: "Was true.", expiresAt: "2020-01-01T00:00:00Z" });
    const { memory } = project;
    memory.observe({
      sessionId: "t",
      kind: "call",
      callId: "c",
      tool: "WebFetch",
      input: { url: "https://x.example" },
    });
    memory.observe({ sessionId: "t", kind: "result", callId: "c", tool: "WebFetch", text: "The renderer leaks." });
    const { status } = await memory.remember({ ...trap, content: "A page says so.", sessionId: "t" });
    await memory.finishSession("t");
    await memory.as({ kind: "agent" }).remember({ ...trap, content: "Nobody vouches." });
    await memory.remember({ ...trap, content: "Ask Ada <private>at 555 1234</private> first." });

    const text = await tellEverywhere(project);

    expect(status).toBe("waiting");
    expect([...new Set(text.match(/^\| - .*$/gm))]).toEqual([expect.stringMatching(/Gotcha: Ask Ada\s+first\./)]);
  });
});

describe("in time", () => {
  it("[I7] a prompt is answered by words where the model hangs", async () => {
    const project = await toldProject(trap);
    const embedder = fakeEmbedder();
    embedder.hang();
    const memory = await project.open({ embedder });
    const begin = performance.now();

    const { text, isLate } = await memory.inject({ sessionId: "s1", ...asking });

    expect(performance.now() - begin).toBeLessThan(2500);
    expect({ isLate, isTold: text.includes("leaks a process") }).toEqual({ isLate: false, isTold: true });
  });

  it("[I7] what came too late is neither told nor noted, and is told the next time", async () => {
    const context = await projectContext();
    await remember(context, [trap]);
    const ports = injectionPorts(context);
    const moment = { sessionId: "s1", ...reading } as Moment;
    // Whatever blocks the process lets no timer fire.
    const blocked = { ...ports, countTokens: async () => (block(60), (text: string) => text.length) };

    const late = await inject(blocked, moment, { deadlineMs: 50 });
    const hung = await inject({ ...ports, soFar: () => new Promise(() => {}) }, moment, { deadlineMs: 50 });
    const next = await inject(ports, moment, { deadlineMs: 30_000 });

    for (const one of [late, hung]) expect(one).toMatchObject({ text: "", memories: [], isLate: true });
    expect(next.text).toContain("leaks a process");
    expect(ports.told.get("s1")).toHaveLength(1);
  });
});

describe("what is being noted when the time is over", () => {
  it("[I4] is told, since it would not come again", async () => {
    const context = await projectContext();
    await remember(context, [trap]);
    const ports = injectionPorts(context);
    let isNoted = false;
    const slowly: typeof ports.record = async (...told) => {
      isNoted = true;
      await wait(400);
      return ports.record(...told);
    };

    const { text: told } = await inject(
      { ...ports, record: slowly },
      { sessionId: "s1", ...reading },
      {
        deadlineMs: 300,
      },
    );

    // A busy machine may not even come to noting it: then it is told the next time.
    expect(told !== "").toBe(isNoted);
  });
});

describe("an injection never throws", () => {
  it.each<[string, unknown]>([
    ["no moment", undefined],
    ["a moment without a point", { sessionId: "s1" }],
    ["a point that nobody knows", { point: "lunch", sessionId: "s1" }],
    ["no session", { point: "session-start" }],
    ["wrong types", { point: "file-read", sessionId: 7, files: 12, agentId: {} }],
    ["files that are none", { point: "file-read", sessionId: "s1", files: [null, 1, "\0", "\ud800", ""] }],
    ["a prompt that is none", { point: "prompt", sessionId: "s1", prompt: { text: "x" } }],
    ["searches that are none", { point: "step", sessionId: "s1", step: Number.NaN, searches: [7, "("] }],
  ])("for %s", async (_what, moment) => {
    const project = await toldProject(rule, trap);

    const answers = [await project.memory.inject(moment as Moment), await injectOnce(moment as Moment, place(project))];

    for (const { text } of answers) expect(text === "" || text.includes("Amounts are kept in cents.")).toBe(true);
  });

  it("where the store is no database, is a folder or was closed", async () => {
    const project = await toldProject(trap);
    const [corrupt, folder] = ["memory.db", "folder.db"].map((name) => join(temporaryFolder(), name)) as [
      string,
      string,
    ];
    writeFileSync(corrupt, "This is no database. ".repeat(500));
    mkdirSync(folder);
    await project.memory.close();
    const memory = await openMemory({ db: corrupt, directory: project.root, embedder: null }).catch(() => undefined);

    const moment = { sessionId: "s1", ...reading } as Moment;
    const answers = [await project.memory.inject(moment)];
    if (memory) answers.push(await memory.inject(moment));
    for (const db of [corrupt, folder]) answers.push(await injectOnce(moment, { ...place(project), db }));
    await memory?.close();

    for (const answer of answers) expect(answer).toMatchObject({ text: "", memories: [] });
  });
});

const calm = { deadlineMs: 30_000 };

function place({ db, root }: ToldProject) {
  return { ...calm, db, directory: root };
}

/** What sessions of their own are told at every point, unasked. */
async function tellEverywhere(project: ToldProject): Promise<string> {
  const texts: string[] = [];
  for (const moment of [reading, asking, stepping, { point: "session-start", files: [file] } as const]) {
    texts.push((await project.tell({ ...moment, sessionId: `of ${moment.point}` })).text);
    texts.push((await injectOnce({ ...moment, sessionId: `once ${moment.point}` }, place(project))).text);
  }
  return texts.join("\n");
}

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
