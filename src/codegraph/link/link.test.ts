import { beforeAll, describe, expect, it } from "vitest";
import { openLinker, type Linker } from "../../../test/support/open-linker.js";
import { emptyFacts } from "../facts/facts.js";
import { isTestFile } from "../languages/is-test-file.js";
import { surfaceOf, winnerOf } from "./link.js";

let link: Linker;
beforeAll(async () => {
  link = await openLinker();
});

describe("calls", () => {
  it("lead to what a scope says, and to what an import says", () => {
    const { calls } = link({
      "a.ts": `import { open } from "./b.js"; function local() {} export function run() { local(); open(); missing(); }`,
      "b.ts": `export function open() {}`,
    });

    expect(calls("a.ts")).toEqual(["run -> a.ts#local scope", "run -> b.ts#open import"]);
  });

  it("follow what passes on: renamed, default, namespaces, stars, and circles of them", () => {
    const { calls } = link({
      "a.ts": `import go, { start as begin, tools } from "./index.js"; import * as all from "./index.js";
        go(); begin(); tools.mend(); all.start();`,
      "index.ts": `export * from "./b.js"; export * from "./index.js"; export { default } from "./b.js"; export * as tools from "./c.js";`,
      "b.ts": `export default function go() {} export { begin as start } from "./c.js";`,
      "c.ts": `export function begin() {} export const mend = () => {};`,
    });

    expect(calls("a.ts")).toEqual([" -> b.ts#go import", " -> c.ts#begin import", " -> c.ts#mend import"]);
  });

  it("of new, super, JSX, tags and decorators run the class or the function", () => {
    const { calls } = link({
      "a.tsx": `import { Base, sql, Row, logged } from "./b.js";
        class Store extends Base<string> { constructor() { super(); } @logged read() { return sql\`select\`; } }
        export function View() { new Store(); return <Row />; }`,
      "b.ts": `export class Base<T> {} export function sql() {} export function Row() {} export function logged() {}`,
    });

    expect(calls("a.tsx")).toEqual([
      "Store -> b.ts#Base import",
      "Store.read -> b.ts#logged import",
      "Store.read -> b.ts#sql import",
      "View -> a.tsx#Store scope",
      "View -> b.ts#Row import",
    ]);
  });

  it("on something lead to a member of its type, inherited ones too", () => {
    const { calls } = link({
      "a.ts": `import { open, type Store } from "./store.js";
        export class Service {
          private readonly own = open();
          constructor(private store: Store, readonly all: Store[], readonly byName: Map<string, Store>) {}
          run() { this.own.read(); this.store.close(); this.help(); }
          each() { for (const one of this.all) one.read(); this.all.map((one) => one.close()); }
          named() { this.byName.get("a")!.read(); }
          help() {}
        }
        export async function later() { const { store } = await load(); store.read(); }
        async function load() { return { store: open() }; }`,
      "store.ts": `class Closable { close() {} } export class Store extends Closable { read() {} } export const open = () => new Store();`,
    });

    expect(calls("a.ts")).toEqual([
      "Service -> store.ts#open import",
      "Service.each -> store.ts#Closable.close receiver",
      "Service.each -> store.ts#Store.read receiver",
      "Service.named -> store.ts#Store.read receiver",
      "Service.run -> a.ts#Service.help receiver",
      "Service.run -> store.ts#Closable.close receiver",
      "Service.run -> store.ts#Store.read receiver",
      "later -> a.ts#load scope",
      "later -> store.ts#Store.read receiver",
      "load -> store.ts#open import",
    ]);
  });

  it("know what type arguments, constraints and `this` stand for", () => {
    const { calls } = link({
      "a.ts": `
        class Item { use() {} }
        class Box<T> { value!: T; get(): T { return this.value; } self(): this { return this; } }
        class ItemBox extends Box<Item> { mark() { return this; } open() {} }
        export function one(box: Box<Item>) { box.get().use(); }
        export function two(box: ItemBox) { box.value.use(); box.self().open(); box.mark().open(); }
        export function three<T extends Item>(item: T) { item.use(); }
        export function make<T>(): T { return undefined as T; }
        export function four() { make<Item>().use(); new Box<Item>().get().use(); }`,
    });

    expect(calls("a.ts").filter((edge) => edge.includes("use") || edge.includes("open"))).toEqual([
      "four -> a.ts#Item.use receiver",
      "one -> a.ts#Item.use receiver",
      "three -> a.ts#Item.use receiver",
      "two -> a.ts#Item.use receiver",
      "two -> a.ts#ItemBox.open receiver",
    ]);
  });

  it("go by what a test says of a name", () => {
    const { calls } = link({
      "a.ts": `
        class Circle { roll() {} } class Square { tilt() {} }
        function isSquare(it: unknown): it is Square { return it instanceof Square; }
        export function move(it: unknown, other: unknown) {
          if (it instanceof Circle) it.roll(); else if (isSquare(it)) it.tilt();
          if (!(other instanceof Circle)) return;
          other.roll();
        }`,
    });

    expect(calls("a.ts").filter((edge) => edge.startsWith("move"))).toEqual([
      "move -> a.ts#Circle.roll receiver",
      "move -> a.ts#Square.tilt receiver",
      "move -> a.ts#isSquare scope",
    ]);
  });

  it("see what a callback is handed, even where it is called like who calls it", () => {
    const { calls } = link({
      "a.ts": `import { transaction, define } from "./b.js";
        transaction((transaction) => transaction.commit());
        define({ name: "a", run(context) { context.commit(); } });`,
      "b.ts": `export class Transaction { commit() {} }
        export function transaction(body: (transaction: Transaction) => void) {}
        interface Command { name: string; run(context: Transaction): void }
        export function define(command: Command) {}`,
    });

    expect(calls("a.ts")).toContain(" -> b.ts#Transaction.commit receiver");
    expect(calls("a.ts")).toContain("run -> b.ts#Transaction.commit receiver");
  });

  it("find what was hung on a function, added by a namespace, or made where it stands", () => {
    const { calls } = link({
      "a.tsx": `import { Menu, sql, counter, Old } from "./b.js";
        export const view = () => { sql.raw(); counter.next(); new Old().read(); return <Menu.Item />; };`,
      "b.tsx": `function Item() {} export function Menu() {} Menu.Item = Item;
        export function sql() {} export namespace sql { export function raw() {} }
        export const counter = (() => { const next = () => {}; return { next }; })();
        export function Old() {} Old.prototype.read = function () {};`,
    });

    expect(calls("a.tsx")).toEqual([
      "view -> b.tsx#Item receiver",
      "view -> b.tsx#Old import",
      "view -> b.tsx#Old.read receiver",
      "view -> b.tsx#counter.next receiver",
      "view -> b.tsx#sql~2.raw receiver",
    ]);
  });

  it("see what CommonJS assigned to a whole module: it is called, made, inherited from and taken apart", () => {
    const { calls, edges } = link({
      "a.js": `const Store = require("./store"); const { open } = require("./store"); const go = require("./again");
        class Cache extends Store { constructor() { super(); } warm() { this.read(); } }
        new Store().read(); Store.open(); open(); Store.help(); go().stop(); require("./go")();
        function check(it) { if (it instanceof Store) it.read(); }`,
      "b.mjs": `import * as go from "./go.js"; import Store from "./store.js"; go(); new Store().read();`,
      "store.js": `class Store { read() {} static open() {} } module.exports = Store; module.exports.help = function () {};`,
      "go.js": `module.exports = function go() { return { stop() {} }; };`,
      "again.js": `module.exports = require("./go");`,
    });

    expect(calls("a.js")).toEqual([
      " -> go.js#go receiver",
      " -> go.js#go.stop receiver",
      " -> store.js#Store receiver",
      " -> store.js#Store.open receiver",
      " -> store.js#Store.read receiver",
      " -> store.js#help receiver",
      "Cache -> store.js#Store receiver",
      "Cache.warm -> store.js#Store.read receiver",
      "check -> store.js#Store.read receiver",
    ]);
    expect(edges("a.js")).toContain("Cache -> store.js#Store extends");
    expect(calls("b.mjs")).toEqual([
      " -> go.js#go receiver",
      " -> store.js#Store import",
      " -> store.js#Store.read receiver",
    ]);
  });

  it("see what `export =` gives as a value and as a type, with the namespace beside it", () => {
    const { calls, edges } = link({
      "a.ts": `import Store = require("./store.js");
        export function run(store: Store, row: Store.Row, part: Store.Part) { store.read(); part.mend(); new Store(); }
        class Cache extends Store implements Store.Row {}`,
      "store.ts": `class Store { read() {} } namespace Store { export interface Row {} export class Part { mend() {} } } export = Store;`,
    });

    expect(calls("a.ts")).toEqual([
      "run -> store.ts#Store receiver",
      "run -> store.ts#Store.read receiver",
      "run -> store.ts#Store~2.Part.mend receiver",
    ]);
    expect(edges("a.ts")).toEqual(
      expect.arrayContaining(["Cache -> store.ts#Store extends", "Cache -> store.ts#Store~2.Row implements"]),
    );
  });

  it("prefer what a module exports by name, also where it is written into an object", () => {
    const { calls } = link({
      "a.ts": `import * as tools from "./b.js"; const all = { ...tools }; tools.mend(); all.cut();`,
      "b.ts": `export function mend() {} export function cut() {} export default { mend() {}, cut() {} };`,
    });

    expect(calls("a.ts")).toEqual([" -> b.ts#cut receiver", " -> b.ts#mend import"]);
  });

  it("end where modules assign each other", () => {
    const { linked } = link({
      "a.js": `const b = require("./b"); b(); b.read(); new b(); module.exports = b;`,
      "b.js": `module.exports = require("./a");`,
    });

    expect(linked("a.js").misses.map(({ name, sites }) => `${name} ${sites}`)).toEqual(["b 2", "read 1"]);
  });

  it("of a function that has itself in it are kept, other edges to itself are not", () => {
    const { edges } = link({ "a.ts": `export function walk(next = walk): typeof walk { return walk(next); }` });

    expect(edges("a.ts").filter((edge) => edge.startsWith("walk"))).toEqual(["walk -> a.ts#walk calls"]);
  });

  it("of an interface's member mention it, since it has no body", () => {
    const { edges } = link({
      "a.ts": `import type { Reader } from "./b.js"; export function run(reader: Reader) { reader.read(); }`,
      "b.ts": `export interface Reader { read(): void }`,
    });

    expect(edges("a.ts")).toContain("run -> b.ts#Reader.read references");
    expect(edges("a.ts").filter((edge) => edge.endsWith("calls"))).toEqual([]);
  });

  it("end where a type is made of itself", () => {
    const { calls } = link({
      "a.ts": `type A = B; type B = A; type Tree = { up: Tree }; class C extends D {} class D extends C {}
        const first = second(); function second() { return first; }
        export function run(a: A, tree: Tree, c: C) { a.x(); tree.up.up.up.y(); c.z(); first.w(); }`,
    });

    expect(calls("a.ts")).toEqual([" -> a.ts#second scope"]);
  });
});

