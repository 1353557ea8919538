import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { doors, orderInside, rooms } from "../support/house-rules.js";
import { readHouse, type House } from "../support/read-house.js";

const source = join(import.meta.dirname, "..", "..", "src");
const house = readHouse(source);

// memory and codegraph are what most others stand on.
const maxDoors = (room: string): number => (room === "memory" || room === "codegraph" ? 15 : 12);
const maxLines = 400;
const maxFunctionLines = 120;

describe("src", () => {
  it("holds rooms and the entry files of the package's exports, nothing else", () => {
    expect(house.looseFiles).toEqual(["index.ts", "observe.ts"]);
    expect(house.rooms).toEqual(Object.keys(rooms).toSorted());
  });

  it("has rooms that import only what is listed, each only earlier ones", () => {
    expect(forbiddenArrows(house)).toEqual([]);
    const order = Object.keys(rooms);
    for (const [room, imports] of Object.entries(rooms)) {
      for (const other of imports.filter((name) => order.includes(name))) {
        expect(order.indexOf(other), `${room} imports ${other}`).toBeLessThan(order.indexOf(room));
      }
    }
  });

  it("lists no arrow that nobody uses", () => {
    const used = new Set(house.imports.map(({ from, to }) => `${roomOf(from)} → ${targetOf(to)}`));
    const listed = Object.entries(rooms).flatMap(([room, imports]) => imports.map((other) => `${room} → ${other}`));

    expect(listed.filter((arrow) => !used.has(arrow))).toEqual([]);
  });

  it("has rooms that open with a file of their own name, which says what they are for and what they refuse", () => {
    for (const room of Object.keys(rooms)) {
      const opening = house.textOf(`${room}/${room}.ts`).slice(0, 900);

      expect(opening, room).toContain(`${room}: `);
      expect(opening, room).toMatch(/refuses/);
    }
  });

  it("has rooms that are entered by listed doors, at most 12 of them, and 15 of memory and codegraph", () => {
    const entered = enteredFiles(house);

    expect(entered).toEqual(doors);
    for (const [room, files] of Object.entries(entered)) expect(files.length, room).toBeLessThanOrEqual(maxDoors(room));
  });

  it("has sub-rooms that import only earlier ones of their room", () => {
    const inside = subRoomsOf(house);

    expect(Object.fromEntries(Object.entries(orderInside).map(([room, parts]) => [room, parts.toSorted()]))).toEqual(
      inside,
    );
    expect(backwardImports(house)).toEqual([]);
  });

  it("has files of at most 400 lines", () => {
    expect(house.files.filter((file) => house.textOf(file).split("\n").length > maxLines)).toEqual([]);
  });

  it("has functions of at most 120 lines", () => {
    expect(house.listFunctionsOver(maxFunctionLines)).toEqual([]);
  });
});

describe("docs/ARCHITECTURE.md", () => {
  const page = readFileSync(join(source, "..", "docs", "ARCHITECTURE.md"), "utf8");

  it("has a table of the rooms that src holds, in their order", () => {
    const rows = [...page.matchAll(/^\| `([a-z-]+)\/`\s+\|/gm)].map(([, room]) => room);

    expect(rows).toEqual(Object.keys(rooms));
  });

  it("names no file that is not there", () => {
    const named = [...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = ""]) => file.replace(/^src\//, ""));
    const isThere = (file: string): boolean =>
      house.files.some((one) => one === file || one.endsWith(`/${file}`)) || existsSync(join(source, "..", file));

    expect(named.filter((file) => !isThere(file))).toEqual([]);
  });

  it("walks through files that are there, each once", () => {
    for (const [, walk = ""] of page.matchAll(/^```walk\n([^]*?)^```$/gm)) {
      const files = [...walk.matchAll(/^\s*([\w/-]+\.ts)/gm)].map(([, file = ""]) => file);

      expect(files.length).toBeGreaterThan(5);
      expect(files.filter((file) => !house.files.includes(file))).toEqual([]);
      expect(new Set(files).size).toBe(files.length);
    }
  });
});

