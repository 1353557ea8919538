import { text as readAll } from "node:stream/consumers";
import { cpSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { built, compiled, ended, runProgram } from "../../../test/support/child-process.js";
import { cosine, embedderContract } from "../../../test/support/embedder-contract.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Embedder } from "../embedding.js";
import { openBundledEmbedder } from "./open-bundled-embedder.js";
import type { RuntimeName } from "./open-model.js";

const runtimes = ["node", "web"] as const;
const embedderFile = join("embedding", "bundled", "open-bundled-embedder.js");

for (const runtime of runtimes) {
  embedderContract(`the bundled model in the ${runtime} runtime`, () => openBundledEmbedder({ runtime }));
}

describe.each(runtimes)("the bundled model in the %s runtime, once loaded,", (runtime) => {
  let embedder: Embedder;

  // For all of them: loading takes 0.7 s of processor time, in WebAssembly 2.5 s, and what they ask a tenth of that.
  beforeAll(async () => {
    embedder = await openBundledEmbedder({ runtime });
  });

  afterAll(() => embedder.close?.());

  it("finds alike what means the same", async () => {
    // The figures are those of the same weights in floats.
    const pairs: [similarity: number, one: string, other: string][] = [
      [0.74, "Always run the linter before pushing", "Never push without linting first"],
      [0.55, "The database is locked while another process writes", "Concurrent writers have to wait for SQLite"],
      [0.09, "Port 8080 is taken by the proxy", "Our holiday in Spain was sunny"],
      [0.04, "How do we release a new version?", "The cat sleeps on the warm keyboard"],
    ];

    for (const [similarity, ...texts] of pairs) {
      const [one, other] = await embedder.embed(texts, "document");

      expect(Math.abs(cosine(one, other) - similarity), texts.join(" / ")).toBeLessThan(0.03);
    }
  });

  it("gives a text the same vector to the last bit, whatever it comes with", async () => {
    const text = "tests run with vitest";

    const [alone] = await embedder.embed([text], "query");
    const [, among] = await embedder.embed(["a word before ".repeat(50), text, "!"], "document");

    expect(among).toEqual(alone);
  });

  it("reads the beginning of a long text", async () => {
    const beginning = "how the deployment works ".repeat(100);

    const [one, other, shorter] = await embedder.embed(
      [`${beginning}on Fridays`, `${beginning}never`, beginning.slice(0, 500)],
      "document",
    );

    expect(one).toEqual(other);
    expect(shorter).not.toEqual(one);
  });

  it("lets everything else go on while it reads", async () => {
    let turns = 0;
    let reading = true;
    const turn = (): void => {
      turns += 1;
      if (reading) setImmediate(turn);
    };

    setImmediate(turn);
    await embedder.embed(["a long text about everything ".repeat(60)], "document");
    reading = false;

    // In this thread it would have been one before and one after.
    expect(turns).toBeGreaterThan(20);
  });
});

describe.each(runtimes)("the bundled model in the %s runtime", (runtime) => {
  it("keeps a process alive until the answer is there and no longer, and leaves no device id and no events in its home", async () => {
    const home = temporaryFolder();
    const program = runProgram(`
      process.env.HOME = process.env.USERPROFILE = ${JSON.stringify(home)};
      delete process.env.XDG_CACHE_HOME;
      delete process.env.ORT_DISABLE_TELEMETRY;
      const { openBundledEmbedder } = await import(${JSON.stringify(compiled(embedderFile))});
      const embedder = await openBundledEmbedder({ runtime: ${JSON.stringify(runtime)} });
      const vectors = await embedder.embed(["one", "two"], "document");
      console.log(vectors.map((vector) => vector.length).join());
    `);

    const [printed, code] = await Promise.all([output(program), ended(program)]);

    expect({ printed, code }).toEqual({ printed: "384,384\n", code: 0 });
    expect(readdirSync(home, { recursive: true })).toEqual([]);
  });

  it("ends with its process in the middle of its work", async () => {
    const program = runProgram(`
      import { openBundledEmbedder } from ${JSON.stringify(compiled(embedderFile))};
      const embedder = await openBundledEmbedder({ runtime: ${JSON.stringify(runtime)} });
      await embedder.embed(["loaded"], "document");
      void embedder.embed(Array(1000).fill("a long text about everything ".repeat(60)), "document");
      setTimeout(() => process.exit(7), 50);
    `);

    expect(await ended(program)).toBe(7);
  });

  it("rejects what waits when it is closed in the middle of its work, and what comes after", async () => {
    const embedder = await openForTest(runtime);
    await embedder.embed(["loaded"], "document");

    const waiting = embedder.embed(Array<string>(100).fill("a long text about everything ".repeat(60)), "document");
    const closing = embedder.close?.();

    await expect(waiting).rejects.toMatchObject({ code: "model-failed", message: expect.stringMatching(/closed/) });
    await closing;
    await expect(embedder.embed(["late"], "query")).rejects.toMatchObject({ code: "model-failed" });
  });
});

describe("the bundled model", () => {
  it("works in one thread for all who have it open, as long as one of them has", async () => {
    const [first, second] = [await openForTest("web"), await openForTest("web")];
    const exitListeners = process.listenerCount("exit");

    await Promise.all([first.embed(["one"], "document"), second.embed(["two"], "document")]);
    const listenersMeanwhile = process.listenerCount("exit");
    await first.close?.();
    const vectors = await second.embed(["three"], "document");
    await second.close?.();

    // Each thread has one.
    expect(listenersMeanwhile).toBe(exitListeners + 1);
    expect(vectors).toHaveLength(1);
    expect(process.listenerCount("exit")).toBe(exitListeners);
    await expect(first.embed(["late"], "query")).rejects.toMatchObject({ code: "model-failed" });
  });

  it("agrees with itself in both runtimes", async () => {
    const texts = [
      "Deploy with blue-green on Fridays",
      "const port = Number(process.env.PORT ?? 8080);",
      "记忆属于项目",
      "",
      "The tests hang when two of them open the same database, because the first one holds the lock. ".repeat(8),
    ];
    const [native, web] = await Promise.all(runtimes.map((runtime) => openForTest(runtime)));

    const vectors = await native?.embed(texts, "document");
    const webVectors = await web?.embed(texts, "document");

    for (const [index] of texts.entries()) {
      expect(cosine(vectors?.[index], webVectors?.[index])).toBeGreaterThan(0.99);
    }
  });

  it("loads nothing before the first text", async () => {
    let threads = 0;
    const count = (): number => (threads += 1);
    process.on("worker", count);
    onTestFinished(() => void process.off("worker", count));

    const embedder = await openForTest("node");
    await embedder.embed([], "document");
    const before = threads;
    await embedder.embed(["now"], "document");

    expect({ before, after: threads }).toEqual({ before: 0, after: 1 });
  });

  it("works in the installed package, which brings no runtime but its own", async () => {
    const library = join(inject("installedIn"), "node_modules", "tacit-memory", "dist", "index.js");
    const program = runProgram(`
      import { openMemory } from ${JSON.stringify(pathToFileURL(library).href)};
      delete process.env.TACIT_EMBEDDING;
      const memory = await openMemory({ db: ":memory:", project: "test" });
      await memory.remember({ content: "Deploys go out on Tuesdays" });
      const { embedded } = await memory.embedPending();
      const { mode, results } = await memory.recallReport("which weekday is the release?");
      await memory.close();
      console.log(embedded, mode, results.length);
    `);

    const [printed, code] = await Promise.all([output(program), ended(program)]);

    expect({ printed, code }).toEqual({ printed: "1 hybrid 1\n", code: 0 });
  });

  it("works where onnxruntime-node is installed and broken", async () => {
    const folder = copyOfBuild();
    const broken = join(folder, "node_modules", "onnxruntime-node");
    mkdirSync(broken);
    writeFileSync(join(broken, "index.js"), "throw new Error('made for another machine');");

    expect(await lengthsPrintedBy(join(folder, "build", embedderFile))).toEqual({ printed: "384\n", code: 0 });
  });

  it("says what is wrong when its file is damaged, and works when it is whole again", async () => {
    const folder = copyOfBuild();
    const model = join(folder, "dist", "model", "model.onnx");
    truncateSync(model, 1000);
    const { openBundledEmbedder: openCopy } = (await import(
      pathToFileURL(join(folder, "build", embedderFile)).href
    )) as {
      openBundledEmbedder: typeof openBundledEmbedder;
    };
    const embedder = await openCopy();
    onTestFinished(() => embedder.close?.());

    const failure = embedder.embed(["one"], "document");

    await expect(failure).rejects.toMatchObject({
      name: "MemoryError",
      code: "model-failed",
      message: expect.stringMatching(/^The bundled model cannot be used: .{20}/),
      hint: expect.stringMatching(/Install Tacit again/),
    });
    cpSync(fileURLToPath(built("model/model.onnx")), model);
    expect(await embedder.embed(["one"], "document")).toHaveLength(1);
  });
});

async function openForTest(runtime: RuntimeName): Promise<Embedder> {
  const embedder = await openBundledEmbedder({ runtime });
  onTestFinished(() => embedder.close?.());
  return embedder;
}

/** What was built, where no runtime of another package is found. */
function copyOfBuild(): string {
  const folder = temporaryFolder();
  for (const part of ["base", "embedding"]) {
    cpSync(fileURLToPath(compiled(part)), join(folder, "build", part), { recursive: true });
  }
  for (const part of ["chunks", "embedding", "model"]) {
    cpSync(fileURLToPath(built(part)), join(folder, "dist", part), { recursive: true });
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  mkdirSync(join(folder, "node_modules"));
  const scope = join("node_modules", "@huggingface");
  symlinkSync(join(import.meta.dirname, "..", "..", "..", scope), join(folder, scope), "junction");
  return folder;
}

async function lengthsPrintedBy(file: string): Promise<{ printed: string; code: number | null }> {
  const program = runProgram(`
    import { openBundledEmbedder } from ${JSON.stringify(pathToFileURL(file).href)};
    const embedder = await openBundledEmbedder();
    const vectors = await embedder.embed(["one"], "document");
    console.log(vectors.map((vector) => vector.length).join());
  `);
  const [printed, code] = await Promise.all([output(program), ended(program)]);
  return { printed, code };
}

async function output({ stdout }: ReturnType<typeof runProgram>): Promise<string> {
  return stdout ? readAll(stdout) : "";
}
