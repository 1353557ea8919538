import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../bench/drift/measure-drift.mjs";
import { addVerify } from "../../src/cli/memories/verify.js";
import type { TacitMemory } from "../../src/index.js";
import { openTestMemory } from "../support/open-memories.js";
import { runLine, textOf } from "../support/run-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const http = `export function retry(times: number): number[] {
  return Array.from({ length: times }, (_, at) => at * at);
}
export const MAX_RETRIES = 5;
`;
const changed = http.replace("(times: number)", "(times: number, delayMs: number)");
const text = "`retry(times)` gives up silently.";

describe("a memory that names code", () => {
  it("[G39] is in doubt when that code says otherwise, with the reason, and its text and history stay", async () => {
    const { memory, change } = await project({ "src/http.ts": http });
    const { id } = await memory.remember({ content: text, relatedFiles: ["src/http.ts"] });
    await change({ "src/http.ts": `// Only a comment.\n${http.replace("at * at", "at + 1")}` });
    expect(await driftOf(memory, id)).toEqual([]);

    await change({ "src/http.ts": changed });

    expect(await driftOf(memory, id)).toEqual([
      { node: "src/http.ts#retry", outcome: "doubt", reason: "`retry(times)` is `retry(times, delayMs)` now" },
    ]);
    expect(await memory.get(id)).toMatchObject({ content: text, status: "active", review: { state: "none" } });
    expect(await memory.history(id)).toHaveLength(1);
  });

  it("[G39] keeps its links to the code when an import brings a newer state of it", async () => {
    const { memory } = await project({ "src/http.ts": http });
    const { id } = await memory.remember({ content: text, relatedFiles: ["src/http.ts"] });
    const links = async () => ((await memory.get(id))?.relations ?? []).map(({ file }) => file);
    const file = join(temporaryFolder(), "memories.jsonl");
    await memory.exchange.export({ format: "jsonl", output: file });
    const [header, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
    const newer = (line: string) => {
      const record = JSON.parse(line) as Record<string, unknown>;
      if (record["id"] !== id) return line;
      return JSON.stringify({ ...record, tags: ["newer"], relations: [], updatedAt: "2099-01-01T00:00:00.000Z" });
    };
    writeFileSync(file, [header, ...lines].map((line) => newer(line ?? "")).join("\n"));
    expect(await links()).toEqual(["src/http.ts#retry"]);

    const report = await memory.exchange.import(file);

    expect(report.updated).toBe(1);
    expect((await memory.get(id))?.tags).toEqual(["newer"]);
    expect(await links()).toEqual(["src/http.ts#retry"]);
  });

  it("[G39] is told of what moved, also in two steps, and of scripts that are gone", async () => {
    const manifest = (scripts: object) => JSON.stringify({ scripts });
    const { memory, change } = await project({
      "src/http.ts": http,
      "package.json": manifest({ lint: "oxlint", test: "vitest" }),
    });
    const kept = await memory.rememberMany([
      { content: "MAX_RETRIES is 5, as the gateway wants it.", relatedFiles: ["src/http.ts"] },
      { content: "Before a commit: `npm run lint` and npm test." },
      { content: "See src/http.ts:4 for how often." },
    ]);
    const reasons = async () =>
      Promise.all(kept.map(async ({ id }) => (await driftOf(memory, id)).map(({ reason }) => reason)));

    await change({ "src/http.ts": http.replace(/export const.*\n/, ""), "package.json": manifest({ test: "vitest" }) });
    expect(await reasons()).toEqual([
      ["`MAX_RETRIES` is no longer in src/http.ts"],
      ["package.json has no script `lint` any more"],
      [],
    ]);
    await change({ "src/limits.ts": "export const MAX_RETRIES = 5;\n", "src/http.ts": null, "src/net.ts": http });
    expect(await reasons()).toEqual([[], expect.anything(), ["src/http.ts is src/net.ts now"]]);
    // Back where it was, although it stays where it went, too.
    await change({ "src/http.ts": http });
    expect((await reasons())[2]).toEqual([]);
  });

  it("[G40] is in no doubt any more when the code is back, its text is put right, or a person verifies it", async () => {
    const { memory, change } = await project({ "src/http.ts": http });
    const [one, two, three] = await memory.rememberMany(
      ["", " It did so before.", " It should not."].map((more) => ({ content: text + more })),
    );
    const ids = [one, two, three].map((kept) => kept?.id ?? "");
    const doubted = async () => (await memory.review.stale()).inDoubt.map(({ id }) => ids.indexOf(id));
    await change({ "src/http.ts": changed });
    expect(await doubted()).toEqual([0, 1, 2]);

    expect(await memory.verify(ids[0] ?? "")).not.toHaveProperty("drift");
    expect(await memory.revise(ids[1] ?? "", { content: "`retry(times, delayMs)` waits." })).not.toHaveProperty(
      "drift",
    );
    expect(await doubted()).toEqual([2]);

    await change({ "src/http.ts": http });
    // What was verified and put right was so for the other code.
    expect(await doubted()).toEqual([0, 1]);
    expect(await driftOf(memory, ids[2] ?? "")).toEqual([]);
  });

  it("[G40] is in no doubt where a file cannot be parsed, or another work tree has it as it was", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const { memory, change } = await project({ "src/http.ts": http }, { db });
    const { id } = await memory.remember({ content: text, relatedFiles: ["src/http.ts"] });
    await change({ "src/http.ts": "export function other( {{{\n" });
    expect(await driftOf(memory, id)).toEqual([]);

    const beside = await project({ "src/http.ts": http }, { db });
    await change({ "src/http.ts": changed });
    expect(await driftOf(memory, id)).toEqual([]);
    await change({ "src/http.ts": null });
    expect(await driftOf(memory, id)).toEqual([]);

    await beside.change({ "src/http.ts": null });
    expect(await driftOf(memory, id)).toMatchObject([{ reason: "src/http.ts is gone" }]);
  });

  it("[G40] is in no doubt as long as the index is not complete", async () => {
    const { memory, root } = await project({ "src/http.ts": http, "src/other.ts": "export const other = 1;\n" });
    await memory.remember({ content: text, relatedFiles: ["src/http.ts"] });
    await memory.index();
    writeFiles(root, { "src/http.ts": null });
    await memory.index({ fresh: true, signal: AbortSignal.abort() });

    const partly = await memory.review.stale();
    await memory.index();

    expect(partly).toMatchObject({ checked: 0, inDoubt: [], notes: [expect.stringContaining("is not complete")] });
    expect((await memory.review.stale()).inDoubt).toHaveLength(1);
  });

  it("[G42] comes back after what is in no doubt, marked, and is listed with what to do", async () => {
    const { memory, change } = await project({ "src/http.ts": http, "src/other.ts": http.replace("retry", "repeat") });
    await memory.rememberMany([
      { content: "The gateway: `retry` fails when offline.", relatedFiles: ["src/http.ts"] },
      { content: "The gateway: `repeat` fails when offline, so wait for a while.", relatedFiles: ["src/other.ts"] },
    ]);
    const recall = async () => memory.recall("gateway fails when offline", { explain: true });
    expect((await recall())[0]?.memory.content).toContain("retry");
    const stale = async () => textOf((await runLine(memory, addVerify, ["verify", "--stale"])).answer);
    expect(await stale()).toBe("Nothing in the code speaks against 2 memories.");

    await change({ "src/http.ts": changed });

    const [best, second] = await recall();
    const reason = "`retry(times)` is `retry(times, delayMs)` now";
    expect(best?.memory.content).toContain("repeat");
    expect(second?.memory.content).toContain("retry");
    expect(second?.explanation).toMatchObject({ weights: { staleness: 0.5 }, marks: [`in doubt: ${reason}`] });
    expect(await stale()).toMatch(/^1 memory is in doubt:\n\n[^]*\(in doubt\) The gateway[^]*now\n[^]*tacit edit REF/);
    expect((await memory.pack(await recall())).text).toContain(`(in doubt: ${reason})`);
    const { checks } = await memory.store.diagnose();
    expect(checks).toContainEqual({
      name: "drift",
      status: "warning",
      message: "1 memory is in doubt since the code changed",
      hint: "tacit verify --stale tells why.",
    });
  });
});

async function driftOf(memory: TacitMemory, id: string) {
  return (await memory.get(id))?.drift ?? [];
}

/** An indexed folder; `change` writes files, takes away those that are null, and indexes. */
async function project(files: Record<string, string>, options: { db?: string } = {}) {
  const root = temporaryFolder();
  const memory = await openTestMemory({ directory: root, embedder: null, ...options });
  const change = async (next: Record<string, string | null>) => {
    // What was just kept has seen the code as it was.
    await memory.index();
    writeFiles(root, next);
    await memory.index();
  };
  await change(files);
  return { memory, change, root };
}
