import { describe, expect, it } from "vitest";
import { loadTokenCounter } from "../../src/base/tokens/count-tokens.js";
import { injectOnce } from "../../src/hook/inject-once.js";
import type { InjectionMode, MemoryInput, StepTrigger } from "../../src/index.js";
import { git, writeFiles } from "../support/git-repository.js";
import { toldProject, type SomeMoment } from "../support/told-project.js";

const file = "src/pdf/render.ts";
const trap: MemoryInput = { content: "The renderer leaks a process.", type: "gotcha", relatedFiles: [file] };
const rule: MemoryInput = { content: "Amounts are kept in cents.", type: "convention" };
const often: MemoryInput = {
  content: "They are read.",
  type: "prefetch_pattern",
  data: { moduleTrigger: "src/pdf", alwaysReadFiles: ["src/pdf/fonts.ts"], frequentlyReadFiles: [], sessionCount: 5 },
  relatedModules: ["src/pdf"],
};
const moments: Record<SomeMoment["point"], SomeMoment> = {
  "session-start": { point: "session-start" },
  prompt: { point: "prompt", prompt: "Why does the renderer leak a process?", prefetch: "none" },
  "file-read": { point: "file-read", files: [file] },
  step: { point: "step", step: 5, touched: [file] },
};

describe("the start of a session", () => {
  it("[I2] tells what holds for the whole project, its unfinished work, and what is about the modules in play", async () => {
    const state = { content: "Half of the export is done.", type: "work_state", relatedFiles: [file] };
    const project = await toldProject(rule, state, trap);

    expect(await project.told(moments["session-start"])).toEqual([rule.content, state.content]);
    expect(await project.told({ point: "session-start", sessionId: "s2", files: [file] })).toContain(trap.content);
  });

  it("[I2] is silent about other parts of the project, other branches, raw talk and figures", async () => {
    const { told } = await toldProject(
      trap,
      { content: "On another branch.", type: "work_state", branch: "elsewhere" },
      { content: "hello there", type: "conversation" },
      often,
    );

    expect(await told(moments["session-start"])).toEqual([]);
  });
});

describe("a prompt", () => {
  it("[I2] is told what is known about it", async () => {
    const { told } = await toldProject(trap, rule);

    expect(await told(moments.prompt)).toEqual([trap.content]);
  });

  it.each(["Please add a page for orders.", "/clear the renderer leaks a process", "continue", ""])(
    "[I2] is silent for %j",
    async (prompt) => {
      const { tell } = await toldProject(trap, rule);

      expect(await tell({ point: "prompt", prompt })).toMatchObject({ text: "", memories: [], files: [] });
    },
  );

  it("[I10] brings the files that are nearly always read, once a session, as names or with what stands in them", async () => {
    const project = await toldProject(often);
    writeFiles(project.root, { "src/pdf/fonts.ts": "export const fonts = 12;\n" });
    git(project.root, "add", "--all");
    const prompt = { point: "prompt", prompt: `Please look at ${file} again.` } as const;

    const whole = await project.tell(prompt);
    const again = await project.tell(prompt);
    project.memory.observe({ sessionId: "s1", kind: "prompt", text: prompt.prompt });
    await project.memory.finishSession("s1");
    const resumed = await project.tell(prompt);
    const named = await project.tell({ ...prompt, prefetch: "names", sessionId: "s2" });
    const none = await project.tell({ ...prompt, prefetch: "none", sessionId: "s3" });

    expect(whole).toMatchObject({ files: ["src/pdf/fonts.ts"], text: expect.stringContaining("fonts = 12") });
    for (const one of [again, resumed]) expect(one).toMatchObject({ files: [], text: "" });
    expect(named).toMatchObject({ files: ["src/pdf/fonts.ts"], text: expect.not.stringContaining("fonts = 12") });
    expect(none).toMatchObject({ files: [], text: "" });
  });
});

describe("a file that was read", () => {
  it.each(["gotcha", "error_pattern", "dead_end", "causal_dependency"])("[I2] is told with its %s", async (type) => {
    const { root, told } = await toldProject({ ...trap, type });

    expect(await told({ point: "file-read", files: [`${root}/${file}`] })).toEqual([trap.content]);
  });

  it("[I2] is silent about other files and other types, and tells four of five", async () => {
    const five = [1, 2, 3, 4, 5].map((n) => ({
      ...trap,
      content: `Trap number ${n} of the parser.`,
      relatedFiles: ["b.ts"],
    }));
    const { told } = await toldProject({ ...trap, type: "decision" }, { ...trap, relatedFiles: ["src/pdf"] }, ...five);

    expect(await told(moments["file-read"])).toEqual([]);
    expect(await told({ point: "file-read", files: ["b.ts"] })).toHaveLength(4);
  });
});

