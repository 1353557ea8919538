import { openMemory } from "../../dist/index.js";

/** The graph of a folder as Tacit exports it, how many calls and imports led nowhere, and the CPU that indexing took. */
export async function graphOf(folder) {
  const memory = await openMemory({ db: ":memory:", directory: folder });
  try {
    const start = process.cpuUsage();
    const { unresolved } = await memory.index({ history: false });
    const { user, system } = process.cpuUsage(start);
    let text = "";
    for await (const piece of memory.exportGraph({ format: "json", level: "symbol" })) text += piece;
    return { ...JSON.parse(text), unresolved, cpuMs: (user + system) / 1000 };
  } finally {
    await memory.close();
  }
}
