import { join } from "node:path";
import { expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { TacitMemory } from "../../index.js";

const vouched = { source: "user_taught", userVerified: true, pinned: true };

it("gives a memory that was imported without its claims what the file says, once that is trusted", async () => {
  const { file } = await ownExport();
  const there = await openTestMemory();
  await there.exchange.import(file);

  const plan = await there.exchange.import(file, { trust: true, dryRun: true });
  const before = await there.get("deploys");
  const trusted = await there.exchange.import(file, { trust: true });
  const again = await there.exchange.import(file, { trust: true });

  expect(before).toMatchObject({ source: "agent_explicit", userVerified: false, pinned: false });
  expect([plan, trusted, again]).toMatchObject([
    { updated: 1, unchanged: 1 },
    { updated: 1, unchanged: 1 },
    { updated: 0, unchanged: 2 },
  ]);
  expect(await there.get("deploys")).toMatchObject({ ...vouched, content: "Deploys wait.", tags: ["ops"] });
  expect((await there.history("deploys"))[0]).toMatchObject({ verb: "imported" });
});

it("leaves alone what was changed here since, also where that took a claim back", async () => {
  const { file } = await ownExport();
  const there = await openTestMemory();
  await there.exchange.import(file, { trust: true });
  await there.pin("deploys", false);

  const trusted = await there.exchange.import(file, { trust: true });
  const plain = await there.exchange.import(file);

  expect(trusted).toMatchObject({ updated: 0, unchanged: 2 });
  expect(plain.claimed).toBeUndefined();
  expect(await there.get("deploys")).toMatchObject({ ...vouched, pinned: false });
});

it("gives them in another project of the same store too, where the memory has an id of its own", async () => {
  const db = join(temporaryFolder(), "memory.db");
  const { file } = await ownExport({ db, project: "one" });
  const there = await openTestMemory({ db, project: "two" });
  await there.exchange.import(file);

  const trusted = await there.exchange.import(file, { trust: true });

  expect(trusted).toMatchObject({ updated: 1, unchanged: 1 });
  expect(await there.get("deploys")).toMatchObject(vouched);
});

it("calls nothing an unbelieved claim that a person has said here already", async () => {
  const { file, memory } = await ownExport();
  const there = await openTestMemory();

  const [here, elsewhere] = [await memory.exchange.import(file), await there.exchange.import(file)];

  expect(here.claimed).toBeUndefined();
  expect(elsewhere.claimed).toBe(1);
  expect(await memory.get("deploys")).toMatchObject(vouched);
});

/** A memory that a person vouches for and one that nobody does, and the file that they were exported to. */
async function ownExport(
  options: Parameters<typeof openTestMemory>[0] = {},
): Promise<{ memory: TacitMemory; file: string }> {
  const memory = await openTestMemory(options);
  await memory.remember({ content: "Deploys wait.", source: "user_taught", name: "deploys", tags: ["ops"] });
  await memory.verify("deploys");
  await memory.pin("deploys");
  await memory.remember({ content: "Retries are idempotent." });
  const file = join(temporaryFolder(), "mine.jsonl");
  await memory.exchange.export({ format: "jsonl", output: file });
  return { memory, file };
}
