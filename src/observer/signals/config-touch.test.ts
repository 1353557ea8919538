import { describe, expect, it } from "vitest";
import { edited, read } from "../../../test/support/acts.js";
import { learn, type Told } from "../../../test/support/pad-of.js";
import { configTouch } from "./config-touch.js";
import { signalValue } from "./signal.js";

const together: Told = { actions: [edited("src/workers/pool.ts"), read("vite.config.ts"), edited("vite.config.ts")] };

describe("configuration that is changed with a part of the source", () => {
  it("has to follow it", () => {
    expect(learn(configTouch, [together, together])).toEqual([
      {
        type: "causal_dependency",
        content: "When `src/workers/pool.ts` changes, `vite.config.ts` has to follow: sessions changed them together.",
        data: { changed: "src/workers/pool.ts", affected: "vite.config.ts", sessionCount: 2 },
        relatedFiles: ["src/workers/pool.ts", "vite.config.ts"],
        relatedModules: ["src/workers"],
      },
    ]);
    expect(signalValue(configTouch)).toBe(0.66);
  });

  it("has to follow a module whose different files it was changed with", () => {
    const sessions = ["a", "b"].map((name) => ({
      actions: [edited("vite.config.ts"), edited(`src/workers/${name}.ts`)],
    }));

    expect(learn(configTouch, sessions)[0]?.content).toBe(
      "When something in `src/workers` changes, `vite.config.ts` has to follow: sessions changed them together.",
    );
  });

  it("does not after one session", () => {
    expect(learn(configTouch, [together])).toEqual([]);
  });

  it("does not where it is only read", () => {
    const session = { actions: [edited("src/workers/pool.ts"), read("vite.config.ts")] };

    expect(learn(configTouch, [session, session, session])).toEqual([]);
  });

  it("does not where it is changed with another module each time", () => {
    const sessions = ["a", "b", "c"].map((name) => ({
      actions: [edited("vite.config.ts"), edited(`src/${name}/x.ts`)],
    }));

    expect(learn(configTouch, sessions)).toEqual([]);
  });

  it("does not where something else was changed in between", () => {
    const sessions = ["a", "b"].map((name) => ({
      actions: [edited("src/workers/pool.ts"), edited(`src/${name}/x.ts`), edited("vite.config.ts")],
    }));

    expect(learn(configTouch, sessions)).toEqual([]);
  });

  it("has to follow each of several files that it was changed with, in whatever order", () => {
    const sessions = [
      ["src/workers/a.ts", "src/workers/b.ts"],
      ["src/workers/b.ts", "src/workers/a.ts"],
    ].map((files) => ({ actions: [...files, "vite.config.ts"].map((file) => edited(file)) }));

    expect(learn(configTouch, sessions)[0]?.content).toMatch(
      /^When `src\/workers\/a\.ts` and `src\/workers\/b\.ts` change, /,
    );
  });

  it("does not where the source mostly changes without it", () => {
    const alone = { actions: [edited("src/workers/pool.ts")] };

    expect(learn(configTouch, [alone, together, alone, alone, together])).toEqual([]);
  });

  it("does not where it is open in most sessions, until chance is ruled out", () => {
    const other = (index: number) => ({ actions: [read("vite.config.ts"), edited(`src/m${index}/x.ts`)] });
    const others = Array.from({ length: 8 }, (_, index) => other(index));

    expect(learn(configTouch, [...others, together, together])).toEqual([]);
  });

  it("is no list of dependencies that changes with different files of a module", () => {
    const sessions = ["a", "b"].map((name) => ({
      actions: [edited("package.json"), edited(`src/workers/${name}.ts`)],
    }));

    expect(learn(configTouch, sessions)).toEqual([]);
  });

  it("is neither a lock file nor changed because of a test or a text", () => {
    const locked = { actions: [edited("src/workers/pool.ts"), edited("package-lock.json")] };
    const tested = { actions: [edited("src/workers/pool.test.ts"), edited("README.md"), edited("vite.config.ts")] };

    expect(learn(configTouch, [locked, locked])).toEqual([]);
    expect(learn(configTouch, [tested, tested])).toEqual([]);
  });
});