describe("between two steps", () => {
  it("[I3] a warning comes from the fifth step on, and not before", async () => {
    const { memory, tell } = await toldProject(trap);
    const touched = { point: "step", touched: [file] } as const;
    const answered = (count: number) => {
      for (let n = 0; n < count; n += 1) {
        memory.observe({ sessionId: "s1", kind: "call", callId: `c${n}`, tool: "Glob", input: { pattern: "*" } });
        memory.observe({ sessionId: "s1", kind: "result", callId: `c${n}`, tool: "Glob", text: "" });
      }
    };

    expect((await tell({ ...touched, step: 4 })).text).toBe("");
    expect((await tell({ ...touched, step: 5, sessionId: "s2" })).trigger).toBe("warning");
    answered(4);
    expect((await tell(touched)).text).toBe("");
    answered(1);
    expect((await tell(touched)).trigger).toBe("warning");
  });

  it("[I3] a warning comes for what is sure enough and for the files just touched, four at most", async () => {
    const five = [1, 2, 3, 4, 5].map((n) => ({
      ...trap,
      content: `Trap number ${n} of the parser.`,
      relatedFiles: ["b.ts"],
    }));
    const { told } = await toldProject(
      { ...trap, content: "Just sure enough.", confidence: 0.65 },
      { ...trap, content: "Not quite.", confidence: 0.64 },
      { ...trap, content: "It hangs on another.", type: "causal_dependency" },
      ...five,
    );

    expect(await told({ point: "step", step: 5, touched: ["c.ts"] })).toEqual([]);
    expect(await told(moments.step)).toEqual(["Just sure enough."]);
    expect(await told({ point: "step", step: 6, touched: ["b.ts"] })).toHaveLength(4);
  });

  it.each<[StepTrigger, string, Partial<Extract<SomeMoment, { point: "step" }>>]>([
    ["recorded", "what this session has recorded", {}],
    ["answered-search", "a search that is answered already", { searches: ["OrderBook"], sessionId: "s3" }],
  ])("[I3] %s: comes for %s", async (trigger, _what, some) => {
    const { tell } = await toldProject(...recorded);

    expect(await tell({ point: "step", step: 5, ...some })).toMatchObject({ trigger, memories: [{}] });
  });

  it.each<[string, Partial<Extract<SomeMoment, { point: "step" }>>]>([
    ["what another session has recorded", { sessionId: "s2" }],
    ["a search for something else", { sessionId: "s3", searches: ["PriceFeed"] }],
    ["an older search", { sessionId: "s3", searches: ["OrderBook", "lion", "zebra", "gnu"] }],
    ["either before the fifth step", { step: 4, searches: ["OrderBook"] }],
  ])("[I3] is silent for %s", async (_what, some) => {
    const { tell } = await toldProject(...recorded);

    expect(await tell({ point: "step", step: 5, ...some })).toMatchObject({ text: "", memories: [] });
  });
});

const recorded: MemoryInput[] = [
  { content: "`OrderBook` is in `src/trade/ledger.ts`.", type: "module_insight" },
  { content: "The flag is off until Monday.", sessionId: "s1" },
];

