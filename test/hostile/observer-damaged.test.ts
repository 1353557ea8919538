// Transcripts as they are after crashes, of other versions, and of nobody knows what: read as far as they go.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { agentSession, type AgentSession } from "../../bench/agent-session.mjs";
import { openMemory, type TacitMemory } from "../../src/index.js";
import { built } from "../support/child-process.js";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { runProgram } from "../torture/programs.js";
import { isFull, report as tell } from "../torture/scale.js";

const megabyte = 1024 * 1024;

const damages: [name: string, damage: (lines: string[]) => (string | Buffer)[], skipped: string[]][] = [
  ["a last line that was cut", (lines) => [...lines.slice(0, -1), lines.at(-1)?.slice(0, 60) ?? ""], ["cut off"]],
  ["a line in the middle that was cut", (lines) => within(lines, '{"type":"assistant","mess\n'), ["not JSON"]],
  ["binary data", (lines) => within(lines, Buffer.from([0x7b, 0xff, 0xfe, 0, 1, 2, 0x0a])), ["not UTF-8"]],
  [
    "an unknown kind of entry",
    (lines) => within(lines, '{"type":"hologram","x":1}\n'),
    ['of the unknown type "hologram"'],
  ],
  ["entries of the wrong type", (lines) => within(lines, '42\n"a"\n[]\nnull\n{"type":7}\n'), ["without a type"]],
  [
    "a line of 20 MB",
    (lines) => within(lines, `{"type":"user","x":"${"x".repeat(20 * megabyte)}"}\n`),
    ["longer than 8 MB"],
  ],
  ["fields of wrong types", (lines) => within(lines, wrongFields), []],
  ["empty lines", (lines) => within(lines, "\n\n  \n\r\n"), []],
];

it.each(damages)(
  "[O9] reads past %s, learns from the rest and says what it skipped",
  async (_name, damage, reasons) => {
    const { memory, root } = await openProject();
    const lines = telling("s1", root).lines();

    const { sessions, transcript } = await memory.replay(streamOf(damage(lines)));

    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["s1"]);
    expect(sessions[0]?.learned.map(({ content }) => content)).toEqual([expect.stringContaining("`retryLimit`")]);
    const told = new Set(transcript.skipped.map(({ reason }) => reason));
    expect(reasons.filter((reason) => !told.has(reason))).toEqual([]);
    expect(transcript.skipped.every(({ count, firstLine }) => count > 0 && firstLine > 0)).toBe(true);
  },
);

it.each([
  ["nothing", []],
  ["empty lines only", ["\n\n\n"]],
  ["a picture", [Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(5 * megabyte, 0x80)]],
  ["another program's log", ["2026-11-01 started\n2026-11-01 ended\n"]],
  ["a line without an end", ["x".repeat(30 * megabyte)]],
])("[O9] learns nothing from %s, and does not mind", async (_name, pieces) => {
  const { memory } = await openProject();

  const { sessions, transcript } = await memory.replay(streamOf(pieces));

  expect(sessions).toEqual([]);
  expect(transcript.events).toBe(0);
  expect(await memory.list({ status: "any" })).toEqual([]);
});

it("[O9] tells several sessions in one file apart, each with its own damage", async () => {
  const { memory, root } = await openProject();
  const ids = Array.from({ length: 30 }, (_, n) => `s${n}`);
  const all = ids.map((id) => telling(id, root).lines());
  // Line by line in turn, as no program writes it.
  const mixed = Array.from({ length: 20 }, (_, n) => all.flatMap((lines) => lines[n] ?? [])).flat();
  const damaged = mixed.map((line, n) => (n % 50 === 49 ? line.slice(0, -20) : line));

  const { sessions, transcript } = await memory.replay(streamOf(damaged));

  expect(new Set(sessions.map(({ sessionId }) => sessionId))).toEqual(new Set(ids));
  expect(transcript.skipped).toEqual([
    expect.objectContaining({ reason: "not JSON", count: Math.floor(mixed.length / 50) }),
  ]);
  expect(await memory.sessions({ limit: 100 })).toHaveLength(ids.length);
});

it("[O9] keeps what it read when the source breaks off", async () => {
  const { memory, root } = await openProject();
  const broken = async function* broken() {
    yield Buffer.from(telling("s1", root).lines().join("\n"));
    await Promise.resolve();
    throw new Error("the disk is gone");
  };

  const { sessions, transcript } = await memory.replay(broken());

  expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["s1"]);
  expect(transcript.skipped.map(({ reason }) => reason)).toContain("could not be read any further");
});

