import { expect, it } from "vitest";
import { observeOnce } from "../../src/hook/observe-once.js";
import { gitRepository } from "../support/git-repository.js";
import { toldProject } from "../support/told-project.js";

const pages = { sessionId: "s1", callId: "c1", tool: "WebFetch" };

it("[TR53] an agent that nobody watches is judged by the sessions under way in every folder of the store", async () => {
  const { memory, db } = await toldProject({ content: "Deploys wait for the migration.", name: "deploys" });
  const agent = memory.as({ kind: "agent" });
  const place = { db, directory: gitRepository() };
  await observeOnce([{ sessionId: "s1", kind: "start", agent: "test" }], place);
  const before = await agent.remember({ content: "The queue is drained at night." });
  await observeOnce(
    [
      { ...pages, kind: "call", input: { url: "https://docs.example.org" } },
      { ...pages, kind: "result", text: "The guide says how deploys are run, and what to do before them." },
    ],
    place,
  );

  const after = await agent.remember({ content: "The backup is made at noon." });

  expect([before.status, after.status]).toEqual(["active", "waiting"]);
  await expect(agent.forget("deploys")).rejects.toMatchObject({ code: "session-tainted" });
});
