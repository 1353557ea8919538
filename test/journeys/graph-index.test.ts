import { realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { edgeKinds } from "../../src/codegraph/codegraph.js";
import { indexTree } from "../../src/codegraph/indexing/index-tree.js";
import { openMemory } from "../../src/index.js";
import { ensureProject, findProject } from "../../src/project/projects.js";
import { Store } from "../../src/storage/storage.js";
import { writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { readGraph, sayEdges } from "../support/read-graph.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { askDatabase } from "../torture/programs.js";
import { indexed } from "../support/indexed-memory.js";

const project = {
  "src/shapes.ts": `
    export interface Shape { area(): number }
    export abstract class Base {
      describe(): string { return format(this.size()); }
      abstract size(): number;
    }
    export enum Colour { Red }
    export type Sizes = Record<string, number>;
    export namespace Units { export const metre = 1; }
    export function format(n: number): string { return String(n); }
  `,
  "src/square.ts": `
    import { Base, format, type Shape } from "./shapes.js";
    export class Square extends Base implements Shape {
      side = 2;
      area(): number { return this.size() * this.side; }
      size(): number { return this.side; }
    }
    export const make = () => new Square();
    export { format as show } from "./shapes.js";
    [1].map(format);
    make();
  `,
  "src/tool.js": `
    const { make } = require("./square");
    function run() { return make().area(); }
    module.exports = { run };
    run();
  `,
  "test/square.test.ts": `
    import { make } from "../src/square.js";
    make().area();
  `,
  "zoo/__init__.py": "",
  "zoo/animal.py":
    "class Animal:\n    def speak(self):\n        return shout('a')\n\ndef shout(text):\n    return text\n",
  "zoo/dog.py":
    "from .animal import Animal, shout\n\nclass Dog(Animal):\n    def bark(self):\n        self.speak()\n        return shout('b')\n\n" +
    "def main():\n    dog = Dog()\n    dog.bark()\n    return [shout]\n\nmain()\n",
  "tests/test_dog.py": "from zoo.dog import Dog\n\ndef test_bark():\n    Dog().bark()\n",
};

describe("the index of a project", () => {
  it("[G1] has files and symbols of every kind, and edges of every kind between them", async () => {
    const memory = await indexed(project);

    const graph = await readGraph(memory);
    const edges = sayEdges(graph);

    expect(graph.nodes.map(({ kind, id }) => `${kind} ${id}`)).toEqual(
      expect.arrayContaining([
        "file src/square.ts",
        "class src/square.ts#Square",
        "method src/square.ts#Square.area",
        "property src/square.ts#Square.side",
        "function src/square.ts#make",
        "interface src/shapes.ts#Shape",
        "enum src/shapes.ts#Colour",
        "type src/shapes.ts#Sizes",
        "namespace src/shapes.ts#Units",
        "function src/tool.js#run",
        "file zoo/__init__.py",
        "class zoo/dog.py#Dog",
        "method zoo/dog.py#Dog.bark",
        "function zoo/dog.py#main",
      ]),
    );
    expect(edges).toEqual(
      expect.arrayContaining([
        "src/square.ts contains src/square.ts#Square",
        "src/square.ts#Square contains src/square.ts#Square.area",
        "src/square.ts imports src/shapes.ts",
        "src/square.ts exports src/square.ts#make",
        "src/square.ts exports src/shapes.ts#format",
        "src/square.ts#Square extends src/shapes.ts#Base",
        "src/square.ts#Square implements src/shapes.ts#Shape",
        "src/square.ts references src/shapes.ts#format",
        "src/square.ts#Square.area calls src/square.ts#Square.size",
        "src/shapes.ts#Base.describe calls src/shapes.ts#format",
        "src/tool.js imports src/square.ts",
        "src/tool.js#run calls src/square.ts#make",
        "src/tool.js#run calls src/square.ts#Square.area",
        "test/square.test.ts tests src/square.ts",
        "zoo/dog.py imports zoo/animal.py",
        "zoo/dog.py#Dog extends zoo/animal.py#Animal",
        "zoo/dog.py#Dog.bark calls zoo/animal.py#Animal.speak",
        "zoo/dog.py#Dog.bark calls zoo/animal.py#shout",
        "zoo/dog.py#main calls zoo/dog.py#Dog.bark",
        "zoo/dog.py#main references zoo/animal.py#shout",
        "tests/test_dog.py tests zoo/dog.py",
        "tests/test_dog.py#test_bark calls zoo/dog.py#Dog.bark",
      ]),
    );
    expect(new Set(graph.edges.map(({ kind }) => kind))).toEqual(
      new Set(edgeKinds.filter((kind) => kind !== "changes_with")),
    );
  });

  it("[G1] has calls outside of every function come from the file, and `new` call the class", async () => {
    const edges = sayEdges(await readGraph(await indexed(project)));

    expect(edges.filter((edge) => edge.startsWith("src/square.ts calls "))).toEqual([
      "src/square.ts calls src/square.ts#make",
    ]);
    expect(edges).toContain("zoo/dog.py calls zoo/dog.py#main");
    expect(edges).toContain("src/square.ts#make calls src/square.ts#Square");
    expect(edges).toContain("zoo/dog.py#main calls zoo/dog.py#Dog");
  });

  it("[G1] names nodes as before when lines are inserted above them, and knows the new lines", async () => {
    const root = temporaryFolder();
    const memory = await indexed(project, root);
    const before = await readGraph(memory);

    const above: Record<string, string> = {
      ts: "// a line\n\n// another\n",
      js: "// a line\n\n\n",
      py: "# a line\n\n\n",
    };
    const longer = Object.entries(project).map(([path, text]) => [
      path,
      `${above[path.split(".").at(-1) ?? ""]}${text}`,
    ]);
    writeFiles(root, Object.fromEntries(longer) as Record<string, string>);
    const { changed } = await memory.index();
    const after = await readGraph(memory);

    expect(changed).toBe(Object.keys(project).length);
    expect(after.edges).toEqual(before.edges);
    expect(after.nodes.filter(({ kind }) => kind !== "file")).toEqual(
      before.nodes
        .filter(({ kind }) => kind !== "file")
        .map((node) => ({ ...node, startLine: node.startLine + 3, endLine: node.endLine + 3 })),
    );
  });

  it("[G1] takes what parses of a file with errors, and names the file and the line", async () => {
    const memory = await openTestMemory({ directory: temporaryFolder() });
    const root = (await memory.index()).root;
    writeFiles(root, {
      "a.ts":
        "export function first() { return second(); }\nfunction second() {}\n\nexport const = ;\nexport class Third {}\n",
      "b.py": "def first():\n    return 1\n\ndef (:\n\nclass Third:\n    pass\n",
    });

    const { problems } = await memory.index();

    const { nodes } = await readGraph(memory);
    expect(problems).toEqual([
      { path: "a.ts", problem: "does not parse at line 4" },
      { path: "b.py", problem: "does not parse at line 4" },
    ]);
    expect(nodes.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["a.ts#first", "a.ts#second", "a.ts#Third", "b.py#first", "b.py#Third"]),
    );
  });

  it("[G3] follows a folder that becomes a package, and one that gets its first module", async () => {
    const root = temporaryFolder();
    const memory = await indexed(
      {
        "app/main.py": "import util\nfrom later.mod import late\n\nutil.help()\nlate()\n",
        "app/util.py": "def help():\n    pass\n",
        "util.py": "def help():\n    pass\n",
      },
      root,
    );
    const before = sayEdges(await readGraph(memory));

    writeFiles(root, { "app/__init__.py": "", "later/mod.py": "def late():\n    pass\n" });
    await memory.index();

    const calls = (edges: string[]) => edges.filter((edge) => edge.includes(" calls "));
    const after = sayEdges(await readGraph(memory));
    expect(calls(before)).toEqual(["app/main.py calls app/util.py#help"]);
    expect(calls(after)).toEqual(["app/main.py calls later/mod.py#late", "app/main.py calls util.py#help"]);
    expect(after).toEqual(sayEdges(await readGraph(await indexed({}, root))));
  });
});

describe("an index that is not up to date", () => {
  it("[G13] reads every file anew that another version has read", async () => {
    const root = temporaryFolder();
    const db = join(temporaryFolder(), "memory.db");
    const first = await openMemory({ db, project: "p", directory: root });
    writeFiles(root, project);
    await first.index();
    const before = await readGraph(first);
    await first.close();
    await askDatabase(db, "UPDATE code_files SET extractor = 'older'");
    await askDatabase(db, "DELETE FROM code_edges");

    const memory = await openTestMemory({ db, project: "p", directory: root });
    const outdated = await memory.code.state();
    const report = await memory.index();

    expect(outdated?.outdated).toBe(Object.keys(project).length);
    expect(report).toMatchObject({ changed: Object.keys(project).length, outdated: 0 });
    expect(await readGraph(memory)).toEqual(before);
  });
});

describe("an indexing that others overtake", () => {
  it("[G4] begins anew, and does not go by what it knew before", async () => {
    const root = realpathSync(temporaryFolder());
    const store = new Store({ db: join(temporaryFolder(), "memory.db"), timeoutMs: 5000 });
    onTestFinished(() => store.close());
    const now = () => new Date();
    const index = async (meanwhile: () => Promise<void> = async () => undefined) =>
      indexTree({
        store,
        root,
        now,
        findProject: async (reader) => (await findProject(reader, { id: "test" })).project?.number,
        ensureProject: async (writer) => (await ensureProject(writer, { id: "test" }, now())).number,
        // Asked for between what is known and what is there.
        position: async () => {
          await meanwhile();
          return {};
        },
      });
    writeFiles(root, {
      "core.ts": "export function one() {}\n",
      "user.ts": 'import { one, uno } from "./core.js";\none();\nuno();\n',
    });
    await index();

    let times = 0;
    await index(async () => {
      times += 1;
      if (times > 1) return;
      writeFiles(root, { "core.ts": "export function uno() {}\n", "more.ts": "export const more = 1;\n" });
      await index();
      // Others see of this what they saw of the first.
      writeFiles(root, { "core.ts": "// A line.\nexport function one() {}\n" });
    });

    const memory = await openTestMemory({
      db: store.location.kind === "file" ? store.location.path : "",
      directory: root,
    });
    expect(await readGraph(memory)).toEqual(await readGraph(await indexed({}, root)));
    expect(times).toBe(2);
  });
});
