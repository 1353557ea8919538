import { describe, expect, it } from "vitest";
import type { AgentSession } from "../../bench/agent-session.mjs";
import { fromOpencode, type OpencodeSeen } from "../../src/observer/adapters/opencode.js";
import { looksAround, observedProject, wrapsUp, type ObservedProject } from "../support/observed-project.js";

type AgentEvent = ReturnType<typeof fromOpencode>[number];

describe("a way of working", () => {
  const columns = ["nickname", "birthday", "newsletter"];

  /** The table is changed, a tool writes what follows from it, and the migration is filled in. */
  function addsColumn(project: ObservedProject, round: number): AgentSession {
    const column = columns[round] as string;
    const migration = `src/db/migrations/00${round + 4}-${column}.ts`;
    const session = looksAround(project.session(`Add a column ${column} to the users table.`), round);
    session.searches(column, []).reads("src/db/tables.ts");
    session.edits("src/db/tables.ts", "users: [", `users: ["${column}", `);
    if (round === 1) session.says("The types come from the tables.").reads("src/shared/dates.ts");
    session.runs("npm run db:generate", { text: "Generated 3 files, 0 errors.", tookMs: 3000 });
    if (round === 2) session.runs("git diff --stat", { text: " 3 files changed" });
    session.writes(migration, `export const up = "alter table users add ${column}";\n`);
    if (round === 1) {
      session.runs("npm test", { text: "Tests  1 failed | 40 passed (41)\nError: no such table", failed: true });
      session.edits(migration, "alter table users", "alter table only users");
    }
    session.runs("npx tsc --noEmit", { text: "Found 0 errors.", tookMs: 5000 });
    return wrapsUp(session, round);
  }

  it("[O1] steps that lead to success each time: the third session makes a recipe of them", async () => {
    const project = observedProject(tables);
    await project.learn(addsColumn(project, 0), addsColumn(project, 1));
    expect(await project.allSayings()).toEqual([]);

    await project.learn(addsColumn(project, 2));
    const [found, ...others] = await project.recallAnew("How do I add a column to the users table?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "workflow_recipe",
      status: "active",
      data: {
        taskPattern: "add column users table",
        steps: [
          { order: 1, description: "edit `src/db/tables.ts`", canonicalFile: "src/db/tables.ts" },
          { order: 2, description: "run `npm run db:generate`" },
          {
            order: 3,
            description: "edit a file like `src/db/migrations/006-newsletter.ts`",
          },
          { order: 4, description: "run `npx tsc --noEmit`" },
          { order: 5, description: "run `npm test`" },
        ],
        successCount: 3,
      },
      relatedFiles: expect.arrayContaining(["src/db/tables.ts"]),
    });
    expect(found?.content).toMatch(
      /^For “.*column.*”: edit `src\/db\/tables\.ts`, run `npm run db:generate`, .+, then run `npm test`\.$/,
    );
    expect(found?.evidence).toMatchObject([{ signal: "tool-sequence", sessions: [{}, {}, {}] }]);
    const deeds = found?.evidence[0]?.sessions[0]?.seen.map(({ did }) => did);
    expect(deeds).toEqual(expect.arrayContaining(["edited src/db/tables.ts", "ran `npm run db:generate`"]));
  });

  it("[O1] a command that sessions happen to share while they do different things makes none", async () => {
    const project = observedProject(tables);
    const works = [
      ["src/ui/page.ts", "src/auth/login.ts"],
      ["src/billing/ledger.ts", "src/api/server.ts"],
      ["src/shared/format.ts", "src/db/orders.ts"],
      ["src/api/routes.ts", "src/ui/button.ts"],
    ] as const;
    for (const [round, [before, after]] of works.entries()) {
      const session = looksAround(project.session(`Rename things in part ${round} of the project.`), round);
      session.reads(before).edits(before, "export", `// ${round}\nexport`);
      session.runs("npm run db:generate", { text: "Generated 0 files.", tookMs: 3000 });
      session.reads(after).edits(after, "export", `// ${round}\nexport`);
      await project.learn(wrapsUp(session, round));
    }

    expect(await project.allSayings()).toEqual([]);
  });

  it("[O1] the loop of every day makes none: edit, test, edit, test", async () => {
    const project = observedProject();
    const files = ["src/auth/token.ts", "src/auth/login.ts", "src/auth/session.ts", "src/auth/login.ts"];
    for (const [round, file] of files.entries()) {
      const session = looksAround(project.session(`Mend ${file}, please.`), round).reads(file);
      session.edits(file, "export", `// one\nexport`).runs("npm test", {
        text: "Tests  1 failed | 40 passed (41)\nAssertionError: expected 1 to be 2",
        failed: true,
      });
      session.edits(file, "// one", "// two").runs("npm test", { text: "Tests  41 passed (41)" });
      session.runs("npx tsc --noEmit", { text: "Found 0 errors.", tookMs: 5000 });
      await project.learn(wrapsUp(session, round));
    }

    expect(await project.allSayings()).toEqual([]);
  });
});

