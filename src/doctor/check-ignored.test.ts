import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { watchedProject } from "../../test/support/watched-project.js";
import type { TacitMemory } from "../index.js";

it("[TR79] memories about files that are ignored by now stay, and doctor says how many and how to forget them", async () => {
  const project = watchedProject();
  const { root } = project;
  const memory = await project.open();
  await memory.remember({ content: "Keys rotate on Mondays.", relatedFiles: ["vaulted/keys.ts", "src/cart.ts"] });
  await memory.remember({ content: "Keys have two parts.", relatedFiles: ["vaulted/keys.ts"] });
  await memory.remember({ content: "Carts are lists.", relatedFiles: ["src/cart.ts"] });

  const before = await ignored(memory);
  writeFileSync(join(root, ".tacitignore"), "vaulted/\n");
  const after = await ignored(memory);
  rmSync(join(root, ".tacitignore"));
  mkdirSync(join(root, ".tacitignore"));
  const broken = await ignored(memory);

  expect(before).toMatchObject({ status: "ok", message: "no memory is about an ignored file" });
  expect(after).toMatchObject({
    status: "warning",
    message: "2 memories are about 1 ignored file",
    hint: expect.stringContaining('tacit list --file "vaulted/keys.ts"'),
  });
  expect(await memory.list()).toHaveLength(3);
  expect(broken).toMatchObject({ status: "warning", message: expect.stringContaining("everything in this folder") });
});

async function ignored(memory: TacitMemory) {
  const { checks } = await memory.store.diagnose();
  return checks.find(({ name }) => name === "ignored");
}