describe("other edges", () => {
  it("say what holds, exports, extends, implements and mentions what", () => {
    const { edges } = link({
      "a.ts": `import { Base, type Named, limit } from "./b.js";
        export class Store extends Base implements Named { name = "a"; most() { return limit; } }
        export { limit as most } from "./b.js";`,
      "b.ts": `export class Base {} export interface Named { name: string } export const limit = 1;`,
    });

    expect(edges("a.ts")).toEqual([
      " -> a.ts#Store contains",
      " -> a.ts#Store exports",
      " -> b.ts imports",
      " -> b.ts#limit exports",
      "Store -> a.ts#Store.most contains",
      "Store -> a.ts#Store.name contains",
      "Store -> b.ts#Base extends",
      "Store -> b.ts#Base references",
      "Store -> b.ts#Named implements",
      "Store -> b.ts#Named references",
      "Store.most -> b.ts#limit references",
    ]);
  });

  it("lead through a barrel to the first module that has the name, and depend on none after it", () => {
    const { linked, edges } = link({
      "a.ts": `import { second } from "./index.js"; second();`,
      "index.ts": `export * from "./b.js"; export * from "./inner.js"; export * from "./d.js";`,
      "inner.ts": `export * from "./index.js"; export * from "./c.js"; export function first() {}`,
      "b.ts": `export type second = string; export { third } from "./gone.js"; export default function b() {}`,
      "c.ts": `export function second() {} export function first() {}`,
      "d.ts": `export function second() {} export function third() {}`,
    });

    expect(edges("a.ts")).toContain(" -> c.ts#second calls");
    expect(linked("a.ts").dependencies).not.toContain("file:d.ts");
    expect(edges("index.ts").filter((edge) => edge.endsWith("exports"))).toEqual([
      " -> b.ts#second exports",
      " -> c.ts#second exports",
      " -> d.ts#third exports",
      " -> inner.ts#first exports",
    ]);
  });

  it.each([
    ["export *", (next: string) => `export * from "./${next}.js";`],
    ["named exports", (next: string) => `export { run } from "./${next}.js";`],
  ])("end in a chain of %s that goes on for ever", (_, pass) => {
    const chain = (length: number) => ({
      ...Object.fromEntries(Array.from({ length }, (__, i) => [`a${i}.ts`, pass(`a${i + 1}`)])),
      [`a${length}.ts`]: `export function run() {}`,
      "use.ts": `import { run } from "./a0.js"; run();`,
    });

    expect(link(chain(100)).calls("use.ts")).toEqual([" -> a100.ts#run import"]);
    expect(link(chain(5000)).calls("use.ts")).toEqual([]);
    expect(link(chain(5000)).edges("a0.ts")).toEqual([" -> a1.ts imports"]);
  });

  it("lead from a test file to what it tests", () => {
    const { edges } = link({
      "a.test.ts": `import "./a.js"; import "./help.test.js";`,
      "a.ts": "",
      "help.test.ts": "",
    });

    expect(edges("a.test.ts").filter((edge) => edge.endsWith("tests"))).toEqual([" -> a.ts tests"]);
  });

  it("know test files by their names", () => {
    expect(
      ["a.test.ts", "a.spec.tsx", "src/__tests__/a.ts", "tests/a.ts", "pkg/test_a.py", "a_test.py"].every(isTestFile),
    ).toBe(true);
    expect(["src/testing.ts", "src/contest.ts", "src/latest/a.ts"].some(isTestFile)).toBe(false);
  });
});

