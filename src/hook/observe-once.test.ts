import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { anything, array, assert, asyncProperty } from "fast-check";
import { describe, expect, it } from "vitest";
import { commitFiles, gitRepository } from "../../test/support/git-repository.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { identifyFolder } from "../project/folder/identify-folder.js";
import { listSpools } from "../observer/spool/list-spools.js";
import { readSpool } from "../observer/spool/read-spool.js";
import { ownSessions } from "../observer/spool/spool.js";
import { readUntrustedMark, untrustedUnnotedFile } from "../observer/spool/untrusted-mark.js";
import { observeOnce, readEvents, type AgentEvent } from "./observe-once.js";

const prompt: AgentEvent = { sessionId: "s1", kind: "prompt", text: "Mend it." };

describe("observeOnce", () => {
  it("notes the events of each session and agent, and says which have ended", async () => {
    const home = temporaryFolder();
    const directory = temporaryFolder();

    const { ended, isFinishingDue } = await observeOnce(
      [prompt, { ...prompt, agentId: "helper" }, { ...prompt, sessionId: "s2" }, { sessionId: "s2", kind: "end" }],
      { home, directory },
    );

    const spools = await listSpools(home);
    const main = spools.find(({ sessionId }) => sessionId === "s1");
    const notes = [];
    for await (const { agentId, notes: some } of readSpool(main?.folder ?? ""))
      for (const { kind } of some) notes.push([agentId, kind]);
    expect(ended).toEqual(["s2"]);
    expect(isFinishingDue).toBe(true);
    expect(spools.map(({ sessionId, hasEnded }) => `${sessionId} ${hasEnded}`).toSorted()).toEqual([
      "s1 false",
      "s2 true",
    ]);
    expect(notes).toEqual([
      [undefined, "prompt"],
      ["helper", "prompt"],
    ]);
  });

  it("takes the same root as openMemory does, wherever the agent stands", async () => {
    const home = temporaryFolder();
    const folder = temporaryFolder();
    const tree = join(folder, "tree");
    mkdirSync(join(tree, ".git"), { recursive: true });
    mkdirSync(join(tree, "src", "deep"), { recursive: true });
    mkdirSync(join(tree, "module"), { recursive: true });
    writeFileSync(join(tree, "module", ".git"), "gitdir: elsewhere");
    symlinkSync(tree, join(folder, "link"));
    const file = join(tree, "module", "file");
    writeFileSync(file, "");
    const directories = [
      tree,
      join(tree, "src", "deep"),
      join(tree, "module"),
      join(folder, "link", "src"),
      folder,
      file,
    ];

    for (const directory of [...directories, join(folder, "not", "there"), join(tree, "gone", "too"), "/"]) {
      const { root } = await observeOnce([], { home, directory });

      expect(root).toBe((await identifyFolder(directory)).root);
    }
  });

  it("takes the work tree that the agent was started in for the root, wherever the agent goes", async () => {
    const home = temporaryFolder();
    const [tree, other, plain] = [gitRepository(), gitRepository(), temporaryFolder()];
    mkdirSync(join(tree, "src"));

    for (const directory of [tree, join(tree, "src"), other, plain, "/"]) {
      const { root } = await observeOnce([], { home, directory, startedIn: join(tree, "src") });

      expect(root).toBe(tree);
    }
  });

  it("says at the beginning of a session that an earlier one is over", async () => {
    const home = temporaryFolder();
    const options = { home, directory: temporaryFolder() };
    const start: AgentEvent = { sessionId: "s2", kind: "start" };
    const first = await observeOnce([start], options);
    await observeOnce([prompt, { sessionId: "s1", kind: "end" }], options);

    const second = await observeOnce([start], options);
    const other = await observeOnce([start], { ...options, db: join(home, "other.db") });

    expect([first.isFinishingDue, second.isFinishingDue, other.isFinishingDue]).toEqual([false, true, false]);
  });

  it("[O19] does not take the end of a sub-agent for the end of its session", async () => {
    const options = { home: temporaryFolder(), directory: temporaryFolder() };

    const observed = await observeOnce([prompt, { sessionId: "s1", agentId: "helper", kind: "end" }], options);

    expect(observed).toMatchObject({ ended: [], isFinishingDue: false });
  });

  it("[O19] begins each part of a session with what git has, unless the agent says itself that it begins", async () => {
    const home = temporaryFolder();
    const directory = gitRepository();
    const commit = commitFiles(directory, {});
    const begin = { kind: "start", root: directory, commit, branch: "main" };

    await observeOnce([{ ...prompt, agentId: "helper" }], { home, directory });
    await observeOnce([prompt], { home, directory });
    await observeOnce(
      [
        { sessionId: "s2", kind: "start", agent: "test" },
        { ...prompt, sessionId: "s2" },
      ],
      {
        home,
        directory,
      },
    );

    const notes: Record<string, unknown[]> = {};
    for (const { sessionId, folder } of await listSpools(home)) {
      for await (const { agentId = "main", notes: some } of readSpool(folder)) notes[`${sessionId} ${agentId}`] = some;
    }
    expect(notes).toMatchObject({
      "s1 main": [begin, { kind: "prompt" }],
      "s1 helper": [{ kind: "prompt" }],
      "s2 main": [{ ...begin, agent: "test" }, { kind: "prompt" }],
    });
    expect(notes["s1 main"]).toHaveLength(2);
  });

  it.each([
    ["switches Tacit off", '{ "enabled": false }'],
    ["cannot be read", '{ "enabled": fal'],
    ["has a list of what is ignored that is none", '{ "ignore": { "paths": 7 } }'],
  ])("[TR14] writes down the agent, and that nobody watches it, where a project's file %s", async (_, text) => {
    const [home, directory] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(directory, "tacit.config.json"), text);

    await observeOnce([prompt], { home, directory }).catch(() => undefined);

    expect(readdirSync(home)).toEqual(process.platform === "linux" ? ["agent-processes"] : []);
    if (process.platform !== "linux") return;
    const place = { home, db: join(home, "memory.db") };
    expect(ownSessions(place)).toMatchObject([{ sessionId: "s1", isUnwatched: true }]);
    const records = readdirSync(join(home, "agent-processes")).map((name) =>
      readFileSync(join(home, "agent-processes", name), "utf8"),
    );
    expect(records.join("")).not.toContain("Mend it.");
  });

  it("[TR14] writes down the agent of a project that its user ignores", async () => {
    const [home, directory] = [temporaryFolder(), realpathSync(temporaryFolder())];
    writeFileSync(join(home, "tacit.config.json"), JSON.stringify({ ignore: { projects: [directory] } }));

    await observeOnce([prompt], { home, directory });

    expect(existsSync(join(home, "sessions"))).toBe(false);
    if (process.platform !== "linux") return;
    expect(ownSessions({ home, db: join(home, "memory.db") })).toMatchObject([{ isUnwatched: true }]);
  });

  it("[TR14] marks a session that was noted before it was switched off, or is noted only afterwards", async () => {
    const [home, directory] = [temporaryFolder(), temporaryFolder()];
    const settings = join(directory, "tacit.config.json");
    const next = { ...prompt, sessionId: "s2" };
    await observeOnce([prompt], { home, directory });
    writeFileSync(settings, '{ "enabled": false }');
    await observeOnce([prompt, next], { home, directory });
    const marked = await listMarked(home);
    rmSync(settings);
    await observeOnce([prompt, next], { home, directory });

    expect(marked).toEqual(["s1"]);
    // Elsewhere no record says what was left out before anything was noted.
    expect(await listMarked(home)).toEqual(process.platform === "linux" ? ["s1", "s2"] : ["s1"]);
  });

  it("writes nothing for a store in memory", async () => {
    const home = temporaryFolder();

    await observeOnce([prompt], { home, db: ":memory:" });

    expect(readdirSync(home)).toEqual([]);
  });

  it("minds no event, whatever it is", async () => {
    const home = temporaryFolder();

    await assert(
      asyncProperty(array(anything()), async (events) => {
        expect(await observeOnce(events as AgentEvent[], { home, directory: home })).toMatchObject({ ended: [] });
      }),
    );
  });
});

