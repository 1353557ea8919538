import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { loadTokenCounter } from "../../src/base/tokens/count-tokens.js";
import { addMap } from "../../src/cli/code/map.js";
import { injectOnce } from "../../src/hook/inject-once.js";
import type { TacitMemory } from "../../src/index.js";
import { commitFiles, git, gitRepository, writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { runLine, textOf } from "../support/run-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const shop: Record<string, string> = {
  "src/store.ts": "export class Store {\n  read(key: string): string {\n    return key;\n  }\n}\n",
  "src/cart.ts":
    'import { Store } from "./store.js";\nexport function total(store: Store): number {\n  return store.read("total").length;\n}\n',
  "src/mail.ts":
    'import { Store } from "./store.js";\nimport { render } from "./letters/render.js";\nexport const send = (store: Store) => render(store.read("letter"));\n',
  "src/letters/render.ts": "export function render(text: string): string {\n  return text.trim();\n}\n",
  "src/clock.ts": "export function tick(): number {\n  return 1;\n}\n",
  "src/cart.test.ts": 'import { total } from "./cart.js";\nexport function checkTotal() {\n  total(null);\n}\n',
  ...Object.fromEntries(
    ["order", "stock", "prices", "taxes"].map((name) => [
      `src/${name}.ts`,
      `import { Store } from "./store.js";\nexport const ${name} = (store: Store) => store.read("${name}");\n`,
    ]),
  ),
};

// Other tests run beside it.
const unhurried = { deadlineMs: 10_000 };

describe("the map of a repository", () => {
  it("[G32] is the lines of the most central definitions, by file, without tests, within its tokens", async () => {
    const { memory } = await shopMemory();
    const countTokens = await loadTokenCounter();

    const whole = await memory.code.map();
    const small = await memory.code.map({ tokens: 50 });
    const { notes } = await memory.code.map({ files: ["src/store.ts", "src/none.ts"] });

    expect(whole.text).toContain("src/store.ts\n  export class Store\n  Store.read: read(key: string): string");
    expect(whole.files[0]?.file).toBe("src/store.ts");
    expect(notes).toEqual(["Not in the index, and left out: src/none.ts."]);
    expect(whole.files.map(({ file }) => file).toSorted()).toEqual(
      Object.keys(shop)
        .filter((file) => !file.includes("test"))
        .toSorted(),
    );
    expect(small.text).toContain("export class Store");
    expect(small.text).not.toContain("tick");
    expect(small.files.length).toBeLessThan(whole.files.length);
    for (const { text, tokens } of [whole, small]) expect(countTokens(text)).toBe(tokens);
    expect(small.tokens).toBeLessThanOrEqual(50);
  });

  it("[G32] shows the files as they are now", async () => {
    const { memory, root } = await shopMemory();
    writeFiles(root, {
      "src/clock.ts": "// moved down\nexport function tock(hours: number): number {\n  return 1;\n}\n",
    });

    const { text } = await memory.code.map();

    expect(text).toContain("export function tock(hours: number): number");
    expect(text).not.toContain("tick");
  });

  it("[G33] begins with what the prompt is about, the files in play, or what git saw changing last", async () => {
    const { memory, root } = await shopMemory();
    const first = async (options?: Parameters<TacitMemory["code"]["map"]>[0]) =>
      (await memory.code.map(options)).files[0]?.file;

    expect(await first({ prompt: "letters are rendered with blanks at their end" })).toBe("src/letters/render.ts");
    expect(await first({ files: [join(root, "src/cart.test.ts")] })).toMatch(/cart/);
    for (let n = 0; n < 3; n += 1) commitFiles(root, { "src/clock.ts": `${shop["src/clock.ts"]}// ${n}\n` });
    expect(await first()).toBe("src/clock.ts");
  });

  it("[G33] is asked for by tacit map, with a task and with files; wrong questions are refused", async () => {
    const { memory, root } = await shopMemory();

    const { answer } = await runLine(memory, addMap, ["map", "render letters", "--tokens", "30"]);
    const inPlay = await runLine(memory, addMap, ["map", "--files", join(root, "src/clock.ts")]);

    expect(textOf(answer)).toContain("export function render(text: string): string");
    expect(inPlay.answer.ids?.[0]).toBe("src/clock.ts");
    await expect(memory.code.map({ tokens: 0 })).rejects.toMatchObject({ code: "invalid-input" });
    await expect((await openTestMemory({ directory: gitRepository() })).code.map()).rejects.toMatchObject({
      code: "node-not-found",
    });
  });
});

describe("the map at the start of a session", () => {
  it("[G34] is told as quoted data within its tokens, in a process of its own and in one that stays; not on resuming", async () => {
    const { memory, root, db } = await shopMemory({ sessionMapTokens: 120 });
    await memory.remember({ content: "Amounts are kept in cents.", type: "convention" });
    const start = { point: "session-start" } as const;

    const here = await memory.inject({ ...start, sessionId: "s1" }, unhurried);
    const hook = await injectOnce(
      { ...start, sessionId: "s2" },
      { db, directory: root, project: "test", ...unhurried },
    );
    const resumed = await memory.inject({ ...start, sessionId: "s3", continues: "resumed" }, unhurried);
    const tight = await memory.inject({ ...start, sessionId: "s4" }, { ...unhurried, budgetTokens: 100 });

    for (const { text } of [here, hook]) {
      expect(text).toMatch(
        /cents[^]*\n\| A part of the code, as of [\d-]{10}[^]*\n\|\s+src\/store\.ts\n\|\s+export class Store/,
      );
      expect(
        text
          .split("\n")
          .slice(1, -1)
          .every((line) => line.startsWith("|")),
      ).toBe(true);
    }
    expect(here.tokens - resumed.tokens).toBeLessThanOrEqual(120);
    expect(here.tokens - resumed.tokens).toBeGreaterThan(90);
    expect(resumed.text).not.toContain("A part of the code");
    expect(tight.tokens).toBeLessThanOrEqual(100);
    expect(tight.text).toContain("cents");
  });

  it("[G34] is there for nobody who has not asked for it, and waits in a clone until the folder is accepted", async () => {
    const without = await shopMemory();
    const clone = await shopMemory({});
    git(clone.root, "remote", "add", "origin", "https://example.com/shop.git");
    writeFiles(clone.root, { "tacit.config.json": '{ "sessionMapTokens": 200 }' });
    const memory = await openTestMemory({ db: clone.db, directory: clone.root, project: undefined });
    await memory.index();
    const told = async (of: TacitMemory, sessionId: string) =>
      (await of.inject({ point: "session-start", sessionId }, unhurried)).text;

    expect(await told(without.memory, "s1")).toBe("");
    expect(await told(memory, "s2")).toBe("");
    expect(await memory.store.notices()).toContain(
      "sessionMapTokens in this project's file waits for: tacit project accept",
    );
    await memory.projects.accept();
    // The one that is open may go by what it read a moment ago.
    const next = await openTestMemory({ db: clone.db, directory: clone.root, project: undefined });
    await next.index();
    expect(await told(next, "s3")).toContain("export class Store");
  });
});

async function shopMemory(
  settings?: Record<string, unknown>,
): Promise<{ memory: TacitMemory; root: string; db: string }> {
  const home = temporaryFolder();
  vi.stubEnv("TACIT_HOME", home);
  if (settings) writeFiles(home, { "tacit.config.json": JSON.stringify(settings) });
  const root = gitRepository();
  commitFiles(root, shop);
  const db = join(home, "memory.db");
  const memory = await openTestMemory({ db, directory: root });
  await memory.index();
  return { memory, root, db };
}
