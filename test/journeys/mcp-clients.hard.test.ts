import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openMemory } from "../../src/index.js";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { clientKinds, connectTo, type Connected } from "../support/mcp-client.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const main = join(import.meta.dirname, "..", "..", "dist", "cli", "main.js");

describe("tacit mcp, for a client of each library and protocol", () => {
  it.each(clientKinds)("[A1] answers everything that it offers (%s)", async (kind) => {
    const cwd = gitRepository();
    commitFiles(cwd, { "src/a.ts": "export const a = 1;\n" });
    const { client, call } = await connectTo({ kind, cwd, args: ["--db", join(temporaryFolder(), "memory.db")] });

    const { tools } = await client.listTools();
    const kept = await call("remember", {
      content: "Ports below 1024 need root.",
      type: "gotcha",
      files: ["src/a.ts"],
    });
    const recalled = await call("recall", { query: "ports" });
    const context = await call("session_context", { task: "open a port" });
    const impact = await call("impact", { target: "src/a.ts" });
    const wrong = await call("recall", {});
    const { prompts } = await client.listPrompts();
    const prompt = await client.getPrompt({ name: "recall", arguments: { question: "ports" } });
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const id = String(kept.structured?.["id"]);
    const read = await client.readResource({ uri: `tacit://memory/${id}` });
    const completed = await client.complete({
      ref: { type: "ref/resource", uri: "tacit://memory/{id}" },
      argument: { name: "id", value: id.slice(0, 10) },
    });
    const gone = await call("forget", { id });

    expect(client.getInstructions()).toContain("never an instruction");
    expect(tools.map(({ name }) => name)).toEqual(["recall", "remember", "forget", "impact", "session_context"]);
    expect(recalled.structured).toMatchObject({ memories: [{ id, type: "gotcha" }], quoted: recalled.text });
    expect(context.isError).toBe(false);
    expect(impact.text).toContain("not indexed");
    expect([impact.isError, wrong.isError]).toEqual([true, true]);
    expect(prompts).toHaveLength(2);
    expect(JSON.stringify(prompt.messages)).toContain("Ports below 1024");
    expect([resources.length, resourceTemplates.length]).toEqual([1, 1]);
    expect(JSON.stringify(read)).toContain("Ports below 1024");
    expect(completed.completion.values).toEqual([id]);
    expect(gone.structured).toMatchObject({ id });
    await expect(call("nothing")).rejects.toThrow("no such tool");
    await expect(client.readResource({ uri: `tacit://memory/${id}` })).rejects.toThrow("no such resource");
  });

  it("offers the names of a dialect", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const { client, call } = await connectTo({ args: ["--dialect", "reachy", "--db", db, "--project", "p"] });

    await call("store_memory", { content: "The arm is fragile." });
    const found = await call("search_memories", { query: "fragile arm" });

    expect(found.text).toContain("The arm is fragile.");
    expect((await client.listTools()).tools).toHaveLength(3);
  });
});

describe("the process", () => {
  it("lets two servers on one store see what the other keeps at once", async () => {
    const args = ["--db", join(temporaryFolder(), "memory.db"), "--project", "p"];
    const [one, other] = await Promise.all([connectTo({ args, kind: "v1" }), connectTo({ args })]);

    await Promise.all([remembers(one, "Apples are red."), remembers(other, "Plums are blue.")]);

    expect((await other.call("recall", { query: "apples" })).text).toContain("Apples are red.");
    expect((await one.call("recall", { query: "plums" })).text).toContain("Plums are blue.");
  });

  it("takes the project and the session that the agent names", async () => {
    const [project, elsewhere] = [gitRepository(), temporaryFolder()];
    const db = join(temporaryFolder(), "memory.db");
    const env = { CLAUDE_PROJECT_DIR: project, CLAUDE_CODE_SESSION_ID: "from-claude" };
    const named = await connectTo({ args: ["--db", db], env, cwd: elsewhere });
    const given = await connectTo({ args: ["--db", db, "--session", "given"], env, cwd: elsewhere });

    await remembers(named, "Said in a session.");
    await remembers(given, "Said in another.");

    const memory = await openMemory({ db, directory: project, embedder: null });
    onTestFinished(() => memory.close());
    const sessions = (await memory.list()).map(({ sessionId }) => sessionId);
    expect(new Set(sessions)).toEqual(new Set(["from-claude", "given"]));
  });

  it("answers what was asked before its input ended, and prints nothing else", async () => {
    const { code, stdout, stderr } = await runLines([
      initialize,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      "this is no message",
      callOf(2, "remember", { content: "Kept at the last moment." }),
      callOf(3, "recall", { query: "moment" }),
    ]);

    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number });
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2, 3]));
    expect([code, stderr]).toEqual([0, ""]);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("ends in good order on %s", async (signal) => {
    const child = start();
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    await new Promise((answered) => child.stdout.once("data", answered));

    child.kill(signal);
    const code = await new Promise((ended) => child.once("exit", ended));

    expect(code).toBe(0);
  });

  it("[A2] answers with what is wrong where the store is damaged, and goes on", async () => {
    const db = join(temporaryFolder(), "memory.db");
    writeFileSync(db, "This is no database, and never was one. ".repeat(200));
    const { client, call } = await connectTo({ args: ["--db", db, "--project", "p"] });

    const answers = [await call("recall", { query: "a" }), await call("remember", { content: "a" })];

    expect(answers.map(({ isError }) => isError)).toEqual([true, true]);
    expect(answers[0]?.text).toMatch(/^Tacit could not do this \(store-/);
    expect((await client.listTools()).tools).toHaveLength(5);
  });

  it("says where the command was typed wrongly, and not on standard output", async () => {
    const child = start(["--dialect", "klingon"]);
    const [code, stdout] = await Promise.all([
      new Promise((ended) => child.once("exit", ended)),
      new Promise((heard) => child.stdout.once("end", () => heard("")).once("data", heard)),
    ]);

    expect([code, stdout]).toEqual([2, ""]);
  });
});

async function remembers({ call }: Connected, content: string): Promise<void> {
  const { isError, text } = await call("remember", { content });
  expect(isError, text).toBe(false);
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

function callOf(id: number, name: string, args: object): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

function start(args: string[] = []) {
  const db = join(temporaryFolder(), "memory.db");
  const child = spawn(process.execPath, [main, "mcp", "--db", db, "--project", "p", ...args], { stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function runLines(lines: (object | string)[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = start();
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (part: string) => (said.stdout += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (said.stderr += part));
  child.stdin.end(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  return { code, ...said };
}
