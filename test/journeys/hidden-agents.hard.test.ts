// Ways by which an agent, or what it has read, could keep from being known as one.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openMemory } from "../../src/index.js";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { standInAgent, tacitMain, type Ran } from "../support/stand-in-agent.js";
import { temporaryFolder } from "../support/temporary-folder.js";

beforeEach(({ skip }) => skip(process.platform !== "linux", "only Linux tells where a process comes from"));

describe("an agent in a folder whose own settings", () => {
  it.each([
    ["switch Tacit off", '{ "enabled": false }'],
    ["cannot be read", '{ "enabled": fal'],
    ["are wrong", '{ "ignore": { "paths": 7 } }'],
  ])("%s [TR14] is an agent in every other folder, and nobody knows what it has read", async (_, settings) => {
    const { root, home, db, env, memories } = await place();
    const evil = gitRepository();
    commitFiles(evil, { "tacit.config.json": settings });
    const agent = await standInAgent({ root: evil, db, home, env });

    const { stdout } = await agent.bash("tacit remember 'Deploys wait for nobody.'", { cwd: root });
    const decided = [
      await agent.bash("tacit verify deploys", { cwd: root }),
      await agent.bash("tacit --project user remember 'Everywhere.'", { cwd: root }),
      await agent.bash("tacit project accept", { cwd: root }),
    ];

    expect(stdout).toContain("waiting · tainted");
    expect(decided.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(await memories()).toEqual(["active Deploys go out on Tuesdays.", "waiting Deploys wait for nobody."]);
  });

  it("[TR14] are there only for a while has read what nobody knows", async () => {
    const { root, home, db, env, memories } = await place();
    const agent = await standInAgent({ root, db, home, env });
    const settings = join(root, "tacit.config.json");

    writeFileSync(settings, '{ "enabled": false }');
    await agent.call("WebFetch", { url: "https://docs.example.org" });
    rmSync(settings);
    await agent.bash("tacit remember 'Deploys wait for nobody.'");

    expect(await memories()).toContain("waiting Deploys wait for nobody.");
  });
});

describe("what an agent starts outside of its calls", () => {
  it("[TR15] is no hook for having the word in its line", async () => {
    const { root, home, db, env } = await place();
    const agent = await standInAgent({ root, db, home, env });

    const run = (line: string) => agent.start({ command: "/bin/sh", args: ["-c", line] });
    const ran = [
      await run("tacit --project user remember 'Tabs everywhere.' --tag hook"),
      await run("tacit --project user remember hook"),
    ];

    expect(ran.map(({ code }) => code)).toEqual([1, 1]);
  });
});

describe("a hook without its agent", () => {
  const start = { hook_event_name: "SessionStart", source: "startup" };

  it("[TR16] does not make an agent of the process that took it in, where the agent was killed", async () => {
    const { root, home, db, env } = await place();
    const agent = await standInAgent({ root, db, home, env, sessionId: "killed" });
    await agent.hook({ hook_event_name: "UserPromptSubmit", prompt: "Go." });
    const call = { tool_name: "Read", tool_input: { file_path: "src/a.ts" }, tool_use_id: "toolu_1" };

    const done = join(home, "done");
    const line =
      `touch ${home}/begun; ` +
      lateHook({ session_id: "killed", cwd: root, hook_event_name: "PreToolUse", ...call }, done);
    void agent.start({ command: "/bin/sh", args: ["-c", line], env: { CLAUDE_PROJECT_DIR: root } });
    await expect.poll(() => readdirSync(home), { timeout: 20_000 }).toContain("begun");
    process.kill(agent.pid, "SIGKILL");
    await expect.poll(() => readdirSync(home), { timeout: 20_000 }).toContain("done");

    expect(asPerson({ root, home }, ["verify", "deploys"])).toMatchObject({ code: 0 });
  });

  it("[TR16] does not do so either where the agent has let it go on purpose", async () => {
    const { root, home, db, env } = await place();
    const agent = await standInAgent({ root, db, home, env });
    const done = join(home, "done");
    writeFileSync(join(root, "late.sh"), lateHook({ session_id: "other", cwd: root, ...start }, done));

    await agent.bash("(setsid sh late.sh >/dev/null 2>&1 &)");
    await expect.poll(() => readdirSync(home), { timeout: 20_000 }).toContain("done");

    expect(asPerson({ root, home }, ["verify", "deploys"])).toMatchObject({ code: 0 });
  });
});

describe("what a call of an agent left running", () => {
  it("[TR17] is no person after the session was silent for so long that it was learned from", async () => {
    const { root, home, db, env, memories } = await place();
    const agent = await standInAgent({ root, db, home, env });
    await agent.call("WebFetch", { url: "https://docs.example.org" });
    const [go, done] = [join(home, "go"), join(home, "done")];
    const typed = { hook_event_name: "UserPromptSubmit", prompt: "/tacit:remember Deploys skip staging." };
    const hook = lateHook({ session_id: agent.sessionId, cwd: root, ...typed }, done);
    writeFileSync(join(root, "later.sh"), `while [ ! -e ${go} ]; do sleep 0.2; done\n${hook}`);

    // It stays a child of the agent, as a command does that an agent itself sends to the background.
    const background = { command: "sh later.sh", run_in_background: true };
    await agent.call("Bash", background, async () => {
      void agent.start({ command: "/bin/sh", args: ["-c", "sh later.sh; true"], env: { CLAUDE_PROJECT_DIR: root } });
    });
    fallSilent(home);
    asPerson({ root, home }, ["observe", "--finish"]);
    const left = readdirSync(join(home, "sessions"));
    writeFileSync(go, "");
    await expect.poll(() => readdirSync(home), { timeout: 20_000 }).toContain("done");

    expect(left).toEqual([]);
    expect(await memories()).toContain("waiting Deploys skip staging.");
  });
});

describe("a person", () => {
  it("[TR4] is believed in what they type after such a silence", async () => {
    const { root, home, db, env, memories } = await place();
    const agent = await standInAgent({ root, db, home, env });
    await agent.call("WebFetch", { url: "https://docs.example.org" });
    await agent.hook({ hook_event_name: "Stop" });
    fallSilent(home);
    asPerson({ root, home }, ["observe", "--finish"]);
    const left = readdirSync(join(home, "sessions"));

    await agent.hook({ hook_event_name: "UserPromptSubmit", prompt: "/tacit:remember Deploys go out on Fridays." });

    expect(left).toEqual([]);
    expect(await memories()).toContain("active Deploys go out on Fridays.");
  });
});

/** As if nothing had been noted for longer than a session goes on without. */
function fallSilent(home: string): void {
  const sessions = join(home, "sessions");
  const then = new Date(Date.now() - 40 * 60_000);
  for (const name of readdirSync(sessions, { recursive: true, encoding: "utf8" }))
    utimesSync(join(sessions, name), then, then);
}

/** A folder with a memory in it, and an agent's way to `tacit`. */
async function place() {
  const root = gitRepository();
  commitFiles(root, { "src/a.ts": "export const a = 1;\n" });
  const home = join(temporaryFolder(), "home");
  const bin = temporaryFolder();
  mkdirSync(home);
  writeFileSync(join(bin, "tacit"), `#!/bin/sh\nexec "${process.execPath}" "${tacitMain}" "$@"\n`, { mode: 0o755 });
  const db = join(home, "memory.db");
  const open = () => openMemory({ db, directory: root, embedder: null, actor: { kind: "person" } });
  const memories = async (): Promise<string[]> => {
    const memory = await open();
    const found = await memory.list({ status: "any" });
    await memory.close();
    return found.map(({ status, content }) => `${status} ${content}`).toSorted();
  };
  const memory = await open();
  await memory.remember({ content: "Deploys go out on Tuesdays.", name: "deploys", source: "user_taught" });
  await memory.close();
  return { root, home, db, env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` }, memories };
}

/** A hook that runs when whoever started it is gone. */
function lateHook(document: Record<string, unknown>, done: string): string {
  return `sleep 1; printf '%s' '${JSON.stringify(document)}' | tacit hook claude-code >/dev/null; touch ${done}`;
}

function asPerson({ root, home }: { root: string; home: string }, args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tacitMain, ...args], {
    cwd: root,
    env: { ...process.env, TACIT_HOME: home },
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}