describe("misses", () => {
  it("are calls of the tree that lead nowhere, not those of packages, globals and strings", () => {
    const { linked } = link({
      "a.ts": `import { render } from "react"; import { lost } from "./b.js"; import "./gone.js";
        export function run(unknown, text: string) { render(); fetch("a"); text.split(","); lost(); unknown.read(); unknown.read(); }`,
      "b.ts": "",
    });

    expect(linked("a.ts").misses).toEqual([
      { from: "", name: "./gone.js", kind: "import", sites: 1 },
      { from: "run", name: "lost", kind: "call", sites: 1 },
      { from: "run", name: "read", kind: "call", sites: 2 },
    ]);
  });

  it("are calls on what is said to be anything", () => {
    const { linked } = link({
      "a.ts": `export function run(a: Function, b: {}, c: any, d: string) { a(); b.read(); c.write(); d.trim(); }`,
    });

    expect(linked("a.ts").misses.map(({ name }) => name)).toEqual(["a", "read", "write"]);
  });
});

describe("votes", () => {
  const typed = (name: string, count: number, type = "Context") =>
    Array.from({ length: count }, (_, i) => `export function ${name}${i}(ctx: ${type}) {}`).join("\n");
  const files = (others: string) => ({
    "a.ts": `export const run = (ctx) => ctx.send();`,
    "b.ts": `export class Context { send() {} } ${typed("b", 3)} ${others}`,
  });

  it("decide what a parameter without a type is", () => {
    expect(link(files("")).calls("a.ts")).toEqual(["run -> b.ts#Context.send vote"]);
  });

  it("do not when other types are as common", () => {
    expect(link(files(typed("c", 2, "string"))).calls("a.ts")).toEqual([]);
  });

  it("need three for a class, and seven of ten", () => {
    const of = (shape: string, votes: number) => ({ parameter: "a", shape, votes });

    expect(winnerOf([of("a.ts#A", 2)])).toBeUndefined();
    expect(winnerOf([of("a.ts#A", 3), of("a.ts#A", 4), of("", 3)])).toBe("a.ts#A");
    expect(winnerOf([of("a.ts#A", 6), of("b.ts#B", 4)])).toBeUndefined();
    expect(winnerOf([of("", 9)])).toBeUndefined();
  });
});

describe("the surface of a file", () => {
  const surface = (source: string) => surfaceOf(link({ "a.ts": source }).facts.get("a.ts") ?? emptyFacts);
  const base = `import { b } from "./b.js"; export function run(a: string): number { return b(a); } const local = 1;`;

  it("stays the same when bodies and lines change", () => {
    expect(
      surface(`\n\n// Runs.\n${base.replace("return b(a);", "if (a) { const c = b(a); return c; } return b(a);")}`),
    ).toBe(surface(base));
  });

  it("changes with what is returned where nothing is stated, however deep that is said", () => {
    const inferred = `class A {} class B {} export function make() { const inner = () => new A(); { return inner(); } }`;

    expect(surface(inferred.replace("new A", "new B"))).not.toBe(surface(inferred));
  });

  it.each([
    ["a type", base.replace("a: string", "a: Store")],
    ["what is returned", base.replace(": number", "")],
    ["a name", base.replace("run", "start")],
    ["where something comes from", base.replace("./b.js", "./c.js")],
    ["what is exported", base.replace("export ", "")],
    ["what a member is", base.replace("local = 1", "local = { a: 1 }")],
  ])("changes with %s", (_, changed) => {
    expect(surface(changed)).not.toBe(surface(base));
  });
});
