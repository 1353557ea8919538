import { describe, expect, it } from "vitest";
import type { AgentSession } from "../../bench/agent-session.mjs";
import {
  looksAround,
  observedProject,
  wrapsUp,
  type ObservedProject,
  type Recalled,
} from "../support/observed-project.js";

/** What a memory rests on in one of its sessions. */
function seenIn(memory: Recalled | undefined, session: number): string[] {
  return memory?.evidence[0]?.sessions[session]?.seen.map(({ did }) => did) ?? [];
}

describe("a file that looks like the right place", () => {
  /** How long a connection may be idle: `lifeMinutes` looks like it, and the server has it. */
  function takesTheWrongTurn(project: ObservedProject, round: number): AgentSession {
    const session = looksAround(project.session(`Connections are cut too early, case ${round}.`), round);
    session.searches("timeout|lifeMinutes", ["src/auth/session.ts"]).reads("src/auth/session.ts");
    const [pattern, found] = [
      ["createServer", ["src/api/server.ts"]],
      ["listen\\(", ["src/api/server.ts", "src/api/routes.ts"]],
      ["http", ["src/api/server.ts"]],
    ][round % 3] as [string, string[]];
    session.searches(pattern, found);
    if (round === 1) session.runs("ls src/api", { text: "checkout.ts\nroutes.ts\nschema.ts\nserver.ts" });
    session.reads("src/api/server.ts", project.shown("src/api/server.ts"));
    return wrapsUp(session.edits("src/api/server.ts", "=> routes", `=> keep(routes, ${round})`), round);
  }

  it("[O1] and is left again in three sessions for the same other file: the third makes it known", async () => {
    const project = observedProject();
    await project.learn(takesTheWrongTurn(project, 0), takesTheWrongTurn(project, 1));
    expect(await project.allSayings()).toEqual([]);

    await project.learn(takesTheWrongTurn(project, 2));
    const found = (await project.recallAnew("Where is the timeout of a connection?")).find(
      ({ evidence }) => evidence[0]?.signal === "read-abandon",
    );

    expect(found).toMatchObject({
      type: "gotcha",
      status: "active",
      content:
        "`src/auth/session.ts` looks like the place for `lifeMinutes | timeout`, but sessions that open it leave it again: " +
        "what they needed was in `src/api/server.ts`.",
      relatedFiles: ["src/api/server.ts", "src/auth/session.ts"],
      data: { left: "src/auth/session.ts", goal: "src/api/server.ts", lookedFor: "lifeMinutes | timeout" },
      provenanceSessionIds: ["session-1", "session-2", "session-3"],
    });
    expect(seenIn(found, 2)).toEqual([
      "searched for `timeout|lifeMinutes`, found 1",
      "read src/auth/session.ts",
      "searched for `http`, found 1",
      "edited src/api/server.ts",
    ]);
  });

  it("[O1] is none, when it is read on purpose: for what the change imports, or to be changed itself", async () => {
    const project = observedProject();
    const [price, invoice] = ["src/billing/price.ts", "src/billing/invoice.ts"] as const;
    for (let round = 0; round < 5; round += 1) {
      const session = looksAround(project.session(`The sum of an invoice is off, case ${round}.`), round);
      session.searches(["sum", "total", "amount", "tax", "net"][round] as string, [price, invoice]);
      session.reads(price, project.shown(price));
      session.searches(["invoice", "round\\(", "cents", "print", "send"][round] as string, [invoice]);
      session.reads(invoice, project.shown(invoice));
      if (round > 2) session.edits(price, "100 *", `10${round} *`);
      else session.edits(invoice, "sum: priceOf", `sum: ${round} + priceOf`);
      await project.learn(wrapsUp(session, round));
    }

    // That both are needed for this work is true.
    expect((await project.allSayings()).filter((text) => text.includes("leave it again"))).toEqual([]);
  });
});

