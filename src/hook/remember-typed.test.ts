import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { commitFiles, gitRepository } from "../../test/support/git-repository.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { openMemory } from "../index.js";
import { observeOnce } from "./observe-once.js";
import { rememberTyped } from "./remember-typed.js";

const typed = { content: "Use pnpm.", sessionId: "s1", isByAgent: false };

describe("rememberTyped", () => {
  it("trusts a person in a session of which it is known how it began", async () => {
    const { memory, place } = await opened({ hasStarted: true });

    const { memory: kept, isByPerson, merged } = await rememberTyped(memory, typed, place);

    expect({ isByPerson, merged }).toEqual({ isByPerson: true, merged: false });
    expect(kept).toMatchObject({ status: "active", source: "user_taught", userVerified: true });
  });

  it.each([
    ["in a session that nobody saw begin", { hasStarted: false, isByAgent: false }],
    ["behind a call of a tool", { hasStarted: true, isByAgent: true }],
  ])("takes for an agent's word what is typed %s", async (_, { hasStarted, isByAgent }) => {
    const { memory, place } = await opened({ hasStarted });

    const { memory: kept, isByPerson } = await rememberTyped(memory, { ...typed, isByAgent }, place);

    expect(isByPerson).toBe(false);
    expect(kept).toMatchObject({ source: "agent_explicit", userVerified: false });
  });

  it("takes for an agent's word what is typed in a session of which only other events were noted", async () => {
    const { memory, place } = await opened({ hasStarted: false });
    commitFiles(place.directory, {});
    // Before it Tacit notes what git has, which is no word of the agent.
    await observeOnce([{ sessionId: "s1", kind: "prompt", text: "Go on." }], place);

    expect(await rememberTyped(memory, typed, place)).toMatchObject({ isByPerson: false });
  });

  it("vouches for what an agent had said before", async () => {
    const { memory, place } = await opened({ hasStarted: true });
    const stated = await memory.as({ kind: "agent" }).remember({ content: typed.content });

    const { memory: kept, merged } = await rememberTyped(memory, typed, place);

    expect(merged).toBe(true);
    expect(kept).toMatchObject({ id: stated.id, userVerified: true });
  });
});

async function opened({ hasStarted }: { hasStarted: boolean }) {
  const place = { db: join(temporaryFolder(), "memory.db"), directory: gitRepository() };
  if (hasStarted) await observeOnce([{ sessionId: "s1", kind: "start", agent: "claude-code" }], place);
  const memory = await openMemory({ ...place, embedder: null });
  onTestFinished(() => memory.close());
  return { memory, place };
}
