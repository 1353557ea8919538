import { openTestMemory } from "../support/open-memories.js";
import { describe, expect, it } from "vitest";
import { memoryTool, withMemory } from "../../src/agents/ai-sdk/ai-sdk.js";
import { observeOnce } from "../../src/hook/observe-once.js";
import { rememberTyped } from "../../src/hook/remember-typed.js";
import { openMemory, type Caller, type TacitMemory } from "../../src/index.js";
import { connectTo } from "../support/mcp-client.js";
import { runTacit } from "../support/run-tacit.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { toldProject, type ToldProject } from "../support/told-project.js";

const content = "The export needs Docker.";

/** The ways in, each with who is behind it, what it says and how it forgets. */
interface Surface {
  remember: (project: ToldProject, sessionId?: string) => Promise<unknown>;
  forget: (project: ToldProject, id: string, sessionId?: string) => Promise<unknown>;
}

const agents: Record<string, Surface> = {
  "a tool of the MCP server": {
    remember: async (project, sessionId) => (await connect(project, sessionId)).call("remember", { content }),
    forget: async (project, id, sessionId) => (await connect(project, sessionId)).call("forget", { id }),
  },
  "a tool of a dialect": {
    remember: async (project, sessionId) =>
      (await connect(project, sessionId, "reachy")).call("store_memory", { content }),
    forget: async (project, id, sessionId) =>
      (await connect(project, sessionId, "reachy")).call("forget_memory", { memory_id: id }),
  },
  "a tool of the AI SDK": {
    remember: async ({ memory }, sessionId) => toolsOf(memory, sessionId).remember.execute({ type: "fact", content }),
    forget: async ({ memory }, id, sessionId) => toolsOf(memory, sessionId).forget.execute({ id }),
  },
  "the library, for an agent": {
    remember: async ({ memory }, sessionId) =>
      memory.as(agentOf(sessionId)).remember({ content, source: "user_taught" }),
    forget: async ({ memory }, id, sessionId) => outcomeOf(memory.as(agentOf(sessionId)).forget(id)),
  },
  "a memory that was opened for an agent": {
    remember: async ({ open }, sessionId) => (await open({ actor: agentOf(sessionId) })).remember({ content }),
    forget: async ({ open }, id, sessionId) => outcomeOf((await open({ actor: agentOf(sessionId) })).forgetMany([id])),
  },
};

const others: Record<string, Surface> = {
  "a person on the command line": {
    remember: (project) => tacit(project, "remember", content),
    forget: (project, id) => tacit(project, "forget", id),
  },
  "the library, for a person": {
    remember: ({ memory }) => memory.as({ kind: "person" }).remember({ content, source: "user_taught" }),
    forget: ({ memory }, id) => memory.as({ kind: "person" }).forget(id),
  },
  "a program": {
    remember: ({ memory }) => memory.remember({ content, source: "user_taught" }),
    forget: ({ memory }, id) => memory.forget(id),
  },
};

describe.each(Object.entries(agents))("%s", (_, { remember, forget }) => {
  it("[M12] speaks as an agent: unverified where nobody watches it, and free to forget", async () => {
    const project = await toldProject({ content: "Deploys wait for the migration." });
    const [old] = await project.memory.list();

    await remember(project);
    await forget(project, old?.id ?? "");

    expect(await project.memory.list()).toMatchObject([
      { content, source: "agent_explicit", trustFlags: ["unverified"], review: { state: "pending" } },
    ]);
  });

  it("[M12] is trusted in a session that is watched, and belongs to it", async () => {
    const project = await toldProject();
    await reads(project, "s1", "Read", { file_path: "README.md" });

    await remember(project, "s1");

    expect(await project.memory.list()).toMatchObject([
      { content, source: "agent_explicit", sessionId: "s1", trustFlags: [], review: { state: "none" } },
    ]);
  });

  it("[M12] waits once its session has read from outside, and forgets nothing that is trusted", async () => {
    const project = await toldProject({ content: "Deploys wait for the migration." });
    const [old] = await project.memory.list();
    await reads(project, "s1", "WebFetch", { url: "https://docs.example.org" });

    await remember(project, "s1");
    const said = await forget(project, old?.id ?? "", "s1");

    expect(JSON.stringify(said)).toContain("session-tainted");
    expect((await project.memory.list()).map(({ id }) => id)).toEqual([old?.id]);
    expect(await project.memory.list({ status: "waiting" })).toMatchObject([{ content, trustFlags: ["tainted"] }]);
  });
});

describe.each(Object.entries(others))("%s", (_, { remember, forget }) => {
  it("[M12] is taken at their word, whatever a session beside it has read", async () => {
    const project = await toldProject({ content: "Deploys wait for the migration." });
    const [old] = await project.memory.list();
    await reads(project, "s1", "WebFetch", { url: "https://docs.example.org" });

    await remember(project);
    await forget(project, old?.id ?? "");

    expect(await project.memory.list()).toMatchObject([
      { content, source: "user_taught", trustFlags: [], review: { state: "none" } },
    ]);
  });
});

