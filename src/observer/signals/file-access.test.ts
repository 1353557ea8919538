import { describe, expect, it } from "vitest";
import { edited, read } from "../../../test/support/acts.js";
import { aroundOf, learn, padOf, type Told } from "../../../test/support/pad-of.js";
import { prefetchPattern } from "../../memory/type-registry/memory-data.js";
import { fileAccess } from "./file-access.js";
import { signalValue } from "./signal.js";

const work = (own: string): Told => ({
  actions: [
    read("src/base/clock.ts"),
    read("src/auth/tokens.ts"),
    read(`src/auth/${own}.ts`),
    edited(`src/auth/${own}.ts`),
  ],
});

describe("the files that every session on a module reads", () => {
  it("are to be read first, in the order in which sessions do", () => {
    const [draft, ...others] = learn(fileAccess, ["login", "logout", "reset"].map(work));

    expect(others).toEqual([]);
    expect(draft).toMatchObject({
      type: "prefetch_pattern",
      content: "Work on `src/auth` needs `src/auth/tokens.ts` and `src/base/clock.ts`: read them first.",
      relatedFiles: ["src/auth/tokens.ts", "src/base/clock.ts"],
      relatedModules: ["src/auth"],
    });
    expect(prefetchPattern.parse(draft?.data)).toEqual({
      alwaysReadFiles: ["src/auth/tokens.ts", "src/base/clock.ts"],
      frequentlyReadFiles: [],
      moduleTrigger: "src/auth",
      sessionCount: 3,
    });
    expect(signalValue(fileAccess)).toBe(0.72);
  });

  it("name what more than half of the sessions read too", () => {
    const draft = learn(fileAccess, ["login", "login", "reset"].map(work))[0];

    expect(draft?.data).toMatchObject({ frequentlyReadFiles: ["src/auth/login.ts"] });
    expect(draft?.content).toMatch(/read them first\. Often `src\/auth\/login\.ts` too\.$/);
  });

  it("are not known after two sessions", () => {
    expect(learn(fileAccess, ["login", "logout"].map(work))).toEqual([]);
  });

  it("are none where each session reads something else", () => {
    const sessions = ["a", "b", "c", "d"].map((name) => ({
      actions: [1, 2, 3].map((part) => read(`src/auth/${name}${part}.ts`)),
    }));

    expect(learn(fileAccess, sessions)).toEqual([]);
  });

  it("are none where it is a file and its own test", () => {
    const sessions = ["a", "b", "c", "d"].map(() => ({
      actions: [
        read("src/auth/tokens.ts"),
        edited("src/auth/tokens.ts"),
        read("test/tokens.test.ts"),
        edited("test/tokens.test.ts"),
      ],
    }));

    expect(learn(fileAccess, sessions)).toEqual([]);
  });

  it("are none where they were read to be changed", () => {
    const sessions = ["a", "b", "c", "d"].map(() => ({
      actions: ["src/auth/tokens.ts", "src/auth/login.ts"].flatMap((file) => [read(file), edited(file)]),
    }));

    expect(learn(fileAccess, sessions)).toEqual([]);
  });

  it("are none where sessions only pass through", () => {
    const sessions = ["a", "b", "c", "d"].map((name) => ({
      actions: [read("src/auth/tokens.ts"), read("src/auth/login.ts"), edited(`src/${name}/page.ts`)],
    }));

    expect(learn(fileAccess, sessions)).toEqual([]);
  });

  it("are none where one file is all that they have in common", () => {
    const sessions = ["a", "b", "c"].map((name) => ({
      actions: [read("src/auth/tokens.ts"), read(`src/auth/${name}.ts`), edited(`src/auth/${name}.ts`)],
    }));

    expect(learn(fileAccess, sessions)).toEqual([]);
  });

  it("are not known from few sessions of a module whose other files are read as often", () => {
    const sessions = [
      ["c", "d"],
      ["c", "e"],
      ["d", "e"],
    ].map((others) => ({
      actions: ["a", "b", ...others].map((name) => read(`src/auth/${name}.ts`)),
    }));

    expect(learn(fileAccess, sessions)).toEqual([]);
    expect(learn(fileAccess, [...sessions, ...sessions, ...sessions])).toHaveLength(1);
  });

  it("are not those of other modules that every session of the project reads", () => {
    const other = { actions: [read("src/base/clock.ts"), edited("src/web/page.ts")] };
    const sessions = [...Array.from({ length: 5 }, () => other), ...["login", "logout", "reset"].map(work)];

    expect(learn(fileAccess, sessions)).toEqual([]);
  });

  it("are none of the top folder, which is about everything", () => {
    const top = { actions: ["README.md", "a.md", "b.md", "c.md"].map((file) => read(file)) };

    expect(learn(fileAccess, [top, top, top])).toEqual([]);
  });
});

it("Two agents of one session agree on the module that they worked on, not on what is to be read", () => {
  const pad = padOf(work("login"));
  const [sighting] = fileAccess.detect(pad, aroundOf(pad));
  const history = { sessions: 1, sessionsOfFile: () => 1, sessionsOfModule: () => 1 };

  const past = { sessionId: "s", at: "2026-11-02T09:00:00Z", data: sighting?.data ?? {}, evidence: [] };

  expect(fileAccess.compose("src/auth", [past], history)).toBeUndefined();
});
