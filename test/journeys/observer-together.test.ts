import { describe, expect, it } from "vitest";
import type { AgentSession } from "../../bench/agent-session.mjs";
import { looksAround, observedProject, wrapsUp, type ObservedProject } from "../support/observed-project.js";

describe("files that are changed together", () => {
  /** The schema of the interface changes, and the table of users follows; something else is done on the way. */
  function changesSchema(project: ObservedProject, round: number): AgentSession {
    const field = ["email", "phone", "locale"][round % 3] as string;
    const session = looksAround(project.session(`Add ${field} to what the API gives for a user.`), round);
    session.searches(field, []).reads("src/api/schema.ts");
    session.edits("src/api/schema.ts", "version: 1", `version: 1, ${field}: "text"`);
    if (round === 1) session.reads("src/ui/table.ts");
    session.runs("npx tsc --noEmit", { text: "Found 0 errors.", tookMs: 5000 });
    session.reads("src/db/users.ts").edits("src/db/users.ts", "select 2", `select 2, ${field}`);
    if (round === 2) {
      session.runs("npm test", {
        text: "Tests  1 failed | 40 passed (41)\nAssertionError: expected 3 to be 4",
        failed: true,
      });
      session.edits("src/db/users.ts", `select 2, ${field}`, `select 2, ${field} as ${field}`);
    }
    return wrapsUp(session, round);
  }

  it("[O1] two files that are always changed together: the third session makes it known", async () => {
    const project = observedProject();
    await project.learn(changesSchema(project, 0), changesSchema(project, 1));
    expect(await project.allSayings()).toEqual([]);

    await project.learn(changesSchema(project, 2));
    const [found, ...others] = await project.recallAnew("What else has to change when I change schema.ts?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "causal_dependency",
      status: "active",
      source: "observer_inferred",
      relatedFiles: ["src/api/schema.ts", "src/db/users.ts"],
      data: { changed: "src/api/schema.ts", affected: "src/db/users.ts", sessionCount: 3 },
      provenanceSessionIds: ["session-1", "session-2", "session-3"],
    });
    expect(found?.content).toMatch(
      /^When `src\/api\/schema\.ts` changes, `src\/db\/users\.ts` usually has to follow: .+\.$/,
    );
    expect(found?.evidence).toMatchObject([{ signal: "co-access", sessions: [{}, {}, {}] }]);
    const deeds = found?.evidence[0]?.sessions[1]?.seen.map(({ did }) => did);
    expect(deeds).toEqual(expect.arrayContaining(["edited src/api/schema.ts", "edited src/db/users.ts"]));
  });

  it("[O1] two files that are changed together now and then are not, when each mostly changes alone", async () => {
    const project = observedProject();
    const changesOne = (file: string, round: number) => {
      const session = looksAround(project.session("Tidy this up, please."), round).reads(file);
      return wrapsUp(session.edits(file, "export", `// ${round}\nexport`), round);
    };

    await project.learn(
      changesSchema(project, 0),
      changesOne("src/api/schema.ts", 3),
      changesOne("src/db/users.ts", 4),
      changesSchema(project, 1),
      changesOne("src/api/schema.ts", 5),
      changesOne("src/db/users.ts", 6),
      changesSchema(project, 2),
    );

    expect(await project.allSayings()).toEqual([]);
  });

  it("[O1] a file and its own test are not, because everybody knows", async () => {
    const project = observedProject();
    for (let round = 0; round < 4; round += 1) {
      const session = looksAround(project.session(`Round prices to ${round} digits.`), round);
      session.reads("src/billing/price.ts").edits("src/billing/price.ts", "100", `10${round}`);
      session.reads("test/price.test.ts").edits("test/price.test.ts", `"a"`, `"b${round}"`);
      await project.learn(wrapsUp(session, round));
    }

    expect(await project.allSayings()).toEqual([]);
  });
});

