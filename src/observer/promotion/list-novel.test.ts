import type { MemoryContext } from "../../memory/change/change.js";
import { describe, expect, it } from "vitest";
import { projectContext } from "../../../test/support/keep-records.js";
import { remember } from "../../memory/remember/remember-memories.js";
import type { Candidate } from "./compose-candidates.js";
import { listNovel } from "./list-novel.js";

const known = "The cache of prices is emptied whenever an order is placed by a customer of the shop.";

describe("what is new", () => {
  it("is what no memory of its type says in nearly the same words", async () => {
    const context = await storeWith(known);
    const candidates = [
      candidateOf(known),
      candidateOf(known.replace("a customer", "any customer")),
      candidateOf(known.replace("is emptied", "is not emptied")),
      candidateOf(known.replace("an order", "order 7")),
      candidateOf(known, "decision"),
    ];

    expect(await listNovel({ context }, candidates)).toEqual(candidates.slice(2));
  });

  it("is also what only an agent has said that nobody watched", async () => {
    const context = await projectContext();
    await remember(context, [{ content: known, type: "gotcha" }], { unverified: "No hooks run." });
    const candidates = [candidateOf(known), candidateOf(known.replace("by a customer", "by customers"))];

    expect(await listNovel({ context }, candidates.slice(0, 1))).toEqual(candidates.slice(0, 1));
    expect(await listNovel({ context }, candidates.slice(1))).toEqual(candidates.slice(1));
  });

  it("is told apart from what the same session says already", async () => {
    const context = await projectContext();
    const candidates = [candidateOf(known), candidateOf(known.replace("a customer", "any customer"))];

    expect(await listNovel({ context }, candidates)).toEqual(candidates.slice(0, 1));
  });

  it("is not what means the same, where something can tell; and a failing model decides nothing", async () => {
    const context = await projectContext();
    const candidates = [candidateOf(known), candidateOf("Mails are sent by a queue of their own.")];
    const isKnown = async (texts: readonly string[]) => texts.map((text) => text === known);

    expect(await listNovel({ context, isKnown }, candidates)).toEqual(candidates.slice(1));
    expect(await listNovel({ context, isKnown: async () => [] }, candidates)).toEqual(candidates);
    expect(await listNovel({ context, isKnown: async () => Promise.reject(new Error("down")) }, candidates)).toEqual(
      candidates,
    );
    expect(await listNovel({ context }, [])).toEqual([]);
  });
});

async function storeWith(content: string): Promise<MemoryContext> {
  const context = await projectContext();
  await remember(context, [{ content, type: "gotcha" }]);
  return context;
}

function candidateOf(content: string, type = "gotcha"): Candidate {
  return {
    type,
    content,
    relatedFiles: [],
    signal: "self-correction",
    subject: content,
    source: "observer_inferred",
    value: 0.8,
    confidence: 0.7,
    sessionIds: ["s1"],
  };
}
