import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Which rooms each room may import. A new arrow is a line here, and a reviewed one. Rooms stand in the order of
 * docs/ARCHITECTURE.md: a room imports rooms above it, never below, so there can be no circle.
 */
const allowed: Record<string, readonly string[]> = {
  base: [],
  storage: ["base"],
  hygiene: ["base"],
  config: ["base"],
  memory: ["base", "storage", "hygiene", "config"],
  intake: ["base", "storage", "memory"],
  exchange: ["base", "storage", "hygiene", "memory", "intake"],
  "language-model": ["base", "storage", "hygiene", "config"],
  embedding: ["base", "storage", "config", "memory", "language-model"],
  codegraph: ["base", "storage", "hygiene", "embedding"],
  verification: ["base", "storage", "memory"],
  retrieval: ["base", "storage", "hygiene", "config", "memory", "language-model", "embedding"],
  observer: ["base", "storage", "hygiene", "config", "memory", "language-model"],
  conversation: ["base", "storage", "hygiene", "config", "memory", "language-model", "observer"],
  methodology: ["base", "hygiene", "memory"],
  injection: ["base", "storage", "hygiene", "config", "memory", "retrieval", "observer", "methodology"],
  install: ["base"],
  // The composition root: the only place where rooms are put together.
  ".": [
    "base",
    "storage",
    "hygiene",
    "config",
    "memory",
    "exchange",
    "language-model",
    "embedding",
    "codegraph",
    "verification",
    "retrieval",
    "observer",
    "conversation",
    "methodology",
    "injection",
    "install",
  ],
  // Surfaces see the public API and nothing else.
  mcp: ["index.ts", "spoken.ts"],
  agents: ["index.ts", "observe-agents.ts", "hooks.ts", "spoken.ts", "mcp"],
  cli: ["index.ts", "observe.ts", "noted-sessions.ts", "inject-once.ts", "spoken.ts", "install", "agents", "mcp"],
};

const source = join(import.meta.dirname, "..", "..", "src");
const files = filesBelow(source).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));

describe("the rooms", () => {
  it("import only what is listed", () => {
    const arrows = files.flatMap((file) => importsOf(file).map((target) => ({ from: roomOf(file), to: target, file })));
    const forbidden = arrows
      .filter(({ from, to }) => from !== to && !(allowed[from] ?? []).includes(to))
      .map(({ file, to }) => `${relative(source, file)} imports ${to}`);

    expect(forbidden).toEqual([]);
  });

  it("are all listed, in an order in which each imports only earlier ones", () => {
    const rooms = readdirSync(source).filter((name) => statSync(join(source, name)).isDirectory());
    const order = Object.keys(allowed);

    expect(rooms.filter((room) => !order.includes(room))).toEqual([]);
    for (const [room, imports] of Object.entries(allowed)) {
      for (const other of imports.filter((name) => order.includes(name))) {
        expect(order.indexOf(other), `${room} imports ${other}`).toBeLessThan(order.indexOf(room));
      }
    }
  });

  it("list no arrow that nobody uses", () => {
    const used = new Set(files.flatMap((file) => importsOf(file).map((target) => `${roomOf(file)} → ${target}`)));
    const listed = Object.entries(allowed).flatMap(([room, imports]) => imports.map((other) => `${room} → ${other}`));

    expect(listed.filter((arrow) => !used.has(arrow))).toEqual([]);
  });

  it("each open with a file of their own name that says what they are for and what they refuse", () => {
    for (const room of Object.keys(allowed).filter((name) => name !== ".")) {
      const opening = readFileSync(join(source, room, `${room}.ts`), "utf8").slice(0, 700);

      expect(opening, room).toContain(`${room}: `);
      expect(opening, room).toMatch(/refuses/);
    }
  });

  it("hold files of at most 400 lines", () => {
    const long = files.filter((file) => readFileSync(file, "utf8").split("\n").length > 400);

    expect(long.map((file) => relative(source, file))).toEqual([]);
  });
});

function roomOf(file: string): string {
  const [first = "", second] = relative(source, file).split(/[\\/]/);
  return second === undefined ? "." : first;
}

/** The rooms a file imports; a file beside the rooms counts by its own name for surfaces, and not at all for itself. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path]) =>
    join(file, "..", path ?? ""),
  );
  return targets.map((target) => {
    const room = roomOf(target);
    return room === "." && roomOf(file) !== "." ? relative(source, target).replace(/\.js$/, ".ts") : room;
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]));
}