describe("files that are read together", () => {
  const works = ["src/ui/page.ts", "src/billing/ledger.ts", "src/api/routes.ts", "src/shared/dates.ts"];

  /** Whatever the work is, it first looks at how a session lives and how the database is asked. */
  function readsBoth(project: ObservedProject, round: number): AgentSession {
    const session = looksAround(project.session(`Who is logged in? Round ${round}.`), round + 3);
    session.searches("lifeMinutes", ["src/auth/session.ts"]).reads("src/auth/session.ts");
    if (round === 1) session.runs("git log --oneline -3", { text: "abc1234 a change" });
    if (round === 2) session.runs("cat src/db/client.ts", { text: "export const client = {};" });
    else session.reads("src/db/client.ts");
    const file = works[round] as string;
    return wrapsUp(session.reads(file).edits(file, "export", `// ${round}\nexport`), round);
  }

  it("[O1] two files of which one is always read right after the other: the third session makes it known", async () => {
    const project = observedProject();
    await project.learn(readsBoth(project, 0), readsBoth(project, 1));
    expect(await project.allSayings()).toEqual([]);

    await project.learn(readsBoth(project, 2));
    const [found, ...others] = await project.recallAnew("Which files belong with src/auth/session.ts?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "prefetch_pattern",
      status: "active",
      relatedFiles: ["src/auth/session.ts", "src/db/client.ts"],
      data: {
        alwaysReadFiles: ["src/auth/session.ts", "src/db/client.ts"],
        frequentlyReadFiles: [],
        moduleTrigger: "src/auth",
        sessionCount: 3,
      },
    });
    expect(found?.content).toMatch(
      /^`src\/auth\/session\.ts` and `src\/db\/client\.ts` belong together: every session .+\.$/,
    );
    expect(found?.evidence).toMatchObject([{ signal: "co-access", subject: "src/auth/session.ts + src/db/client.ts" }]);
    expect(found?.evidence[0]?.sessions[0]?.seen.map(({ did }) => did)).toEqual([
      "read src/auth/session.ts",
      "read src/db/client.ts",
    ]);
    expect(found?.evidence[0]?.sessions[2]?.seen[1]?.did).toBe("ran `cat src/db/client.ts`");
  });

  it("[O1] two agents of one session who read the same files do so for its task", async () => {
    const project = observedProject();
    const session = looksAround(project.session("Find out who is logged in."), 0);
    for (const agent of ["one", "two"]) {
      session.sub(agent).reads("src/auth/session.ts").reads("src/db/client.ts");
      session.searches(`logged by ${agent}`, []).back();
    }
    await project.learn(wrapsUp(session, 0));

    expect(await project.allSayings()).toEqual([]);
  });

  it("[O1] two files that were open in the same sessions for different reasons do not belong together", async () => {
    const project = observedProject();
    const pairs = [
      ["src/auth/session.ts", "src/db/client.ts"],
      ["src/db/client.ts", "src/auth/session.ts"],
      ["src/auth/session.ts", "src/db/client.ts"],
    ] as const;
    for (const [round, [first, second]] of pairs.entries()) {
      const session = looksAround(project.session(`Look into the slow page, part ${round}.`), round).reads(first);
      const between = ["src/ui/page.ts", "src/billing/rates.ts", "src/api/server.ts", "src/shared/dates.ts"];
      for (const file of between.slice(round, round + 2)) session.reads(file);
      session.runs("npm test", { text: "Tests  40 passed (40)" }).searches(`slow${round}`, []).waits(240_000);
      for (const file of works.slice(round, round + 2)) session.reads(file);
      const file = works[round] as string;
      await project.learn(wrapsUp(session.reads(second).edits(file, "export", `// ${round}\nexport`), round));
    }

    expect(await project.allSayings()).toEqual([]);
  });
});

describe("files that work on a module needs", () => {
  const modules = Object.fromEntries(
    ["cart", "coupons", "refunds", "tax", "gifts", "dunning", "receipts", "wallet", "quotes"].map((name) => [
      `src/billing/${name}.ts`,
      `export const ${name} = () => "${name}";\n`,
    ]),
  );

  function worksOn(project: ObservedProject, round: number, files: readonly string[], edited: string): AgentSession {
    const session = looksAround(project.session(`Mend what is wrong with ${edited}.`), round);
    session.globs(
      "src/billing/*.ts",
      files.map((name) => `src/billing/${name}.ts`),
    );
    for (const name of files) session.reads(`src/billing/${name}.ts`, project.shown(`src/billing/${name}.ts`));
    session.searches(edited, [`src/billing/${edited}.ts`]).reads(`src/billing/${edited}.ts`);
    session.edits(`src/billing/${edited}.ts`, "export", `// ${round}\nexport`);
    return wrapsUp(session, round);
  }

  it("[O1] files that are read whenever a module is worked on: the third session makes it known", async () => {
    const project = observedProject(modules);
    await project.learn(
      worksOn(project, 0, ["price", "ledger", "cart", "rates"], "coupons"),
      worksOn(project, 1, ["ledger", "tax", "price", "rates"], "refunds"),
    );
    expect(await project.allSayings()).toEqual([]);

    await project.learn(worksOn(project, 2, ["rates", "gifts", "ledger", "price"], "dunning"));
    const found = (await project.recallAnew("What do I read before I work on src/billing?")).filter(({ evidence }) =>
      evidence.some(({ signal }) => signal === "file-access"),
    );

    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      type: "prefetch_pattern",
      status: "active",
      relatedModules: ["src/billing"],
      data: { frequentlyReadFiles: [], moduleTrigger: "src/billing", sessionCount: 3 },
    });
    const files = ["src/billing/ledger.ts", "src/billing/price.ts", "src/billing/rates.ts"];
    expect(found[0]?.relatedFiles.toSorted()).toEqual(files);
    expect(found[0]?.data?.["alwaysReadFiles"]).toEqual(found[0]?.relatedFiles);
    expect(found[0]?.content).toMatch(/^Work on `src\/billing` needs `.+`, `.+` and `.+`: read them first\.$/);
    const seen = found[0]?.evidence[0]?.sessions[2]?.seen.map(({ did }) => did);
    expect(seen).toEqual(expect.arrayContaining(files.map((file) => `read ${file}`)));
    expect(await project.allSayings()).toHaveLength(1);
  });

  it("[O1] files of a module of which every session reads others are not", async () => {
    const project = observedProject(modules);

    await project.learn(
      worksOn(project, 0, ["price", "ledger", "cart", "tax"], "coupons"),
      worksOn(project, 1, ["gifts", "tax", "wallet", "rates"], "refunds"),
      worksOn(project, 2, ["quotes", "receipts", "ledger", "gifts"], "dunning"),
      worksOn(project, 3, ["cart", "rates", "invoice", "wallet"], "quotes"),
    );

    expect(await project.allSayings()).toEqual([]);
  });
});

