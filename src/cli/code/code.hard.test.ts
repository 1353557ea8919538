/** The code of a project, watched and searched by meaning by the packed command. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { writeFiles } from "../../../test/support/git-repository.js";
import { shop, freshProject } from "../../../test/support/fresh-shop.js";

const main = join(inject("installedIn"), "node_modules", "tacit-memory", "dist", "cli", "main.js");

describe("watch", () => {
  it("ends at once where it is refused", async () => {
    const { fresh, env, run } = freshProject(shop);
    await run("config", "set", "enabled", "false", "--local");

    const refused = spawnSync(process.execPath, [main, "watch", "--json"], {
      cwd: fresh,
      env,
      encoding: "utf8",
      timeout: 20_000,
    });

    expect(refused).toMatchObject({ status: 1, signal: null, stdout: "" });
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: "disabled" } });
  });

  it("ends well when it is stopped during the first indexing", async () => {
    const many = Array.from({ length: 1500 }, (_, n) => [
      `src/f${n}.ts`,
      `export function f${n}() { return g${n}(); }\n`,
    ]);
    const { fresh, env } = freshProject({ ...shop, ...Object.fromEntries(many) });
    const child = spawn(process.execPath, [main, "watch", "--json"], { cwd: fresh, env });
    const ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const stored = join(String(env["TACIT_HOME"]), "memory.db");
    while (!existsSync(stored)) await sleep(10);

    child.kill("SIGINT");

    expect(await ended).toEqual({ code: 0, signal: null });
    expect(JSON.parse(String((await lines.next()).value))).toMatchObject({ isStopped: true });
  });

  it("tells of every indexing, a document a line, and ends well when it is stopped", async () => {
    const { fresh, env } = freshProject(shop);
    const child = spawn(process.execPath, [main, "watch", "--json"], { cwd: fresh, env });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse(String((await lines.next()).value)) as { changed: number; files: number };

    const first = await next();
    writeFiles(fresh, { "src/new.ts": 'import { limit } from "./store.js";\nexport const more = limit + 1;\n' });
    const second = await next();
    child.kill("SIGINT");
    const code = await new Promise((resolve) => {
      child.once("exit", resolve);
    });

    expect(first).toMatchObject({ changed: 4, files: 4, isComplete: true });
    expect(second).toMatchObject({ changed: 1, files: 5 });
    expect(code).toBe(0);
  });
});

describe("recall --code and embed --code", () => {
  it("find by meaning, once every chunk has a vector; without a model they say so", async () => {
    const { fresh, run, env } = freshProject(shop);
    const { TACIT_EMBEDDING: _, ...withModel } = env;
    // A process of its own: the model would stay in this one.
    const meaning = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
        cwd: fresh,
        encoding: "utf8",
        env: withModel,
      });
      return { code: status, stdout, stderr };
    };
    await run("index");

    const none = await run("embed", "--code", "--json");
    const embedded = meaning("embed", "--code", "--json");
    const { stdout } = meaning("recall", "--code", "greatest permitted amount of purchases", "--json");

    expect(none.code).toBe(1);
    expect(JSON.parse(none.stdout)).toMatchObject({ embedded: 0, hint: expect.stringContaining("tacit config set") });
    expect(embedded.code).toBe(0);
    expect(JSON.parse(embedded.stdout)).toMatchObject({ pending: 0, refused: 0 });
    const { hits } = JSON.parse(stdout) as { hits: { paths: object }[] };
    expect(hits.length).toBeGreaterThan(0);
    for (const { paths } of hits) expect(paths).toHaveProperty("meaning");
  });
});