describe("a thing that is looked for again and again", () => {
  /** Somebody needs the rates; where they stand is found by searching each time. */
  function findsTheRate(project: ObservedProject, round: number): AgentSession {
    const asked = ["The invoice shows the wrong tax.", "Add the reduced rate for books."][round] as string;
    const session = looksAround(project.session(asked), round);
    if (round === 0) session.searches("vat_rate", ["config/rates.yaml", "docs/release.md"], { glob: "**/*" });
    else session.runs(`grep -rn "vat_rate" . | head -20`, { text: "./config/rates.yaml:1:vat_rate: 0.2" });
    session.reads("config/rates.yaml").edits("config/rates.yaml", "0.2", `0.2${round}`);
    session.reads(round === 0 ? "src/billing/ledger.ts" : "src/ui/table.ts");
    return wrapsUp(session, round);
  }

  it("[O1] and found in the same file: the second session makes it known", async () => {
    const project = observedProject({ "config/rates.yaml": "vat_rate: 0.2\n" });
    await project.learn(findsTheRate(project, 0));
    expect(await project.allSayings()).toEqual([]);

    await project.learn(findsTheRate(project, 1));
    const [found, ...others] = await project.recallAnew("Where is vat_rate?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "module_insight",
      status: "active",
      content: "`vat_rate` is in `config/rates.yaml`; searches for it end there.",
      relatedFiles: ["config/rates.yaml"],
      data: { lookedFor: "vat_rate", file: "config/rates.yaml" },
      provenanceSessionIds: ["session-1", "session-2"],
    });
    expect(found?.evidence).toMatchObject([{ signal: "repeated-search", sessions: [{}, {}] }]);
    expect(seenIn(found, 0)).toEqual(["searched for `vat_rate` in **/*, found 2", "read config/rates.yaml"]);
  });

  it("[O1] and never found, because it has another name: the second session makes that known", async () => {
    const project = observedProject();
    const looks = (round: number) => {
      const session = looksAround(project.session(`Give ${round + 1} % discount to regulars.`), round);
      session.searches("discount", []).globs("**/*discount*", []).searches("Discount", [], { path: "src/billing" });
      if (round === 1) session.runs("ls src/billing", { text: "invoice.ts\nledger.ts\nprice.ts\nrates.ts" });
      session.reads("src/billing/rates.ts").edits("src/billing/rates.ts", "1.2", `1.${round}`);
      return wrapsUp(session, round);
    };
    await project.learn(looks(0));
    expect(await project.allSayings()).toEqual([]);

    await project.learn(looks(1));
    const found = await project.recallAnew("Where is the discount?");

    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      type: "gotcha",
      content: "Searching for `discount` finds nothing in this project; what is meant is in `src/billing/rates.ts`.",
      relatedFiles: ["src/billing/rates.ts"],
    });
  });

  it("[O1] is none, when every project is full of it or each search ends elsewhere", async () => {
    const project = observedProject();
    const ends = ["src/billing/price.ts", "src/ui/table.ts"];
    for (const [round, end] of ends.entries()) {
      const session = looksAround(project.session(`Small things, part ${round}.`), round);
      session.searches("TODO", ["src/shared/format.ts"]).reads("src/shared/format.ts");
      session.edits("src/shared/format.ts", "sum", `sum${round}`).searches("import", ends);
      session.searches("formatAmount", ends).reads(end).edits(end, "export", `// ${round}\nexport`);
      session.globs("**/routes.ts", ["src/api/routes.ts"]).reads("src/api/routes.ts");
      await project.learn(wrapsUp(session, round));
    }

    expect(await project.allSayings()).toEqual([]);
  });
});

describe("what a plain search does not see", () => {
  const files = { ".github/workflows/ship.yml": "env:\n  DATABASE_URL: db\n", "src/db/url.ts": "export {};\n" };

  /** Where the database's address comes from: not in the code, but in a hidden folder. */
  function looksWider(project: ObservedProject, round: number): AgentSession {
    const session = looksAround(project.session(`The shipped shop asks the wrong database, ${round}.`), round);
    const pattern = ["DATABASE_URL", "db_host"][round] as string;
    const line = `.github/workflows/ship.yml:2:  ${pattern}: db`;
    session.searches(pattern, []);
    if (round === 1) session.reads("src/db/client.ts");
    session.runs(`rg --hidden -n ${pattern}`, { text: line }).reads(".github/workflows/ship.yml");
    return wrapsUp(session.edits(".github/workflows/ship.yml", ": db", `: db${round}`), round);
  }

  it("[O1] in two sessions: from then on one is told how to search", async () => {
    const project = observedProject(files);
    await project.learn(looksWider(project, 0));
    expect(await project.allSayings()).toEqual([]);

    await project.learn(looksWider(project, 1));
    const [found, ...others] = await project.recallAnew("Why does a search not find what is in .github?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "gotcha",
      status: "active",
      content: "A plain search does not see `.github`, which is hidden or ignored: use `--hidden`, or name the folder.",
      relatedFiles: [".github/workflows/ship.yml"],
      data: { folder: ".github", option: "--hidden" },
      provenanceSessionIds: ["session-1", "session-2"],
    });
    expect(found?.evidence).toMatchObject([{ signal: "glob-ignore", sessions: [{}, {}] }]);
    expect(seenIn(found, 0)).toEqual([
      "searched for `DATABASE_URL`, found nothing",
      "searched for `DATABASE_URL`, found 1",
      "read .github/workflows/ship.yml",
    ]);
  });

  it("[O1] is not the reason, when it was looked for in the wrong folder or by the wrong name, or is nowhere", async () => {
    const project = observedProject(files);
    const rounds = [
      { nowhere: "max_connections", renamed: ["maxPool", "query"], reads: "src/db/users.ts" },
      { nowhere: "pool_max", renamed: ["workers", "client"], reads: "docs/style.md" },
    ] as const;
    for (const [round, { nowhere, renamed, reads }] of rounds.entries()) {
      const session = looksAround(project.session(`More connections, please, ${round}.`), round);
      session
        .searches("poolSize", [], { path: "src/api" })
        .searches("poolSize", ["src/db/client.ts"], { path: "src/db" });
      session.reads(reads).searches(nowhere, []).runs(`rg --hidden -n ${nowhere}`, { failed: true });
      session.searches(renamed[0], []).searches(renamed[1], ["src/db/client.ts"]).reads("src/db/client.ts");
      session.edits("src/db/client.ts", "{ query", `{ limit${round}: 4, query`);
      await project.learn(wrapsUp(session, round));
    }

    expect(await project.allSayings()).toEqual([]);
  });
});