describe("an agent whose session has read from outside", () => {
  it("[M12] neither revises nor supersedes what is trusted, and sets no context in its place", async () => {
    const project = await toldProject({ content: "Deploys wait for the migration.", name: "deploys" });
    const { memory } = project;
    await memory.conversations.setContext("room", "The kitchen.");
    await reads(project, "s1", "WebFetch", { url: "https://docs.example.org" });
    const agent = memory.as({ kind: "agent", sessionId: "s1" });

    const revised = outcomeOf(agent.revise("deploys", { content: "Deploys wait for nobody." }));
    const next = await agent.supersede("deploys", { content: "Deploys wait for nobody.", source: "user_taught" });
    const set = await agent.conversations.setContext("room", "The garden.");

    expect(await revised).toEqual({ code: "session-tainted" });
    expect(next).toMatchObject({ status: "waiting", source: "agent_explicit", sessionId: "s1" });
    expect(set).toMatchObject({ status: "waiting" });
    expect(await memory.get("deploys")).toMatchObject({ content: "Deploys wait for the migration.", status: "active" });
    expect(await memory.conversations.getContext("room")).toBe("The kitchen.");
  });

  it("[M12] changes nothing that is trusted by any other verb either", async () => {
    const project = await toldProject();
    await reads(project, "outside", "WebFetch", { url: "https://docs.example.org" });
    const { memory } = project;
    const { id } = await memory.remember({ content: "Deploys go out on Tuesdays.", name: "deploys" });
    await memory.revise(id, { tags: ["ops"] });
    const agent = memory.as({ kind: "agent", sessionId: "outside" });
    const own = await agent.remember({ content: "Run the script first." });

    const refused = [
      () => agent.undo(id),
      () => agent.flag(id, "wrong"),
      () => agent.rename(id, "other"),
      () => agent.alias(id, ["other"]),
      () => agent.relate(id, { kind: "documents", file: "README.md" }),
    ];
    const persons = [
      () => agent.pin(id),
      () => agent.review.reject(own.id),
      () => agent.projects.configure("user", "cleanupDays", "30"),
      () => agent.verify(own.id),
      () => agent.review.accept(own.id),
      () => agent.purge(id),
      () => agent.projects.accept(),
    ];

    for (const ask of refused) await expect(ask()).rejects.toMatchObject({ code: "session-tainted" });
    for (const ask of persons) await expect(ask()).rejects.toMatchObject({ code: "agent-refused" });
    expect(await memory.get(id)).toMatchObject({ name: "deploys", tags: ["ops"], pinned: false, status: "active" });
    expect(await memory.get(own.id)).toMatchObject({ status: "waiting" });
  });

  it("[M12] is named the whole line that a person can run instead", async () => {
    const project = await toldProject();
    const { id } = await project.memory.remember({ content: "Deploys go out on Tuesdays.", name: "deploys" });
    await reads(project, "outside", "WebFetch", { url: "https://docs.example.org" });
    const agent = project.memory.as({ kind: "agent", sessionId: "outside" });

    const refused: Record<string, () => Promise<unknown>> = {
      "flag deploys 'It costs $5.'": () => agent.flag("deploys", "It costs $5."),
      "rename deploys other --keep": () => agent.rename("deploys", "other", { keep: true }),
      "alias deploys other more": () => agent.alias("deploys", ["other", "more"]),
      "unalias deploys": () => agent.unalias("deploys"),
      "undo deploys 1": () => agent.undo("deploys", { number: 1 }),
      [`restore ${id}`]: () => agent.restore(id),
      "relate deploys documents --file README.md": () =>
        agent.relate("deploys", { kind: "documents", file: "README.md" }),
      "relate deploys similar other --remove": () => agent.unrelate("deploys", { kind: "similar", memory: "other" }),
      "pattern retry --applies-to src/a.ts": () => agent.code.stateConcept("pattern:retry", { places: ["src/a.ts"] }),
      "decision jwt --remove": () => agent.code.unstateConcept("decision:jwt"),
      "share --trust ann@example.org": () => agent.exchange.share({ trust: ["ann@example.org"] }),
      prune: () => agent.store.prune(),
      "purge deploys --yes": () => agent.purge("deploys"),
      "purge --all --yes": () => agent.purge({ all: true }),
    };

    for (const [line, ask] of Object.entries(refused)) {
      await expect(ask()).rejects.toMatchObject({
        hint: `A person can, in a terminal of their own: tacit ${line}`,
      });
    }
  });

  it("[M12] is judged by its own session, whichever it names", async () => {
    const project = await toldProject();
    await reads(project, "outside", "WebFetch", { url: "https://docs.example.org" });
    await reads(project, "inside", "Read", { file_path: "README.md" });
    const agent = project.memory.as({ kind: "agent", sessionId: "outside" });

    const own = await agent.remember({ content: "Said here." });
    const named = await agent.remember({ content: "Said there.", sessionId: "inside" });
    const fact = await agent.conversations.rememberFact("Said as a fact.");
    const state = await agent.builds.saveWorkState({ state: { left: ["write the tests"] } });

    expect([own, named, fact, state].map((one) => [one?.sessionId, one?.status])).toEqual([
      ["outside", "waiting"],
      ["outside", "waiting"],
      ["outside", "waiting"],
      ["outside", "waiting"],
    ]);
  });

  it("[M12] does not edit or delete a trusted file of the memory tool", async () => {
    const project = await toldProject();
    await reads(project, "s1", "Read", { file_path: "README.md" });
    const { execute } = memoryTool({ memory: project.memory, sessionId: "s1" });
    await execute({ command: "create", path: "/memories/a.md", file_text: "Trusted." });
    await reads(project, "s1", "WebFetch", { url: "https://docs.example.org" });

    const answers = [
      await execute({ command: "insert", path: "/memories/a.md", insert_line: 0, insert_text: "Obey." }),
      await execute({ command: "delete", path: "/memories/a.md" }),
    ];

    for (const answer of answers) expect(answer).toContain("/memories/a.md stays as it is");
  });
});

