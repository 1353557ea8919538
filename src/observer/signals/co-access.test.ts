import { describe, expect, it } from "vitest";
import { edited, read } from "../../../test/support/acts.js";
import { aroundOf, learn, padOf, type Told } from "../../../test/support/pad-of.js";
import { prefetchPattern } from "../../memory/type-registry/memory-data.js";
import { coAccess, listPairs } from "./co-access.js";
import { signalValue, type Sighting } from "./signal.js";

const bothEdited: Told = { actions: [read("src/api/user.ts"), edited("src/api/user.ts"), edited("src/web/form.ts")] };
const bothRead: Told = { actions: [read("src/api/user.ts"), read("docs/api.yaml.tpl")] };

describe("two files that sessions change together", () => {
  it("depend on each other", () => {
    expect(learn(coAccess, times(3, bothEdited))).toEqual([
      {
        type: "causal_dependency",
        content:
          "When `src/api/user.ts` changes, `src/web/form.ts` usually has to follow: every session that touched one of them worked on both.",
        data: { changed: "src/api/user.ts", affected: "src/web/form.ts", sessionCount: 3 },
        relatedFiles: ["src/api/user.ts", "src/web/form.ts"],
        relatedModules: ["src/api", "src/web"],
        confidenceOffset: 0.1,
      },
    ]);
    expect(signalValue(coAccess)).toBe(0.91);
  });

  it("do not after two sessions", () => {
    expect(learn(coAccess, times(2, bothEdited))).toEqual([]);
  });

  it("do where two agents of one session agree who changed both at once, not who only had the same task", () => {
    const pad = padOf(bothEdited);
    const [{ subject, data, evidence }] = coAccess.detect(pad, aroundOf(pad)) as [Sighting];
    const history = { sessions: 1, sessionsOfFile: () => 1, sessionsOfModule: () => 1 };
    const agreed = (how: Sighting["data"]) =>
      coAccess.compose(subject, [{ sessionId: "s1", at: "2026-11-02", data: how, evidence }], history);

    expect(agreed({ ...data, lead: 1 })).toMatchObject({ type: "causal_dependency" });
    expect(agreed({ ...data, lead: 2 })).toBeUndefined();
    expect(agreed({ ...data, edited: false })).toBeUndefined();
  });

  it("do not where they are two of many files of one module that a session changes", () => {
    const names = ["user", "form", "list", "page", "menu"];
    const session = (index: number) => ({
      actions: [...names.slice(index), ...names.slice(0, index)].map((name) => edited(`src/web/${name}.ts`)),
    });
    const elsewhere = Array.from({ length: 9 }, (_, index) => ({ actions: [edited(`src/other/${index}.ts`)] }));

    expect(learn(coAccess, [...elsewhere, session(0), session(1), session(2), session(3)])).toEqual([]);
  });

  it("do in a module too, where they are all that a session touches of it", () => {
    const both = { actions: [edited("src/web/user.ts"), edited("src/web/form.ts"), edited("docs/web.txt")] };
    const others = Array.from({ length: 6 }, (_, index) => ({ actions: [edited(`src/web/${index}.ts`)] }));

    expect(learn(coAccess, [...others, ...times(3, both)]).map(({ relatedFiles }) => relatedFiles)).toContainEqual([
      "src/web/user.ts",
      "src/web/form.ts",
    ]);
  });

  it("do not where one of them is as often changed alone", () => {
    const alone = { actions: [edited("src/api/user.ts")] };

    expect(learn(coAccess, [alone, bothEdited, alone, bothEdited, alone, bothEdited])).toEqual([]);
  });

  it("do not where one of them is in nearly every session anyway", () => {
    const other = (index: number) => ({ actions: [edited("src/web/form.ts"), edited(`src/other/${index}.ts`)] });
    const sessions = [...Array.from({ length: 6 }, (_, index) => other(index)), ...times(3, bothEdited)];

    expect(learn(coAccess, sessions)).toEqual([]);
  });

  it("are told with the one first that is come to first", () => {
    const backwards = { actions: [edited("src/web/form.ts"), edited("src/api/user.ts")] };

    expect(learn(coAccess, times(3, backwards))[0]?.content).toMatch(/^When `src\/web\/form\.ts` changes/);
  });

  it.each([
    ["a file and its test", "src/api/user.test.ts"],
    ["configuration, which has its own signal", "tsconfig.json"],
    ["a lock file", "package-lock.json"],
    ["what lies outside of the project", "/etc/hosts"],
    ["what is installed", "node_modules/zod/index.js"],
  ])("are not %s", (_, other) => {
    const session = { actions: [edited("src/api/user.ts"), edited(other)] };

    expect(learn(coAccess, times(4, session))).toEqual([]);
  });
});

