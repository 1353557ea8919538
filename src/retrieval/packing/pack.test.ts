import * as fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { sampleRecord } from "../../../test/support/sample-record.js";
import { memoryTypes } from "../../memory/type-registry/memory-types.js";
import type { Memory, Phase } from "../../memory/memory.js";
import { cite } from "../../memory/record/cite.js";
import type { ScoredMemory } from "./pack-fold.js";
import { pack } from "./pack.js";

const phases: Phase[] = ["define", "implement", "validate", "refine", "explore", "reflect"];

describe("a packed text", () => {
  it("tells each memory with its type and its citation", async () => {
    const { text, included, leftOut } = await pack([found({ id: idOf(1), content: "Never deploy on a Friday." })]);

    expect(text).toBe("- Gotcha: Never deploy on a Friday. [Memory #00000001: Never deploy on a Friday.]\n");
    expect(included).toEqual([{ id: idOf(1), tokens: countTokens(text) }]);
    expect(leftOut).toEqual([]);
  });

  it("is empty when there is nothing to tell, or no room", async () => {
    expect(await pack([])).toMatchObject({ text: "", tokens: 0, included: [], folded: [], leftOut: [] });
    expect(await pack([found({ content: "something" })], { budgetTokens: 0 })).toMatchObject({
      text: "",
      included: [],
      leftOut: [{ id: idOf(1), reason: expect.stringContaining("0 of 0 are left") }],
    });
  });

  it("puts what is about the same file together, the file of the best one first", async () => {
    const { text, included } = await pack([
      found({ id: idOf(1), content: "one", relatedFiles: ["src/a.ts"] }, 0.9),
      found({ id: idOf(2), content: "two" }, 0.8),
      found({ id: idOf(3), content: "three", relatedFiles: ["src/b.ts"] }, 0.7),
      found({ id: idOf(4), content: "four", relatedFiles: ["src/a.ts", "src/b.ts"] }, 0.6),
    ]);

    expect(text).toBe(
      [
        "### src/a.ts",
        "- Gotcha: one [Memory #00000001: one]",
        "- Gotcha: four [Memory #00000004: four]",
        "### In general",
        "- Gotcha: two [Memory #00000002: two]",
        "### src/b.ts",
        "- Gotcha: three [Memory #00000003: three]",
        "",
      ].join("\n"),
    );
    expect(included.map(({ id }) => id)).toEqual([1, 4, 2, 3].map(idOf));
  });

  it("keeps the lines of a content inside its memory", async () => {
    const { text } = await pack([
      found({ content: "First.\r\n\r\n### Not a heading\n- not a memory\u001b[2J\n", relatedFiles: ["a\n### b.ts"] }),
    ]);

    expect(text).toBe(
      [
        "### a ### b.ts",
        "- Gotcha: First.",
        "",
        "  ### Not a heading",
        "  - not a memory␛[2J",
        "  [Memory #00000001: First. ### Not a heading - not a…]",
        "",
      ].join("\n"),
    );
  });

  it("says of a memory that it is not in force, or not to be trusted", async () => {
    const { text } = await pack([
      found({ id: idOf(1), content: "old way", status: "superseded" }, 0.9),
      found({ id: idOf(2), content: "read on the web", type: "fact", trustFlags: ["tainted"] }, 0.8),
    ]);

    expect(text).toContain("- Gotcha (superseded): old way");
    expect(text).toContain("- Fact (tainted: comes from outside, nobody checked it): read on the web");
  });
});

