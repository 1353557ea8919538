import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { readGraph } from "../support/read-graph.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { indexed } from "../support/indexed-memory.js";

describe("an index that is not up to date", () => {
  it("[G12] says so during the first indexing, and no longer afterwards", async () => {
    const root = temporaryFolder();
    writeFiles(root, manyFiles(300));
    const memory = await openTestMemory({ directory: root });
    const stop = new AbortController();

    const stopped = await memory.index({ signal: stop.signal, onProgress: () => stop.abort() });
    const early = await memory.impact("src/f0.ts");
    const earlyFound = await memory.recallCode("three hundred");
    const { isComplete } = (await memory.code.state()) ?? {};
    await memory.index();
    const late = await memory.impact("src/f0.ts");

    expect(stopped).toMatchObject({ isStopped: true, isComplete: false });
    expect(stopped.files).toBeGreaterThan(0);
    expect(stopped.files).toBeLessThan(300);
    expect(isComplete).toBe(false);
    for (const { notes } of [early, earlyFound]) expect(notes).toEqual([expect.stringMatching(/not complete/)]);
    expect(late.notes).toEqual([]);
    expect(late.dependents.length).toBeGreaterThan(0);
  });

  it("[G4] goes on where it was stopped, and is in the end as one that never was", async () => {
    const root = temporaryFolder();
    writeFiles(root, manyFiles(300));
    const memory = await openTestMemory({ directory: root });
    let rounds = 0;
    for (let isStopped = true; isStopped && rounds < 20; rounds += 1) {
      const stop = new AbortController();
      let heard = 0;
      const onProgress = () => void (heard++ === rounds && stop.abort());
      ({ isStopped } = await memory.index({ signal: stop.signal, onProgress }));
    }

    expect(rounds).toBeGreaterThan(2);
    expect(await memory.code.state()).toMatchObject({ isComplete: true, files: 300, waiting: 0 });
    expect(await readGraph(memory)).toEqual(await readGraph(await indexed({}, root)));
  });

  it("[G4] leads nowhere where a file was gone before it was read", async () => {
    const root = temporaryFolder();
    writeFiles(root, { ...manyFiles(600), "src/z.ts": "export const z = 1;\n" });
    writeFiles(root, { "src/a.ts": 'import { z } from "./z.js";\nexport const a = z;\n' });
    const memory = await openTestMemory({ directory: root });

    // Threads are ahead of the one who writes by less than half of the files.
    await memory.index({ onProgress: () => rmSync(join(root, "src/z.ts"), { force: true }) });
    await memory.index();

    const { unresolved } = (await memory.code.state()) ?? {};
    expect(unresolved).toEqual((await (await indexed({}, root)).code.state())?.unresolved);
  });

  it("[G4] says that it was stopped, whenever that was, and leaves no part of a small change", async () => {
    const root = temporaryFolder();
    const memory = await indexed(manyFiles(30), root);
    const before = await readGraph(memory);
    writeFiles(root, { "src/new.ts": 'import { f1 } from "./f1.js";\nexport const newest = () => f1();\n' });

    const stopped = await memory.index({ signal: AbortSignal.abort() });
    const { waiting, edges } = (await memory.code.state()) ?? {};
    const whole = await memory.index();

    expect(stopped).toMatchObject({ isStopped: true, changed: 0 });
    expect({ waiting, edges }).toEqual({ waiting: 0, edges: before.edges.length });
    expect(whole).toMatchObject({ isStopped: false, changed: 1 });
    expect(await readGraph(memory)).toEqual(await readGraph(await indexed({}, root)));
  });

  it("[G12] brings a changed file up to date when it is asked, and tells of a hundred", async () => {
    const root = temporaryFolder();
    const memory = await indexed(manyFiles(120), root);
    const fresh = await memory.impact("src/f0.ts#f0");
    writeFiles(root, { "src/new.ts": 'import { f0 } from "./f0.js";\nexport const newest = () => f0();\n' });
    await aSecond();

    const caughtUp = await memory.impact("src/f0.ts#f0");
    for (let n = 0; n < 100; n += 1) appendFileSync(join(root, `src/f${n}.ts`), `f${n}();\n`);
    await aSecond();
    const behind = await memory.impact("src/f0.ts#f0");
    await memory.index();
    const again = await memory.impact("src/f0.ts#f0");

    const names = ({ dependents }: typeof fresh) => dependents.map(({ node }) => node.id);
    expect(fresh.notes).toEqual([]);
    expect(caughtUp.notes).toEqual([]);
    expect(names(caughtUp)).toContain("src/new.ts#newest");
    expect(behind.notes).toEqual([expect.stringMatching(/^100 files have changed/)]);
    expect(names(behind)).toEqual(names(caughtUp));
    expect(again.notes).toEqual([]);
  });
});

/** Files that call one another. */
function manyFiles(count: number): Record<string, string> {
  const textOf = (n: number) =>
    `import { f${n} as last } from "./f${n}.js";\nimport { f${(n + 7) % count} } from "./f${(n + 7) % count}.js";\n` +
    `// one of three hundred\nexport function f${n + 1}() {\n  last();\n  return f${(n + 7) % count}();\n}\n`;
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`src/f${n}.ts`, n === 0 ? "export function f0() {}\n" : textOf(n - 1)]),
  );
}

/** An answer looks at the files once a second. */
async function aSecond(): Promise<void> {
  await new Promise((wake) => setTimeout(wake, 1050));
}
