// Sessions on a server: the same memories, figures and evidence as in a file, each session once, and in few journeys.
import { expect, it } from "vitest";
import { agentSession, type AgentSession } from "../../bench/agent-session.mjs";
import type { TacitMemory } from "../../src/index.js";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { startProxy } from "./fake-servers.js";
import { startServer } from "./start-server.js";

const day = 86_400_000;
const beginning = Date.UTC(2026, 8, 1);

it("[S14] sessions lead to the same memories, figures and evidence on a server as in a file", async () => {
  const root = makeProject();
  const { url } = await startServer();
  const proxy = await startProxy(url);
  const remote = await openTestMemory({ db: proxy.url, directory: root });
  const local = await openTestMemory({ db: ":memory:", directory: root });
  const journeys: number[] = [];

  for (const round of [0, 1, 2]) {
    const before = proxy.requests.length;
    await remote.sessions.replay(tellSession(root, round).stream());
    journeys.push(proxy.requests.length - before);
    await local.sessions.replay(tellSession(root, round).stream());
  }
  const [told, wanted] = [await tell(remote), await tell(local)];
  const { sessions: again } = await remote.sessions.replay(tellSession(root, 2).stream());

  expect(told).toEqual(wanted);
  expect(told.sessions).toHaveLength(3);
  expect(told.sessions[0]).toMatchObject({ toolCalls: 7, files: 3 });
  expect(told.memories.flatMap(({ signals }) => signals)).toContain("error-retry");
  expect(told.memories.flatMap(({ signals }) => signals)).toContain("self-correction");
  expect(told.memories.some(({ sessions }) => sessions === 3)).toBe(true);
  expect(again).toEqual([expect.objectContaining({ isRepeated: true })]);
  expect(await tell(remote)).toEqual(told);
  expect(Math.max(...journeys)).toBeLessThan(120);
});

it("[S14] two processes that take in sessions at once count each of them once on a server", async () => {
  const root = makeProject();
  const { url } = await startServer();
  const [one, other, local] = [
    await openTestMemory({ db: url, directory: root }),
    await openTestMemory({ db: url, directory: root }),
    await openTestMemory({ db: ":memory:", directory: root }),
  ];
  await one.remember({ content: "There is a project." });

  await Promise.all(
    [one, other].map(async (memory) => {
      for (const round of [0, 1, 2]) await memory.sessions.replay(tellSession(root, round).stream());
    }),
  );
  for (const round of [0, 1, 2]) await local.sessions.replay(tellSession(root, round).stream());

  const [told, wanted] = [await tell(one), await tell(local)];
  expect(told.sessions).toEqual(wanted.sessions);
  expect(told.memories.filter(({ signals }) => signals.length > 0)).toEqual(wanted.memories);
});

it("[S14] a session that is watched is finished on a server once, whoever asks for it", async () => {
  const root = makeProject();
  const { url } = await startServer();
  const memory = await openTestMemory({ db: url, directory: root });
  const sessionId = "watched";
  const file_path = `${root}/src/a.ts`;

  memory.observe({ sessionId, kind: "start", agent: "test", directory: root });
  memory.observe({ sessionId, kind: "call", callId: "1", tool: "Read", input: { file_path } });
  memory.observe({ sessionId, kind: "result", callId: "1", text: "export {};" });
  memory.observe({
    sessionId,
    kind: "reasoning",
    text: "I was wrong about `limit`. The `limit` of src/a.ts is in seconds.",
  });
  memory.observe({ sessionId, kind: "end", outcome: "success" });
  await Promise.all([memory.finishSession(sessionId), memory.finishSessions()]);

  expect(await memory.sessions.list()).toEqual([expect.objectContaining({ sessionId, toolCalls: 1, files: 1 })]);
  expect((await memory.recall("limit")).map(({ memory: { content } }) => content)).toEqual([
    expect.stringContaining("in seconds"),
  ]);
});

/** What is kept of sessions, without what differs from store to store. */
async function tell(memory: TacitMemory) {
  const memories = [];
  for (const { id, type, status, content, data, relatedFiles, confidence } of await memory.list({ status: "any" })) {
    const evidence = await memory.review.evidence(id);
    const signals = evidence.map(({ signal }) => signal);
    const sessions = Math.max(0, ...evidence.map((one) => one.sessions.length));
    memories.push({ type, status, content, data, relatedFiles, confidence, signals, sessions, evidence });
  }
  return {
    sessions: await memory.sessions.list(),
    memories: memories.toSorted((a, b) => (a.content < b.content ? -1 : 1)),
  };
}

/** One of three alike: the same error with the same remedy, and something that is learned in it alone. */
function tellSession(root: string, round: number): AgentSession {
  return agentSession({ id: `session-${round}`, root, at: beginning + round * day })
    .reads("src/a.ts")
    .reads("src/b.ts")
    .says(`I was wrong about \`limit${round}\`. The \`limit${round}\` of src/a.ts is given in seconds.`)
    .runs("npm run build", { text: "Error: Cannot find module './generated/schema'", failed: true })
    .runs("npm run generate", { text: "generated" })
    .runs("npm run build", { text: "built" })
    .edits("src/c.ts", `old ${round}`, `new ${round}`)
    .runs("npm test", { text: "Tests  4 passed (4)" });
}

function makeProject(): string {
  const root = gitRepository();
  commitFiles(root, { "src/a.ts": "export {};\n", "src/b.ts": "export {};\n", "src/c.ts": "export {};\n" });
  return root;
}
