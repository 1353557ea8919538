import { describe, expect, it } from "vitest";
import { commitFiles, gitRepository } from "../../test/support/git-repository.js";
import { injectionPorts } from "../../test/support/injection-ports.js";
import { projectContext } from "../../test/support/keep-records.js";
import { identifyFolder } from "../project/folder/identify-folder.js";
import type { MemoryInput } from "../memory/memory.js";
import { remember } from "../memory/remember/remember-memories.js";
import { inject } from "./inject.js";
import type { Injection, InjectionPorts, InjectOptions, Moment } from "./injection.js";

const file = "src/shop/invoice.ts";
const inTime: InjectOptions = { deadlineMs: 30_000 };
const moments: Moment[] = [
  { point: "session-start", sessionId: "s1", files: [file] },
  { point: "prompt", sessionId: "s1", prompt: "Change the palette of the invoice renderer in green" },
  { point: "file-read", sessionId: "s1", files: [file] },
  { point: "step", sessionId: "s1", step: 9, touched: [file], searches: ["invoice renderer palette"] },
];

describe("what an agent is told", () => {
  it.each(moments)("is nothing of another session's or branch's work, and its own: $point", async (moment) => {
    const said = { type: "gotcha", relatedFiles: [file] };
    const green = "The palette of the invoice renderer is green for";
    const ports = await knowing(
      { ...said, content: `${green} subtask seven.`, scope: "work_unit", sessionId: "other" },
      { ...said, content: `${green} that session.`, scope: "session", sessionId: "other" },
      { ...said, content: `${green} no session.`, scope: "session" },
      { content: `${green} whoever finishes it.`, type: "work_state", branch: "feature" },
      { ...said, content: `${green} this session.`, scope: "work_unit", sessionId: "s1" },
    );

    const { text } = await inject(ports, moment, inTime);

    expect([...text.matchAll(/green for ([\w ]+)\./g)].map(([, whom]) => whom)).toEqual(["this session"]);
  });

  it("stays within a given budget with all its files, and without one has room for them", async () => {
    const root = gitRepository();
    const names = ["a", "b", "c", "d"].map((name) => `src/shop/${name}.ts`);
    commitFiles(root, Object.fromEntries(names.map((name) => [name, "export const price = 1;\n".repeat(40)])));
    const pattern = { alwaysReadFiles: names, frequentlyReadFiles: [], moduleTrigger: "src/shop", sessionCount: 5 };
    const ports = await knowing(
      { content: "Read together.", type: "prefetch_pattern", data: pattern, relatedModules: ["src/shop"] },
      { content: "The invoice renderer knows one palette.", relatedFiles: [file] },
    );
    ports.context.folder = () => identifyFolder(root);
    const ask = async (sessionId: string, options: InjectOptions) =>
      inject(ports, { point: "prompt", sessionId, prompt: `Look at the invoice renderer in ${file}` }, options);

    for (const budgetTokens of [10, 100, 350, 700]) {
      const { tokens } = await ask(`s${budgetTokens}`, { ...inTime, budgetTokens });

      expect(tokens).toBeLessThanOrEqual(budgetTokens);
    }
    expect((await ask("some", { ...inTime, budgetTokens: 700 })).files.length).toBeGreaterThan(0);
    expect((await ask("all", inTime)).files).toHaveLength(4);
  });

  it.each<[string, unknown, unknown]>([
    ["mode", {}, { mode: "None" }],
    ["minConfidence", {}, { minConfidence: NaN }],
    ["minConfidence", {}, { minConfidence: "high" }],
    ["budgetTokens", {}, { budgetTokens: NaN }],
    ["deadlineMs", {}, { deadlineMs: "soon" }],
    ["point", { point: "nonsense" }, {}],
    ["prompt", { point: "prompt", prompt: 42 }, {}],
    ["files", { files: [7] }, {}],
    ["files", { files: undefined }, {}],
  ])("is refused in words of ours where %s is none: %j %j", async (name, wrong, options) => {
    const moment = { point: "file-read", sessionId: "s1", files: [file], ...(wrong as object) };

    await expect(inject(await knowing(), moment as Moment, options as InjectOptions)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(new RegExp(`^${name} of an injection must be `)),
    });
  });
});

describe("the deadline of an injection", () => {
  it("holds for the settings too", async () => {
    const ports = await knowing();
    ports.context.settings = () => new Promise(() => {});

    const told = await inject(ports, { point: "file-read", sessionId: "s1", files: [file] }, { deadlineMs: 20 });

    expect(told).toMatchObject({ text: "", isLate: true });
  });

  it.each(moments)("says that it is over where nothing was found until then: $point", async (moment) => {
    const ports = await knowing();
    // No timer fires while a database is waited for.
    ports.soFar = async () => {
      const end = performance.now() + 30;
      while (performance.now() < end);
      return { ids: new Set(), tokens: 0, hasPrefetched: false, steps: 9 };
    };

    expect(await inject(ports, moment, { deadlineMs: 20 })).toMatchObject({ text: "", isLate: true });
  });

  it("[J8] tells as few as it is asked to, the best, and only what answers a prompt well enough", async () => {
    const ports = await knowing({ content: "Webhooks arrive twice." }, { content: "Webhooks arrive twice at night." });
    const moment = { point: "prompt", prompt: "Webhooks arrive twice?" } as const;
    const deadlineMs = 30_000;

    const one = await inject(ports, { ...moment, sessionId: "s1" }, { maxMemories: 1, deadlineMs });
    const none = await inject(ports, { ...moment, sessionId: "s2" }, { minScore: 0.99, deadlineMs });

    expect(one.text).toMatch(/Webhooks arrive twice\. /);
    expect(one.memories).toHaveLength(1);
    expect(none.text).toBe("");
  });

  it("tells what is noted as told, though it is over by then", async () => {
    const ports = await knowing({ content: "It leaks.", type: "gotcha", relatedFiles: [file] });
    const { record } = ports;
    ports.record = async (...told) => {
      await new Promise((resolve) => setTimeout(resolve, 800));
      return record(...told);
    };

    const told: Injection = await inject(
      ports,
      { point: "file-read", sessionId: "s1", files: [file] },
      { deadlineMs: 700 },
    );

    expect(told.memories).toHaveLength(1);
  });
});

async function knowing(...inputs: MemoryInput[]): Promise<InjectionPorts> {
  const context = await projectContext();
  if (inputs.length > 0) await remember(context, inputs);
  return injectionPorts(context);
}
