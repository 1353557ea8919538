// A process reads the graph without a pause while another changes files and indexes them.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { library, startProgram, temporaryFolder } from "./programs.js";
import { isFull, report } from "./scale.js";

const flips = isFull ? 400 : 25;
const user = 'import { one, uno } from "./core.js";\nexport function use() { one(); uno(); }\n';
const versions = [
  "export function one() { return two(); }\nexport function two() {}\n",
  "// The other one.\nexport function uno() { return due(); }\nexport class Due {}\nexport function due() { return new Due(); }\n",
];
// One statement sees one moment: whatever it gives is what somebody could have been answered from.
const everything = `SELECT (SELECT group_concat(line, char(10)) FROM (
    SELECT f.path || '#' || n.path || ' ' || n.start_line AS line FROM code_files AS f
    JOIN code_nodes AS n ON n.file_number = f.number ORDER BY 1)) || char(10) ||
  (SELECT group_concat(line, char(10)) FROM (
    SELECT f.path || '#' || a.path || ' ' || e.kind || ' ' || g.path || '#' || b.path AS line FROM code_edges AS e
    JOIN code_nodes AS a ON a.number = e.from_node JOIN code_files AS f ON f.number = a.file_number
    JOIN code_nodes AS b ON b.number = e.to_node JOIN code_files AS g ON g.number = b.file_number ORDER BY 1)) AS state`;
const targets = ["src/core.ts", "src/core.ts#two", "src/core.ts#due", "src/user.ts"];

it("[G2] whoever reads sees a file as it was or as it is, and never a part of both", async () => {
  const directory = temporaryFolder();
  const aside = join(temporaryFolder(), "core.ts");
  const db = join(temporaryFolder(), "memory.db");
  mkdirSync(join(directory, "src"));
  writeFileSync(join(directory, "src/user.ts"), user);
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p", directory });
  const put = async (version: number) => {
    // At once: the reader indexes too, and would see a file that is not yet written.
    writeFileSync(aside, versions[version] ?? "");
    renameSync(aside, join(directory, "src/core.ts"));
    await memory.index();
  };
  await put(0);
  const reader = startProgram("graph-reader.mjs", { db, directory, sql: everything, targets });
  await reader.heard((line) => "state" in line);

  // On a busy machine the reader gets its turn late; it must have seen both at least.
  const haveBeenSeen = () => reader.lines.filter(({ how }) => how === "statement").length;
  for (let flip = 0; flip < flips || (haveBeenSeen() < 2 && flip < 20 * flips); flip += 1) await put((flip + 1) % 2);
  reader.tell();
  await reader.ended;
  // As it is when nothing happens.
  const settled = new Set<string>();
  for (const version of [0, 1]) {
    await put(version);
    const calm = startProgram("graph-reader.mjs", { db, directory, sql: everything, targets });
    await calm.heard((line) => line["how"] === targets.at(-1));
    calm.tell();
    await calm.ended;
    for (const line of calm.lines) settled.add(JSON.stringify(line));
  }
  await memory.close();

  const states = reader.lines.filter((line) => "state" in line);
  report(`read while indexing: ${String(reader.lines.at(-1)?.["reads"])} reads during ${flips} changes`);
  expect(states.filter((line) => !settled.has(JSON.stringify(line)))).toEqual([]);
  // Each of the two was seen, or nothing was proved.
  expect(states.filter(({ how }) => how === "statement")).toHaveLength(2);
});
