import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LanguageModel, TacitMemory } from "../../src/index.js";
import { commitFiles, gitRepository, writeFiles } from "../support/git-repository.js";
import { startLoopbackModels } from "../support/loopback-models.js";
import { movableClock, openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { toldSession } from "../support/told-session.js";

const files = {
  "package.json": JSON.stringify({ name: "shop", description: "Sells things." }),
  "src/auth/auth.ts": `/** auth: lets people in. */\nimport { query } from "../db/query.js";\nexport function login() { return query(); }\n`,
  "src/auth/token.ts": "export function token() { return 1; }\n",
  "src/auth/user.ts": "export function user() { return 1; }\n",
  "src/auth/auth.test.ts": `import { login } from "./auth.js";\nlogin();\n`,
  "src/db/query.ts": "export function query() { return 1; }\n",
  "src/db/rows.ts": "export function rows() { return 1; }\n",
  "src/db/keys.ts": "export function keys() { return 1; }\n",
  "src/index.ts": `import { login } from "./auth/auth.js";\nlogin();\n`,
};

describe("a module", () => {
  it("[G29] is told with what is known about it: on its files, and by its name", async () => {
    const { memory } = await opened({});
    await memory.remember({ content: "Tokens end after an hour.", relatedFiles: ["src/auth/token.ts"] });
    await memory.remember({ content: "Only Ada may change how people get in.", relatedModules: ["src/auth"] });
    await memory.remember({ content: "Rows are never deleted.", relatedFiles: ["src/db/rows.ts"] });

    const digest = await memory.code.module("auth");

    expect(digest).toMatchObject({
      name: "auth",
      purpose: { text: "auth: lets people in.", file: "src/auth/auth.ts" },
      entryPoints: [{ node: { id: "src/auth/auth.ts#login" }, users: 1 }],
      flows: [{ from: "src/auth/auth.ts#login", to: "src/db/query.ts#query", module: "db" }],
      testedBy: ["src/auth/auth.test.ts"],
    });
    expect(digest.memories.map(({ memory: { content }, on }) => `${on}: ${content}`)).toEqual([
      "auth: Only Ada may change how people get in.",
      "src/auth/token.ts: Tokens end after an hour.",
    ]);
    expect(digest.sections.map(({ title }) => title).slice(0, 3)).toEqual([
      "auth (src/auth): 3 files, 1 test file",
      "Memories",
      "Entered by",
    ]);
    const { modules } = await memory.code.modules();
    expect(modules.map(({ name, purpose }) => `${name}: ${purpose.text}`)).toEqual([
      "auth: auth: lets people in.",
      expect.stringMatching(/^db: 3 files around /),
      "shop: Sells things.",
    ]);
  });

  it("[G31] is described by a model that sees names and signatures, and again only when it has changed", async () => {
    const model = fakeModel();
    const { memory, root } = await opened({ languageModel: model });

    const first = await memory.code.describeModules({ modules: ["db", "auth"] });
    const again = await memory.code.describeModules({ modules: ["db", "auth"] });
    writeFiles(root, { "src/db/rows.ts": "export function rows() { return 1; }\nexport function more() {}\n" });
    const changed = await memory.code.describeModules({ modules: ["db", "auth"] });

    expect(first.described).toMatchObject([{ module: "db" }, { module: "auth" }]);
    expect(again).toEqual({ described: [], unchanged: ["db", "auth"], failed: [], left: [] });
    expect(changed).toMatchObject({ described: [{ module: "db" }], unchanged: ["auth"] });
    expect(model.asked).toHaveLength(3);
    expect(model.asked[0]).toContain("export function query() {");
    expect((await memory.code.module("db")).purpose).toEqual({
      text: "Keeps and finds the rows of the shop.",
      source: "llm",
      confidence: 0.7,
    });
    // What the repository says of itself goes before.
    expect((await memory.code.module("auth")).purpose.source).toBe("file");
  });

  it("[G31] is asked about once with the modules that its name stands for, and takes nothing of theirs away", async () => {
    const model = fakeModel();
    const many = (folder: string, count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`${folder}/f${at}.ts`, `export const a${at} = ${at};\n`]),
      );
    const { memory } = await opened({ languageModel: model }, { ...many("src/big", 4), ...many("src/big/ask", 40) });

    const first = await memory.code.describeModules();
    const again = await memory.code.describeModules();
    const { modules } = await memory.code.modules();

    expect(first.described.map(({ module }) => module)).toEqual(expect.arrayContaining(["big", "big/ask"]));
    expect(again).toMatchObject({ described: [], failed: [], left: [] });
    expect(model.asked).toHaveLength(first.described.length);
    const told = { text: "Keeps and finds the rows of the shop.", source: "llm", confidence: 0.7 };
    expect(modules.filter(({ name }) => name.startsWith("big")).map(({ purpose }) => purpose)).toEqual([told, told]);
    const { purpose, sections } = await memory.code.module("src/big");
    expect(purpose).toEqual(told);
    expect(sections[0]?.lines).toEqual([`${told.text} (said by a model, 0.70 sure)`]);
    await expect(memory.code.describeModules({ modules: "big" as never })).rejects.toMatchObject({
      code: "invalid-input",
    });
  });

  it("[G31] is described by itself once a week, after a session", async () => {
    const clock = movableClock("2026-11-11T12:00:00Z");
    const model = fakeModel();
    const { memory, root } = await opened({ languageModel: model, now: clock.now });

    await haveSession(memory, "s1");
    const atFirst = model.asked.length;
    writeFiles(root, { "src/db/rows.ts": "export function other() { return 1; }\n" });
    await haveSession(memory, "s2");
    const inTheSameWeek = model.asked.length;
    clock.addDays(7);
    await haveSession(memory, "s3");

    expect([atFirst, inTheSameWeek, model.asked.length]).toEqual([3, 3, 4]);
  });

  it("[G31] stays as it is without a model, and where that fails or says nothing of use", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const { memory, root } = await opened({ db });
    await haveSession(memory, "s1");
    await expect(memory.code.describeModules()).rejects.toMatchObject({ message: "No language model is configured." });
    const server = await startLoopbackModels();
    await memory.projects.configure("user", "languageModelProvider", "openai-compatible");
    await memory.projects.configure("user", "languageModelUrl", `${server.url}/v1`);
    await memory.projects.configure("user", "languageModel", "any");
    const again = await openTestMemory({ directory: root, project: undefined, db });

    const echoed = await again.code.describeModules({ modules: ["db"] });
    server.mode = "answers 400 with the key";
    const refused = await again.code.describeModules({ modules: ["db", "auth"] });

    expect(echoed.failed).toEqual([{ module: "db", problem: "Its reply could not be used." }]);
    expect(refused).toMatchObject({ described: [], failed: [{ module: "db" }], left: ["auth"] });
    expect((await again.code.module("db")).purpose.source).toBe("names");
  });
});

async function haveSession(memory: TacitMemory, id: string): Promise<void> {
  for (const event of toldSession(id).starts().prompts("Add a way out.").events) memory.observe(event);
  await memory.finishSession(id);
}

interface Fake extends LanguageModel {
  asked: string[];
}

function fakeModel(): Fake {
  const asked: string[] = [];
  return {
    modelId: "fake",
    lastProblem: undefined,
    asked,
    generate: async ({ purpose, prompt }) => {
      if (purpose !== "describe") return undefined;
      asked.push(prompt);
      return JSON.stringify({ purpose: "Keeps and finds the rows of the shop.", confidence: 0.7 });
    },
  };
}

async function opened(
  options: Pick<NonNullable<Parameters<typeof openTestMemory>[0]>, "db" | "languageModel" | "now">,
  more: Record<string, string> = {},
): Promise<{ memory: TacitMemory; root: string }> {
  const root = gitRepository();
  commitFiles(root, { ...files, ...more });
  const memory = await openTestMemory({ directory: root, project: undefined, ...options });
  await memory.index();
  return { memory, root };
}
