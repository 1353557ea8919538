import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CodeImpact, TacitMemory } from "../../src/index.js";
import { commitFiles, gitRepository, writeFiles } from "../support/git-repository.js";
import { letTimePass } from "../support/let-time-pass.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const shop = {
  "src/store.ts": `
    export class Store {
      read(key: string): string { return key; }
      write(key: string): void { check(key); }
    }
    export function check(key: string): void { if (key === "") throw new Error("empty"); }
  `,
  "src/cart.ts": `
    import { Store } from "./store.js";
    export function total(store: Store): number { return store.read("total").length; }
    export function clear(): void {}
  `,
  "src/checkout.ts": `
    import { total } from "./cart.js";
    import { Store } from "./store.js";
    export const pay = () => total(new Store());
  `,
  "src/web/server.ts": `
    import { pay } from "../checkout.js";
    export function serve(): number { return pay(); }
  `,
  "src/plugin.ts": `
    export function run(host): void {
      host.read("a");
      host.inner.read("b");
    }
  `,
  "test/cart.test.ts": `
    import { total } from "../src/cart.js";
    import { Store } from "../src/store.js";
    total(new Store());
  `,
  "docs/notes.md": "# Notes\n",
};

describe("the impact of a symbol", () => {
  it("[G6] is everything that hangs on it: how far, over what, how surely, and where it is written", async () => {
    const memory = await indexed(shop);

    const { target, dependents, isCut, notes } = await memory.impact("src/store.ts#Store.read");

    expect(target).toEqual([
      {
        id: "src/store.ts#Store.read",
        kind: "method",
        name: "read",
        file: "src/store.ts",
        startLine: 3,
        endLine: 3,
      },
    ]);
    expect(dependents.map(({ node, depth, kinds, line }) => [depth, node.id, kinds.join(" "), line])).toEqual([
      [1, "src/cart.ts#total", "calls", 3],
      [2, "src/checkout.ts#pay", "calls calls", 4],
      [2, "test/cart.test.ts", "calls calls", 4],
      [3, "src/web/server.ts#serve", "calls calls calls", 3],
    ]);
    expect(dependents.at(-1)?.path).toEqual([
      "src/store.ts#Store.read",
      "src/cart.ts#total",
      "src/checkout.ts#pay",
      "src/web/server.ts#serve",
    ]);
    const sureness = dependents.map(({ confidence }) => confidence);
    expect(sureness).toEqual(sureness.toSorted((a, b) => b - a));
    for (const one of sureness) expect(one).toSatisfy((value: number) => value > 0.9 && value < 1);
    expect({ isCut, notes }).toEqual({ isCut: false, notes: [] });
  });

  it("[G6] goes as deep as it is told, and names as many; every test is named all the same", async () => {
    const memory = await indexed(shop);

    const near = await memory.impact("Store.read", { depth: 1 });
    const few = await memory.impact("Store.read", { limit: 1 });

    expect(names(near)).toEqual(["src/cart.ts#total"]);
    expect(near.isCut).toBe(false);
    expect(names(few)).toEqual(["src/cart.ts#total"]);
    expect(few.isCut).toBe(true);
    for (const { tests } of [near, few]) expect(tests.map(({ file }) => file)).toEqual(["test/cart.test.ts"]);
    await expect(memory.impact("Store.read", { depth: 0 })).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("[G6] counts the calls of its name that could not be resolved", async () => {
    const memory = await indexed(shop);

    const { unresolved } = await memory.impact("src/store.ts#Store.read");

    expect(unresolved).toEqual({ sites: 2, files: 1, names: ["read"] });
    expect((await memory.impact("src/cart.ts#total")).unresolved).toEqual({ sites: 0, files: 0, names: [] });
  });

  it("[G6] has the tests to run, with what they use on the way", async () => {
    const memory = await indexed(shop);

    const { tests } = await memory.impact("src/cart.ts#total");

    expect(tests).toEqual([{ file: "test/cart.test.ts", depth: 1, through: "src/cart.ts#total" }]);
  });
});

describe("the impact of a place", () => {
  it("[G6] is that of a file or of a whole folder, which does not hang on itself", async () => {
    const memory = await indexed(shop);

    const file = await memory.impact("src/checkout.ts");
    const folder = await memory.impact("src/web/");
    const all = await memory.impact("src");

    expect(names(file)).toEqual(["src/web/server.ts", "src/web/server.ts#serve"]);
    expect(folder.target.map(({ id }) => id)).toEqual(["src/web/server.ts"]);
    expect(names(folder)).toEqual([]);
    expect(all.target).toHaveLength(5);
    expect(names(all)).toEqual(["test/cart.test.ts"]);
  });

  it("[G6] is found by any way of writing a path", async () => {
    const root = gitRepository();
    const memory = await indexed(shop, root);

    for (const target of ["./src/store.ts#Store.read", join(root, "src", "store.ts#Store.read"), "Store.read()"]) {
      expect((await memory.impact(target)).target.map(({ id }) => id)).toEqual(["src/store.ts#Store.read"]);
    }
    expect((await memory.impact(join(root, "src", "web"))).target).toHaveLength(1);
  });

  it("[G6] is refused for what is not there, with what may have been meant", async () => {
    const memory = await indexed({ ...shop, "src/other.ts": "export function total() {}\n" });

    await expect(memory.impact("src/stor.ts")).rejects.toMatchObject({
      code: "node-not-found",
      message: expect.stringContaining("src/stor.ts"),
      hint: expect.stringContaining("src/store.ts"),
    });
    await expect(memory.impact("Store.reed")).rejects.toMatchObject({
      code: "node-not-found",
      hint: expect.stringContaining("src/store.ts#Store.read"),
    });
    await expect(memory.impact("total")).rejects.toMatchObject({
      code: "node-not-found",
      message: "total could be any of 2 symbols.",
      hint: "Name one of them: src/cart.ts#total, src/other.ts#total.",
    });
  });

  it("[G6] is refused where nothing was indexed, by every question about the code", async () => {
    const memory = await openTestMemory({ directory: temporaryFolder() });
    const unknown = {
      code: "node-not-found",
      message: expect.stringContaining("not indexed"),
      hint: "Run: tacit index",
    };

    await expect(memory.impact("src/store.ts")).rejects.toMatchObject(unknown);
    await expect(memory.code.dependencies("src/store.ts")).rejects.toMatchObject(unknown);
    await expect(memory.code.neighbours(["src/store.ts"])).rejects.toMatchObject(unknown);
    await expect(memory.recallCode("store")).rejects.toMatchObject(unknown);
    await expect(memory.exportGraph()[Symbol.asyncIterator]().next()).rejects.toMatchObject(unknown);
    expect(await memory.code.state()).toBeUndefined();
  });

  it("[G6] is refused for a project that was only named", async () => {
    const memory = await openTestMemory();

    await expect(memory.index()).rejects.toMatchObject({
      code: "invalid-input",
      hint: expect.stringMatching(/director/),
    });
    await expect(memory.impact("src/store.ts")).rejects.toMatchObject({ code: "node-not-found" });
  });
});

describe("the memories of an impact", () => {
  it("[G6] hang on the target and on what depends on it: by file, by relation, by graph node", async () => {
    const memory = await indexed(shop);
    const remember = async (content: string, more: object = {}) => memory.remember({ content, ...more });
    await remember("the server listens late", { graphNodes: ["src/web/server.ts#serve"] });
    await remember("money is in cents", { relatedFiles: ["src/cart.ts"] });
    const documented = await remember("paying is final");
    await memory.relate(documented.id, { kind: "documents", file: "src/checkout.ts#pay", confidence: 0.7 });
    await remember("keys are opaque", { relatedFiles: ["src/store.ts"] });
    await remember("`Store.read` may be stale", { relatedFiles: ["src/store.ts"] });
    await remember("plugins are hosted elsewhere", { relatedFiles: ["src/plugin.ts"] });
    const forgotten = await remember("reading was slow once", { graphNodes: ["src/store.ts#Store.read"] });
    await memory.forget(forgotten.id);

    const { memories } = await memory.impact("src/store.ts#Store.read");

    expect(memories.map(({ memory: { content }, on, by, confidence }) => [content, on, by, confidence])).toEqual([
      ["`Store.read` may be stale", "src/store.ts#Store.read", "documents", 0.8],
      ["keys are opaque", "src/store.ts", "file", 1],
      ["money is in cents", "src/cart.ts", "file", 1],
      ["paying is final", "src/checkout.ts#pay", "documents", 0.7],
      ["the server listens late", "src/web/server.ts#serve", "node", 1],
    ]);
  });

  it("[G6] are not those of something else in the same file", async () => {
    const memory = await indexed(shop);
    await memory.remember({ content: "clearing is lazy", graphNodes: ["src/cart.ts#clear"] });
    await memory.remember({ content: "writing is slow", graphNodes: ["src/store.ts#Store.write"] });

    const ofMethod = await memory.impact("src/store.ts#Store.read");
    const ofClass = await memory.impact("src/store.ts#Store");
    const ofFile = await memory.impact("src/cart.ts");

    expect(ofMethod.memories).toEqual([]);
    expect(ofClass.memories.map(({ on }) => on)).toEqual(["src/store.ts#Store.write"]);
    expect(ofFile.memories.map(({ on }) => on)).toEqual(["src/cart.ts#clear"]);
  });

  it("[G6] are the nearest, where there are more than anybody reads", async () => {
    const memory = await indexed(shop);
    await memory.remember({ content: "keys are opaque", relatedFiles: ["src/store.ts"] });
    await memory.rememberMany(
      Array.from({ length: 80 }, (_, n) => ({ content: `served ${n}`, relatedFiles: ["src/web/server.ts"] })),
    );

    const { memories } = await memory.impact("src/store.ts");

    expect(memories).toHaveLength(50);
    expect(memories[0]).toMatchObject({ on: "src/store.ts", memory: { content: "keys are opaque" } });
  });
});

describe("what a place needs, and what is around it", () => {
  it("[G6] is told in the other direction by dependencies, with the memories of what is needed", async () => {
    const memory = await indexed(shop);
    await memory.remember({ content: "money is in cents", relatedFiles: ["src/cart.ts"] });

    const direct = await memory.code.dependencies("src/web/server.ts#serve");
    const whole = await memory.code.dependencies("src/web/server.ts#serve", { depth: 3 });

    expect(names(direct)).toEqual(["src/checkout.ts#pay"]);
    expect(names(whole)).toEqual(
      expect.arrayContaining([
        "src/checkout.ts#pay",
        "src/cart.ts#total",
        "src/store.ts#Store",
        "src/store.ts#Store.read",
      ]),
    );
    expect(direct.memories).toEqual([]);
    expect(whole.memories.map(({ on }) => on)).toEqual(["src/cart.ts"]);
  });

  it("[G6] is told by neighbours in both directions, for paths however they are written", async () => {
    const root = gitRepository();
    const memory = await indexed(shop, root);

    const around = await memory.code.neighbours([
      "src/cart.ts",
      join(root, "src/web/server.ts"),
      "docs/notes.md",
      "gone.ts",
    ]);

    expect([...around.keys()].toSorted()).toEqual(["docs/notes.md", "src/cart.ts", "src/web/server.ts"]);
    expect(around.get("src/cart.ts")?.toSorted()).toEqual(["src/checkout.ts", "src/store.ts", "test/cart.test.ts"]);
    expect(around.get("src/web/server.ts")).toEqual(["src/checkout.ts"]);
    expect(around.get("docs/notes.md")).toEqual([]);
  });

  it("[G6] follows a file that changed a moment ago", async () => {
    const root = gitRepository();
    const memory = await indexed(shop, root);
    await memory.impact("serve");
    writeFiles(root, { "src/late.ts": 'import { serve } from "./web/server.js";\nserve();\n' });

    expect(names(await memory.impact("serve"))).toContain("src/late.ts");
    expect((await memory.code.neighbours(["src/late.ts"])).get("src/late.ts")).toEqual(["src/web/server.ts"]);
  });

  it("[G12] does not follow it where memory is switched off, and says so", async () => {
    const root = gitRepository();
    const memory = await indexed(shop, root);
    await memory.projects.configure("project", "enabled", "false");
    writeFiles(root, { "src/late.ts": 'import { serve } from "./web/server.js";\nserve();\n' });
    letTimePass(1100);

    const { notes, ...found } = await memory.impact("serve");

    expect(names({ ...found, notes })).not.toContain("src/late.ts");
    expect(notes).toEqual([expect.stringContaining("switched off")]);
    expect(await memory.code.notes()).toEqual(notes);
  });

  it("[G12] tells by codeNotes() what has no place in an export", async () => {
    const root = gitRepository();
    const memory = await indexed(shop, root);
    const before = await memory.code.notes();

    writeFiles(root, Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`src/more/f${n}.ts`, "export {};\n"])));

    expect(before).toEqual([]);
    expect(await memory.code.notes()).toEqual([expect.stringContaining("70 files have changed")]);
  });

  it("[G16] is exported as of one moment, however slowly it is taken", async () => {
    const root = gitRepository();
    const memory = await indexed(shop, root);
    let whole = "";
    for await (const piece of memory.exportGraph()) whole += piece;

    let slowly = "";
    for await (const piece of memory.exportGraph()) {
      if (slowly === "") {
        rmSync(join(root, "src"), { recursive: true });
        await memory.index();
      }
      slowly += piece;
    }

    expect(slowly).toBe(whole);
  });

  it("[G6] is not asked of the whole tree", async () => {
    const root = gitRepository();
    const memory = await indexed(shop, root);

    for (const target of [".", "./", root, `${root}/`]) {
      await expect(memory.impact(target)).rejects.toMatchObject({
        code: "invalid-input",
        hint: expect.stringContaining("tacit impact src/"),
      });
    }
  });
});

function names({ dependents }: CodeImpact): string[] {
  return dependents.map(({ node }) => node.id);
}

async function indexed(files: Record<string, string>, root = gitRepository()): Promise<TacitMemory> {
  commitFiles(root, files);
  const memory = await openTestMemory({ directory: root });
  await memory.index();
  return memory;
}