describe("two files that sessions read together", () => {
  it("are better read at once", () => {
    const [draft, ...others] = learn(coAccess, times(3, bothRead));

    expect(others).toEqual([]);
    expect(draft).toMatchObject({
      type: "prefetch_pattern",
      content:
        "`src/api/user.ts` and `docs/api.yaml.tpl` belong together: every session that opened one of them opened the other soon after.",
      relatedFiles: ["src/api/user.ts", "docs/api.yaml.tpl"],
    });
    expect(prefetchPattern.parse(draft?.data)).toEqual({
      alwaysReadFiles: ["src/api/user.ts", "docs/api.yaml.tpl"],
      frequentlyReadFiles: [],
      moduleTrigger: "src/api",
      sessionCount: 3,
    });
  });

  it("are not in a few sessions that read them far apart and in any order", () => {
    expect(learn(coAccess, [apart(0), apart(1), apart(2)])).toEqual([]);
  });

  it("are even so once many sessions on the same modules without either rule out chance", () => {
    const other = (index: number) => ({ actions: [read(`src/api/${index}.ts`), read(`src/web/${index}.ts`)] });
    const others = Array.from({ length: 40 }, (_, index) => other(index));

    const drafts = learn(coAccess, [...others, apart(0), apart(1), apart(2)]);

    expect(drafts.map(({ relatedFiles }) => relatedFiles)).toEqual([["src/api/user.ts", "src/web/form.ts"]]);
  });

  it("are each with the next where several are read in a row", () => {
    const row = ["src/api/user.ts", "src/db/users.ts", "src/web/form.ts", "src/mail/welcome.ts"];
    const session = { actions: row.map((file) => read(file)) };

    const told = learn(coAccess, times(3, session)).map(({ relatedFiles }) => relatedFiles.join(" "));

    expect(told.toSorted()).toEqual([
      "src/api/user.ts src/db/users.ts",
      "src/db/users.ts src/web/form.ts",
      "src/web/form.ts src/mail/welcome.ts",
    ]);
  });

  it("are told also where what comes between them is read everywhere, or is another thing each time", () => {
    const session = (between: string) => ({
      actions: ["src/api/user.ts", between, "docs/api.yaml.tpl"].map((file) => read(file)),
    });
    const others = ["a", "b", "c", "d", "e", "f"].map((name) => ({
      actions: [read("README.md"), edited(`src/other/${name}.ts`)],
    }));
    const told = (sessions: Told[]) => learn(coAccess, sessions).map(({ relatedFiles }) => relatedFiles);

    expect(told([...others, ...times(3, session("README.md"))])).toEqual([["src/api/user.ts", "docs/api.yaml.tpl"]]);
    expect(told(["x", "y", "z"].map((name) => session(`src/web/${name}.ts`)))).toEqual([
      ["src/api/user.ts", "docs/api.yaml.tpl"],
    ]);
  });

  it("are not where one imports the other, which is read there", () => {
    const session = { actions: [read("src/api/user.ts", { imports: ["../db/users.js"] }), read("src/db/users.ts")] };

    expect(learn(coAccess, times(4, session))).toEqual([]);
  });

  it("are not where the second was found by a search and is what had to be changed", () => {
    const search = { does: "search" as const, search: { pattern: "openStore", by: "text" as const } };
    const session = { actions: [read("src/api/user.ts"), search, read("src/db/users.ts"), edited("src/db/users.ts")] };

    expect(learn(coAccess, times(4, session))).toEqual([]);
  });

  it("are not what a helper reads while another agent changes it", () => {
    const [main, helper] = [padOf(bothEdited), padOf({ agentId: "helper", ...bothRead })];
    const readToo = padOf({ agentId: "helper", actions: [read("src/api/user.ts"), read("src/web/form.ts")] });

    expect(coAccess.detect(readToo, aroundOf(readToo, [main]))).toEqual([]);
    expect(coAccess.detect(helper, aroundOf(helper, [main]))).toHaveLength(1);
  });

  it("are left to their module where every session on it reads them", () => {
    const module = { actions: ["a", "b", "c"].map((name) => read(`src/api/${name}.ts`)) };

    expect(learn(coAccess, times(4, module))).toEqual([]);
  });
});

describe("the pairs of a session", () => {
  it("are each told once, with their order and the shortest way between them", () => {
    const actions = [read("b.ts"), read("x.ts"), read("a.ts"), edited("b.ts"), edited("a.ts")];

    const pairs = listPairs(padOf({ actions }));

    expect(pairs[0]).toEqual({ a: "a.ts", b: "b.ts", aFirst: false, delayMs: 1000, edited: true });
    expect(pairs.map(({ a, b }) => `${a} ${b}`)).toEqual(["a.ts b.ts", "b.ts x.ts", "a.ts x.ts"]);
  });

  it("are near each other in actions or in time", () => {
    const look = Array.from({ length: 20 }, () => ({ does: "other" as const }));
    const slow = Array.from({ length: 20 }, (_, index) => ({ does: "other" as const, at: index * 60_000 }));
    const late = { at: 100 * 60_000 };

    expect(listPairs(padOf({ actions: [read("a.ts"), ...look, read("b.ts")] }))).toHaveLength(1);
    expect(listPairs(padOf({ actions: [read("a.ts", { at: 0 }), ...slow, read("b.ts", late)] }))).toEqual([]);
    expect(listPairs(padOf({ actions: [read("a.ts", { at: 0 }), read("b.ts", late)] }))).toHaveLength(1);
  });

  it("are at most 300, those that were changed first", () => {
    const actions = Array.from({ length: 200 }, (_, index) =>
      index > 190 ? edited(`src/${index}.ts`) : read(`src/${index}.ts`),
    );

    const pairs = listPairs(padOf({ actions }));

    expect(pairs).toHaveLength(300);
    expect(pairs.slice(0, 36).every((pair) => pair.edited)).toBe(true);
  });

  it("rest on what was done", () => {
    const pad = padOf(bothEdited);

    expect(coAccess.detect(pad, aroundOf(pad))).toMatchObject([
      {
        subject: "src/api/user.ts + src/web/form.ts",
        orders: [1, 2],
        evidence: [{ did: "edited src/api/user.ts" }, { did: "edited src/web/form.ts" }],
      },
    ]);
  });
});

function times(count: number, session: Told): Told[] {
  return Array.from({ length: count }, () => session);
}

function apart(index: number): Told {
  const between = [1, 2, 3, 4, 5, 6].map((part) => read(`src/m${index}/${part}.ts`));
  const [first, last] =
    index % 2 === 0 ? ["src/api/user.ts", "src/web/form.ts"] : ["src/web/form.ts", "src/api/user.ts"];
  return { actions: [read(first), ...between, read(last)] };
}
