import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentSession } from "../../bench/agent-session.mjs";
import { withMemory } from "../../src/agents/ai-sdk/ai-sdk.js";
import tacit from "../../src/agents/opencode/opencode.js";
import { serveWorkers } from "../../src/agents/worker/worker.js";
import { observeOnce, readEvents } from "../../src/hook/observe-once.js";
import { openMemory, type AgentEvent, type TacitMemory } from "../../src/index.js";
import { sdks, type Doing } from "../support/ai-sdk-agents.js";
import {
  filesWithMark,
  ignoringProject,
  mark,
  notIgnored,
  secretFile,
  ways,
  type IgnoringProject,
  type Use,
} from "../support/ignoring-project.js";
import { runHook } from "../support/hook-process.js";
import { aiSdkSteps, opencodeSession } from "../support/other-agents.js";
import { scipIndex } from "../support/scip-index.js";
import { runTacit } from "../support/run-tacit.js";

type Adapter = (project: IgnoringProject) => Promise<void>;

const at = Date.parse("2026-11-02T09:00:00Z");

/** Everything by which what an agent does reaches Tacit. */
const adapters: Record<string, Adapter> = {
  "hooks of Claude Code": async (project) => {
    const { root, db } = project;
    for (const { at: _, ...hook } of claudeCode(project).hooks()) {
      await observeOnce(await readEvents("claude-code", hook), { db, directory: root });
    }
    await opened(project, (memory) => memory.finishSessions());
  },
  "hooks of which only the last of each call comes": async (project) => {
    const { root, db } = project;
    const late = claudeCode(project)
      .hooks()
      .filter(({ hook_event_name: name }) => name !== "PreToolUse");
    for (const hook of late) await observeOnce(await readEvents("claude-code", hook), { db, directory: root });
    await opened(project, (memory) => memory.finishSessions());
  },
  "events of opencode": async (project) => {
    const { root, db } = project;
    const doings = project.way.uses.map((use) => asOpencode(project, use));
    const told = opencodeSession({ id: "ses_1", root, at, prompt: project.way.prompt }, [...doings, said]);
    for (const event of told) await observeOnce([event], { db, directory: root });
    await opened(project, (memory) => memory.finishSessions());
  },
  "steps of the AI SDK": async (project) => {
    const events: AgentEvent[] = [
      { sessionId: "s", kind: "start", directory: project.root },
      { sessionId: "s", kind: "prompt", text: project.way.prompt },
      ...aiSdkSteps(
        "s",
        project.way.uses.map((use) => ({ ...asOpencode(project, use), says: said })),
      ),
      { sessionId: "s", kind: "end", outcome: "success" },
    ];
    await opened(project, async (memory) => {
      for (const event of events) memory.observe(event);
      await memory.finishSession("s");
    });
  },
  "the plug-in of opencode": async (project) => {
    const { root, db } = project;
    const hooks = await tacit({ directory: root, worktree: root }, { db });
    const [sessionID, id] = ["ses_2", "msg_1"];
    await hooks.event?.({
      event: { type: "session.created", properties: { info: { id: sessionID, directory: root } } },
    });
    const parts = [{ id: "prt_1", sessionID, messageID: id, type: "text", text: project.way.prompt }];
    await hooks["chat.message"]?.({ sessionID }, { message: { id }, parts });
    for (const [index, use] of project.way.uses.entries()) {
      const { tool, input, answer, failed } = asOpencode(project, use);
      const call = { tool, sessionID, callID: `call_${index}` };
      await hooks["tool.execute.before"]?.(call, { args: input });
      const output = { title: "", output: answer, metadata: { exit: failed ? 1 : 0 } };
      await hooks["tool.execute.after"]?.({ ...call, args: input }, output);
    }
    const part = { id: "prt_2", sessionID, messageID: "m", type: "text", text: said, time: { start: 1, end: 2 } };
    await hooks.event?.({ event: { type: "message.part.updated", properties: { part } } });
    await hooks.event?.({ event: { type: "session.idle", properties: { sessionID } } });
    await hooks.dispose?.();
    await opened(project, (memory) => memory.finishSessions());
  },
  "an agent of the AI SDK": async (project) => {
    await opened(project, async (memory) => {
      const session = withMemory({ memory, directory: project.root });
      const doings = project.way.uses.map((use): Doing => {
        const { tool, input, answer, failed } = asOpencode(project, use);
        return { tool: tool === "grep" ? "bash" : tool, input, answer: answer ?? "", ...(failed && { failed }) };
      });
      const task = { prompt: project.way.prompt, doings: [...doings, said], steps: 40 };
      await sdks[0]?.run("generateText", session, task);
      await session.end("success");
    });
  },
  "a worker": async (project) => {
    await opened(project, async (memory) => {
      const group = serveWorkers({ memory, sessionId: "w" });
      const { port1, port2 } = new MessageChannel();
      onTestFinished(() => port1.close());
      group.serve(port1, {});
      const { connectMemory } = await import("../../src/agents/worker/worker.js");
      const remote = connectMemory({ port: port2 });
      const events = aiSdkSteps(
        "w",
        project.way.uses.map((use) => asOpencode(project, use)),
      );
      const prompt: AgentEvent = { sessionId: "w", kind: "prompt", text: project.way.prompt };
      for (const event of [prompt, ...events, { sessionId: "w", kind: "end" } as const]) remote.observe(event);
      await group.finish();
      port2.close();
    });
  },
  "a transcript that is replayed": async (project) => {
    const file = transcriptOf(project);
    await opened(project, (memory) => memory.sessions.replay(file).catch(refusedWhereOff));
  },
  "a transcript that is imported": async (project) => {
    const file = transcriptOf(project);
    await opened(project, (memory) => memory.conversations.import(file).catch(refusedWhereOff));
  },
  "a chat in lines": async (project) => {
    const lines = [
      { role: "user", content: project.way.prompt },
      ...project.way.uses.flatMap((use, index) => {
        const { tool, input, answer } = asOpencode(project, use);
        const call = { id: `c${index}`, type: "function", function: { name: tool, arguments: JSON.stringify(input) } };
        return [
          { role: "assistant", content: null, tool_calls: [call] },
          { role: "tool", tool_call_id: `c${index}`, content: answer },
        ];
      }),
    ];
    const file = join(project.aside, "chat.jsonl");
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    await opened(project, (memory) => memory.conversations.import(file).catch(refusedWhereOff));
  },
};

