import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addDecision, addPattern } from "../../src/cli/code/concept.js";
import { addExport } from "../../src/cli/exchange/export.js";
import { addImpact } from "../../src/cli/code/impact.js";
import type { MemoryInput, TacitMemory } from "../../src/index.js";
import { impactTool } from "../../src/mcp/tools/impact-tool.js";
import { rememberTool } from "../../src/mcp/tools/remember-tool.js";
import { gitRepository, writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { runLine, textOf } from "../support/run-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { toldSession } from "../support/told-session.js";
import { askDatabase } from "../torture/programs.js";

const agent = { kind: "agent" } as const;
const retry: MemoryInput = {
  content: "Calls to the outside go through withRetry, which backs off.",
  type: "pattern",
  name: "Retry",
  relatedFiles: ["src/http.ts"],
  source: "user_taught",
};
const trap: MemoryInput = { content: "A second try sends the body twice.", type: "gotcha" };

describe("a pattern or a decision", () => {
  it("[G35] is the node of its name that memories hang on, in whatever way they name it", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember(retry);
    const byFile = await memory.remember({ ...trap, relatedFiles: ["pattern:RETRY", "src/mail.ts"] });
    const related = await memory.remember({ content: "Tests stub the clock.", type: "convention" });
    await memory.relate(related.id, { kind: "documents", file: "Pattern:retry" });

    const found = await memory.code.concept("pattern:retry");

    expect(found).toMatchObject({ id: "pattern:retry", summary: expect.stringContaining("Calls to the outside") });
    expect(found?.memories.map((one) => one.id)).toEqual([id, related.id, byFile.id]);
    expect(byFile).toMatchObject({ relatedFiles: ["src/mail.ts"], graphNodes: ["pattern:retry"] });
    // Where a trap lies is not where the pattern applies.
    expect(found?.places).toEqual([
      {
        node: "src/http.ts",
        kind: "applies_pattern",
        source: "person",
        confidence: 0.8,
        isStated: false,
        saidBy: [id],
      },
    ]);
    expect(await memory.code.concepts()).toMatchObject([{ id: "pattern:retry", places: 1, memories: 3 }]);
    expect(await memory.code.concepts({ kind: "decision" })).toEqual([]);
  });

  it("[G35] keeps what takes the place of its memories", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ ...trap, relatedFiles: ["decision:jwt"] });
    await memory.remember({ content: "We chose JWT over sessions.", type: "decision", name: "jwt" });

    const next = await memory.supersede(id, { content: "A second try sends nothing any more." });
    const other = await memory.supersede("jwt", { content: "We chose sessions over JWT." });

    const { memories = [] } = (await memory.code.concept("decision:jwt")) ?? {};
    expect(memories.map((one) => one.id)).toEqual([other.id, next.id]);
  });

  it("[G35] is stated, shown, joined and taken back on the command line", async () => {
    const memory = await openTestMemory();
    const other = await memory.remember(trap);
    const run = async (...line: string[]) => textOf((await runLine(memory, addPattern, ["pattern", ...line])).answer);

    await run("Retry", "Every call may be tried again.", "--applies-to", "src/http.ts#Client.send");
    await run("retry", "--applies-to", "src/upload.ts", "--confidence", "0.6", "--memory", other.id);
    const shown = await run("retry");
    const listed = await run();
    const left = await run("retry", "--remove", "--applies-to", "src/upload.ts", "--memory", other.id);

    expect(shown).toMatch(
      /^pattern:retry\n\nApplies to\n {2}src\/http\.ts#Client\.send {2}\(1\.00, said by [\da-f]{8}\)\n/,
    );
    expect(shown).toContain("src/upload.ts  (0.60, stated)\n");
    expect(shown).toMatch(/Memories\n.*Every call may be tried again\.[^]*A second try/);
    expect(listed).toBe("retry  Every call may be tried again. (2 places, 2 memories)");
    expect(left).toMatch(/^Took back 1 place\. [\da-f-]+ no longer belongs to it\./);
    expect(await memory.code.concept("pattern:retry")).toMatchObject({ places: [{ isStated: false }], memories: [{}] });
    await expect(run("retry", "--remove")).rejects.toMatchObject({
      code: "node-not-found",
      hint: expect.stringMatching(/^Memories say so: .*[\da-f]{8}\.$/),
    });
    await expect(run("rety")).rejects.toMatchObject({ code: "node-not-found" });
    await expect(run("12", "x")).rejects.toMatchObject({ code: "invalid-input" });
    await expect(run("retry", "--applies-to", "src/a.ts:12")).rejects.toMatchObject({ code: "invalid-input" });
    await expect(run("x".repeat(257), "--applies-to", "src/a.ts")).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("[G35] comes from agents by what they remember: a name that is taken joins, and takes nothing away", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember(retry);
    const context = { memory: async () => memory.as(agent), directory: temporaryFolder() };
    const said = { content: "Uploads are tried again, too.", type: "pattern", files: ["src/upload.ts"] };

    await rememberTool.call({ ...said, name: "Retry" } as never, context);
    await rememberTool.call({ content: trap.content, files: ["decision:idempotent-keys"] } as never, context);

    const found = await memory.code.concept("pattern:retry");
    expect(found?.memories.map((one) => [one.name, one.source])).toEqual([
      ["Retry", "user_taught"],
      [undefined, "agent_explicit"],
    ]);
    expect(found?.places.map(({ node, source }) => [node, source])).toEqual([
      ["src/http.ts", "person"],
      ["src/upload.ts", "agent"],
    ]);
    expect((await memory.get("Retry"))?.id).toBe(id);
    expect(await memory.code.concepts()).toMatchObject([
      { id: "decision:idempotent-keys", isUnverified: true },
      { id: "pattern:retry", isUnverified: false },
    ]);
  });
});

