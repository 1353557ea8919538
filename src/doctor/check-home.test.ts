import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runTacit } from "../../test/support/run-tacit.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { checkHome } from "./check-home.js";

describe("the doctor on Tacit's folder", () => {
  it("[C14] is content where it can be written, or made", () => {
    const folder = temporaryFolder();

    expect(checkHome(folder)).toEqual({ name: "home", status: "ok", message: folder });
    expect(checkHome(join(folder, "new", "home"))).toMatchObject({ status: "ok" });
  });

  it("[C14] warns where it cannot be written", () => {
    const home = temporaryFolder();

    expect(checkHome(home, refusing(home))).toMatchObject({
      status: "warning",
      message: `${home} cannot be written`,
      hint: expect.stringContaining("TACIT_HOME"),
    });
  });

  it("[C14] warns where it cannot be made", () => {
    const parent = temporaryFolder();

    expect(checkHome(join(parent, "new", "home"), refusing(parent))).toMatchObject({
      status: "warning",
      message: `${join(parent, "new", "home")} cannot be made: ${parent} cannot be written`,
    });
  });

  it.each(["sessions", "agents", "layers"])("[C14] warns where its folder %s cannot be written", (name) => {
    const home = temporaryFolder();
    mkdirSync(join(home, name));

    expect(checkHome(home, refusing(join(home, name)))).toMatchObject({
      status: "warning",
      message: `${join(home, name)} cannot be written`,
    });
  });

  it("[C14] is heard on the command line, where a file is in the way", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const doctor = (home: string) => runTacit(["doctor"], { cwd: dirname(file), env: { TACIT_HOME: home } });

    expect((await doctor(file)).stdout).toContain(`${file} is no folder`);
    expect((await doctor(join(file, "home"))).stdout).toContain(`${file} is no folder`);
  });
});

/** The rights of somebody who may not write this folder; whoever runs the tests may be allowed everything. */
function refusing(folder: string): (path: string) => void {
  return (path) => {
    if (path === folder) throw new Error("EACCES");
  };
}
