import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { built } from "../../../test/support/child-process.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { findUserHome, homeFolder } from "./home-folder.js";

const main = fileURLToPath(built("cli/main.js"));

describe("Tacit's folder", () => {
  it.each([
    ["empty variables", { HOME: "", TACIT_HOME: "", USERPROFILE: "" }],
    ["white space", { HOME: " ", TACIT_HOME: " ", USERPROFILE: " " }],
    ["a relative HOME", { HOME: "home", TACIT_HOME: undefined, USERPROFILE: "home" }],
  ])("[C14] is in the home that the system knows with %s", (_, env) => {
    setEnvironment(env);

    expect(homeFolder()).toBe(join(userInfo().homedir, ".tacit"));
  });

  it("[C14] is where TACIT_HOME says: as it is, from the working directory, or from the user's home", () => {
    const folder = temporaryFolder();
    setEnvironment({ HOME: folder, USERPROFILE: folder });

    expect(homeFolder()).toBe(join(folder, ".tacit"));
    expect(homeAt(join(folder, "own"))).toBe(join(folder, "own"));
    expect(homeAt("own")).toBe(resolve("own"));
    expect(homeAt("~/own")).toBe(join(folder, "own"));
    expect(homeAt("~")).toBe(folder);
  });

  it("[C14] is asked for where the system knows no home either", () => {
    setEnvironment({ HOME: "", USERPROFILE: "", TACIT_HOME: undefined });
    const unknown = () => {
      throw new Error("ENOENT: no such user");
    };

    expect(findUserHome(unknown)).toBeUndefined();
    expect(findUserHome(() => ({ homedir: "" }))).toBeUndefined();
    expect(() => homeFolder(unknown)).toThrow(
      expect.objectContaining({ code: "home-unknown", hint: expect.stringContaining("TACIT_HOME") }),
    );
  });

  it("[C14] is never in the work tree, whatever a command or a hook does with an empty HOME", () => {
    const [tree, system] = [temporaryFolder(), temporaryFolder()];
    // The home that the system knows is the tester's own, and not for tests.
    const preload = join(system, "preload.mjs");
    writeFileSync(
      preload,
      `import os from "node:os"; import { syncBuiltinESMExports } from "node:module";
       os.userInfo = () => ({ homedir: ${JSON.stringify(join(system, "ada"))} }); syncBuiltinESMExports();`,
    );
    const env = { ...process.env, HOME: "", USERPROFILE: "", TACIT_HOME: "", NODE_OPTIONS: `--import ${preload}` };
    const run = (args: string[], input = "") =>
      spawnSync(process.execPath, [main, ...args], { cwd: tree, env, input, encoding: "utf8" });
    const hooked = { session_id: "one", hook_event_name: "UserPromptSubmit", prompt: "Hello", cwd: tree };

    const remembered = run(["remember", "Tests need the database running"]);
    const set = run(["config", "set", "enabled", "true"]);
    const told = run(["hook", "claude-code"], JSON.stringify(hooked));

    expect([remembered, set, told].map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      Array.from({ length: 3 }, () => ({ status: 0, stderr: "" })),
    );
    expect(readdirSync(tree)).toEqual([]);
    expect(readdirSync(join(system, "ada", ".tacit"))).toEqual(
      expect.arrayContaining(["memory.db", "sessions", "tacit.config.json"]),
    );
  });
});

function homeAt(folder: string): string {
  vi.stubEnv("TACIT_HOME", folder);
  return homeFolder();
}

function setEnvironment(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries({ TACIT_HOME: undefined, ...variables })) vi.stubEnv(name, value);
}
