import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import path, { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installation } from "../../../test/support/install-place.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { isOnPath, lastingNode, openMachine, warnOfPassing, type Machine } from "./machine.js";

describe("the place", () => {
  it("names a Node that an update leaves alone, where it is the same one", () => {
    const same = () => "the same";

    expect(lastingNode("/opt/homebrew/Cellar/node@22/22.1.0/bin/node", same)).toBe(
      "/opt/homebrew/opt/node@22/bin/node",
    );
    expect(lastingNode("/snap/node/9422/bin/node", same)).toBe("/snap/node/current/bin/node");
    expect(lastingNode("/snap/node/9422/bin/node", (each) => each)).toBe("/snap/node/9422/bin/node");
    expect(lastingNode("/usr/bin/node", same)).toBe("/usr/bin/node");
  });

  it("warns of an installation that will not be there for long", () => {
    const at = (main: string, temporary = "/tmp"): Machine => ({
      ...openMachine(),
      path: path.posix,
      installation: { ...installation, main },
      temporary,
    });

    expect(warnOfPassing(at("/home/a/.npm/_npx/1/node_modules/tacit-memory/dist/cli/main.js"))).toContain(
      "npx's cache",
    );
    expect(warnOfPassing(at("/tmp/x/dist/cli/main.js"))).toContain("a temporary folder");
    expect(warnOfPassing(at("/home/a/.cache/pnpm/dlx/1a/node_modules/tacit-memory/dist/cli/main.js"))).toContain("dlx");
    expect(warnOfPassing(at("/var/x/bunx-501-tacit-memory@latest/dist/cli/main.js"))).toContain("bunx");
    const folder = temporaryFolder();
    mkdirSync(join(folder, "private"));
    symlinkSync("private", join(folder, "var"));
    const main = join(realpathSync(folder), "private", "dist/cli/main.js");
    expect(warnOfPassing(at(main, join(folder, "var")))).toContain("a temporary folder");
    expect(warnOfPassing(at("/usr/lib/node_modules/tacit-memory/dist/cli/main.js"))).toBeUndefined();
  });

  it("finds commands as the system would", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "bin", "codex"), "");
    writeFileSync(join(folder, "bin", "gemini.CMD"), "");
    const linux: Machine = {
      ...openMachine(),
      platform: "linux",
      path: path.posix,
      env: { PATH: `:/nowhere:${folder}/bin` },
    };
    // The folders of the test are those of this system, whatever stands between them.
    const windows: Machine = {
      ...linux,
      platform: "win32",
      path: { ...path.posix, delimiter: ";" },
      env: { Path: `C:\\x;${folder}/bin` },
    };

    expect([isOnPath("codex", linux), isOnPath("gemini", linux)]).toEqual([true, false]);
    expect([isOnPath("codex", windows), isOnPath("gemini", windows)]).toEqual([false, true]);
  });
});
