import { expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";

it("[L10] revises what was read only while it stands so, and does not count a person's word for an agent's text", async () => {
  const memory = await openTestMemory();
  const agent = memory.as({ kind: "agent" });
  const read = await memory.remember({ content: "Deploys run on Fridays.", name: "deploys" });
  const { id } = await agent.remember({ content: "The key is old.", name: "key" });

  await memory.revise("deploys", { content: "Deploys run on Mondays." }, { ifUnchanged: read });
  const late = memory.revise("deploys", { content: "Deploys run on Sundays." }, { ifUnchanged: read });
  await expect(late).rejects.toMatchObject({ code: "memory-changed" });
  expect(await memory.get("deploys")).toMatchObject({ content: "Deploys run on Mondays." });

  await memory.verify(id);
  const revised = await agent.revise(id, { content: "The key is new." });
  expect(revised).toMatchObject({ userVerified: false, trustFlags: ["unverified"], review: { state: "pending" } });
  await memory.flag(id, "It is not.");
  expect(await agent.revise(id, { tags: ["ops"] })).toMatchObject({ status: "flagged" });
  const taken = agent.revise(id, { name: "deploys" }, { rebind: true });
  await expect(taken).rejects.toMatchObject({ code: "invalid-input" });
});