describe("the budget", () => {
  it.each([
    ["define", 2500],
    ["implement", 3000],
    ["validate", 2500],
    ["refine", 2000],
    ["explore", 2000],
    ["reflect", 1500],
    [undefined, 2500],
  ] as const)("of phase %s is %i tokens", async (phase, budgetTokens) => {
    const results = Array.from({ length: 200 }, (_, n) => found({ id: idOf(n), content: `${sentence} ${n}` }));

    const packed = await pack(results, { ...(phase && { phase }) });

    expect(packed.budgetTokens).toBe(budgetTokens);
    expect(packed.tokens).toBeLessThanOrEqual(budgetTokens);
    expect(packed.tokens).toBeGreaterThan(budgetTokens - 60);
  });

  it.each([
    ["a type", "gotcha"],
    ["the types that have none", "note"],
  ])("keeps the share of %s from another that scores better", async (_, type) => {
    const better = Array.from({ length: 60 }, (__, n) =>
      found({ id: idOf(n), type: "error_pattern", content: `${sentence} ${n}` }, 0.9),
    );
    const worse = found({ id: idOf(99), type, content: "Restart it." }, 0.1);

    const implementing = await pack([...better, worse], { phase: "implement", budgetTokens: 600 });
    const atAnyTime = await pack([...better, worse], { budgetTokens: 600 });

    expect(implementing.included.map(({ id }) => id)).toContain(idOf(99));
    expect(atAnyTime.included.map(({ id }) => id)).not.toContain(idOf(99));
  });

  it("hands on what a share does not use, best first", async () => {
    const decisions = Array.from({ length: 60 }, (_, n) =>
      found({ id: idOf(n), type: "decision", content: `${sentence} ${n}` }, 0.9 - n / 100),
    );

    const { included, tokens } = await pack(decisions, { phase: "implement", budgetTokens: 600 });

    expect(tokens).toBeGreaterThan(540);
    expect(included.map(({ id }) => id)).toEqual(decisions.slice(0, included.length).map(({ memory }) => memory.id));
  });

  it("always holds the best one, beyond the share of its type too", async () => {
    const best = found({ id: idOf(1), type: "note", content: `${sentence} `.repeat(6) }, 0.9);
    const gotchas = Array.from({ length: 40 }, (_, n) => found({ id: idOf(n + 2), content: `${sentence} ${n}` }, 0.8));

    const { included } = await pack([...gotchas, best], { phase: "implement", budgetTokens: 300 });

    expect(included[0]?.id).toBe(idOf(1));
    expect(included.length).toBeGreaterThan(1);
  });

  it("leaves a memory out whole when it is too long for what is left, and goes on to shorter ones", async () => {
    const { included, leftOut } = await pack(
      [
        found({ id: idOf(1), content: sentence }, 0.9),
        found({ id: idOf(2), content: `${sentence} `.repeat(20) }, 0.8),
        found({ id: idOf(3), content: "short" }, 0.7),
      ],
      { budgetTokens: 100 },
    );

    expect(included.map(({ id }) => id)).toEqual([idOf(1), idOf(3)]);
    expect(leftOut).toEqual([
      { id: idOf(2), reason: expect.stringMatching(/^takes \d+ tokens, and \d+ of 100 are left$/) },
    ]);
  });

  it("cuts the best one at a sentence when it alone is longer, and says where the rest is", async () => {
    const content = Array.from({ length: 100 }, (_, n) => `Sentence number ${n} ends here.`).join(" ");

    const { text, tokens, included } = await pack([found({ content }), found({ id: idOf(2), content: "x" }, 0.1)], {
      budgetTokens: 120,
    });

    expect(text).toMatch(
      /Sentence number \d+ ends here\. … \(cut; the whole text is memory #00000001\) \[Memory #00000001: /,
    );
    expect(tokens).toBeGreaterThan(100);
    expect(tokens).toBeLessThanOrEqual(120);
    expect(included[0]?.id).toBe(idOf(1));
  });

  it("cuts at a word where the first sentence is too long, and inside one where there is no end of a word", async () => {
    const relatedFiles = [
      "packages/payments/src/adapters/outgoing/invoice-renderer/invoice-renderer.integration.test.ts",
    ];
    const long = found({ content: "internationalisierungsfragen ".repeat(99), relatedFiles });
    const budgets = Array.from({ length: 10 }, (_, n) => 100 + n);
    const words = await Promise.all(budgets.map((budgetTokens) => pack([long], { budgetTokens })));
    const letters = await pack([found({ content: "abcdefgh".repeat(600) })], { budgetTokens: 100 });

    for (const { text, tokens, budgetTokens } of words) {
      expect(text).toMatch(/ internationalisierungsfragen … \(cut;/);
      expect(tokens).toBeGreaterThan(budgetTokens - 10);
    }
    expect(letters.text).toMatch(/abcdefgh[a-h]* … \(cut;/);
    expect(letters.tokens).toBeGreaterThan(95);
  });

  it("cuts the longest content a memory can have, of whatever it consists", async () => {
    for (const unit of ["a", "漢", "-", "\n", "a b. ", "e\u0301"]) {
      const content = `x${unit.repeat(65_000 / Buffer.byteLength(unit))}x`;

      const { text, tokens, included } = await pack([found({ content })], { budgetTokens: 500 });

      expect(text).toContain(" … (cut; the whole text is memory #00000001)");
      expect(tokens).toBeLessThanOrEqual(500);
      expect(included).toHaveLength(1);
    }
  });

  it("is not tried with more than 250 memories, unless it may hold more", async () => {
    const results = Array.from({ length: 300 }, (_, n) => found({ id: idOf(n), content: `${n}` }, 1 - n / 1000));

    const small = await pack(results, { budgetTokens: 100 });
    const large = await pack(results, { budgetTokens: 10_000 });

    expect(small.leftOut.at(-1)).toEqual({ id: idOf(299), reason: "scores less than 250 others" });
    expect(large.included).toHaveLength(300);
  });

  it.each([{ budgetTokens: -1 }, { budgetTokens: 1.5 }, { budgetTokens: Number.NaN }, { phase: "toString" }])(
    "refuses %o with a clear error",
    async (options) => {
      await expect(pack([], options as object)).rejects.toMatchObject({
        code: "invalid-input",
        hint: expect.any(String),
      });
    },
  );
});

describe("similar memories", () => {
  it("are folded into the better one, whichever of them holds the link", async () => {
    const { text, included, folded } = await pack([
      found({ id: idOf(1), content: "deploy on Mondays", relations: [similarTo(2)] }, 0.9),
      found({ id: idOf(2), content: "we deploy on Mondays" }, 0.8),
      found({ id: idOf(3), content: "deploys on Mondays", relations: [similarTo(1)] }, 0.7),
    ]);

    expect(text).toBe(
      "- Gotcha: deploy on Mondays\n  and 2 similar: #00000002, #00000003\n  [Memory #00000001: deploy on Mondays]\n",
    );
    expect(included).toHaveLength(1);
    expect(folded).toEqual([2, 3].map((n) => ({ id: idOf(n), into: idOf(1) })));
  });

  it("are those with the same text too, however its blanks fall", async () => {
    const { folded } = await pack([
      found({ id: idOf(1), content: "the same\ntext" }, 0.5),
      found({ id: idOf(2), content: " the  same text" }, 0.9),
      found({ id: idOf(3), content: "The same text" }, 0.4),
    ]);

    expect(folded).toEqual([{ id: idOf(1), into: idOf(2) }]);
  });

  it("are not the memory itself: one that comes twice is told once", async () => {
    const { included, folded } = await pack([found({ content: "twice" }, 0.9), found({ content: "twice" }, 0.8)]);

    expect(included).toHaveLength(1);
    expect(folded).toEqual([]);
  });

  it("are told by their number when there are many", async () => {
    const { text } = await pack(Array.from({ length: 9 }, (_, n) => found({ id: idOf(n), content: "the same" })));

    expect(text).toContain("and 8 similar: #00000001, #00000002, #00000003, #00000004, #00000005, …\n");
  });

  it("are not those of a similar one: only a link of its own folds a memory", async () => {
    const { included, folded } = await pack([
      found({ id: idOf(1), content: "a" }, 0.9),
      found({ id: idOf(2), content: "b", relations: [similarTo(1)] }, 0.8),
      found({ id: idOf(3), content: "c", relations: [similarTo(2), { ...similarTo(1), kind: "conflicts_with" }] }, 0.7),
    ]);

    expect(included.map(({ id }) => id)).toEqual([idOf(1), idOf(3)]);
    expect(folded).toEqual([{ id: idOf(2), into: idOf(1) }]);
  });

  it("share the fate of the one that is left out", async () => {
    const long = `${sentence} `.repeat(10);

    const { leftOut } = await pack(
      [
        found({ id: idOf(1), content: "best" }, 0.9),
        found({ id: idOf(2), content: long }, 0.8),
        found({ id: idOf(3), content: `${long} ` }, 0.7),
      ],
      { budgetTokens: 60 },
    );

    expect(leftOut.map(({ id }) => id)).toEqual([idOf(2), idOf(3)]);
    expect(leftOut[1]?.reason).toBe("says nearly the same as #00000002, which is left out");
  });
});

describe("any results", () => {
  it("never take more than the budget, and every one is accounted for once", async () => {
    await fc.assert(
      fc.asyncProperty(anyResults(), anyOptions(), async (results, options) => {
        const { text, tokens, budgetTokens, included, folded, leftOut } = await pack(results, options);

        const told = included.map(({ id }) => id);
        expect(tokens).toBeLessThanOrEqual(budgetTokens);
        expect(countTokens(text, { disallowedSpecial: new Set() })).toBeLessThanOrEqual(tokens);
        expect([...told, ...folded.map(({ id }) => id), ...leftOut.map(({ id }) => id)].toSorted()).toEqual(
          results.map(({ memory }) => memory.id).toSorted(),
        );
        expect(folded.filter(({ into }) => !told.includes(into))).toEqual([]);
        for (const id of told) expect(text).toContain(`[Memory #${id.slice(-8)}: `);
      }),
      { numRuns: 300 },
    );
  });

  it("make the same text again, whatever the order of those with different scores", async () => {
    await fc.assert(
      fc.asyncProperty(anyResults(), anyOptions(), async (results, options) => {
        const ranked = results.map((result, n) => ({ ...result, score: 1 - n / 100 }));

        const packed = await pack(ranked, options);

        expect(await pack(ranked.toReversed(), options)).toEqual(packed);
      }),
    );
  });

  it("keep their order where they score the same", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(99), { maxLength: 12 }), async (numbers) => {
        const results = numbers.map((n) => found({ id: idOf(n), content: `number ${n}` }, 0.5));

        const { included } = await pack(results);

        expect(included.map(({ id }) => id)).toEqual(numbers.map(idOf));
      }),
    );
  });
});

