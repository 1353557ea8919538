import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentSession, type AgentSession } from "../../bench/agent-session.mjs";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { watchedProject, type WatchedProject } from "../../test/support/watched-project.js";
import type { TacitMemory } from "../index.js";
import { injectOnce } from "../hook/inject-once.js";
import { observeOnce, readEvents } from "../hook/observe-once.js";

const at = Date.now() - 3_600_000;

describe("what is said in sessions of an agent", () => {
  it("[T7] is kept and summed up when the session ends, also where no tool was used", async () => {
    const project = watchedProject();
    const session = talk(project.root).says("Hello.");
    await hears(project, session, "SessionEnd", { reason: "clear" });
    const memory = await project.open();

    await memory.finishSessions();

    expect(await sayings(memory)).toEqual(["We always use pnpm here.", "Hello."]);
    expect(await memory.conversation("s1").state()).toMatchObject({ unarchived: 0, markers: [{ first: 1, last: 2 }] });
    await memory.finishSessions();
    expect(await sayings(memory)).toHaveLength(2);
  });

  it("[T7] is archived when it is compacted, told where, and goes on afterwards", async () => {
    const project = watchedProject();
    const session = talk(project.root).runs("npm test", { text: "ok" }).says("All pass.").runs("git log", { text: "" });
    const { isFinishingDue } = await hears(project, session, "PreCompact", { trigger: "auto" });
    const memory = await project.open();
    await memory.finishSessions();
    const [marker] = (await memory.conversation("s1").state())?.markers ?? [];
    const moment = { point: "session-start", sessionId: "s1", continues: "compacted" } as const;
    const told = await injectOnce(moment, { db: project.db, directory: project.root });
    await hears(project, session.says("The log is empty."), "SessionEnd", { reason: "other" });

    await memory.finishSessions();

    expect(isFinishingDue).toBe(true);
    expect(marker).toMatchObject({ first: 1, last: 2 });
    expect(told.text).toContain(`| The conversation so far is archived as ${marker?.archiveName}; tacit show`);
    expect(await sayings(memory)).toEqual(["We always use pnpm here.", "All pass.", "The log is empty."]);
    expect((await memory.conversation("s1").state())?.markers).toMatchObject([{ last: 2 }, { first: 3, last: 3 }]);
  });

  it("is kept at once where the program itself hears of a compaction", async () => {
    const project = watchedProject();
    const memory = await project.open();
    const session = talk(project.root).says("Hello.");

    memory.observe({ sessionId: "s1", kind: "compacted", transcript: writes(session) });
    await memory.close();

    expect(await sayings(await project.open())).toEqual(["We always use pnpm here.", "Hello."]);
  });

  it("is not kept where the settings say so", async () => {
    const project = watchedProject({ "tacit.config.json": '{ "keepTurns": false }' });
    await hears(project, talk(project.root).says("Hello."), "SessionEnd", {});
    const memory = await project.open();

    await memory.finishSessions();

    expect(await sayings(memory)).toEqual([]);
  });

  it.each([
    ["is missing", (path: string) => path],
    ["is a pipe", (path: string) => (execFileSync("mkfifo", [path]), path)],
    [
      "is a link",
      (path: string) => (symlinkSync(join(import.meta.dirname, "import-session-transcript.ts"), path), path),
    ],
    ["is a folder", (path: string) => (mkdirSync(path), path)],
    ["is no transcript", (path: string) => (writeFileSync(path, "root:x:0:0\n".repeat(9)), path)],
    ["is named otherwise", () => "/etc/passwd"],
  ])("is passed over where the transcript %s", async (_, make) => {
    const project = watchedProject();
    const session = talk(project.root).runs("npm test", { text: "ok" });
    await hears(project, session, "SessionEnd", {}, make(join(temporaryFolder(), "s1.jsonl")));
    const memory = await project.open();

    const reports = await memory.finishSessions();

    expect(reports).toMatchObject([{ sessionId: "s1" }]);
    expect(await sayings(memory)).toEqual([]);
  });

  it("that cannot be taken in is tried three times, and then set aside where doctor sees it", async () => {
    const project = watchedProject();
    const session = talk(project.root).runs("npm test", { text: "ok" });
    const file = writes(session);
    // Nothing but its size: a file with holes.
    truncateSync(file, 256_000_001);
    await hears(project, session, "SessionEnd", {}, file);
    const memory = await project.open();

    for (let time = 1; time <= 3; time++) await memory.finishSessions();

    const { checks } = await memory.store.diagnose();
    expect(checks.find(({ name }) => name === "sessions")?.message).toContain(
      "1 could not be learned from, three times",
    );
    await expect(memory.finishSession("s1")).rejects.toMatchObject({
      code: "import-refused",
      hint: expect.stringContaining(`tacit chat import ${file} --session s1`),
    });
  });

  it("is left to those who have time where the transcript is long, and nothing of it is lost", async () => {
    const project = watchedProject();
    const session = talk(project.root).says("Hello.");
    const file = writes(session);
    appendFileSync(file, `\n${JSON.stringify({ type: "progress", sessionId: "s1", data: "x".repeat(1_000_001) })}`);
    await hears(project, session, "SessionEnd", {}, file);
    const memory = await project.open();

    await memory.finishSessions({ isQuick: true });
    const quick = await sayings(memory);
    await memory.finishSessions();

    expect(quick).toEqual([]);
    expect(await sayings(memory)).toHaveLength(2);
  });
});

function talk(root: string): AgentSession {
  return agentSession({ id: "s1", root, at, prompt: "We always use pnpm here." });
}

const folders = new WeakMap<AgentSession, string>();

/** As Claude Code would have written it by now. */
function writes(session: AgentSession): string {
  const file = folders.get(session) ?? join(temporaryFolder(), "s1.jsonl");
  folders.set(session, file);
  writeFileSync(file, session.lines().join("\n"));
  return file;
}

/** All hooks of the session up to this one, which is the last. */
async function hears(
  { root, db }: WatchedProject,
  session: AgentSession,
  last: string,
  fields: Record<string, unknown>,
  transcript = writes(session),
) {
  const own = { session_id: "s1", cwd: root, transcript_path: transcript };
  const hooks = [...session.hooks({ end: false }), { ...own, ...fields, hook_event_name: last }];
  const events = await Promise.all(
    hooks.map((hook) => readEvents("claude-code", { ...hook, transcript_path: transcript })),
  );
  return observeOnce(events.flat(), { db, directory: root });
}

async function sayings(memory: TacitMemory): Promise<string[]> {
  return (await memory.conversation("s1").turns()).map(({ content }) => content);
}
