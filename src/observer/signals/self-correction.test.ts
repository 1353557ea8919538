import { describe, expect, it } from "vitest";
import { edited, failed, learned, ran, read, seenIn } from "../../../test/support/acts.js";
import { sayingsOf } from "../notes/sayings-of.js";
import type { SpokenSaying } from "../scratchpad/session-view.js";
import { selfCorrection } from "./self-correction.js";
import { signalValue } from "./signal.js";

const untilSaid = [read("src/auth/sessions.ts"), ran("ls"), read("src/auth/tokens.ts"), ran("ls", { order: 4 })];

describe("selfCorrection", () => {
  it("is worth 0.88", () => {
    expect(signalValue(selfCorrection)).toBe(0.88);
  });

  it("learns from one session what is so, and what was believed", () => {
    const session = saying({
      text: "I initially thought tokens expire after an hour, but `verifyToken` must be called with the refresh time.",
      believed: "tokens expire after an hour",
      actual: "`verifyToken` must be called with the refresh time",
    });

    expect(learned(selfCorrection, [session])).toMatchObject({
      type: "gotcha",
      content:
        "`verifyToken` must be called with the refresh time. One easily thinks that tokens expire after an hour. It came up in `src/auth/tokens.ts`.",
      relatedFiles: ["src/auth/tokens.ts"],
      relatedModules: ["src/auth"],
    });
  });

  it("takes a sentence that names a file or an identifier", () => {
    const session = saying({ text: "Actually, sessions.ts is only loaded in the worker, not in the main process." });

    expect(learned(selfCorrection, [session])).toMatchObject({
      type: "gotcha",
      content: "sessions.ts is only loaded in the worker, not in the main process.",
      relatedFiles: ["src/auth/sessions.ts"],
    });
  });

  it("takes a sentence about what was just touched", () => {
    const session = saying({ text: "Wait, the expiry is stored in seconds." });

    expect(learned(selfCorrection, [session])).toMatchObject({
      type: "module_insight",
      content: "The expiry is stored in seconds. It came up in `src/auth/tokens.ts`.",
    });
  });

  it("takes what is said of a name, whatever it does", () => {
    const session = saying({
      text: "I misread `verifyToken`: `verifyToken` counts its limit per tenant.",
      actual: "`verifyToken` counts its limit per tenant",
    });

    expect(learned(selfCorrection, [session])?.content).toContain("`verifyToken` counts its limit per tenant");
  });

  it("rests on the saying and on what it is about", () => {
    const [sighting] = seenIn(selfCorrection, saying({ text: "Wait, the expiry is stored in seconds." }));

    expect(sighting?.orders).toEqual([3, 2, 5]);
    expect(sighting?.evidence.map(({ did }) => did)).toEqual([
      "read src/auth/tokens.ts",
      "said",
      "edited src/auth/tokens.ts",
    ]);
  });

  it.each([
    "Wait for the server to start.",
    "Wait until `npm run dev` is ready.",
    "Actually, that works.",
    "Actually, that's fine.",
    "Let me reconsider the order.",
    "Wait, let me check `src/auth/tokens.ts` first.",
    "Actually, I should read tokens.ts before I change it.",
    "Actually, I'll do the tests first, then the code.",
    "Wait, is `verifyToken` async?",
    "Actually, the tests are passing now.",
    "Let me reconsider. The plan is better with the tests first.",
    "Actually, it makes sense.",
    "I was wrong about how long this takes.",
    "I misread the schema.",
    "",
  ])("sees nothing in: %s", (text) => {
    expect(seenIn(selfCorrection, saying({ text }))).toEqual([]);
  });

  it("sees nothing in a change of plan, even when it is told apart", () => {
    const session = saying({
      text: "I initially thought I would start with the tests but I will start with the code.",
      believed: "I would start with the tests",
      actual: "I will start with the code",
    });

    expect(seenIn(selfCorrection, session)).toEqual([]);
  });

  it.each([
    ["I thought the test would pass, but it fails.", "the test would pass", "it fails"],
    ["Actually the lint error is from before, not from my change.", "from my change", "the lint error is from before"],
  ])("sees nothing in how the work goes: %s", (text, believed, actual) => {
    expect(seenIn(selfCorrection, saying({ text, believed, actual }))).toEqual([]);
  });

  it("takes twelve of one session, and no more of one that thinks aloud", () => {
    const texts = Array.from({ length: 20 }, (_, index) => ({
      text: `Wait, \`limit_${index}\` is stored in seconds.`,
    }));
    const { actions } = saying({});

    expect(seenIn(selfCorrection, { actions, sayings: texts.map(correction) })).toHaveLength(12);
  });

  it("sees nothing in a sentence that could be about anything", () => {
    const session = { actions: [ran("ls")], sayings: [correction({ text: "Wait, the expiry is stored in seconds." })] };

    expect(seenIn(selfCorrection, session)).toEqual([]);
  });

  it.each([
    [
      {
        text: "I was wrong about the token format. The token is actually base64url, not base64.",
        believed: "the token format",
        actual: "The token is actually base64url, not base64",
      },
      "The token is base64url, not base64; an agent first got the token format wrong.",
    ],
    [
      { text: "I was wrong about the port: it is 8081, not 8080.", believed: "8080", actual: "the port: it is 8081" },
      "It is 8081, not 8080; an agent first got the port wrong.",
    ],
    [
      {
        text: "I was wrong about how keys are made, they are hashes of the path. Now the server starts.",
        believed: "how keys are made, they are hashes of the path",
        actual: "Now the server starts",
      },
      "They are hashes of the path; an agent was first wrong about how keys are made.",
    ],
    [
      {
        text: "I was wrong about the cache. The cache is keyed by tenant.",
        believed: "the cache",
        actual: "The cache is keyed by tenant",
      },
      "The cache is keyed by tenant.",
    ],
    [
      {
        text: "Actually, the port is read from env.ts, not from package.json.",
        believed: "from package.json",
        actual: "the port is read from env.ts",
      },
      "The port is read from env.ts, not from package.json.",
    ],
    [
      { text: "Wait, the key is not the user id but the tenant.", believed: "the user id", actual: "the tenant" },
      "The key is not the user id but the tenant.",
    ],
    [
      {
        text: "I initially thought the port was fixed, but it is read from the environment.",
        believed: "the port was fixed",
        actual: "it is read from the environment",
      },
      "One easily thinks that the port was fixed, but it is read from the environment.",
    ],
    [
      {
        text: "I was wrong to assume a flat list. The menu is a tree.",
        believed: "a flat list",
        actual: "The menu is a tree",
      },
      "The menu is a tree. It is easily taken for a flat list.",
    ],
    [
      { text: "I misread the schema: `owner` is nullable.", actual: "`owner` is nullable" },
      "`owner` is nullable; an agent first got the schema wrong.",
    ],
    [
      {
        text: "Wait, that's wrong: the rates are loaded by `rateOf`, not by the server.",
        believed: "by the server",
        actual: "that's wrong: the rates are loaded by `rateOf`",
      },
      "The rates are loaded by `rateOf`, not by the server.",
    ],
  ])("says it like a colleague: %j", (about, content) => {
    expect(learned(selfCorrection, [saying(about)])?.content).toBe(`${content} It came up in \`src/auth/tokens.ts\`.`);
  });

  it("names no file that was only read near it, and that it does not name", () => {
    const session = { actions: untilSaid, sayings: [correction({ text: "Wait, `expiry` is stored in seconds." })] };
    const late = { ...session, actions: [...untilSaid, ran("ls"), ran("ls"), edited("src/auth/tokens.ts")] };
    const ordered = late.actions.map((action, index) => ({ ...action, order: index < 3 ? index : index + 1 }));

    for (const told of [session, { ...late, actions: ordered }]) {
      expect(learned(selfCorrection, [told])).toMatchObject({
        content: "`expiry` is stored in seconds.",
        relatedFiles: [],
      });
    }
  });

  it("keeps what begins with no as it was meant", () => {
    expect(heard("Wait, no migration is needed for `schema.ts`, only the types are generated anew.")).toMatch(
      /^No migration is needed for `schema\.ts`, only/,
    );
    expect(heard("Actually, no tests cover `a.ts`, not even the `smoke` test.")).toMatch(/^No tests cover `a\.ts`/);
    expect(heard("No, the `limit` is given in seconds, not in minutes.")).toMatch(/^The `limit` is given in seconds/);
    expect(heard("Wait, no, the `limit` is given in seconds, not in minutes.")).toMatch(/^The `limit` is given in/);
  });

  it.each([
    ["Wait, I see that the token is in Redis, not in the JWT.", "The token is in Redis, not in the JWT."],
    ["I was mistaken: the timezone is handled in `client`.", "The timezone is handled in `client`."],
    ["Actually, looking at this more carefully, `verify` is not async.", "`verify` is not async."],
    ["Wait, `verify` takes seconds, so I'll change the caller.", "`verify` takes seconds."],
    ["I thought `parse()` returned a Date, but `parse()` returns a string.", "`parse()` returns a string."],
    ["I initially assumed in the header, but the token is read from `cookies`.", "The token is read from `cookies`."],
    ["I confused `verify` with `check`: the guard is in `check`.", "The guard is in `check`."],
  ])("says it without how the agent came to it: %s", (text, content) => {
    expect(heard(text)?.startsWith(content)).toBe(true);
    expect(heard(text)).not.toContain("thinks that in");
  });

  it.each([
    "Wait, the user asked me to only change the CSS, not the HTML.",
    "Actually, the user wants the button on the left, not on the right.",
    "Wait, line 45 is not the one that `verify` is in.",
    "Oh, I misread the error. The line number is 14, not 41.",
    "Wait, `verify` is still not called.",
    "Actually, port 3000 is already in use by `vite`, not by `node`.",
    "Actually, `verify` is currently not exported.",
    "Hold on, the migration of `users` has already been run.",
    "Actually, the pull request for `verify` is not merged.",
    "Wait, the output of `npm test` is truncated.",
    "Wait, I'm in packages/web, not packages/api.",
    "I misread your request: you want the API changed, not the web page.",
    "Wait, this is the wrong branch.",
    "Wait, it's Tuesday, not Monday.",
    "I made a mistake in the last edit. The closing brace is missing in tokens.ts.",
    "Wait, the previous edit didn't apply to tokens.ts.",
    "I was wrong about the test count. There are 41 tests, not 40.",
    "I was wrong, the bug is in tokens.ts.",
    "I assumed the file was created, but it was not.",
    "Actually, no changes are needed in tokens.ts, not even a test.",
    "Actually, only 2 of the 5 items are done, not all.",
    "Actually, in this session `verify` is not mocked.",
  ])("sees nothing in what no colleague would pass on: %s", (text) => {
    expect(heard(text)).toBeUndefined();
  });

  it("sees nothing in what is written anew until it passes, whatever the agent says about the error", () => {
    const actions = [
      edited("src/pool.ts", "old", "first"),
      failed("npm test", "TypeError: pool.release is not a function"),
      edited("src/pool.ts", "first", "second"),
      ran("npm test"),
    ];
    const causes = [1, 2, 3].map((order) => ({ is: "cause" as const, text: "the pool has no `release`", order }));

    expect(seenIn(selfCorrection, { actions, sayings: causes })).toEqual([]);
  });
});

function saying(about: Partial<SpokenSaying>) {
  const next = edited("src/auth/tokens.ts", "a", "b", { order: 5, at: Date.parse("2026-11-02T09:00:05Z") });
  return { actions: [...untilSaid, next], sayings: [correction(about)] };
}

/** What comes of an agent's words, from the words on. */
function heard(text: string) {
  const session = saying({});
  const sayings = sayingsOf(text).map((one) => ({ ...one, order: 3, at: 0 }));
  return learned(selfCorrection, [{ ...session, sayings }])?.content;
}

function correction(about: Partial<SpokenSaying>): Partial<SpokenSaying> {
  return { is: "correction", order: 3, at: Date.parse("2026-11-02T09:00:02.500Z"), ...about };
}