describe("impact", () => {
  it("[G36] of a pattern is that of all its places, and of a file or symbol names its patterns, decisions and their memories", async () => {
    const { memory } = await indexed();
    const { id } = await memory.remember({
      ...retry,
      content: "`Client.send` is tried again.",
      relatedFiles: ["src/http.ts"],
    });
    await memory.code.stateConcept("decision:no-axios", { places: ["src/"] });
    const why = await memory.remember({ ...trap, relatedFiles: ["decision:no-axios"] });

    const ofPattern = await memory.impact("pattern:Retry");
    const ofSymbol = await memory.impact("Client.send");
    const ofOther = await memory.impact("src/http.ts#Client.close");

    expect(ofPattern.target.map((node) => node.id)).toEqual(["src/http.ts#Client.send"]);
    expect(ofPattern.dependents.map(({ node }) => node.id)).toEqual(["src/upload.ts#upload"]);
    expect(ofPattern.memories[0]).toMatchObject({ memory: { id }, on: "pattern:retry" });
    expect(ofSymbol.concepts.map((concept) => [concept.id, concept.on])).toEqual([
      ["decision:no-axios", "src"],
      ["pattern:retry", "src/http.ts#Client.send"],
    ]);
    expect(ofSymbol.memories.map((link) => link.memory.id)).toEqual([id, why.id]);
    expect(ofOther.concepts.map((concept) => concept.id)).toEqual(["decision:no-axios"]);
    await expect(memory.impact("pattern:rety")).rejects.toMatchObject({ hint: "Did you mean pattern:retry?" });
  });

  it("[G36] tells them to people and to agents, as quoted data", async () => {
    const { memory, root } = await indexed();
    await memory.remember(retry);
    const context = { memory: async () => memory, directory: root };

    const { answer } = await runLine(memory, addImpact, ["impact", "src/http.ts"]);
    const { text } = await impactTool.call({ target: "src/http.ts" } as never, context);

    expect(textOf(answer)).toContain("Patterns and decisions\n  pattern:retry\n");
    expect(text).toMatch(/^\| It is built by pattern:retry, through src\/http\.ts$/m);
    expect(text).toMatch(/^\| .*Calls to the outside go through withRetry/m);
  });

  it("[G36] they are in the graph that is written out, with where they lead", async () => {
    const { memory } = await indexed();
    await memory.code.stateConcept("decision:no-axios", { places: ["src"] });
    await memory.code.stateConcept("pattern:retry", { places: ["Client.send"], confidence: 0.9 });
    const write = async (options: Parameters<TacitMemory["exportGraph"]>[0]) => {
      let text = "";
      for await (const piece of memory.exportGraph(options)) text += piece;
      return text;
    };

    const whole = JSON.parse(await write({})) as { nodes: unknown[]; edges: unknown[] };
    const drawn = await write({ format: "dot", kinds: ["applies_pattern"] });

    expect(whole.nodes.slice(-2)).toEqual([
      { id: "decision:no-axios", kind: "decision", name: "no-axios" },
      { id: "pattern:retry", kind: "pattern", name: "retry" },
    ]);
    expect(whole.edges.slice(-4)).toEqual([
      ...["src/http.ts", "src/other.ts", "src/upload.ts"].map((to) => ({
        from: "decision:no-axios",
        to,
        kind: "documents",
        source: "person",
        confidence: 1,
      })),
      {
        from: "pattern:retry",
        to: "src/http.ts#Client.send",
        kind: "applies_pattern",
        source: "person",
        confidence: 0.9,
      },
    ]);
    expect(drawn).toContain('"pattern:retry" -> "src/http.ts" [label="applies_pattern", weight=9];');
    expect(drawn).not.toContain("no-axios");
  });

  it("[G36] with files in play, memories of their patterns are found, behind those of the files", async () => {
    const { memory } = await indexed();
    await memory.code.stateConcept("pattern:retry", { places: ["src/upload.ts"] });
    const hung = await memory.remember({ ...trap, relatedFiles: ["pattern:retry"] });
    const beside = await memory.remember({ content: "It is slow.", relatedFiles: ["src/upload.ts"] });
    const ask = async (file: string) =>
      (await memory.recall("what matters here", { recentFiles: [file] })).map((result) => result.memory.id);

    expect(await ask("src/upload.ts")).toEqual([beside.id, hung.id]);
    expect(await ask("src/other.ts")).toEqual([]);
  });
});

