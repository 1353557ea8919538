import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentSession, type AgentSession } from "../../../bench/agent-session.mjs";
import { commitFiles, git, gitRepository } from "../../../test/support/git-repository.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { watchedProject } from "../../../test/support/watched-project.js";

const at = Date.parse("2026-11-02T09:00:00Z");

describe("a transcript that is replayed", () => {
  it("teaches nothing of sessions of another project, and says so", async () => {
    const project = watchedProject();
    const [other, plain] = [gitRepository(), temporaryFolder()];
    const memory = await project.open();

    for (const root of [other, plain, join(plain, "gone"), "C:\\work\\shop"]) {
      const { sessions, transcript } = await memory.sessions.replay(stream(works(root, "a"), works(root, "b")));

      expect(sessions).toEqual([]);
      expect(transcript.skipped).toEqual([
        { reason: `of another project: ${root}`, count: 2, firstLine: 1, unit: "session" },
      ]);
    }
    expect(await memory.sessions.list()).toEqual([]);
  });

  it("teaches of sessions in a folder of the project, and in another work tree of it with its paths", async () => {
    const project = watchedProject({ "api/a.ts": "" });
    const tree = join(temporaryFolder(), "tree");
    git(project.root, "worktree", "add", "--quiet", tree);
    const memory = await project.open();

    const below = await memory.sessions.replay(stream(works(join(project.root, "api"), "a")));
    const beside = await memory.sessions.replay(stream(works(tree, "b")));

    expect([...below.sessions, ...beside.sessions]).toMatchObject([
      { session: { sessionId: "a", files: 1 } },
      { session: { sessionId: "b", files: 1 } },
    ]);
    expect(beside.sessions[0]?.session).not.toHaveProperty("outside");
  });

  it("is of the project that it began in, wherever its sub-agents were sent", async () => {
    const project = watchedProject();
    const folder = temporaryFolder();
    const main = join(folder, "s.jsonl");
    mkdirSync(join(folder, "s", "subagents"), { recursive: true });
    writeFileSync(main, works(project.root, "s").lines().join("\n"));
    const sent = works(temporaryFolder(), "helper")
      .lines()
      .map((line) => ({ ...(JSON.parse(line) as object), sessionId: "s", isSidechain: true, agentId: "helper" }))
      .map((line) => JSON.stringify(line));
    writeFileSync(join(folder, "s", "subagents", "agent-a.jsonl"), sent.join("\n"));

    const { sessions, transcript } = await (await project.open()).sessions.replay(main);

    expect(transcript.skipped).toEqual([]);
    expect(sessions).toMatchObject([{ session: { sessionId: "s", toolCalls: 4 } }]);
  });

  it("finds the files of an agent that stays in the folder it went to", async () => {
    const root = gitRepository();
    commitFiles(root, { "packages/api/src/server.ts": "export {};\n" });
    const project = { ...watchedProject(), root };
    const memory = await project.open({ directory: root });
    const session = agentSession({ id: "s", root, at }).runs("cd packages/api && ls", { text: "src" });
    const before = session.lines().length - 1;
    session.runs("cat src/server.ts", { text: "export {};" }).runs("sed -i s/a/b/ src/server.ts");
    const lines = session
      .lines()
      .map((line, index) => (index < before ? line : line.replace(`"cwd":"${root}"`, `"cwd":"${root}/packages/api"`)));

    const { sessions } = await memory.sessions.replay(streamOf(lines));

    expect(sessions[0]?.session).toMatchObject({ files: 1 });
    expect(sessions[0]?.session).not.toHaveProperty("outside");
  });

  it("that has grown teaches the rest, once", async () => {
    const project = watchedProject();
    const session = works(project.root, "s");
    const memory = await project.open();
    const replay = async () => (await memory.sessions.replay(stream(session), { type: "spec" })).sessions;

    const first = await replay();
    session.says("One more thing.");
    const said = await replay();
    session.reads("src/tax.ts").edits("src/tax.ts", "0.2", "0.3");
    const grown = await replay();
    const again = await replay();

    expect([first, said, grown, again].map(([one]) => one?.isRepeated ?? false)).toEqual([false, true, false, true]);
    expect(grown[0]?.session).toMatchObject({ toolCalls: 2, agent: "claude-code" });
    expect(await memory.sessions.list()).toMatchObject([{ sessionId: "s", type: "spec", toolCalls: 4, files: 1 }]);
  });

  it("is told of at its beginning and every 500 events", async () => {
    const project = watchedProject();
    const session = agentSession({ id: "s", root: project.root, at });
    for (let count = 0; count < 400; count += 1) session.reads("src/cart.ts");
    const told: number[] = [];

    await (await project.open()).sessions.replay(stream(session), { onProgress: ({ events }) => told.push(events) });

    expect(told[0]).toBe(0);
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(told.slice(1).every((events, index) => events - (told[index] ?? 0) >= 500)).toBe(true);
  });
});

function works(root: string, id: string): AgentSession {
  return agentSession({ id, root, at }).reads("src/cart.ts").edits("src/cart.ts", "[]", "{}");
}

function stream(...sessions: AgentSession[]): AsyncGenerator<Uint8Array, void, undefined> {
  return streamOf(sessions.flatMap((session) => session.lines()));
}

async function* streamOf(lines: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}
