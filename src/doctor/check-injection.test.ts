import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitRepository } from "../../test/support/git-repository.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { applyPlan } from "../install/apply-plan.js";
import { planInstall } from "../install/install.js";
import { openMachine } from "../install/agents/machine.js";
import { uninstall } from "../install/uninstall.js";
import { openMemory, type AgentEvent, type TacitMemory } from "../index.js";

describe("the doctor's word about injection", () => {
  it("tells how to connect agents where none was seen, then what was told", async () => {
    const { check, withMemory, connect, disconnect } = openHome();
    expect(await check()).toEqual({
      name: "injection",
      status: "ok",
      message: "no session of an agent was seen here yet, so nothing is told by itself",
      hint: "To connect your agents: tacit install",
    });
    connect("claude-code");
    expect((await check())?.hint).toBe("Connected: Claude Code. Start it anew here");
    disconnect();
    connect("cursor");

    await withMemory((memory) => finish(memory, { sessionId: "s1", kind: "start", agent: "claude-code" }));
    expect(await check()).toMatchObject({
      message: "1 session of agents in 30 days, and nothing was told in any",
      hint: "Were they only replayed? Connected: Cursor, which can ask, and cannot be told unasked",
    });

    await withMemory(async (memory) => {
      const { id } = await memory.remember({ content: "Pin the driver." });
      const memories = [{ id, why: "fits", tokens: 40 }];
      await finish(memory, { sessionId: "s2", kind: "injected", point: "prompt", memories, tokens: 1050 });
    });
    expect(await check()).toEqual({
      name: "injection",
      status: "ok",
      message: "1 memory told in 1 session of 30 days, 1,050 tokens; 0 used",
    });
  });

  it("says that a session is noted, and that telling is switched off", async () => {
    const { check, root, withMemory } = openHome();
    await withMemory(async (memory) => memory.observe({ sessionId: "s1", kind: "prompt", text: "Look." }));
    expect((await check())?.message).toBe("a session is noted here; nothing was told yet in one that is over");

    writeFileSync(join(root, "tacit.config.json"), `{ "autoInject": false }`);

    expect(await check()).toMatchObject({ status: "ok", message: expect.stringContaining("autoInject is off") });
  });
});

async function finish(memory: TacitMemory, event: AgentEvent): Promise<void> {
  memory.observe(event);
  const call = { sessionId: event.sessionId, callId: "1", tool: "Read" };
  memory.observe({ ...call, kind: "call", input: { file_path: "README.md" } });
  memory.observe({ ...call, kind: "result", text: "# It" });
  await memory.finishSession(event.sessionId);
}

function openHome() {
  const home = temporaryFolder();
  const root = gitRepository();
  const withMemory = async <T>(work: (memory: TacitMemory) => Promise<T>): Promise<T> => {
    const before = { ...process.env };
    // What the developer's own agents are connected to is none of a test's business.
    Object.assign(process.env, { TACIT_HOME: home, HOME: root, USERPROFILE: root, CLAUDE_CONFIG_DIR: "" });
    const memory = await openMemory({ directory: root, embedder: null });
    try {
      return await work(memory);
    } finally {
      await memory.close();
      for (const name of ["TACIT_HOME", "HOME", "USERPROFILE", "CLAUDE_CONFIG_DIR"]) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  };
  const check = () =>
    withMemory(async (memory) => (await memory.store.diagnose()).checks.find(({ name }) => name === "injection"));
  const place = { ...openMachine({ tacitHome: home }), home: root, env: {} };
  const connect = (agent: string) => applyPlan(planInstall([agent], place), place);
  const disconnect = () => uninstall(undefined, place);
  return { root, check, withMemory, connect, disconnect };
}