describe("what is typed to an agent", () => {
  it("[M12] is a person's word in a session that was seen to begin, and an agent's in any other", async () => {
    const { memory, db, root } = await toldProject();
    const place = { db, directory: root };
    await observeOnce([{ sessionId: "s1", kind: "start", agent: "claude-code" }], place);
    const typed = { isByAgent: false, sessionId: "s1" };

    const person = await rememberTyped(memory, { ...typed, content: "Use pnpm." }, place);
    const agent = await rememberTyped(memory, { ...typed, content: "Use yarn.", sessionId: "s9" }, place);

    expect(person.memory).toMatchObject({ source: "user_taught", userVerified: true });
    expect(agent.memory).toMatchObject({ source: "agent_explicit", trustFlags: ["unverified"] });
  });
});

describe("memory.as()", () => {
  it("gives the same open memory: what one stores the other finds, and closing either closes both", async () => {
    const memory = await openMemory({ db: ":memory:", directory: temporaryFolder(), embedder: null });
    const agent = memory.as({ kind: "agent", sessionId: "s1", name: "codex" });
    const { id } = await agent.remember({ content });

    expect(await memory.as({ kind: "person" }).get(id)).toMatchObject({ content });
    await agent.close();

    await expect(memory.list()).rejects.toMatchObject({ code: "store-closed" });
    await memory.close();
  });

  it.each([null, "agent", {}, { kind: "robot" }, { kind: "agent", sessionId: 7 }, { kind: "person", name: "Ada" }])(
    "refuses %j, and so does openMemory()",
    async (actor) => {
      const { memory } = await toldProject();

      expect(() => memory.as(actor as Caller)).toThrow(expect.objectContaining({ code: "invalid-input" }));
      await expect(openMemory({ actor: actor as Caller })).rejects.toMatchObject({ code: "invalid-input" });
    },
  );
});

function agentOf(sessionId: string | undefined): Caller {
  return { kind: "agent", ...(sessionId !== undefined && { sessionId }) };
}

async function connect({ db, root }: ToldProject, sessionId = "", dialect?: string) {
  const args = ["--db", db, ...(dialect === undefined ? [] : ["--dialect", dialect])];
  return connectTo({ args, cwd: root, env: { CLAUDE_CODE_SESSION_ID: sessionId } });
}

it("[M12] refuses the option by which an agent spoke before: ignored, it would let an agent pass for a program", async () => {
  const memory = await openTestMemory();
  const { id } = await memory.remember({ content: "Deploys go out on Tuesdays." });
  const old = { asAgent: true } as object;
  const untyped = memory as unknown as { forgetMany(references: string[], options: object): Promise<unknown> };

  const asked = [
    memory.remember({ content: "Deploys wait." }, old),
    memory.revise(id, { content: "Deploys wait." }, old),
    untyped.forgetMany([id], old),
  ];

  for (const one of asked) await expect(one).rejects.toMatchObject({ code: "invalid-input" });
  expect(await memory.list()).toMatchObject([{ content: "Deploys go out on Tuesdays." }]);
});

function toolsOf(memory: TacitMemory, sessionId = "nobody-watches") {
  return withMemory({ memory, sessionId }).tools;
}

async function tacit({ db, root }: ToldProject, ...line: string[]): Promise<void> {
  const { code, stderr } = await runTacit([...line, "--db", db], { cwd: root, env: {} });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

/** What came of it, in a form that can be read out of an answer. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return work.catch(({ code }: { code: string }) => ({ code }));
}

/** As hooks note it: in another process. */
async function reads(
  { db, root }: ToldProject,
  sessionId: string,
  tool: string,
  input: Record<string, unknown>,
): Promise<void> {
  const call = { sessionId, callId: tool, tool };
  const events = [
    { sessionId, kind: "start" as const },
    { ...call, kind: "call" as const, input },
    { ...call, kind: "result" as const, text: "A page." },
  ];
  await observeOnce(events, { db, directory: root });
}
