import { noteAnswer } from "../../src/base/files/files.js";
import { describe, expect, it } from "vitest";
import type { MemoryInput } from "../../src/index.js";
import { observeOnce } from "../../src/hook/observe-once.js";
import { commitFiles } from "../support/git-repository.js";
import { toldProject, type ToldProject } from "../support/told-project.js";

const file = "src/pdf/render.ts";
const said: MemoryInput = { content: "The renderer leaks a process.", type: "gotcha", relatedFiles: [file] };
const agent = { kind: "agent" } as const;

describe("what an agent says in a session that is watched", () => {
  it("[I15] speaks, and is told in the next session", async () => {
    const project = await toldProject();
    commitFiles(project.root, { [file]: "export {};\n" });
    await reads(project, "s1", "Read", { file_path: file });

    const { status, review } = await project.memory.as(agent).remember({ ...said, sessionId: "s1" });

    expect({ status, review }).toEqual({ status: "active", review: { state: "none" } });
    expect(await tellNext(project)).toEqual([said.content]);
  });

  it("[I15] waits where that has read from outside, and is told once a person has accepted it", async () => {
    const project = await toldProject();
    await reads(project, "s1", "WebFetch", { url: "https://docs.example.org" });

    const { id, status } = await project.memory.as(agent).remember({ ...said, sessionId: "s1" });
    const before = await tellNext(project);
    await project.memory.review.accept(id);

    expect({ status, before }).toEqual({ status: "waiting", before: [] });
    expect(await tellNext(project, "s3")).toEqual([said.content]);
  });
});

describe("what an agent says that nobody watches", () => {
  it("[I15] comes when it is asked for, with a mark, and to nobody else before a person has verified it", async () => {
    const project = await toldProject();
    const { memory } = project;

    const { id, status, review } = await memory.as(agent).remember(said);
    const recalled = await memory.recall("Does the renderer leak?");
    const context = await memory.sessions.context({ task: "Why does the renderer leak a process?" });
    const unasked = await tellNext(project);
    await memory.verify(id);

    expect({ status, state: review.state }).toEqual({ status: "active", state: "pending" });
    expect(recalled.map(({ memory: found }) => found.id)).toEqual([id]);
    expect(context.text).toContain("| - Gotcha (unverified): The renderer leaks a process.");
    expect(unasked).toEqual([]);
    expect(await tellNext(project, "s3")).toEqual([said.content]);
    expect((await memory.sessions.context({ task: "Why does the renderer leak a process?" })).text).not.toContain(
      "unverified",
    );
  });

  it("[I15] does not become trusted because Tacit itself noted that its session asked for something", async () => {
    const { memory } = await toldProject({ content: "Pages are rendered by a pool.", type: "fact" });

    const { text } = await memory.sessions.context({ sessionId: "mine", task: "How are pages rendered by the pool?" });
    const { review } = await memory.as(agent).remember({ ...said, sessionId: "mine" });

    expect(text).toContain("Pages are rendered by a pool.");
    expect(review.state).toBe("pending");
    expect(await memory.sessions.list()).toEqual([]);
  });

  it("[I15] is that of the session whose hooks heard it asked for, whatever id its server was given", async () => {
    const project = await toldProject();
    const tool = "mcp__plugin_tacit_tacit__remember";
    commitFiles(project.root, { [file]: "export {};\n" });
    await reads(project, "after-clear", "Read", { file_path: file });
    noteAnswer(["Kept."]);
    await reads(project, "after-clear", tool, { content: said.content }, "Kept.");

    const { review } = await project.memory.as(agent).remember({ ...said, sessionId: "before-clear" });

    expect(review.state).toBe("none");
  });

  it("[I15] waits where a session beside it has read from outside", async () => {
    const project = await toldProject();
    await reads(project, "s1", "WebFetch", { url: "https://docs.example.org" }, said.content);

    const { status } = await project.memory.as(agent).remember(said);

    expect(status).toBe("waiting");
    expect(await tellNext(project)).toEqual([]);
  });

  it("[I15] leaves a memory as it is that somebody vouches for", async () => {
    const project = await toldProject();
    const { memory } = project;
    const own = await memory.remember({ ...said, source: "user_taught" });

    const again = await memory.as(agent).remember({ ...said, tags: ["pdf"] });

    expect(again).toMatchObject({ id: own.id, merged: true, status: "active" });
    expect(await memory.get(own.id)).toMatchObject({ review: { state: "none" }, source: "user_taught", tags: [] });
    expect(await tellNext(project)).toEqual([said.content]);
  });
});

/** As hooks note it: in another process. */
async function reads(
  { db, root }: ToldProject,
  sessionId: string,
  tool: string,
  input: Record<string, unknown>,
  text = "A page.",
): Promise<void> {
  const call = { sessionId, callId: "c1", tool };
  const events = [
    { sessionId, kind: "start" as const },
    { ...call, kind: "call" as const, input },
    { ...call, kind: "result" as const, text },
  ];
  await observeOnce(events, { db, directory: root });
}

/** What another session is told beside the file, with a prompt about it, and at the start. */
async function tellNext({ told }: ToldProject, sessionId = "s2"): Promise<string[]> {
  const asked = { point: "prompt", prompt: "Why does the renderer leak a process?", sessionId } as const;
  return [
    ...(await told({ point: "file-read", files: [file], sessionId })),
    ...(await told(asked)),
    ...(await told({ point: "session-start", files: [file], sessionId })),
  ];
}
