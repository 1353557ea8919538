import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { heedModes } from "../../bench/heed-modes.mjs";
import type { IndexReport, TacitMemory } from "../../src/index.js";
import { built } from "../support/child-process.js";
import { git, writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { readGraph } from "../support/read-graph.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const deep = 5000;
const patienceMs = 5000;
// Of the clock, which runs on while other processes have the machine.
const longestMs = 20_000;

/** Sources nested deeper than anybody writes: the opening, what stands in the middle, the closing. */
const nested: Record<string, [file: string, open: string, middle: string, close: string]> = {
  parentheses: ["n.ts", "(", "1", ")"],
  arrays: ["n.ts", "[", "1", "]"],
  objects: ["n.ts", "x = {a:", "1", "}"],
  functions: ["n.ts", "function f() {", "g();", "}"],
  arrows: ["n.ts", "() => ", "1", ""],
  calls: ["n.js", "f(", "1", ")"],
  members: ["n.ts", "", "a", ".b"],
  "member calls": ["n.ts", "", "a", ".b()"],
  additions: ["n.ts", "1 + ", "1", ""],
  conditions: ["n.ts", "if (a) {} else ", "{}", ""],
  blocks: ["n.ts", "{", "", "}"],
  classes: ["n.ts", "class A { x = ", "1", "}"],
  namespaces: ["n.ts", "namespace N {", "", "}"],
  types: ["n.ts", "type T = A<", "B", ">"],
  templates: ["n.ts", "`${", "1", "}`"],
  elements: ["n.tsx", "<a>", "text", "</a>"],
  "lists of Python": ["n.py", "[", "1", "]"],
  "parentheses of Python": ["n.py", "(", "1", ")"],
  "calls of Python": ["n.py", "f(", "1", ")"],
  "members of Python": ["n.py", "", "(a", ".b"],
};

describe("hostile sources", () => {
  for (const [what, [file, open, middle, close]] of Object.entries(nested)) {
    it(`[G5] ${deep} ${what} in one another, closed and not, do no harm`, async () => {
      // Each on a line of its own: what is one long line is taken for minified, and not parsed at all.
      const [opened, closed] = [open, close].map((part) => (part === "" ? "" : `${part}\n`.repeat(deep)));
      const [memory, root] = await memoryWith({
        [`closed/${file}`]: `${opened}${middle}\n${closed}`,
        [`open/${file}`]: `${opened}${middle}\n`,
        [`above/${file}`]: `${good(file)}\n${opened}${middle}\n${closed}`,
        [file.replace("n", "other")]: good(file),
      });

      const { files, problems } = await indexInTime(memory);

      const { nodes } = await readGraph(memory);
      const isNamed = problems.some(({ path }) => path === `above/${file}`);
      expect(files).toBe(4);
      expect(isNamed || nodes.some(({ id }) => id === `above/${file}#good`)).toBe(true);
      await expectAnswers(memory, root, `${file.replace("n", "other")}#good`);
    });
  }

  it("[G5] 1,400 definitions of Python in one another do no harm", async () => {
    // Each a blank deeper, so that more would not fit into a file that is read.
    const definitions = (word: string) =>
      Array.from({ length: 1400 }, (_, n) => `${" ".repeat(n)}${word}${n}:\n`).join("") + `${" ".repeat(1400)}pass\n`;
    const [memory, root] = await memoryWith({
      "functions.py": definitions("def f").replaceAll(":", "():"),
      "classes.py": definitions("class C"),
      "loops.py": definitions("while n"),
      "other.py": good("other.py"),
    });

    const { files } = await indexInTime(memory);

    expect(files).toBe(4);
    await expectAnswers(memory, root, "other.py#good");
  });

  it("[G5] 10 MB of parentheses are not read, and are named", async () => {
    const [memory, root] = await memoryWith({ "big.ts": "(".repeat(10_000_000), "other.ts": good("other.ts") });

    const { problems } = await indexInTime(memory);

    expect(problems).toEqual([{ path: "big.ts", problem: "larger than 1 MB" }]);
    await expectAnswers(memory, root, "other.ts#good");
  });

  it.each<[what: string, file: string, text: () => string, problems: string[]]>([
    ["one line", "x.ts", () => `x = [${"1,".repeat(450_000)}];`, ["minified"]],
    ["short lines", "x.ts", () => "f(a, b);\n".repeat(100_000), []],
    ["one string", "x.py", () => `x = """${"a\n".repeat(450_000)}"""\n`, []],
    ["comments", "x.ts", () => "// a comment\n".repeat(70_000), []],
    ["blank lines", "x.py", () => "\n".repeat(900_000), []],
    ["prose", "x.md", () => "# A heading\n\nText.\n\n".repeat(45_000), []],
  ])("[G5] 900 KB of %s are no harm", async (_what, file, text, expected) => {
    const [memory, root] = await memoryWith({ [file]: text(), "other.ts": good("other.ts") });

    const { problems } = await indexInTime(memory);

    expect(problems.map(({ problem }) => problem)).toEqual(expected);
    await expectAnswers(memory, root, "other.ts#good");
  });

  it("[G5] 10,000 functions in one file are no harm, and are all there", async () => {
    const [memory, root] = await memoryWith({
      "many.ts": Array.from({ length: 10_000 }, (_, n) => `export function f${n}() {}\n`).join(""),
      "user.ts": 'import { f9999 } from "./many.js";\nf9999();\n',
    });

    const { symbols } = await indexInTime(memory);

    expect(symbols).toBe(10_000);
    await expectAnswers(memory, root, "many.ts#f9999");
  });

  it("[G5] what is no text is named: binary, other encodings, bytes that are no UTF-8", async () => {
    const [memory, root] = await memoryWith({ "other.ts": good("other.ts") });
    writeFileSync(join(root, "binary.ts"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]));
    writeFileSync(join(root, "latin.py"), Buffer.from("naïve = 1\n", "latin1"));
    writeFileSync(join(root, "utf16.ts"), Buffer.from("\uFEFFexport const a = 1;", "utf16le"));
    writeFileSync(join(root, "broken.js"), Buffer.from([0x61, 0xc3, 0x28, 0xa0, 0xa1]));

    const { problems } = await indexInTime(memory);

    expect(problems).toEqual([
      { path: "binary.ts", problem: "binary" },
      { path: "broken.js", problem: "not UTF-8" },
      { path: "latin.py", problem: "not UTF-8" },
      { path: "utf16.ts", problem: "not UTF-8" },
    ]);
    await expectAnswers(memory, root, "other.ts#good");
  });

  it("[G5] an empty file, one with only a mark or blanks, and line ends of Windows are files as others", async () => {
    const [memory] = await memoryWith({
      "empty.ts": "",
      "empty.py": "",
      "mark.ts": "\uFEFF",
      "blank.py": " \n\t\n",
      "crlf.ts": "\uFEFFexport function one() {\r\n  two();\r\n}\r\nexport function two() {}\r\n",
      "crlf.py": "def one():\r\n    two()\r\n\r\ndef two():\r\n    pass\r\n",
    });

    const { files, problems } = await indexInTime(memory);

    const { nodes, edges } = await readGraph(memory);
    expect({ files, problems }).toEqual({ files: 6, problems: [] });
    expect(nodes.filter(({ id }) => id.endsWith("#two")).map(({ startLine }) => startLine)).toEqual([4, 4]);
    expect(edges.filter(({ kind }) => kind === "calls").map(({ to }) => to)).toEqual(["crlf.py#two", "crlf.ts#two"]);
  });

  it.each(["with git", "without"])("[G5] links, pipes and ignored files are not followed or read, %s", async (how) => {
    const outside = temporaryFolder();
    writeFiles(outside, { "secret.ts": good("x.ts") });
    const [memory, root] = await memoryWith({
      "src/other.ts": good("other.ts"),
      ".gitignore": "ignored/\n*.gen.ts\n",
      "ignored/a.ts": good("a.ts"),
      "src/a.gen.ts": good("a.ts"),
      "node_modules/x/index.js": good("x.js"),
    });
    if (how === "with git") git(root, "init", "--quiet");
    symlinkSync(root, join(root, "loop"));
    symlinkSync("..", join(root, "src", "up"));
    symlinkSync("self.ts", join(root, "self.ts"));
    symlinkSync(join(outside, "secret.ts"), join(root, "link.ts"));
    symlinkSync(outside, join(root, "away"));
    execFileSync("mkfifo", [join(root, "pipe.ts")]);

    await indexInTime(memory);

    const { nodes } = await readGraph(memory);
    expect(nodes.filter(({ kind }) => kind === "file").map(({ id }) => id)).toEqual([".gitignore", "src/other.ts"]);
  });

  it.each(["with git", "without"])("[G5] names that are hard to tell are told or named, %s", async (how) => {
    const long = `${"l".repeat(252)}.ts`;
    const names = ["new\nline.ts", "quo\"te's.ts", "back\\slash.ts", "per%cent $(x).py", "ünï.ts", "-flag.ts", long];
    const [memory, root] = await memoryWith(Object.fromEntries(names.map((name) => [name, good(name)])));
    writeFiles(root, { "a#b.ts": good("a.ts"), "c#/d.ts": good("d.ts"), "e.x#f.ts": good("f.ts") });
    if (how === "with git") git(root, "init", "--quiet");

    const { problems } = await indexInTime(memory);

    const known = new Set((await readGraph(memory)).nodes.map(({ id }) => id));
    const named = new Set(problems.map(({ path }) => path));
    for (const name of [...names, "a#b.ts", "c#/d.ts", "e.x#f.ts"]) {
      expect({ name, isThere: known.has(`${name}#good`) || named.has(name) }).toEqual({ name, isThere: true });
    }
    for (const name of names) await expectAnswers(memory, root, `${name}#good`);
  });

  it("[G5] names that every object has are names as others", async () => {
    const words = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype"];
    const text = words
      .map(
        (word) => `export function ${word}() { return 1; }\nexport class C_${word} { ${word}() { return ${word}(); } }`,
      )
      .join("\n");
    const [memory, root] = await memoryWith({
      "__proto__.ts": text,
      "constructor/index.ts":
        'import { __proto__, constructor, toString } from "../__proto__.js";\n__proto__(); constructor(); toString();\n',
      "user.js":
        'import * as all from "./__proto__.js";\nall.valueOf(); all["hasOwnProperty"](); const o = { __proto__: null, constructor: 1 }; o.constructor();\n',
      "__proto__.py": "def __proto__():\n    return constructor()\n\ndef constructor():\n    pass\n",
      "package.json":
        '{ "name": "__proto__", "exports": { "__proto__": "./__proto__.ts", ".": { "constructor": 1 } } }',
      "tsconfig.json": '{ "compilerOptions": { "paths": { "__proto__": ["constructor"], "constructor/*": null } } }',
    });

    const { problems } = await indexInTime(memory);

    expect(problems).toEqual([]);
    for (const word of words) await expectAnswers(memory, root, `__proto__.ts#${word}`);
    const { dependents } = await memory.impact("__proto__.ts#__proto__");
    expect(dependents.map(({ node }) => node.id)).toContain("constructor/index.ts");
  });

  it("[G5] halves of characters and zeros in names are kept as what can be read back", async () => {
    // What the text does not hold as it is could be a secret, and would be left out: so it holds the whole characters.
    const comment = "// 😀 😀x";
    const odd = String.raw`"\ud83d"() {} "\ude00x"() {} "\\ud83d"() {} plain() {}`;
    const [memory, root] = await memoryWith({
      "odd.ts": `${comment}\nexport class A { ${odd} }\nexport const o = { "\\ud83d": () => 1 };\n`,
      "zero.ts": String.raw`export class Z { "a\0b"() {} }`,
      "user.ts": `${comment}\nimport { A } from "./odd.js";\nnew A()["\\ud83d"]();\nnew A()["\\ude00x"].b();\n`,
      "odd.py": '# 😀\nclass A:\n    x = {"\\ud83d": 1, "\\0": 2}\nA.x["\\ud83d"]()\n',
    });

    await indexInTime(memory);

    const { nodes } = await readGraph(memory);
    const names = nodes.filter(({ id }) => /^(?:odd|zero)\.ts#[AZ]\./.test(id)).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set([String.raw`\ud83d`, "a\uFFFDb", "\uFFFD", "\uFFFDx", "plain"]));
    await expectAnswers(memory, root, "odd.ts#A");
    const { dependents } = await memory.impact("odd.ts#A.\uFFFD");
    expect(dependents.map(({ node }) => node.id)).toContain("user.ts");
    expect((await memory.recallCode("plain A odd")).hits.length).toBeGreaterThan(0);
    rmSync(join(root, "odd.ts"));
    expect(await memory.index()).toMatchObject({ files: 3, removed: 1 });
    expect((await readGraph(memory)).nodes.some(({ id }) => id.startsWith("odd.ts"))).toBe(false);
  });

  it("[G5] what is known by its name alone counts as changed once when it has changed", async () => {
    // More than an answer brings up to date by itself: then it says how many have changed.
    const pictures = Array.from({ length: 70 }, (_, n) => `${n}.png`);
    const [memory, root] = await memoryWith({ "other.ts": good("other.ts") });
    writeFiles(root, Object.fromEntries(pictures.map((path) => [path, "a"])));
    await memory.index();
    writeFiles(root, Object.fromEntries(pictures.map((path) => [path, "more"])));

    await memory.index();

    const { notes } = await memory.impact("other.ts#good");
    expect(notes).toEqual([]);
  });

  it("[G5] a file that may not be read is named, until it may be read", ({ skip }) => {
    const heeding = heedModes();
    const under = "under" in heeding ? heeding.under : skip(heeding.reason);
    const root = temporaryFolder();
    const db = join(temporaryFolder(), "memory.db");
    const tacit = (...args: string[]): unknown => {
      const line = [process.execPath, fileURLToPath(built("cli/main.js")), ...args, "--json", "--db", db];
      return JSON.parse(execFileSync("bash", ["-c", under, "bash", ...line], { cwd: root, encoding: "utf8" }));
    };
    writeFiles(root, { "closed.ts": good("closed.ts"), "other.ts": good("other.ts") });
    mkdirSync(join(root, "folder"));
    chmodSync(join(root, "closed.ts"), 0);
    chmodSync(join(root, "folder"), 0);

    const first = tacit("index");
    const again = tacit("index");
    const other = tacit("impact", "other.ts#good");
    chmodSync(join(root, "folder"), 0o755);
    // Neither its size nor its time changes by that.
    chmodSync(join(root, "closed.ts"), 0o644);
    const opened = tacit("impact", "closed.ts#good");

    const problems = expect.arrayContaining([{ path: "closed.ts", problem: "cannot be read" }]) as unknown;
    expect(first).toMatchObject({ problems });
    expect(again).toMatchObject({ changed: 0, removed: 0, problems });
    expect(other).toMatchObject({ target: [{ id: "other.ts#good" }] });
    expect(opened).toMatchObject({ target: [{ id: "closed.ts#good" }] });
  });
});

/** One function that another file can be asked about. */
function good(file: string): string {
  return file.endsWith(".py") ? "def good():\n    pass\n" : "export function good() {}\n";
}

async function memoryWith(files: Record<string, string>): Promise<[memory: TacitMemory, root: string]> {
  const root = temporaryFolder();
  writeFiles(root, files);
  return [await openTestMemory({ directory: root }), root];
}

/** Indexes twice: what did not stop the first must not be read again, nor stop the second. */
async function indexInTime(memory: TacitMemory): Promise<IndexReport> {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  const report = await memory.index();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(patienceMs);
  expect(performance.now() - begun).toBeLessThan(longestMs);
  const again = await memory.index();
  expect(again).toMatchObject({ changed: 0, removed: 0, problems: report.problems });
  return report;
}

async function expectAnswers(memory: TacitMemory, root: string, target: string): Promise<void> {
  const { target: found } = await memory.impact(target);
  expect(found.map(({ id }) => id)).toEqual([target]);
  expect((await memory.code.state())?.root).toContain(root.slice(-10));
}
