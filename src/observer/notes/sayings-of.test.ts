import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { citedIn, sayingsOf } from "./sayings-of.js";

describe("what an agent says", () => {
  it.each([
    ["I was wrong about the cache. The cache is actually per worker.", "the cache", "The cache is actually per worker"],
    ["I was wrong to assume that the port is fixed.", "the port is fixed", undefined],
    [
      "Actually, the config is read from vite.config.ts, not from package.json.",
      "from package.json",
      "the config is read from vite.config.ts",
    ],
    ["Actually the tests use sqlite instead of postgres.", "postgres", "the tests use sqlite"],
    ["Actually, `getUser` is not exported from the index.", undefined, "`getUser` is not exported from the index"],
    [
      "I initially thought the port was fixed, but it is read from the environment.",
      "the port was fixed",
      "it is read from the environment",
    ],
    ["I assumed that ids are numbers but they are strings.", "ids are numbers", "they are strings"],
    ["Correction: the limit is 64 KB, not 64 MB.", "64 MB", "the limit is 64 KB"],
    ["Wait, the handler is registered in app.ts.", undefined, "the handler is registered in app.ts"],
    ["Wait. The handler is registered in app.ts.", undefined, "The handler is registered in app.ts"],
    ["Wait, that's not right because the id is a string.", undefined, "that's not right because the id is a string"],
    ["I misread the schema: `owner` is nullable.", undefined, "`owner` is nullable"],
    ["Let me reconsider: the lock is taken before the read.", undefined, undefined],
    ["Hold on, the handler is registered in app.ts.", undefined, "the handler is registered in app.ts"],
    ["I made a mistake: `priceOf` gives cents, not euros.", "euros", "`priceOf` gives cents"],
    ["My assumption was wrong. The cache is per worker.", undefined, "The cache is per worker"],
    ["I had it backwards. The ledger calls the invoice.", undefined, "The ledger calls the invoice"],
    [
      "Hmm, no. `format` gives back a frozen object, not a plain object.",
      "a plain object",
      "`format` gives back a frozen object",
    ],
    ["I misread `stream`: `stream` sorts by date.", undefined, "`stream` sorts by date"],
    ["It turns out that the limit is per tenant, not per user as I assumed.", "per user", "the limit is per tenant"],
    [
      "I wrongly assumed that ids are numbers; they are actually strings.",
      "ids are numbers",
      "they are actually strings",
    ],
  ])("%s corrects %j to %j", (text, believed, actual) => {
    expect(sayingsOf(text)).toEqual([
      { is: "correction", text, ...(believed !== undefined && { believed }), ...(actual !== undefined && { actual }) },
    ]);
  });

  it("is a correction among thoughts only where it names something", () => {
    expect(sayingsOf("Wait, the expiry is stored in seconds.")).toHaveLength(1);
    expect(sayingsOf("Wait, the expiry is stored in seconds.", true)).toEqual([]);
    expect(sayingsOf("Wait, `expiry` is stored in seconds. Let me use a Map there.", true)).toMatchObject([
      { is: "correction" },
      { is: "plan" },
    ]);
    expect(sayingsOf("Wait, tokens.ts is loaded first.", true)).toHaveLength(1);
  });

  it("keeps a no that belongs to what it says", () => {
    expect(
      sayingsOf("No migration is needed, not even a restart. Actually, no tests cover `a.ts`, not one."),
    ).toMatchObject([{ is: "correction", actual: "no tests cover `a.ts`" }]);
    expect(sayingsOf("Wait, no migration is needed for `schema.ts`.")).toMatchObject([
      { actual: "no migration is needed for `schema.ts`" },
    ]);
    expect(sayingsOf("But no actually, the id is a string, not a number.")).toMatchObject([
      { actual: "the id is a string" },
    ]);
  });

  it("hears past a first word that only stops", () => {
    expect(sayingsOf("No wait, I had this backwards. The ledger calls the invoice.")).toMatchObject([
      { is: "correction", actual: "The ledger calls the invoice" },
    ]);
    expect(sayingsOf("No, the list is frozen, not sorted.")).toMatchObject([
      { is: "correction", believed: "sorted", actual: "the list is frozen" },
    ]);
  });

  it.each(["You're right, ", "Ah, I see the issue: ", "Oh, "])(
    "%j before a correction is not part of it",
    (opening) => {
      const text = "I assumed that ids are numbers but they are strings.";

      expect(sayingsOf(opening + text)).toEqual([
        { is: "correction", text, believed: "ids are numbers", actual: "they are strings" },
      ]);
    },
  );

  it.each([
    "Wait for the server to start.",
    "You're right, I'll use the other file instead.",
    "I made a mistake.",
    "Hold on for a moment.",
    "Wait until the build is done.",
    "Actually, that works.",
    "Actually, that does not matter.",
    "Actually, let me look at the tests instead of guessing.",
    "Wait, is the handler registered in app.ts?",
    "Wait, what does this do.",
    "Wait, let me check the file first.",
    "Wait, that works now.",
    "Wait.",
    "Let me reconsider.",
    "Let me reconsider: first I will edit `resolver`, then run the tests.",
    "Hmm, no.",
    "No, not yet.",
    "No. Let me look at the tests, not at the code.",
    "There are no tests for it.",
    "Was I wrong about the cache?",
    "I thought about it for a while.",
    "The function waits, actually, for the lock.",
    "```\nI was wrong about the cache. It is per worker.\n```",
    "> Actually, the config is read from a.ts, not from b.ts.",
    "The user says the approach is fine.",
    "Let me read the file.",
    "Let me run the tests.",
    "Now I'll look at src/a.ts.",
    "The problem is solved.",
    "It works because it is simple.",
    "Here is an abandoned cart email.",
    "Done.",
    "",
  ])("%j says nothing of the kind", (text) => {
    expect(sayingsOf(text)).toEqual([]);
  });

  it.each([
    "This approach won't work with the current schema.",
    "I need to abandon this.",
    "Let me try a different approach.",
    "That won't work.",
    "The module is unavailable in CI.",
    "Docker is not available in this environment.",
    "The previous approach isn't working.",
  ])("%s gives something up", (text) => {
    expect(sayingsOf(text)).toEqual([{ is: "abandonment", text }]);
  });

  it.each([
    "I'll use a WeakMap to cache the parsed config.",
    "Let me try mocking the clock in the test.",
    "Okay, now I'm going to add a retry around the fetch.",
  ])("%s is a plan", (text) => {
    expect(sayingsOf(text)).toEqual([{ is: "plan", text }]);
  });

  it.each([
    "The tests fail because the clock is not mocked.",
    "The root cause was a stale lock file in the cache.",
    "The issue is that `open` returns undefined.",
    "Turns out the server caches responses for an hour.",
  ])("%s names a cause", (text) => {
    expect(sayingsOf(text)).toEqual([{ is: "cause", text }]);
  });

  it("is told at most six times, what corrects first, of several plans the first", () => {
    const plans = "I'll use X to do it. Let me try Y for that. ";
    const causes = "The test fails because the file is missing. ".repeat(10);
    const sayings = sayingsOf(`${plans}${causes}I assumed ids are numbers but they are strings.`);

    expect(sayings).toHaveLength(6);
    expect(sayings.at(-1)?.is).toBe("correction");
    expect(sayingsOf(plans)).toHaveLength(1);
  });

  it("is understood behind a sigh", () => {
    expect(sayingsOf("Hmm, no, actually the id is a string, not a number.")).toMatchObject([
      { is: "correction", believed: "a number", actual: "the id is a string" },
    ]);
  });

  it("is short", () => {
    const [saying] = sayingsOf(`Correction: ${"very long ".repeat(100)}.`);

    expect(saying?.text.length).toBeLessThanOrEqual(300);
    expect(saying?.actual?.length).toBeLessThanOrEqual(300);
  });

  it("is found in no more time than the text is long", () => {
    const parts = [
      "actually, ",
      "wait, ",
      "I thought ",
      "not ",
      "because ",
      "the problem is ",
      " but",
      "I let's ",
      "**",
      ".",
      "\n- ",
      "e.g. ",
    ];
    for (const part of parts) {
      for (const end of ["", ".", " but x."]) {
        const text = `Actually, ${part.repeat(20_000)}${end}`;
        const start = performance.now();
        sayingsOf(text);

        expect(performance.now() - start, part).toBeLessThan(60);
      }
    }
  });

  it("never makes anybody stumble", () => {
    const word = fc.constantFrom(
      "wait",
      "actually",
      "I",
      "was",
      "wrong",
      "not",
      "but",
      ",",
      ".",
      "\n",
      "```",
      "\uD800",
      "let me",
      "because",
      "this approach won't work",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 40 }), (words) => {
        const sayings = sayingsOf(words.join(" "));

        expect(sayings.length).toBeLessThanOrEqual(6);
        expect(JSON.stringify(sayings)).not.toContain("\\ud800");
      }),
    );
  });
});

describe("a memory that is named", () => {
  it("is known by its short id behind a sign, each once", () => {
    expect(citedIn("See [Memory #1a2b3c4d: pin it], #00ff00aa and #1a2b3c4d.")).toEqual(["1a2b3c4d", "00ff00aa"]);
  });

  it("is neither an issue, a colour nor a longer hash", () => {
    expect(citedIn("#123, #fff, #1a2b3c4d5e, x#1a2b3c4d, 1a2b3c4d, ##1a2b3c4d")).toEqual([]);
  });
});
