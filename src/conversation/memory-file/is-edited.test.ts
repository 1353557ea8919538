import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { layerProject } from "../../../test/support/layer-project.js";
import { isEdited } from "./is-edited.js";
import { syncMemoryFile } from "./sync-memory-file.js";

it("a MEMORY.md is edited when it says something else than it was written with, and is told so once", async () => {
  const { context, folder, file, keep, edit, read, write } = layerProject();
  expect(isEdited(file)).toBe(false);
  await keep({ content: "Use npm", type: "convention" });
  await keep({ content: "The port is 8080", type: "fact" });
  await syncMemoryFile(context, folder);
  const whole = read();
  expect(isEdited(file)).toBe(false);

  for (const [before, after] of [
    ["Use npm", "Use pnpm"],
    ["- Use npm\n", ""],
    ["- Use npm", "- Use npm\n- Never yarn"],
    ["## Conventions", "## Decisions"],
    ["## Facts", "## Everywhere\n\n### Facts"],
    [/<!-- tacit 1.*/, ""],
  ] as const) {
    write(whole);
    edit(before, after);
    expect([after, isEdited(file), isEdited(file)]).toEqual([after, true, false]);
  }

  // Said in another form, it says the same.
  write(`${whole.replaceAll("\n", "\r\n").replace("- Use", "* Use")}\r\n`);
  expect(isEdited(file)).toBe(false);
  rmSync(file);
  expect(isEdited(file)).toBe(false);
});
