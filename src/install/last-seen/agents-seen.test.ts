import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { listAgentsSeen, noteAgentSeen } from "./agents-seen.js";

const homes: string[] = [];
afterEach(() => homes.splice(0).forEach((home) => rmSync(home, { recursive: true, force: true })));

it("tells who has spoken, the last one first", async () => {
  const home = newHome();
  noteAgentSeen("claude-code", { home });
  await new Promise((later) => setTimeout(later, 10));
  noteAgentSeen("Visual Studio Code", { home });

  expect(listAgentsSeen({ home }).map(({ agent }) => agent)).toEqual(["visual-studio-code", "claude-code"]);
});

it("stays in its folder, whatever an agent calls itself", () => {
  const home = newHome();
  for (const name of ["../../x", "", "..", "/etc/passwd", "a\0b", "\u202e"]) noteAgentSeen(name, { home });

  expect(
    listAgentsSeen({ home })
      .map(({ agent }) => agent)
      .toSorted(),
  ).toEqual(["a-b", "etc-passwd", "x"]);
});

it("does not fail where nothing can be written", () => {
  const home = join(newHome(), "file");
  writeFileSync(home, "");

  noteAgentSeen("cursor", { home });

  expect(listAgentsSeen({ home })).toEqual([]);
});

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "tacit-"));
  homes.push(home);
  return home;
}
