import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { openMemory } from "../../index.js";

it("review.pending names what agents stated unwatched until a person verifies it, and nothing that a person taught", async () => {
  const memory = await openMemory({ db: ":memory:", directory: temporaryFolder(), embedder: null });
  await memory.remember({ content: "Use pnpm.", source: "user_taught" });
  const stated = await memory.as({ kind: "agent" }).remember({ content: "The build needs Docker." });

  const before = await memory.review.pending();
  await memory.verify(stated.id);
  const after = await memory.review.pending();
  await memory.close();

  expect(before.waiting).toEqual([]);
  expect(before.unverified.map(({ id }) => id)).toEqual([stated.id]);
  expect(after).toEqual({ waiting: [], unverified: [] });
});