describe("what is ignored", () => {
  describe.each(Object.entries(adapters))("and told by %s", (_, tell) => {
    it.each(ways)("[TR75] as $name leaves no byte in the spool or the database", async (way) => {
      const project = ignoringProject(way);

      await tell(project);

      expect(filesWithMark(project.home)).toEqual([]);
    });
  });

  it("[TR75] leaves no byte where each hook is a process of its own", async () => {
    const project = ignoringProject(ways[0] as (typeof ways)[number]);
    const hooks = claudeCode(project).hooks({ end: false });

    for (const hook of hooks.slice(0, 8)) await runHook(project, hook);

    expect(readdirSync(join(project.home, "sessions"))).not.toEqual([]);
    expect(filesWithMark(project.home)).toEqual([]);
  });

  it("[TR76] is not taken from an index of SCIP either", async () => {
    const project = ignoringProject(ways[0] as (typeof ways)[number]);
    const text = readFileSync(join(project.root, secretFile), "utf8");
    const symbol = `scip-typescript npm shop 1.0.0 vaulted/\`${mark}.ts\`/open_${mark}().`;
    const cart = readFileSync(join(project.root, "src/cart.ts"), "utf8");
    const own = "scip-typescript npm shop 1.0.0 src/`cart.ts`/cart.";
    const scip = scipIndex([
      { path: secretFile, text, defines: { [symbol]: `open_${mark}` } },
      { path: "src/cart.ts", text: cart, defines: { [own]: "cart" }, uses: [["cart", symbol]] },
    ]);

    await opened(project, (memory) => memory.index({ scip }));

    expect(filesWithMark(project.home)).toEqual([]);
  });

  it("[TR75] would leave its words where nobody ignores it", async () => {
    for (const way of notIgnored) {
      for (const [name, tell] of Object.entries(adapters)) {
        const project = ignoringProject(way);

        await tell(project);

        // Of a transcript what people and agents say is imported, and no command.
        const isSilent = way.name === "commands" && name === "a transcript that is imported";
        expect([name, filesWithMark(project.home).length > 0]).toEqual([name, !isSilent]);
      }
    }
  });

  it.each(ways.filter(({ setting, files }) => files ?? setting?.("/").paths))(
    "[TR76] as $name is not indexed, and leaves the index where it was before",
    async (way) => {
      const { files: _files, setting: _setting, ...open } = way;
      const project = ignoringProject(open);
      await opened(project, (memory) => memory.index());
      expect(filesWithMark(project.home)).not.toEqual([]);
      for (const [file, text] of Object.entries(way.files ?? {})) writeFileSync(join(project.root, file), text);
      const ignore = way.setting?.(project.root);
      if (ignore) writeFileSync(join(project.home, "tacit.config.json"), JSON.stringify({ ignore }));

      await opened(project, async (memory) => {
        const { hits } = await memory.recallCode(mark, { mode: "words" });
        expect(hits).toEqual([]);
        await expect(memory.impact(secretFile)).rejects.toMatchObject({
          code: "node-not-found",
          message: expect.stringMatching(/is ignored by (?:\.tacitignore|the setting ignore)/),
        });
        expect((await memory.index()).files).toBeGreaterThan(1);
      });

      const fresh = ignoringProject(way);
      await opened(fresh, (memory) => memory.index());
      expect(filesWithMark(fresh.home)).toEqual([]);
    },
  );

  it("[TR77] as a project is not indexed, not learned from and not injected into, and says why", async () => {
    const way = ways.find(({ name }) => name === "a project by its remote");
    const project = ignoringProject(way as (typeof ways)[number]);
    const place = { cwd: project.root, env: {} };

    for (const line of [["index"], ["remember", "Carts are lists."]]) {
      const run = await runTacit([...line, "--db", project.db], place);
      expect([run.code, run.stderr]).toEqual([expect.any(Number), expect.stringContaining("This project is ignored")]);
      expect(run.stderr).toContain("tacit config get ignore");
    }
  });
});

