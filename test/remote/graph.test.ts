// The code graph on a server: the same as in a file, and in few journeys.
import { expect, it } from "vitest";
import type { TacitMemory } from "../../src/index.js";
import { writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { readGraph } from "../support/read-graph.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startProxy } from "./fake-servers.js";
import { startServer } from "./start-server.js";

it("[S14] the code of a project is indexed, asked, searched and followed on a server as in a file", async () => {
  const root = temporaryFolder();
  writeFiles(root, project(40));
  const { url } = await startServer();
  const proxy = await startProxy(url);
  const remote = await openTestMemory({ db: proxy.url, project: "p", directory: root });
  const local = await openTestMemory({ db: ":memory:", project: "p", directory: root });
  await remote.remember({ content: "f1 must not be renamed", graphNodes: ["src/f1.ts#f1"] });
  await local.remember({ content: "f1 must not be renamed", graphNodes: ["src/f1.ts#f1"] });

  const journeys = async <T>(work: () => Promise<T>): Promise<[result: T, requests: number]> => {
    const before = proxy.requests.length;
    return [await work(), proxy.requests.length - before];
  };
  const [report, forIndex] = await journeys(() => remote.index());
  const wanted = await local.index();
  const first = [await tell(remote), await tell(local)];
  writeFiles(root, {
    "src/f1.ts": "// above\nexport function f1() { return extra(); }\nfunction extra() {}\n",
    "src/new.ts": 'import { f1 } from "./f1.js";\nexport const newest = () => f1();\n',
  });
  const [changed, forChange] = await journeys(() => remote.index());
  await local.index();
  const second = [await tell(remote), await tell(local)];

  expect(report).toMatchObject({ files: 41, isComplete: true, waiting: 0, problems: [] });
  expect(report.edges).toBe(wanted.edges);
  expect(first[0]).toEqual(first[1]);
  expect(first[0]?.dependents).toContain("src/f2.ts#f2");
  expect(changed).toMatchObject({ changed: 2 });
  expect(second[0]).toEqual(second[1]);
  expect(second[0]?.dependents).toContain("src/new.ts#newest");
  expect(second[0]?.memories).toEqual(["f1 must not be renamed"]);
  expect(report.tookMs).toBeLessThan(20_000);
  expect(forIndex).toBeLessThan(120);
  expect(forChange).toBeLessThan(80);
});

it("[S14] files with much in them are indexed on a server, which takes no more than 10 MB at once", async () => {
  const root = temporaryFolder();
  const functions = (file: number) =>
    Array.from(
      { length: 5000 },
      (_, n) => `export function f${file}_${n}() { return f${file}_${(n + 1) % 5000}() + missing${n}(); }\n`,
    );
  writeFiles(root, Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`src/f${n}.ts`, functions(n).join("")])));
  const { url } = await startServer();
  const memory = await openTestMemory({ db: url, project: "p", directory: root });

  const report = await memory.index();

  expect(report).toMatchObject({ files: 10, isComplete: true, waiting: 0, problems: [], symbols: 50_000 });
  expect(report.edges).toBeGreaterThan(100_000);
  await expect(memory.impact("f0_77x")).rejects.toMatchObject({ hint: expect.stringContaining("src/f0.ts#f0_77") });
});

/** What a memory answers about the code. */
async function tell(memory: TacitMemory) {
  const { dependents, tests, memories, notes } = await memory.impact("src/f1.ts#f1");
  const needs = await memory.code.dependencies("src/f9.ts");
  const { hits } = await memory.recallCode("returns the number seventeen");
  return {
    graph: await readGraph(memory),
    dependents: dependents.map(({ node }) => node.id),
    needs: needs.dependents.map(({ node }) => node.id),
    tests,
    memories: memories.map(({ memory: { content } }) => content),
    notes,
    hits: hits.map(({ file, startLine, text }) => ({ file, startLine, text })),
    neighbours: [...(await memory.code.neighbours(["src/f1.ts"]))],
  };
}

function project(count: number): Record<string, string> {
  const textOf = (n: number) =>
    `import { f${n - 1} } from "./f${n - 1}.js";\n/** Returns the number ${n === 17 ? "seventeen" : n}. */\n` +
    `export function f${n}() {\n  return f${n - 1}();\n}\n`;
  return {
    "src/f0.ts": "export function f0() {}\n",
    ...Object.fromEntries(Array.from({ length: count - 1 }, (_, n) => [`src/f${n + 1}.ts`, textOf(n + 1)])),
    "test/f1.test.ts": 'import { f1 } from "../src/f1.js";\nf1();\n',
  };
}