describe("a way by imports", () => {
  const way = ["src/api/routes.ts", "src/api/checkout.ts", "src/billing/price.ts", "src/billing/rates.ts"];

  /** From the route to where the rate is decided. What else is looked at differs each time. */
  function chases(project: ObservedProject, round: number, edited: string): AgentSession {
    const asked = ["The total is wrong.", "Members pay too much.", "Add a lower rate.", "Books have no rate."];
    const session = looksAround(project.session(asked[round % 4]), round);
    for (const [index, file] of way.entries()) {
      if (index === round) session.searches(["total", "member", "lower", "books"][round] as string, []);
      session.reads(file, project.shown(file));
    }
    session.edits(edited, "export", `// ${round}\nexport`);
    return wrapsUp(session, round);
  }
  const chased = async (project: ObservedProject) =>
    (await project.allMemories()).filter(({ type }) => type === "causal_dependency");

  it("[O1] what is always looked for from the wrong end is known after four sessions, not after three", async () => {
    const project = observedProject();
    for (let round = 0; round < 3; round += 1) await project.learn(chases(project, round, "src/billing/rates.ts"));
    expect(await chased(project)).toEqual([]);

    await project.learn(chases(project, 3, "src/billing/rates.ts"));
    const recalled = await project.recallAnew("Where is the rate of src/api/routes.ts decided?");
    const found = recalled.find(({ type }) => type === "causal_dependency");

    expect(found).toMatchObject({
      status: "active",
      relatedFiles: way,
      data: { changed: way[0], affected: way[3], through: [way[1], way[2]], sessionCount: 4 },
    });
    expect(found?.content).toMatch(
      /`src\/api\/routes\.ts` is decided in `src\/billing\/rates\.ts`.+ through .+ Start at `src\/billing\/rates\.ts`\.$/,
    );
    expect(found?.evidence).toMatchObject([{ signal: "import-chase", sessions: [{}, {}, {}, {}] }]);
    expect(found?.evidence[0]?.sessions[0]?.seen.map(({ did }) => did)).toEqual([
      ...way.map((file) => `read ${file}`),
      "edited src/billing/rates.ts",
    ]);
    expect(await chased(project)).toHaveLength(1);
  });

  it("[O1] reading what a file imports in order to change that file is no way to somewhere else", async () => {
    const project = observedProject();
    for (let round = 0; round < 4; round += 1) await project.learn(chases(project, round, "src/api/routes.ts"));

    expect(await chased(project)).toEqual([]);
  });
});

describe("configuration that belongs to code", () => {
  it("[O1] configuration that is only read, or changes with whatever is done, does not", async () => {
    const project = observedProject();
    for (let round = 0; round < 3; round += 1) {
      const session = looksAround(project.session(`Rates are off again, case ${round}.`), round);
      session.reads("config/rates.yaml").reads("src/billing/rates.ts");
      session.edits("src/billing/rates.ts", "export", `// ${round}\nexport`);
      await project.learn(wrapsUp(session, round));
    }
    const others = ["src/db/client.ts", "src/db/orders.ts", "src/db/users.ts"];
    for (const [round, file] of others.entries()) {
      const session = looksAround(project.session(`Use the library for this, number ${round}.`), round + 3);
      session.reads(file).edits(file, "export", `import "library";\nexport`);
      session.reads("package.json").edits("package.json", `"scripts"`, `"library${round}": 1, "scripts"`);
      await project.learn(wrapsUp(session, round + 3));
    }

    expect(await project.allSayings()).toEqual([]);
  });
});