/** The sessions whose notes are marked as not all. */
async function listMarked(home: string): Promise<string[]> {
  const isMarked = ({ folder }: { folder: string }) =>
    readUntrustedMark(folder, untrustedUnnotedFile)?.from === "unwatched";
  return (await listSpools(home))
    .filter(isMarked)
    .map(({ sessionId }) => sessionId)
    .toSorted();
}

describe("readEvents", () => {
  it("reads what each agent tells", async () => {
    const step = { text: "Done.", usage: { inputTokens: 7 } };

    expect(await readEvents("claude-code", { session_id: "s1", hook_event_name: "SessionEnd" })).toMatchObject([
      { sessionId: "s1", kind: "end" },
    ]);
    expect(await readEvents("ai-sdk", { sessionId: "s1", step })).toMatchObject([
      { sessionId: "s1", kind: "reasoning" },
      { sessionId: "s1", kind: "step", inputTokens: 7 },
    ]);
    expect(await readEvents("ai-sdk", { sessionId: "s1", ...step })).toHaveLength(2);
    expect(await readEvents("tacit", prompt)).toEqual([prompt]);
    const start = { sessionId: "s1", kind: "start" };
    expect(await readEvents("tacit", start, { type: "spec" })).toEqual([{ ...start, type: "spec" }]);
    expect(await readEvents("tacit", { ...start, type: "build" }, { type: "spec" })).toMatchObject([{ type: "build" }]);
  });

  it.each(["claude-code", "opencode", "ai-sdk", "tacit"] as const)("of %s minds no document", async (source) => {
    await assert(
      asyncProperty(anything(), async (document) => {
        expect(Array.isArray(await readEvents(source, document))).toBe(true);
      }),
    );
  });
});
