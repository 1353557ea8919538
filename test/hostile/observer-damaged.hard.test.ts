// Transcripts as they are after crashes, of other versions, and of nobody knows what: read as far as they go.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { built } from "../support/child-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { runProgram } from "../torture/programs.js";
import { isFull, report as tell } from "../torture/scale.js";
import { megabyte, telling, within, streamOf, openProject, projectFolder } from "../support/damaged-transcript.js";

it("[O9] tells several sessions in one file apart, each with its own damage", async () => {
  const { memory, root } = await openProject();
  const ids = Array.from({ length: 30 }, (_, n) => `s${n}`);
  const all = ids.map((id) => telling(id, root).lines());
  // Line by line in turn, as no program writes it.
  const mixed = Array.from({ length: 20 }, (_, n) => all.flatMap((lines) => lines[n] ?? [])).flat();
  const damaged = mixed.map((line, n) => (n % 50 === 49 ? line.slice(0, -20) : line));

  const { sessions, transcript } = await memory.sessions.replay(streamOf(damaged));

  expect(new Set(sessions.map(({ sessionId }) => sessionId))).toEqual(new Set(ids));
  expect(transcript.skipped).toEqual([
    expect.objectContaining({ reason: "not JSON", count: Math.floor(mixed.length / 50) }),
  ]);
  expect(await memory.sessions.list({ limit: 100 })).toHaveLength(ids.length);
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