describe("this test", () => {
  let folder = "";
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("fails for a file that is put into src", () => {
    const broken = houseWith({ "helpers.ts": "export const one = 1;\n" });

    expect(broken.looseFiles).toEqual(["helpers.ts"]);
  });

  it("fails for a room that imports a later one", () => {
    const broken = houseWith({ "base/base.ts": 'import { Store } from "../storage/storage.js";\n' });

    expect(forbiddenArrows(broken)).toEqual(["base/base.ts imports storage"]);
  });

  it("fails for a sub-room that imports backwards, even a type, even lazily", () => {
    const [earlier = "", later = ""] = (orderInside["observer"] ?? []).filter((part) => !part.startsWith("("));
    const broken = houseWith({
      [`observer/${earlier}/a.ts`]: `import type { B } from "../${later}/b.js";\nconst load = () => import("../${later}/b.js");\n`,
    });

    expect(backwardImports(broken)).toEqual([
      `observer/${earlier}/a.ts imports ${later}`,
      `observer/${earlier}/a.ts imports ${later}`,
    ]);
  });

  it("fails for a room that is entered by a file that is not listed", () => {
    const broken = houseWith({ "storage/storage.ts": 'import { within } from "../base/secret-passage.js";\n' });

    expect(enteredFiles(broken)).toEqual({ base: ["base/secret-passage.ts"] });
  });

  it("fails for a function that passes 120 lines", () => {
    const body = Array.from({ length: 120 }, (_, n) => `  void ${n};`).join("\n");
    const broken = houseWith({ "base/long.ts": `export const long = () => {\n${body}\n};\n` });

    expect(broken.listFunctionsOver(maxFunctionLines)).toEqual(["base/long.ts long"]);
  });

  function houseWith(files: Record<string, string>): House {
    folder = mkdtempSync(join(tmpdir(), "tacit-house-"));
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    return readHouse(folder);
  }
});

function forbiddenArrows({ imports }: House): string[] {
  return imports
    .filter(({ from, to }) => roomOf(from) !== "." && roomOf(from) !== roomOf(to))
    .filter(({ from, to }) => !(rooms[roomOf(from)] ?? []).includes(targetOf(to)))
    .map(({ from, to }) => `${from} imports ${targetOf(to)}`);
}

/** For each room the files by which other rooms and the entry files enter it, sorted. */
function enteredFiles({ imports }: House): Record<string, string[]> {
  const entered: Record<string, Set<string>> = {};
  for (const { from, to } of imports) {
    if (roomOf(to) !== "." && roomOf(from) !== roomOf(to)) (entered[roomOf(to)] ??= new Set()).add(to);
  }
  return Object.fromEntries(
    Object.keys(entered)
      .toSorted()
      .map((room) => [room, [...(entered[room] ?? [])].toSorted()]),
  );
}

function subRoomsOf({ files }: House): Record<string, string[]> {
  const inside: Record<string, Set<string>> = {};
  for (const file of files) if (file.includes("/")) (inside[roomOf(file)] ??= new Set()).add(partOf(file));
  const divided = Object.entries(inside).filter(([, parts]) => [...parts].some((part) => !part.startsWith("(")));
  return Object.fromEntries(divided.map(([room, parts]) => [room, [...parts].toSorted()]));
}

function backwardImports({ imports }: House): string[] {
  return imports.flatMap(({ from, to }) => {
    const order = orderInside[roomOf(from)];
    if (!order || roomOf(from) !== roomOf(to) || partOf(from) === partOf(to)) return [];
    return order.indexOf(partOf(to)) < order.indexOf(partOf(from)) ? [] : [`${from} imports ${partOf(to)}`];
  });
}

function roomOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : ".";
}

/** What an arrow leads to: a room, or a file beside the rooms. */
function targetOf(file: string): string {
  return roomOf(file) === "." ? file : roomOf(file);
}

/** Where a file stands in its room: the file that opens it, the others beside that one, or a sub-room. */
function partOf(file: string): string {
  const [room = "", part = "", inner] = file.split("/");
  if (inner !== undefined) return part;
  return part === `${room}.ts` ? "(opening)" : "(top)";
}
