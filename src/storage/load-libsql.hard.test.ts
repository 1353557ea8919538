import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { built } from "../../test/support/child-process.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { explainLoading } from "./load-libsql.js";

const main = fileURLToPath(built("cli/main.js"));

describe("a machine on which libSQL cannot be loaded", () => {
  it.each([
    ["remember", "Tests need the database running"],
    ["list"],
    ["recall", "database"],
    ["stats"],
    ["export"],
    ["index"],
  ])("[S23] is told the package that is missing by `tacit %s`", (...args) => {
    const { status, stdout, stderr } = tacitWithout("the package", args);

    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(
      /^tacit: The database needs the package @libsql\/\S+, which is not installed\.\n  .*npm install/,
    );
    expect(stderr).not.toContain("    at ");
  });

  it("[S23] is told that the native file cannot be loaded, as a program reads it", () => {
    const { status, stdout, stderr } = tacitWithout("a sound file", ["list", "--json"]);

    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "native-missing", message: expect.stringContaining("index.node"), hint: expect.any(String) },
    });
  });

  it("[S23] is told by doctor too", () => {
    const { status, stdout } = tacitWithout("the package", ["doctor"]);

    expect(status).toBe(1);
    expect(stdout).toContain("which is not installed");
  });

  it("[S23] shows settings all the same, which are in no database", () => {
    expect(tacitWithout("the package", ["config"])).toMatchObject({ status: 0, stderr: "" });
  });

  it("[S23] does not keep an agent from its work", () => {
    const document = { session_id: "one", hook_event_name: "SessionStart", source: "startup" };

    const { status, stdout } = tacitWithout("the package", ["hook", "claude-code"], JSON.stringify(document));

    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });

  it("[S23] is sent to Microsoft's runtime on Windows, where the file is there and cannot be loaded", () => {
    const error = Object.assign(new Error("The specified module could not be found.\n\\\\?\\C:\\index.node"), {
      code: "ERR_DLOPEN_FAILED",
    });

    expect(explainLoading(error, { platform: "win32", arch: "x64" })).toMatchObject({
      code: "native-missing",
      message: expect.stringMatching(/cannot be loaded: The specified module could not be found\.$/),
      hint: expect.stringContaining("Microsoft Visual C++ Redistributable"),
      cause: error,
    });
  });

  it("[S23] is told so where libSQL has no build for it", () => {
    const error = new Error("Neon: unsupported Linux architecture: riscv64");

    expect(explainLoading(error, { platform: "linux", arch: "riscv64" })).toMatchObject({
      code: "native-missing",
      hint: expect.stringContaining("linux-riscv64"),
    });
  });
});

/** Runs the command where the native package is not to be found, or its file is none that can be loaded. */
function tacitWithout(what: "the package" | "a sound file", args: string[], input = "") {
  const folder = temporaryFolder();
  const [preload, native] = [join(folder, "preload.cjs"), join(folder, "index.node")];
  writeFileSync(native, "no library");
  writeFileSync(
    preload,
    `const Module = require("node:module");
     const find = Module._resolveFilename;
     Module._resolveFilename = function (name, ...rest) {
       if (!/^@libsql\\/(?:android|darwin|linux|win32)-/.test(name)) return find.call(this, name, ...rest);
       ${what === "the package" ? 'return find.call(this, name + "-left-out", ...rest);' : `return ${JSON.stringify(native)};`}
     };`,
  );
  const env = { ...process.env, TACIT_HOME: join(folder, "home"), NODE_OPTIONS: `--require ${preload}` };
  return spawnSync(process.execPath, [main, ...args], { cwd: folder, env, input, encoding: "utf8" });
}
