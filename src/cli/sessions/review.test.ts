import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { runLine, textOf } from "../../../test/support/run-line.js";
import { addReview } from "./review.js";

describe("tacit review", () => {
  it("mentions what agents wrote unwatched, lists it when asked, and no more once it is verified", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.as({ kind: "agent" }).remember({ content: "Deploy on Fridays." });
    await memory.remember({ content: "Never deploy on Sundays.", source: "user_taught" });
    const review = async (...flags: string[]) => (await runLine(memory, addReview, ["review", ...flags])).answer;

    expect(textOf(await review())).toBe(
      "Nothing waits for a review.\n\n1 memory that an agent wrote unwatched (over MCP, without hooks) is not told by itself: tacit review --unverified",
    );
    const listed = await review("--unverified");
    expect(listed.ids).toEqual([id]);
    expect(textOf(listed)).toMatch(
      /\(unverified\) Deploy on Fridays\.\n +No hooks watch the agent[^]*tacit verify REF/,
    );

    await memory.verify(id);

    expect(textOf(await review())).toBe("Nothing waits for a review.");
    expect(textOf(await review("--unverified"))).toBe("Nothing is unverified.");
  });
});
