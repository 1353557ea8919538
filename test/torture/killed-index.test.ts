// An indexing is killed at any moment, and done by several at once. What it ends with is what one from scratch would be.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { askDatabase, library, startProgram, temporaryFolder, wait, type RunningProgram } from "./programs.js";
import { isFull, report } from "./scale.js";
import { randomFrom } from "./sentence.mjs";

const [kills, files] = isFull ? [60, 600] : [6, 200];

it("[G4] goes on after kill -9, wherever it was, and ends with what one from scratch would be", async () => {
  const { db, directory, edit } = makeProject(files);
  const random = randomFrom(17);
  let deaths = 0;
  for (let round = 0; round < kills; round += 1) {
    const program = index(db, directory);
    await program.heard((line) => line["ready"] === true);
    await wait(random() * (isFull ? 1500 : 800));
    program.kill();
    const { signal } = await program.ended;
    if (signal === "SIGKILL") deaths += 1;
    expect(program.lines.filter((line) => "error" in line)).toEqual([]);
    // A few files are put in with all that follows from them at once, many are not.
    if (round % 2 === 1) edit(random() < 0.5 ? 10 : 100);
  }

  const last = index(db, directory);
  await last.ended;

  report(`killed indexing: ${deaths} of ${kills} runs over ${files} files`);
  expect(deaths).toBeGreaterThan(0);
  expect(last.lines.at(-1)).toMatchObject({ report: { isComplete: true } });
  await expectAsFromScratch(db, directory);
});

it("[G4] does no harm when three processes do it at once", async () => {
  const { db, directory } = makeProject(files);

  const programs = [1, 2, 3].map(() => index(db, directory, { rounds: 2 }));
  await Promise.all(programs.map(({ ended }) => ended));

  for (const { lines } of programs) expect(lines.at(-1)).toMatchObject({ report: { isComplete: true } });
  await expectAsFromScratch(db, directory);
});

it("[G4] ends with what one from scratch would be when three processes do it while files change", async () => {
  const { db, directory, edit } = makeProject(files);
  const random = randomFrom(23);
  const rounds = isFull ? 30 : 2;

  const programs = [1, 2, 3].map(() => index(db, directory, { rounds }));
  const ended = Promise.all(programs.map((program) => program.ended));
  const progress = { isOver: false };
  void ended.then(() => (progress.isOver = true));
  while (!progress.isOver) {
    edit(random() < 0.9 ? 3 : 90);
    await wait(random() * 200);
  }
  const last = index(db, directory);
  await last.ended;

  expect([...programs, last].flatMap(({ lines }) => lines).filter((line) => "error" in line)).toEqual([]);
  expect(last.lines.at(-1)).toMatchObject({ report: { isComplete: true } });
  await expectAsFromScratch(db, directory);
});

function index(db: string, directory: string, settings: object = {}): RunningProgram {
  return startProgram("indexing-program.mjs", { db, directory, ...settings });
}

interface Project {
  db: string;
  directory: string;
  /** Writes so many files anew, some of them with other names in them, takes one away and brings it back. */
  edit: (count: number) => void;
}

/** Files that lead to one another through names, re-exports and the types of parameters. */
function makeProject(count: number): Project {
  const directory = temporaryFolder();
  const random = randomFrom(count);
  const any = () => Math.floor(random() * count);
  const write = (n: number) => {
    const path = join(directory, pathOf(n));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, n % 5 === 4 ? pythonText(n, any) : scriptText(n, any, random() < 0.3));
  };
  for (let n = 0; n < count; n += 1) write(n);
  return {
    db: join(temporaryFolder(), "memory.db"),
    directory,
    edit: (changes) => {
      for (let n = 0; n < changes; n += 1) write(any());
      rmSync(join(directory, pathOf(any())), { force: true });
    },
  };
}

function pathOf(n: number): string {
  return n % 5 === 4 ? `pkg${n % 3}/m${n}.py` : `src/d${n % 7}/f${n}.ts`;
}

function scriptText(n: number, any: () => number, isOther: boolean): string {
  const script = (m: number) => (m % 5 === 4 ? m - 1 : m);
  const [a, b, c] = [script(any()), script(any()), script(any())];
  const from = (m: number) => `"../d${m % 7}/f${m}.js"`;
  return `import { make${a}, Thing${a} as Base } from ${from(a)};
import * as all from ${from(b)};
export { make${c} as again${n} } from ${from(c)};
export class Thing${n} extends Base {
  ${isOther ? "run" : "go"}(item${n % 9}) { return item${n % 9}.go(all.make${b}()); }
}
export function make${n}(item${n % 9}: ${isOther ? "Base" : `Thing${n}`}) { return make${a}(new Thing${n}()).go(item${n % 9}); }
all.make${b}();
`;
}

function pythonText(n: number, any: () => number): string {
  const m = any();
  const other = m - (m % 5) + 4;
  return `from pkg${other % 3}.m${other} import Thing${other}, make${other}

class Thing${n}(Thing${other}):
    def go(self, item):
        return make${other}(self).go()

def make${n}(item: Thing${n}):
    return item.go(Thing${other}())
`;
}

async function expectAsFromScratch(db: string, directory: string): Promise<void> {
  const scratch = join(temporaryFolder(), "memory.db");
  await index(scratch, directory).ended;

  const [left, wanted] = [await stateOf(db, directory), await stateOf(scratch, directory)];
  expect(left.graph.split("\n").filter((line) => !wanted.graph.includes(line))).toEqual([]);
  expect(left).toEqual(wanted);
  expect(await askDatabase(db, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(await askDatabase(db, "PRAGMA foreign_key_check")).toEqual([]);
  // Throws when the full text index does not say what its rows say.
  expect(await askDatabase(db, "INSERT INTO code_words (code_words, rank) VALUES ('integrity-check', 1)")).toEqual([]);
}

/** Everything that answers come from, without the numbers that rows happen to have. */
async function stateOf(db: string, directory: string): Promise<{ graph: string; tables: unknown }> {
  const tables = await Promise.all(
    [
      "SELECT path, hash, state, problem, surface, is_linked FROM code_files ORDER BY path",
      `SELECT f.path, m.node_path, m.kind, m.name, m.sites FROM code_misses AS m
       JOIN code_files AS f ON f.number = m.file_number ORDER BY 1, 2, 3, 4`,
      `SELECT v.parameter, v.shape, f.path, v.votes FROM code_votes AS v
       JOIN code_files AS f ON f.number = v.file_number ORDER BY 1, 2, 3`,
      `SELECT f.path, c.start_line, c.end_line, c.name, w.content FROM code_chunks AS c
       JOIN code_files AS f ON f.number = c.file_number JOIN code_words AS w ON w.rowid = c.number ORDER BY 1, 2`,
      "SELECT count(*) AS count FROM code_words",
      "SELECT count(*) AS moves FROM code_news",
    ].map((sql) => askDatabase(db, sql)),
  );
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p", directory });
  let graph = "";
  for await (const piece of memory.exportGraph({ format: "json" })) graph += piece;
  await memory.close();
  return { graph, tables };
}
