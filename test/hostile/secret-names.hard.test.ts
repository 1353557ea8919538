// Secrets where nobody looks for a text: in the names of branches, sessions, agents, tools, files and symbols. Not one byte of
// them may be in anything that is stored, noted or exported.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openMemory, type TacitMemory } from "../../src/index.js";
import { built } from "../support/child-process.js";
import { commitFiles, git, gitRepository, writeFiles } from "../support/git-repository.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { tokenOf } from "../support/token-formats.js";

const main = fileURLToPath(built("cli/main.js"));
const shapes = [
  "ghp_{mix:36}",
  "github_pat_{mix:22}_{mix:59}",
  "npm_{mix:36}",
  "hf_{mix:34}",
  "sk_live_{mix:24}",
  "rk_test_{mix:24}",
  "shpat_{hex:32}",
  "lin_api_{mix:40}",
  "dop_v1_{hex:64}",
  "gsk_{mix:52}",
  "r8_{mix:37}",
  "ntn_{mix:46}",
  "figd_{mix:40}",
  "nfp_{mix:40}",
  "vcp_{mix:40}",
  "acme_live_{mix:32}",
  "whsec_{mix:32}",
  "dckr_pat_{mix:27}",
  "sntrys_{mix:60}",
  "rootly_{hex:64}",
];
/** Twenty for each place, so that a leak says where it was. */
const secretsOf = (place: string): string[] =>
  shapes.map((shape, at) => tokenOf(shape, at * 97 + place.length * 13 + hash(place)));
const hash = (text: string): number =>
  Array.from(text).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 100_000, 7);

const places: Record<string, (secrets: string[], stage: Stage) => Promise<void> | void> = {
  branch: async (secrets, { root, home, hook }) => {
    for (const [at, secret] of secrets.entries()) {
      git(root, "checkout", "--quiet", "-B", `feature/${secret}`);
      run(root, home, ["remember", `Branches are plain, number ${at}.`]);
      if (at % 5 === 0) run(root, home, ["index"]);
      hook({ session_id: `branch-${at}`, hook_event_name: "SessionStart", source: "startup" });
      hook({ session_id: `branch-${at}`, hook_event_name: "UserPromptSubmit", prompt: "Mend it." });
    }
    git(root, "checkout", "--quiet", "-B", "main");
  },
  "session id": async (secrets, { hook, memory, root, home }) => {
    for (const secret of secrets) {
      hook({ session_id: secret, hook_event_name: "SessionStart", source: "startup" });
      hook({ session_id: secret, hook_event_name: "UserPromptSubmit", prompt: "Mend it." });
      hook({
        session_id: secret,
        hook_event_name: "PostToolUse",
        tool_name: "Read",
        tool_input: { file_path: join(root, "a.ts") },
        tool_response: "x",
      });
      hook({ session_id: secret, hook_event_name: "SessionEnd" });
      await memory.remember({ content: `Said in a session, ${secret.length}.`, sessionId: secret }).catch(() => {});
      memory.observe({ sessionId: secret, kind: "prompt", text: "Mend it." });
      await memory.finishSession(secret).catch(() => {});
      run(root, home, ["chat", "log", secret, "user", "Hello"]);
    }
  },
  "agent id": async (secrets, { hook, memory, root }) => {
    for (const secret of secrets) {
      hook({
        session_id: "agents",
        agent_id: secret,
        hook_event_name: "PostToolUse",
        tool_name: "Read",
        tool_input: { file_path: join(root, "a.ts") },
        tool_response: "x",
      });
      await memory
        .as({ kind: "agent", name: secret, sessionId: "agents" })
        .remember({ content: `An agent said ${secret.length}.` })
        .catch(() => {});
      await memory.remember({ content: `For ${secret.length}.`, agent: secret }).catch(() => {});
    }
  },
  "tool name": (secrets, { hook }) => {
    for (const secret of secrets) {
      hook({
        session_id: "tools",
        hook_event_name: "PostToolUse",
        tool_name: `mcp__x__${secret}`,
        tool_use_id: secret,
        tool_input: { a: 1 },
        tool_response: "x",
      });
    }
  },
  "work unit": async (secrets, { memory }) => {
    for (const secret of secrets) {
      await memory
        .remember({
          content: `Unit ${secret.length}.`,
          workUnit: { methodology: "native", hierarchy: [secret], label: secret },
        })
        .catch(() => {});
      memory.observe({
        sessionId: "units",
        kind: "unit",
        unit: { methodology: secret, hierarchy: [secret], label: secret },
      } as never);
    }
  },
  "tags, names and metadata": async (secrets, { memory }) => {
    for (const secret of secrets) {
      await memory.remember({
        content: `Tagged ${secret.length}.`,
        tags: [secret],
        metadata: { [secret]: secret },
        relatedFiles: [`src/${secret}.ts`],
        relatedModules: [secret],
      });
      await memory.remember({ content: `Named ${secret.length}.`, name: secret }).catch(() => {});
      await memory.remember({ content: `See https://example.com/hooks/${secret}/run?x=1` });
    }
  },
  "file names": (secrets, { root, home, hook }) => {
    writeFiles(root, Object.fromEntries(secrets.map((secret) => [`src/${secret}.ts`, `export const at = "x";\n`])));
    writeFiles(
      root,
      Object.fromEntries(
        secrets.map((secret) => [`src/${secret}/index.ts`, `import { at } from "../${secret}.js";\nat;\n`]),
      ),
    );
    commitFiles(root, {});
    for (const secret of secrets) git(root, "mv", `src/${secret}.ts`, `src/${secret}-moved.ts`);
    commitFiles(root, { "src/keep.ts": `import "./${secrets[0]}-moved.js";\n` });
    run(root, home, ["index"]);
    for (const secret of secrets.slice(-5)) {
      hook({
        session_id: "files",
        hook_event_name: "PostToolUse",
        tool_name: "Read",
        tool_input: { file_path: join(root, `src/${secret}-moved.ts`) },
        tool_response: "x",
      });
      run(root, home, ["remember", "About a file.", "--file", `src/${secret}-moved.ts`]);
    }
    run(root, home, ["map"]);
  },
  symbols: (secrets, { root, home }) => {
    const name = (secret: string) => secret.replaceAll("-", "_");
    writeFiles(root, {
      "src/symbols.ts": secrets
        .map((secret) => `export function ${name(secret)}(): string { return ${name(secret)}(); }`)
        .join("\n"),
      "src/symbols.py": secrets
        .map((secret) => `class ${name(secret)}:\n    def ${name(secret)}_x(self):\n        pass\n`)
        .join("\n"),
      "src/symbols.go": `package a\n${secrets.map((secret) => `func ${name(secret)}() {}`).join("\n")}\n`,
      "package.json": JSON.stringify({
        name: "a",
        scripts: Object.fromEntries(secrets.map((secret) => [secret, "x"])),
      }),
    });
    commitFiles(root, {});
    run(root, home, ["index"]);
    run(root, home, ["map"]);
  },
  "name of the remote": (secrets, { root, home }) => {
    for (const secret of secrets.slice(0, 3)) {
      git(root, "remote", "add", "origin", `https://x:${secret}@git.example/${secret}/app.git`);
      run(root, home, ["remember", "Remotes are plain."]);
      git(root, "remote", "remove", "origin");
    }
  },
};