describe("what is said of a pattern", () => {
  it("[G37] goes with the memory that says it, and comes back with it; what a person states stays", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember(retry);
    await memory.code.stateConcept("decision:jwt", { places: ["src/auth.ts"] });
    const why = await memory.remember({ ...trap, relatedFiles: ["decision:jwt"] });

    await memory.forgetMany([id, why.id]);
    const forgotten = await memory.code.concepts();
    await memory.restore(id);
    const restored = await memory.code.concepts();
    await memory.purge(id);

    expect(forgotten).toMatchObject([{ id: "decision:jwt", places: 1, memories: 0 }]);
    expect(restored.map((concept) => concept.id)).toEqual(["decision:jwt", "pattern:retry"]);
    expect((await memory.code.concepts()).map((concept) => concept.id)).toEqual(["decision:jwt"]);
  });

  it("[G37] is kept nowhere but in the memory, and what is stated goes with its project", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });
    await memory.remember(retry);
    await memory.code.stateConcept("pattern:retry", { content: "Once more.", places: ["src/b.ts"] });
    await memory.code.stateConcept("decision:jwt", { places: ["src/auth.ts"] });

    const kept = await askDatabase(db, "SELECT from_id FROM code_meanings");
    await memory.purge({ project: true });

    expect(kept).toEqual([{ from_id: "decision:jwt" }]);
    expect(await askDatabase(db, "SELECT from_id FROM code_meanings")).toEqual([]);
  });

  it("[G37] keeps no secret, which in small letters would not be known for one", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });
    const secret = "AKIAIOSFODNN7EXAMPL2";

    const stating = memory.code.stateConcept(`pattern:${secret}`, { places: ["src/a.ts"] });
    await expect(stating).rejects.toMatchObject({ code: "content-refused" });
    const { id } = await memory.remember({ ...trap, relatedFiles: [`pattern:${secret}`] });
    await memory.relate(id, { kind: "documents", file: `decision:${secret}` });

    const kept = await askDatabase(
      db,
      "SELECT to_id AS text FROM code_meanings UNION ALL SELECT value FROM memory_facets UNION ALL SELECT target_file FROM memory_relations",
    );
    expect(JSON.stringify([kept, await memory.code.concepts()]).toLowerCase()).not.toContain(secret.toLowerCase());
    expect(kept).toHaveLength(2);
  });

  it("[G37] waits with a memory that comes from outside, and holds once a person has accepted it", async () => {
    const memory = await openTestMemory();
    const session = toldSession("s1").starts().uses("WebFetch", { url: "https://docs.example.org" }, "text");
    for (const event of session.events) memory.observe({ ...event, at: Date.now() });

    const said = await memory.as(agent).remember({ ...retry, sessionId: "s1" });
    const before = await memory.code.concepts();
    await memory.review.accept(said.id);

    expect(said).toMatchObject({ status: "waiting", trustFlags: ["tainted"] });
    expect(before).toEqual([]);
    expect(await memory.code.concepts()).toMatchObject([{ id: "pattern:retry", isUnverified: false, places: 1 }]);
  });
});

