// Who else can read or write what Tacit leaves on disk: everything a command or a hook makes with umask 0, and homes that are not
// only their owner's.
import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { built } from "../support/child-process.js";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const main = fileURLToPath(built("cli/main.js"));

beforeEach(({ skip }) => skip(process.platform === "win32", "Windows has no modes of files"));

describe("with umask 0", () => {
  it("[TR87] every file is its owner's alone, and every folder", () => {
    const home = join(temporaryFolder(), "deep", "home");
    const out = temporaryFolder();
    const root = gitRepository();
    commitFiles(root, { "src/a.ts": "export const a = 1;\n", "src/b.ts": 'import { a } from "./a.js"; a;\n' });
    const run = (line: string, input = "") => {
      const { status, stderr } = spawnSync("sh", ["-c", `umask 0; "${process.execPath}" "${main}" ${line}`], {
        cwd: root,
        env: { ...process.env, TACIT_HOME: home, TACIT_EMBEDDING: "none" },
        input,
        encoding: "utf8",
      });
      expect({ line, status, stderr: stderr.replaceAll(/^tacit: (?!.*cannot).*\n/gm, "") }).toMatchObject({
        status: 0,
      });
    };
    const hook = (event: object) => run("hook claude-code", JSON.stringify({ session_id: "s1", cwd: root, ...event }));

    run('remember "Tests need the database running" --type gotcha');
    run("config set maxEntries 5000");
    run("index");
    hook({ hook_event_name: "SessionStart", source: "startup" });
    hook({ hook_event_name: "UserPromptSubmit", prompt: "Mend the parser, please, and say why." });
    hook({
      hook_event_name: "PostToolUse",
      tool_name: "WebFetch",
      tool_input: { url: "https://a.b" },
      tool_response: "x",
    });
    run('chat log s2 user "Remember that the port is 8080"');
    run("chat archive s2 --json || true");
    run("chat memory || true");
    run(`backup "${join(out, "made", "copy.db")}"`);
    run(`export --output "${join(out, "made", "all.jsonl")}"`);
    run(`graph export --output "${join(out, "graph.json")}" || true`);
    run("list --json > /dev/null");

    const open = [...everythingIn(home), ...everythingIn(join(out, "made")), ...everythingIn(out)].filter(isForOthers);
    expect(everythingIn(home).length).toBeGreaterThan(5);
    expect(open).toEqual([]);
  });
});

describe("a home that is not only its owner's", () => {
  it("[TR87] is refused where everybody can write, with what to do, by commands and by the doctor", () => {
    const home = join(temporaryFolder(), "home");
    mkdirSync(home);
    chmodSync(home, 0o777);

    for (const line of [["remember", "A thing"], ["recall", "thing"], ["doctor"], ["list"]]) {
      const { status, stderr } = runIn(home, line);
      expect(status).toBe(1);
      expect(stderr).toContain(`Everybody on this machine can write to ${home}.`);
      expect(stderr).toContain(`chmod 700 ${home}`);
    }
    expect(readdirSync(home)).toEqual([]);
  });

  it("[TR87] may be a link of one's own, and is refused where everybody can write to what it leads to", () => {
    const folder = temporaryFolder();
    for (const [name, mode] of [
      ["own", 0o700],
      ["open", 0o777],
    ] as const) {
      mkdirSync(join(folder, name));
      chmodSync(join(folder, name), mode);
      symlinkSync(join(folder, name), join(folder, `link-${name}`));
    }

    const own = runIn(join(folder, "link-own"), ["remember", "A thing"]);
    const open = runIn(join(folder, "link-open"), ["remember", "A thing"]);

    expect(own.status).toBe(0);
    expect([open.status, open.stderr]).toEqual([1, expect.stringContaining("Everybody on this machine can write")]);
    expect(readdirSync(join(folder, "open"))).toEqual([]);
  });

  it("[TR87] keeps no agent waiting and notes nothing: a hook ends well", () => {
    const home = join(temporaryFolder(), "home");
    mkdirSync(home);
    chmodSync(home, 0o777);
    const event = { session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "Hello", cwd: home };

    const { status, stdout, stderr } = runIn(home, ["hook", "claude-code"], JSON.stringify(event));

    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(readdirSync(home)).toEqual([]);
  });

  it("[TR87] is named by the doctor where a file in it can be read by others", () => {
    const home = join(temporaryFolder(), "home");
    runIn(home, ["remember", "A thing"]);
    chmodSync(join(home, "memory.db"), 0o644);

    expect(runIn(home, ["doctor"]).stdout).toContain(`Others can read or write ${join(home, "memory.db")}`);
  });
});

function runIn(home: string, args: string[], input = ""): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [main, ...args], {
    cwd: temporaryFolder(),
    env: { ...process.env, TACIT_HOME: home, TACIT_EMBEDDING: "none" },
    input,
    encoding: "utf8",
  });
}

function everythingIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))];
}

function isForOthers(path: string): boolean {
  return (lstatSync(path).mode & 0o077) !== 0;
}