it("[O9] says at the command line which lines it skipped, and that is no failure", async () => {
  const root = projectFolder();
  const file = join(temporaryFolder(), "damaged.jsonl");
  const lines = telling("s1", root).lines();
  writeFileSync(file, within(lines, '{"cut\n{"type":"hologram"}\n').join(""));
  const db = join(temporaryFolder(), "memory.db");

  const { code, stdout } = await tacit(root, "replay", file, "--db", db);
  const again = await tacit(root, "replay", file, "--db", db, "--json");
  const none = await tacit(root, "replay", join(root, "missing.jsonl"), "--db", db);

  expect(code).toBe(0);
  expect(stdout).toContain("retryLimit");
  expect(stdout).toMatch(/damaged\.jsonl:\d+: 1 line skipped: not JSON\./);
  expect(stdout).toMatch(/1 line skipped: of the unknown type "hologram"\./);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ files: [{ sessions: [{ isRepeated: true }] }] });
  expect(none.code).not.toBe(0);
});

it("[O9] reads a transcript of any length in flat memory", async () => {
  const bytes = (isFull ? 200 : 30) * megabyte;

  const [said] = await runProgram("replaying-program.mjs", { bytes, directory: projectFolder() });

  const growth = Number(said?.["growth"]);
  tell(`replayed ${Math.round(bytes / megabyte)} MB: ${Math.round(growth / megabyte)} MB of memory more`);
  expect(said).toMatchObject({ skipped: [] });
  expect(Number(said?.["bytes"])).toBeGreaterThanOrEqual(bytes);
  // What the long session did is held until it ends, in a scratchpad of 24 MB; looking at it takes as much again, and the
  // collector its time. Measured 130 MB after 30 MB and 197 MB after 200 MB (2026-11).
  expect(growth / megabyte).toBeLessThan(isFull ? 300 : 220);
});

/** A session that leads to one memory. */
function telling(id: string, root: string): AgentSession {
  return agentSession({ id, root, at: Date.now() - 86_400_000 })
    .reads("src/a.ts")
    .says("I was wrong about `retryLimit`. The `retryLimit` of src/a.ts is given in seconds.")
    .edits("src/a.ts", "one", "two")
    .runs("npm test", { text: "Tests  4 passed (4)" })
    .says("Done.");
}

function within(lines: string[], piece: string | Buffer): (string | Buffer)[] {
  return [`${lines.slice(0, 3).join("\n")}\n`, piece, `${lines.slice(3).join("\n")}\n`];
}

const wrongFields = [
  { type: "assistant", sessionId: "s1", message: null },
  { type: "assistant", sessionId: "s1", message: { content: { type: "tool_use" } } },
  {
    type: "assistant",
    sessionId: "s1",
    message: { content: [null, 7, "x", [], { type: "tool_use", id: 5, name: {}, input: "x" }] },
  },
  { type: "user", sessionId: "s1", message: { content: [{ type: "tool_result", tool_use_id: {}, content: 12 }] } },
  { type: "user", sessionId: "s1", timestamp: "the day before", cwd: 12, message: { content: 12 } },
  { type: "user", sessionId: "s1", timestamp: 1e300, isSidechain: "no", agentId: [], message: 7 },
]
  .map((entry) => `${JSON.stringify(entry)}\n`)
  .join("");

/** Lines get their ends; other pieces are whole. Cut where no line ends. */
async function* streamOf(pieces: readonly (string | Buffer)[]): AsyncGenerator<Uint8Array, void, undefined> {
  await Promise.resolve();
  for (const [index, piece] of pieces.entries()) {
    const isLine = typeof piece === "string" && !piece.endsWith("\n") && index < pieces.length - 1;
    const bytes = Buffer.from(isLine ? `${piece}\n` : piece);
    for (let at = 0; at < bytes.length; at += 65_537) yield bytes.subarray(at, at + 65_537);
  }
}

async function openProject(): Promise<{ memory: TacitMemory; root: string }> {
  const root = projectFolder();
  const memory = await openMemory({ db: ":memory:", directory: root, embedder: null });
  onTestFinished(() => memory.close());
  return { memory, root };
}

function projectFolder(): string {
  const root = gitRepository();
  commitFiles(root, { "src/a.ts": "export const retryLimit = 3;\n" });
  return root;
}

async function tacit(cwd: string, ...args: string[]): Promise<{ code: number | null; stdout: string }> {
  const main = fileURLToPath(built("cli/main.js"));
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (stdout += part));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, stdout };
}
