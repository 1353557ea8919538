import { expect, it } from "vitest";
import { loadTokenCounter } from "../../src/base/tokens/count-tokens.js";
import { memoryTypes } from "../../src/index.js";
import { memoryTypeNames } from "../../src/mcp/tools/memory-header.js";
import { connectWithin } from "../support/mcp-client.js";
import { openTestMemory } from "../support/open-memories.js";

// Agents and their users depend on every name in this file: fields are only ever added. And a text in it that came from a
// memory would speak to every model before anybody asked.
it.each(["tacit", "reachy", "auto-claude"] as const)("[A1] offers %s what it always did", async (name) => {
  const memory = await openTestMemory();
  await memory.remember({ content: "Never to be seen in a description.", type: "convention", pinned: true });
  const { client } = await connectWithin(memory, name === "tacit" ? {} : { dialect: name });

  const offered = {
    instructions: client.getInstructions(),
    ...(await client.listTools()),
    ...(await client.listResources()),
    ...(await client.listResourceTemplates()),
    ...(await client.listPrompts()),
  };

  const text = JSON.stringify(offered, null, 2);
  expect(text).not.toContain("Never to be seen");
  await expect(`${text}\n`).toMatchFileSnapshot(`mcp-offered/${name}.txt`);
});

it("knows every type by its name", () => {
  expect(memoryTypeNames).toEqual(memoryTypes.map(({ type }) => type));
});

it("takes little of a model's context for what it offers", async () => {
  const countTokens = await loadTokenCounter();
  const { client } = await connectWithin(await openTestMemory());

  const { tools } = await client.listTools();
  // Output schemas stay with the client.
  const told = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

  expect(countTokens(JSON.stringify(told))).toBeLessThan(1200);
});