describe("the order of checks", () => {
  // A different mistake each time; what they have in common is that the compiler knows it.
  const mistakes = [
    ["invoice", "Property 'sum' does not exist on type 'Invoice'.", "TS2339"],
    ["ledger", "Argument of type 'number' is not assignable to parameter of type 'string'.", "TS2345"],
    ["price", "Expected 2 arguments, but got 1.", "TS2554"],
  ] as const;

  /** All tests fail; only then is the compiler asked. `tells` says whether it knows the mistake. */
  function changesBilling(project: ObservedProject, round: number, tells: boolean): AgentEvent[] {
    const [name, mistake, number] = mistakes[round] as (typeof mistakes)[number];
    const file = `src/billing/${name}.ts`;
    const session = opencodeSession(project, `billing-${round}`, `Mend ${name} of billing.`);
    session.uses("bash", { command: "git status --short" }, "");
    session.uses("grep", { pattern: name, path: "src" }, `Found 1 matches\n${project.root}/${file}:`);
    session.uses("read", { filePath: `${project.root}/${file}` }, project.shown(file).text);
    session.edits(file, "export", `// one\nexport`);
    session.runs("npm test", `FAIL  test/${name}.test.ts\nTests  1 failed | 40 passed (41)`, {
      exit: 1,
      tookMs: 20_000,
    });
    session.runs("npx tsc --noEmit", tells ? `${file}(3,7): error ${number}: ${mistake}` : "Found 0 errors.", {
      exit: tells ? 2 : 0,
      tookMs: 6000,
    });
    session.edits(file, "// one", "// two");
    session.runs("npx tsc --noEmit", "Found 0 errors.", { exit: 0, tookMs: 6000 });
    session.runs("npm test", "Tests  41 passed (41)", { exit: 0, tookMs: 20_000 });
    return session.ends();
  }

  it("[O1] a check that would have told sooner: known after three sessions of opencode, not after two", async () => {
    const project = observedProject();
    await project.learnEvents(changesBilling(project, 0, true));
    await project.learnEvents(changesBilling(project, 1, true));
    expect(await project.allSayings()).toEqual([]);

    await project.learnEvents(changesBilling(project, 2, true));
    const [found, ...others] = await project.recallAnew("What do I run first after a change in src/billing?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "task_calibration",
      status: "active",
      agent: "opencode",
      relatedModules: ["src/billing"],
      data: {
        module: "src/billing",
        methodology: "none",
        averageActualSteps: 4,
        averagePlannedSteps: 1,
        ratio: 4,
        sampleCount: 3,
        runFirst: "npx tsc --noEmit",
        runThen: "npm test",
      },
    });
    expect(found?.content).toMatch(
      /^Changes in `src\/billing` .+ `npm test` passes\. Run `npx tsc --noEmit` before it: .+\.$/,
    );
    expect(found?.evidence).toMatchObject([{ signal: "test-order", sessions: [{}, {}, {}] }]);
    expect(found?.evidence[0]?.sessions[0]?.seen.map(({ did }) => did)).toEqual([
      expect.stringMatching(/^ran `npm test`, which failed/),
      expect.stringMatching(/^ran `npx tsc --noEmit`, which failed: .*Property 'sum' does not exist/),
      "ran `npx tsc --noEmit`",
      "ran `npm test`",
    ]);
  });

  it("[O1] a check that passes while the tests fail would not have told anything", async () => {
    const project = observedProject();
    for (const round of mistakes.keys()) await project.learnEvents(changesBilling(project, round, false));

    expect(await project.allSayings()).toEqual([]);
  });
});

const tables = {
  "src/db/tables.ts": `export const tables = { users: ["id"] };\n`,
  "src/db/migrations/003-orders.ts": `export const up = "create table orders (id)";\n`,
};

/** A session of opencode, as its plugin sees it on the bus. */
function opencodeSession(project: ObservedProject, id: string, prompt: string) {
  const seen: OpencodeSeen = { parents: new Map(), told: new Set() };
  const events: AgentEvent[] = [];
  const tell = (event: unknown) => void events.push(...fromOpencode(event, seen));
  let now = Date.now() - 3_600_000;
  let count = 0;
  const info = { id, directory: project.root, title: "New session", time: { created: now } };
  tell({ type: "session.created", properties: { info } });
  tell({ hook: "chat.message", input: { sessionID: id }, output: { parts: [{ type: "text", text: prompt }] } });
  const session = {
    uses(tool: string, input: Record<string, unknown>, output: string, { exit = 0, tookMs = 100 } = {}) {
      const time = { start: (now += 1000), end: (now += tookMs) };
      const state = { status: "completed", input, output, metadata: tool === "bash" ? { exit } : {}, time };
      const part = { id: `part-${count}`, sessionID: id, callID: `${id}-${(count += 1)}`, type: "tool", tool };
      tell({ type: "message.part.updated", properties: { part: { ...part, state: { ...state, status: "running" } } } });
      tell({ type: "message.part.updated", properties: { part: { ...part, state } } });
    },
    edits(file: string, oldString: string, newString: string) {
      session.uses("edit", { filePath: `${project.root}/${file}`, oldString, newString }, "Edit applied successfully.");
    },
    runs(command: string, output: string, options: { exit: number; tookMs: number }) {
      session.uses("bash", { command, description: "Runs it" }, output, options);
    },
    ends(): AgentEvent[] {
      tell({ type: "session.idle", properties: { sessionID: id } });
      tell({ type: "session.deleted", properties: { info } });
      return events;
    },
  };
  return session;
}
