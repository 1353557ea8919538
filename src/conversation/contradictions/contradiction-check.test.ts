import { describe, expect, it, vi } from "vitest";
import type { LanguageModel } from "../../index.js";
import { openTestMemory } from "../../../test/support/open-memories.js";

describe("a configured model", () => {
  it("[Q5] closes what the rules leave open, after the answer, and undo brings it back for good", async () => {
    const asked: string[] = [];
    const memory = await openTestMemory({
      languageModel: modelThat(async (prompt) => {
        asked.push(prompt);
        return '[{"number": 1, "why": "the bucket has moved"}]';
      }),
    });
    const old = await memory.remember({ content: "Backups of the invoices end up with Hetzner in Falkenstein" });

    const next = await memory.remember({ content: "Backups of the invoices go to the cellar these days" });
    await vi.waitFor(async () => expect(await memory.get(old.id)).toMatchObject({ status: "superseded" }));

    expect(next.status).toBe("active");
    expect(asked[0]).toMatch(/^\| Backups of the invoices go to the cellar/m);
    await memory.undo(old.id);
    await memory.remember({ content: "Something else about the invoices of March" });
    expect(await memory.get(old.id)).toMatchObject({ status: "active" });
  });

  it("[Q5] that fails or talks nonsense closes nothing", async () => {
    const replies = [async () => "all of them!", async () => undefined, async () => Promise.reject(new Error("no"))];
    for (const reply of replies) {
      const memory = await openTestMemory({ languageModel: modelThat(reply) });
      await memory.remember({ content: "Backups of the invoices end up with Hetzner in Falkenstein" });
      await memory.remember({ content: "Backups of the invoices go to the cellar these days" });
      await new Promise((resolve) => setTimeout(resolve, 20));

      expect(await memory.list()).toHaveLength(2);
    }
  });

  it("[Q5] that gave no answer is asked again with the next statement, three times at most", async () => {
    const asked: string[] = [];
    const memory = await openTestMemory({
      languageModel: modelThat(async (prompt) => {
        asked.push(/Newer:\n\| (.*)/.exec(prompt)?.[1] ?? "");
        return undefined;
      }),
    });
    const first = "Backups of the invoices go to the cellar these days";
    await memory.remember({ content: "Backups of the invoices end up with Hetzner in Falkenstein" });
    await memory.remember({ content: first });
    await vi.waitFor(() => expect(asked).toEqual([first]));

    for (let n = 2; n <= 5; n += 1) {
      await memory.remember({ content: `The lunch of week ${n} is soup` });
      await vi.waitFor(() => expect(asked.filter((one) => one === first)).toHaveLength(Math.min(n, 3)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }

    expect(asked.filter((one) => one === first)).toHaveLength(3);
  });
});

function modelThat(generate: (prompt: string) => Promise<string | undefined>): LanguageModel {
  return { modelId: "test:model", lastProblem: undefined, generate: async ({ prompt }) => generate(prompt) };
}