describe("stated places", () => {
  it("[G38] follow files and symbols that are renamed or moved, and back", async () => {
    const { memory, root } = await indexed();
    await memory.code.stateConcept("pattern:retry", { places: ["Client.send", "src/other.ts"] });
    const told = async () => ((await memory.code.concept("pattern:retry"))?.places ?? []).map(({ node }) => node);
    const move = async (from: string, to: string) => {
      renameSync(join(root, from), join(root, to));
      await memory.index();
      return told();
    };

    const before = await told();
    const moved = await move("src/http.ts", "src/client.ts");
    const back = await move("src/client.ts", "src/http.ts");

    expect(before).toEqual(["src/http.ts#Client.send", "src/other.ts"]);
    expect(moved).toEqual(["src/client.ts#Client.send", "src/other.ts"]);
    expect(back).toEqual(before);
  });

  it("[G38] are refused where nothing is there, and taken where a file is that the index leaves out", async () => {
    const { memory } = await indexed();

    await expect(memory.code.stateConcept("pattern:retry", { places: ["src/htp.ts"] })).rejects.toMatchObject({
      code: "node-not-found",
      hint: expect.stringContaining("src/http.ts"),
    });
    const { places } = await memory.code.stateConcept("decision:terms", { places: ["dist/terms.js"] });

    expect(places).toMatchObject([{ node: "dist/terms.js", kind: "documents", source: "person", isStated: true }]);
    await expect(memory.impact("decision:terms")).rejects.toMatchObject({ code: "node-not-found" });
  });

  it("[G38] stay behind when memories are exported, and whoever exports is told; what memories say goes along", async () => {
    const [memory, other] = [await openTestMemory(), await openTestMemory()];
    const file = join(temporaryFolder(), "out.jsonl");
    await runLine(memory, addDecision, ["decision", "jwt", "We chose JWT.", "--about", "src/auth.ts#sign"]);
    await memory.remember({ ...trap, relatedFiles: ["decision:jwt"] });
    await memory.code.stateConcept("decision:jwt", { places: ["src/login.ts"] });

    const { answer } = await runLine(memory, addExport, ["export", "--output", file]);
    await other.exchange.import(file, { trust: true });

    expect(textOf(answer)).toContain("\nNot in it: 1 place of patterns and decisions, stated apart from any memory.");
    expect(await other.code.concept("decision:jwt")).toMatchObject({
      places: [{ node: "src/auth.ts#sign", kind: "documents", source: "person" }],
      memories: [{ content: "We chose JWT." }, trap],
    });
  });
});

async function indexed(): Promise<{ memory: TacitMemory; root: string }> {
  const root = gitRepository();
  writeFiles(root, {
    "src/http.ts":
      "export class Client {\n  send(text: string): number {\n    return text.length * 2;\n  }\n  close(): void {\n    console.log('closed for good');\n  }\n}\n",
    "src/upload.ts":
      "import { Client } from './http.js';\nexport function upload(client: Client): number {\n  return client.send('file');\n}\n",
    "src/other.ts":
      "export function unrelated(list: string[]): number {\n  return list.map((entry) => entry.length).reduce((sum, length) => sum + length, 0);\n}\n",
    "dist/terms.js": "",
    ".gitignore": "dist/",
  });
  const memory = await openTestMemory({ directory: root, project: undefined, embedder: null });
  await memory.index();
  return { memory, root };
}
