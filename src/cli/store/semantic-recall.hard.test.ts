/** Finding by meaning on the command line, with the bundled model and with a server that misbehaves. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { startLoopbackModels, type LoopbackModels, type Mode } from "../../../test/support/loopback-models.js";
import { runTacit, type TacitRun } from "../../../test/support/run-tacit.js";

const main = join(inject("installedIn"), "node_modules", "tacit-memory", "dist", "cli", "main.js");

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tacit-meaning-"));
  // Else the user's settings would be the project's, which may not name a model.
  mkdirSync(join(home, "project"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("with the bundled model", () => {
  it("a question finds its answer without a word in common", async () => {
    await remember("One local file and no daemon: every process opens it");

    const embedded = await documentOf(started("embed", "--json"));
    const answer = await recallByMeaning("which background service has to run?", started);

    expect(embedded).toMatchObject({ modelId: "bundled:all-MiniLM-L6-v2:384", embedded: 1, pending: 0 });
    expect(answer).toMatchObject({ mode: "hybrid", notes: [], results: [{ matched: [] }] });
    expect(await document("embed", "--status")).toMatchObject({ ready: true, embedded: 1, pending: 0 });
    expect(await document("stats")).toMatchObject({ embedding: { ready: true, embedded: 1 } });
    expect((await tacit("doctor")).stdout).toMatch(/^✓ meaning +bundled:all-MiniLM-L6-v2:384, 1 vector$/m);
  });

  it("--words makes no vector and needs none", async () => {
    await remember("One local file and no daemon");

    const answer = await document("recall", "daemon", "--words");

    expect(answer).toMatchObject({ mode: "words", notes: [], results: [{ matched: ["daemon"] }] });
    expect(await document("embed", "--status")).toMatchObject({ embedded: 0, pending: 1 });
  });
});

describe("with a server that answers", () => {
  it("recall makes the vectors that are missing, and soon uses them", async () => {
    await useServer("answers");
    await remember("ships leave on monday");
    const first = await document("recall", "ships");
    const next = await recallByMeaning("ships");

    expect(first).toMatchObject({ mode: "words", notes: [expect.stringContaining("words only")] });
    expect(next).toMatchObject({ mode: "hybrid", notes: [], results: [{ matched: ["ships"] }] });
  });

  it("[R19] a question that is looked for again once the vectors are there was asked once", async () => {
    const models = await useServer("answers");
    await remember("ships leave on monday");

    await document("recall", "zebra");

    expect(models.requests.length).toBeGreaterThan(0);
    expect((await document("stats")).totals.recalls).toMatchObject({ questions: 1 });
  });
});

it("[R19] what is looked for to be forgotten, and what init tries out, is no question", async () => {
  writeFileSync(join(home, "project", "package.json"), '{ "name": "shop", "scripts": { "test": "vitest" } }');
  await tacit("init", "--yes");
  await remember("ships leave on monday");
  await document("recall", "tests", "--words");

  await tacit("forget", "--query", "ships");
  await tacit("forget", "--query", "ships", "--yes");

  expect((await document("stats")).totals.recalls).toMatchObject({ questions: 1, unanswered: 0 });
});

describe("with a server that hangs", () => {
  it("the answer is out before it is asked, and the command ends well all the same", async () => {
    const models = await useServer("hangs");
    await remember("ships leave on monday");

    let heardAtAnswer: number | undefined;
    const run = await started("recall", "ships", {
      onAnswer: () => (heardAtAnswer ??= models.requests.length),
    });

    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("ships leave on monday"), stderr: "" });
    expect(heardAtAnswer).toBe(0);
    expect(models.requests.length).toBeGreaterThan(0);
  });

  it("embed is ended by Ctrl-C, says what is left, and nothing is lost", async () => {
    const models = await useServer("hangs");
    await remember("ships leave on monday");

    const run = await started("embed", { stopWhen: () => models.requests.length > 0 });
    models.mode = "answers";

    expect(run).toMatchObject({
      code: 130,
      stderr: "",
      stdout: expect.stringMatching(/^Stopped\. .* 1 memory waits\.$/m),
    });
    expect(await document("embed")).toMatchObject({ embedded: 1, pending: 0 });
  });
});

describe("with a server that fails", () => {
  it("embed says so, with the next step and exit code 1, and so does doctor", async () => {
    await useServer("answers 500");
    await remember("ships leave on monday");

    const [text, json] = [await tacit("embed"), await tacit("embed", "--json")];

    expect(text).toMatchObject({ code: 1, stderr: "", stdout: expect.stringContaining("tacit embed tries again") });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ embedded: 0, pending: 1, failure: expect.stringContaining("500") });
    expect((await tacit("doctor")).stdout).toMatch(/^! meaning .*500.*\n.*found by words until it answers/m);
  });

  it("recall answers by words and says why, and programs find it in the notes", async () => {
    const models = await useServer("answers");
    await remember("ships leave on monday");
    await tacit("embed");
    models.mode = "answers 500";

    const run = await tacit("recall", "ships");

    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toMatch(/ships leave on monday[^]*\n\nSearched by words only: .*500/);
    expect(await document("recall", "ships")).toMatchObject({
      mode: "words",
      notes: [expect.stringContaining("500")],
      results: [{ matched: ["ships"] }],
    });
  });
});

async function remember(text: string): Promise<void> {
  await document("remember", text);
}

/** Asked again as long as it is answered by words: a machine that is busy with other tests may be slower than a model may. */
// oxlint-disable-next-line typescript/no-explicit-any -- as below
async function recallByMeaning(question: string, run = tacit): Promise<any> {
  const ask = () => documentOf(run("recall", question, "--json"));
  let answer = await ask();
  for (let asked = 1; answer.mode === "words" && asked < 10; asked++) answer = await ask();
  return answer;
}