describe("how much is told", () => {
  it.each<[InjectionMode, string[]]>([
    ["none", []],
    ["passive", ["session-start", "prompt"]],
    ["full", ["session-start", "prompt", "file-read", "step"]],
  ])("[I7] %s: %j", async (mode, points) => {
    const { tell } = await toldProject(trap, rule);
    const telling: string[] = [];

    for (const moment of Object.values(moments)) {
      const { text, point } = await tell({ ...moment, sessionId: `of ${moment.point}` }, { mode });
      if (text !== "") telling.push(point);
    }

    expect(telling).toEqual(points);
  });

  it.each(["autoInject", "enabled"])(
    "[I7] nothing where the setting %s is off, whatever is asked, by a hook neither",
    async (name) => {
      const { open, db, root } = await toldProject(trap, rule);
      writeFiles(root, { "tacit.config.json": JSON.stringify({ [name]: false }) });
      const memory = await open();

      for (const moment of Object.values(moments)) {
        const whole = { sessionId: "s1", ...moment };
        expect((await memory.inject(whole, { mode: "full", deadlineMs: 30_000 })).text).toBe("");
        expect((await injectOnce(whole, { deadlineMs: 30_000, db, directory: root })).text).toBe("");
      }
    },
  );

  it("[I7] only what is as sure as is asked", async () => {
    const { told } = await toldProject({ ...trap, confidence: 0.7 });

    expect(await told(moments["file-read"], { minConfidence: 0.71 })).toEqual([]);
    expect(await told(moments["file-read"], { minConfidence: 0.7 })).toEqual([trap.content]);
  });

  it("[I7] no more than the budget, counted as a model would", async () => {
    const count = await loadTokenCounter();
    const words = ["The renderer leaks a process", "レンダラーがリークする", "`const a = {b: [1, 2]};`", "Zürich 🎉 ½"];
    const long = [...Array(24).keys()].map((n) => ({
      content: `${n}: ${Array(20 + n)
        .fill(`${words[n % 4]} ${n}.`)
        .join(" ")}`,
      ...(n % 2 === 0 ? { type: "gotcha", relatedFiles: [file] } : { type: "convention" }),
    }));
    const { tell, db, root } = await toldProject(...long);
    const budgets = { "session-start": 1500, prompt: 1200, "file-read": 500, step: 400 };
    // Until the counter is loaded, which the first injection leads to, tokens are estimated, as in hooks.
    await tell(moments.step);

    for (const [point, budget] of Object.entries(budgets) as [SomeMoment["point"], number][]) {
      const moment = { sessionId: `of ${point}`, ...moments[point] };
      const usual = await tell(moment);
      const small = await tell({ ...moment, sessionId: `small ${point}` }, { budgetTokens: 150 });
      const once = await injectOnce(
        { ...moment, sessionId: `once ${point}` },
        {
          deadlineMs: 30_000,
          db,
          directory: root,
        },
      );

      for (const { text } of [usual, once]) {
        expect(text).not.toBe("");
        expect(count(text)).toBeLessThanOrEqual(budget);
      }
      expect(count(small.text)).toBeLessThanOrEqual(150);
    }
  });

  it("[I7] 8,000 tokens of memories in a session, and then no more", async () => {
    const files = [...Array(24).keys()].map((n) => `src/f${n}.ts`);
    const { tell } = await toldProject(
      ...files.map((path, n) => ({ ...trap, content: `${n} ${"long story ".repeat(300)}`, relatedFiles: [path] })),
    );
    const sizes: number[] = [];
    for (const path of files) {
      const { memories } = await tell({ point: "file-read", files: [path] });
      sizes.push(memories.reduce((sum, { tokens }) => sum + tokens, 0));
    }

    const sum = sizes.reduce((a, b) => a + b, 0);
    expect(sum).toBeGreaterThan(7000);
    expect(sum).toBeLessThanOrEqual(8000);
    expect(sizes.at(-1)).toBe(0);
    expect((await tell({ point: "file-read", files: [files[23] as string], sessionId: "s2" })).text).not.toBe("");
  });
});

describe("while the code is indexed for the first time", () => {
  it("the start says so, before and after it does not", async () => {
    const { root, db, memory, tell } = await toldProject();
    writeFiles(
      root,
      Object.fromEntries([...Array(60).keys()].map((n) => [`src/f${n}.ts`, `export const f${n} = 1;\n`])),
    );
    const atStart = async (sessionId: string) => {
      const { text } = await tell({ point: "session-start", sessionId });
      const once = { deadlineMs: 30_000, db, directory: root };
      expect((await injectOnce({ point: "session-start", sessionId: `${sessionId} by a hook` }, once)).text).toBe(text);
      return text;
    };
    const stopping = new AbortController();

    const before = await atStart("s1");
    await memory.index({ signal: stopping.signal, onProgress: () => stopping.abort() });
    const meanwhile = await atStart("s2");
    await memory.index();
    const afterwards = await atStart("s3");

    expect(meanwhile).toContain("| The code of this project is being indexed for the first time");
    expect([before, afterwards]).toEqual(["", ""]);
  });
});
