import { describe, expect, it, vi } from "vitest";
import { startFakeChroma } from "../../../test/support/fake-chroma.js";
import { fakeEmbedder } from "../../../test/support/fake-embedder.js";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { runLine, textOf } from "../../../test/support/run-line.js";
import { addExport } from "../../cli/exchange/export.js";
import { addImport } from "../../cli/exchange/import.js";

describe("a memory and a Chroma server", () => {
  it("gives the vectors that are there where the model is the collection's, and makes only those that are missing", async () => {
    const chroma = await startFakeChroma();
    const embedder = miniature();
    const memory = await openTestMemory({ embedder });
    const { id } = await memory.remember({ type: "gotcha", content: "Tokens expire", relatedFiles: ["src/auth.ts"] });
    await memory.embedPending();
    const before = embedder.calls.length;

    await memory.exchange.exportChroma(chroma.url);
    const callsForKnown = embedder.calls.length - before;
    await memory.remember({ type: "fact", content: "The user is called Alex" });
    await memory.exchange.exportChroma(chroma.url, { type: "fact" });

    const entries = chroma.collections.get("memories")?.entries;
    const [asked] = await embedder.embed(["gotcha in src/auth.ts: Tokens expire"], "document");
    expect(callsForKnown).toBe(0);
    expect(entries?.get(id)?.embedding.map(Math.fround)).toEqual(Array.from(asked ?? []));
    expect(entries?.size).toBe(2);
  });

  it("gives no vectors where no model is wanted: it is refused before anything is sent", async () => {
    const chroma = await startFakeChroma();
    const memory = await openTestMemory({ embedder: null });
    await memory.remember({ content: "a" });

    await expect(memory.exchange.exportChroma(chroma.url)).rejects.toMatchObject({
      code: "export-refused",
      hint: expect.stringContaining("embeddingProvider bundled"),
    });
    expect(chroma.collections.size).toBe(0);
  });

  it("is asked on the command line, with the token of a variable", async () => {
    const chroma = await startFakeChroma();
    const [here, there] = [await openTestMemory({ embedder: miniature() }), await openTestMemory({ embedder: null })];
    await here.remember({ type: "fact", content: "The user is called Alex" });
    const tokens = new Set<unknown>();
    chroma.instead = ({ headers }) => !tokens.add(headers["x-chroma-token"]);
    vi.stubEnv("CHROMA_TOKEN", "t0ken");
    const line = ["--chroma", `${chroma.url}?collection=notes`, "--chroma-key-variable", "CHROMA_TOKEN"];

    const wrote = await runLine(here, addExport, ["export", ...line]);
    const tried = await runLine(there, addImport, ["import", ...line, "--dry-run"]);
    const took = await runLine(there, addImport, ["import", ...line]);

    vi.unstubAllEnvs();
    expect(textOf(wrote.answer)).toBe(`Put 1 memory into the collection notes of ${chroma.url}`);
    expect(textOf(tried.answer)).toBe("Nothing is taken in yet. From the collection notes: 1 new.");
    expect(textOf(took.answer)).toBe("From the collection notes: 1 new.");
    expect(took.answer.document).toMatchObject({ kinds: ["chroma"], added: 1, dryRun: false });
    expect([...tokens]).toEqual(["t0ken"]);
    const wrong = [["import"], ["import", "a.jsonl", ...line], ["import", ...line.slice(0, 3), "NOWHERE_SET"]];
    for (const args of wrong) await expect(runLine(there, addImport, args)).rejects.toMatchObject({ code: "usage" });
    for (const args of [
      [...line, "--output", "a"],
      [...line, "--limit", "1"],
    ]) {
      await expect(runLine(here, addExport, ["export", ...args])).rejects.toMatchObject({ code: "usage" });
    }
  });
});

function miniature() {
  return fakeEmbedder({ modelId: "bundled:all-MiniLM-L6-v2:384", dimensions: 384 });
}