interface Stage {
  root: string;
  home: string;
  memory: TacitMemory;
  hook: (event: object) => void;
}

describe.each(Object.keys(places))("%s", (place) => {
  it("[TR86] leaves no byte of twenty secrets in what is stored, noted or exported", async () => {
    const secrets = secretsOf(place);
    const home = join(temporaryFolder(), "home");
    mkdirSync(home, { mode: 0o700 });
    const root = gitRepository();
    commitFiles(root, { "a.ts": "export const a = 1;\n" });
    process.env["TACIT_HOME"] = home;
    const memory = await openMemory({ db: join(home, "memory.db"), directory: root, embedder: null });
    const hook = (event: object): void => {
      const { status } = spawn(root, home, ["hook", "claude-code"], JSON.stringify({ cwd: root, ...event }));
      expect(status).toBe(0);
    };

    await places[place]?.(secrets, { root, home, memory, hook });
    const during = leaksIn(home, secrets);
    await memory.close();
    run(root, home, ["observe", "--finish"]);
    run(root, home, ["export", "--output", join(home, "all.jsonl")]);
    run(root, home, ["graph", "export", "--output", join(home, "graph.json")]);

    expect([...during, ...leaksIn(home, secrets)]).toEqual([]);
  });
});

function run(cwd: string, home: string, args: string[]): void {
  spawn(cwd, home, args, "");
}

function spawn(cwd: string, home: string, args: string[], input: string): { status: number | null } {
  const env = { ...process.env, TACIT_HOME: home, TACIT_EMBEDDING: "none" };
  return spawnSync(process.execPath, [main, ...args], { cwd, env, input, encoding: "utf8" });
}

/** Files in which the random part of a secret stands, with what stands around it. */
function leaksIn(folder: string, secrets: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap((file) => {
    const path = join(file.parentPath, file.name);
    const text = `${path}\n${readFileSync(path, "latin1")}`;
    const found = secrets.filter((secret) => text.includes(secret.slice(-16)));
    const at = found[0] === undefined ? 0 : text.indexOf(found[0].slice(-16));
    return found.length === 0
      ? []
      : [`${found.length} in ${file.name}: ${text.slice(Math.max(0, at - 150), at + 20).replaceAll(/[^ -~]/g, "·")}`];
  });
}
