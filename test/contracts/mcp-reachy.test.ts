import { join } from "node:path";
import { expect, it } from "vitest";
import { openMemory } from "../../src/index.js";
import { connectTo } from "../support/mcp-client.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it("[A4] lives through a robot's day: who the user is, what was said, what goes on, and what is forgotten", async () => {
  const db = join(temporaryFolder(), "memory.db");
  const { call } = await connectTo({ args: ["--dialect", "reachy", "--db", db, "--project", "robot"] });
  const store = async (content: string, memory_type: string, metadata: Record<string, unknown> = {}) =>
    String((await call("store_memory", { content, memory_type, metadata })).structured?.["id"]);
  const search = async (query: string, memory_type?: string) => {
    const { structured } = await call("search_memories", { query, ...(memory_type !== undefined && { memory_type }) });
    const { result } = structured as { result: { id: string }[] };
    return result.map(({ id }) => id);
  };

  const name = await store("User prefers to be called Alex", "fact", { category: "user_profile", field: "name" });
  const interest = await store("User is interested in robotics and AI", "preference", {
    category: "user_profile",
    field: "interests",
  });
  const said = await store("Alex asked how robotics began", "conversation");
  const task = await store("Now building a robotics shelf", "context", { context_key: "current_task" });

  expect(await search("what is Alex called", "fact")).toContain(name);
  expect(await search("interested in robotics", "fact")).toEqual([interest]);
  expect(await search("robotics", "conversation")).toEqual([said]);
  expect(await search("robotics", "context")).toEqual([task]);
  expect((await search("robotics")).toSorted()).toEqual([interest, said, task].toSorted());

  const next = await store("Now painting the shelf", "context", { context_key: "current_task" });
  expect(next).toBe(task);
  expect(await search("building robotics", "context")).toEqual([]);
  expect(await search("painting", "context")).toEqual([task]);

  expect((await call("forget_memory", { memory_id: said })).structured).toEqual({ success: true, id: said });
  expect((await call("forget_memory", { memory_id: said })).structured).toEqual({ success: false, id: said });
  expect(await search("robotics", "conversation")).toEqual([]);
});

it("[W8] cleans up soon after the start", async () => {
  const db = join(temporaryFolder(), "memory.db");
  const before = new Date(Date.now() - 200 * 86_400_000);
  const memory = await openMemory({ db, project: "robot", now: () => before, embedder: null });
  await memory.remember({ content: "The arm was oiled.", type: "conversation" });
  await memory.close();

  await connectTo({ args: ["--db", db, "--project", "robot"] });

  const after = await openMemory({ db, project: "robot", embedder: null });
  await expect.poll(async () => after.list({ status: "any" }), { timeout: 15_000, interval: 250 }).toEqual([]);
  await after.close();
});