/** Has the command line of this test ask a server for its vectors. */
async function useServer(mode: Mode): Promise<LoopbackModels> {
  const models = await startLoopbackModels(mode);
  for (const [name, value] of Object.entries({
    embeddingProvider: "openai-compatible",
    embeddingUrl: `${models.url}/v1`,
    embeddingModel: "test-model",
    embeddingDimensions: "1024",
  })) {
    await document("config", "set", name, value);
  }
  return models;
}

interface Watching {
  onAnswer?: () => void;
  /** Once it holds, the process is told to stop, as by Ctrl-C. */
  stopWhen?: () => boolean;
}

async function tacit(...args: string[]): Promise<TacitRun> {
  return runTacit(args, { cwd: join(home, "project"), env: { TACIT_HOME: home, TACIT_EMBEDDING: undefined } });
}

/** In a process of its own, as it is packed. Not by spawnSync: the server of the test has to answer meanwhile. */
async function started(...line: (string | Watching)[]): Promise<TacitRun> {
  const args = line.filter((word) => typeof word === "string");
  const { onAnswer = () => {}, stopWhen }: Watching = line.find((word) => typeof word === "object") ?? {};
  const child = spawn(process.execPath, [main, ...args], { cwd: join(home, "project"), env: environment() });
  const run: TacitRun = { code: -1, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    onAnswer();
    run.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (run.stderr += text));
  const closed = new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  });
  if (stopWhen) {
    await vi.waitUntil(() => stopWhen() || child.exitCode !== null, 20_000);
    child.kill("SIGINT");
  }
  run.code = (await closed) ?? -1;
  return run;
}

// oxlint-disable-next-line typescript/no-explicit-any -- documents of many shapes, each matched by its test
async function document(...args: string[]): Promise<any> {
  return documentOf(tacit(...args, "--json"));
}

// oxlint-disable-next-line typescript/no-explicit-any -- as above
async function documentOf(running: Promise<TacitRun>): Promise<any> {
  const run = await running;
  expect(run).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(run.stdout);
}

function environment(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, TACIT_EMBEDDING: __, ...rest } = process.env;
  return { ...rest, TACIT_HOME: home, NO_COLOR: "1" };
}