const said = "I'll mend the cart now.";

function refusedWhereOff(error: unknown): void {
  if ((error as { code?: string }).code !== "disabled") throw error;
}

async function opened<T>({ root, db }: IgnoringProject, work: (memory: TacitMemory) => Promise<T>): Promise<T> {
  const memory = await openMemory({ db, directory: root, embedder: null });
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}

function claudeCode({ root, way }: IgnoringProject) {
  const session = agentSession({ id: "s", root, at, prompt: way.prompt });
  for (const { tool, input, answer, failed = false } of way.uses) {
    const told = { text: answer, failed };
    if (tool === "read") session.reads(input["path"] ?? "", told);
    else if (tool === "edit") session.edits(input["path"] ?? "", input["old"] ?? "", input["new"] ?? "", told);
    else if (tool === "grep") session.searches(input["pattern"] ?? "", answer, { path: input["path"] ?? "" });
    else session.runs(input["command"] ?? "", told);
  }
  return session.says(said);
}

function transcriptOf(project: IgnoringProject): string {
  const file = join(project.aside, "s.jsonl");
  writeFileSync(file, claudeCode(project).lines().join("\n"));
  return file;
}

function asOpencode({ root }: IgnoringProject, { tool, input, answer, failed = false }: Use) {
  const { path = "", old = "", new: after = "", pattern = "", command = "" } = input;
  const inputs = {
    read: { filePath: join(root, path) },
    edit: { filePath: join(root, path), oldString: old, newString: after },
    grep: { pattern, path: join(root, path) },
    bash: { command },
  };
  return { tool, input: inputs[tool], answer, failed };
}