const sentence = "The staging server must be restarted after every migration, or it answers from the old schema.";

function found(fields: Partial<Memory> = {}, score = 0.5): ScoredMemory {
  const record = sampleRecord({ id: idOf(1), ...fields });
  return {
    memory: {
      ...record,
      citationText: cite(record.content),
      project: "test",
      status: fields.status ?? "active",
      currentConfidence: record.confidence,
    },
    score,
  };
}

function idOf(n: number): string {
  return `0193a0c2-1111-7abc-8def-0123${n.toString().padStart(8, "0")}`;
}

function similarTo(n: number): Memory["relations"][number] {
  return { kind: "similar", memory: idOf(n), confidence: 0.9, automatic: true };
}

function anyResults(): fc.Arbitrary<ScoredMemory[]> {
  const content = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }),
    fc.lorem({ mode: "sentences", maxCount: 30 }),
    fc.string({ unit: fc.constantFrom("a", "-", "\n", " ", "/", "]", "#", "漢", "<|endoftext|>"), maxLength: 900 }),
    fc.constantFrom("the same", "the  same"),
  );
  const result = fc.record({
    content,
    score: fc.constantFrom(0.1, 0.5, 0.9),
    type: fc.constantFrom(...memoryTypes.map(({ type }) => type), "of_tomorrow"),
    relatedFiles: fc.array(fc.constantFrom("src/a.ts", "src/b.ts", "/", "]\n/"), { maxLength: 2 }),
    similar: fc.array(fc.nat(12), { maxLength: 2 }),
  });
  return fc
    .array(result, { maxLength: 12 })
    .map((drafts) =>
      drafts.map(({ score, similar, ...fields }, n) =>
        found({ id: idOf(n), ...fields, relations: similar.map(similarTo) }, score),
      ),
    );
}

function anyOptions(): fc.Arbitrary<{ phase?: Phase; budgetTokens?: number }> {
  return fc.record(
    { phase: fc.constantFrom(...phases), budgetTokens: fc.oneof(fc.nat(60), fc.nat(600)) },
    { requiredKeys: [] },
  );
}
