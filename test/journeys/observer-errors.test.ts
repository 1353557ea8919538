import { describe, expect, it } from "vitest";
import type { AgentSession } from "../../bench/agent-session.mjs";
import {
  looksAround,
  observedProject,
  wrapsUp,
  type ObservedProject,
  type Recalled,
} from "../support/observed-project.js";
import { opencodeSession } from "../support/other-agents.js";

const green = { text: " Test Files  2 passed (2)\n      Tests  14 passed (14)", tookMs: 5000 };

function red(error: string, at: string) {
  const text = ` FAIL  test/checkout.test.ts > checks out\n${error}\n ❯ ${at}\n\n      Tests  1 failed | 13 passed (14)`;
  return { text, failed: true, tookMs: 5000 };
}

/** What a memory rests on in one of its sessions. */
function seenIn(memory: Recalled | undefined, session: number): string[] {
  return (
    memory?.evidence[0]?.sessions[session]?.seen.map(({ did, said }) =>
      said === undefined ? did : `${did}: ${said}`,
    ) ?? []
  );
}

describe("an error that comes back", () => {
  const missing = "Error: Cannot find module './generated/prices.js'";
  const stack = `node:internal/modules/cjs/loader:1228\n${missing}\n    at src/billing/price.ts:1:1\n    at node:internal/main`;

  it("[O1] and goes away by the same command, with one agent and then another: the second makes it known", async () => {
    const project = observedProject();
    const first = looksAround(project.session("Round the prices to full cents."), 0);
    first.reads("src/billing/price.ts").edits("src/billing/price.ts", "100 *", "Math.round(100) *");
    first.runs("npm test", { text: stack, failed: true }).runs("ls src", { text: "api\nbilling\ndb" });
    first.runs("npm run generate", { text: "wrote 12 prices, 0 errors" }).runs("npm test", green);
    await project.learn(wrapsUp(first, 1));
    expect(await project.allSayings()).toEqual([]);

    const { root } = project;
    const at = Date.now() - 600_000;
    await project.learnEvents(
      opencodeSession({ id: "ses_2", root, at, prompt: "Show the price on the page." }, [
        { tool: "read", input: { filePath: `${root}/src/ui/page.ts` }, answer: "export const page = 1;" },
        { tool: "grep", input: { pattern: "page\\(" }, answer: "Found 1 matches\nsrc/ui/page.ts:" },
        { tool: "bash", input: { command: "npm test 2>&1 | tail -20" }, answer: stack, failed: true },
        "The module is written by a script, so I run that first.",
        { tool: "bash", input: { command: "npm run generate" }, answer: "wrote 12 prices, 0 errors" },
        { tool: "bash", input: { command: "npm test 2>&1 | tail -20" }, answer: green.text },
        {
          tool: "edit",
          input: { filePath: `${root}/src/ui/page.ts`, oldString: "=> text", newString: "=> text + price" },
          answer: "Edit applied successfully.",
        },
        { tool: "bash", input: { command: "npm test" }, answer: green.text },
      ]),
    );
    const [found, ...others] = await project.recallAnew("npm test: Cannot find module './generated/prices.js'");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "gotcha",
      status: "active",
      source: "observer_inferred",
      content: `When \`npm test\` fails with \`${missing}\`, run \`npm run generate\`.`,
      data: { error: missing, command: "npm test", fixedIn: [], fixedBy: ["npm run generate"] },
      provenanceSessionIds: ["session-1", "ses_2"],
    });
    expect(found?.evidence).toMatchObject([{ signal: "error-retry", sessions: [{}, { sessionId: "ses_2" }] }]);
    expect(seenIn(found, 1)).toEqual([
      `ran \`npm test 2>&1 | tail -20\`, which failed: ${missing}`,
      "ran `npm run generate`",
      "ran `npm test 2>&1 | tail -20`",
    ]);
  });

  /** A response cannot be sent; what helps is always in the schema. */
  function mendsSchema(project: ObservedProject, round: number): AgentSession {
    const field = ["total", "weight"][round] as string;
    const session = looksAround(project.session(`Give the ${field} of an order as well.`), round);
    session.reads("src/db/orders.ts").edits("src/db/orders.ts", "select 1", `select ${field}`);
    session.runs("npm test", red("TypeError: Converting circular structure to JSON", "src/api/server.ts:2:14"));
    session.searches(["stringify", "toJSON"][round] as string, ["src/api/schema.ts"]).reads("src/api/schema.ts");
    session.says(`The reason is that rows of the driver refer to their query. I'll name ${field} in the schema.`);
    session.edits("src/api/schema.ts", "version: 1", `version: 1, ${field}: "text"`).runs("npm test", green);
    return wrapsUp(session, round);
  }

  it("[O1] and is mended in the same file: the second session makes it known, with its cause", async () => {
    const project = observedProject();
    await project.learn(mendsSchema(project, 0));
    expect(await project.allSayings()).toEqual([]);

    await project.learn(mendsSchema(project, 1));
    const [found, ...others] = await project.recallAnew("TypeError: Converting circular structure to JSON");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "error_pattern",
      status: "active",
      relatedFiles: expect.arrayContaining(["src/api/schema.ts"]),
      data: {
        error: "TypeError: Converting circular structure to JSON",
        command: "npm test",
        fixedIn: ["src/api/schema.ts"],
        fixedBy: [],
      },
    });
    expect(found?.content).toBe(
      "`npm test` fails with `TypeError: Converting circular structure to JSON`; the fix was in `src/api/schema.ts`. " +
        "The reason is that rows of the driver refer to their query.",
    );
    expect(seenIn(found, 0)).toEqual(
      expect.arrayContaining([
        "ran `npm test`, which failed: TypeError: Converting circular structure to JSON",
        "edited src/api/schema.ts",
        "said: The reason is that rows of the driver refer to their query.",
        "ran `npm test`",
      ]),
    );
  });

  it("[O1] is none, when tests are just red before they are green, pass by themselves, or an edit did not match", async () => {
    const project = observedProject();
    const works = ["src/api/checkout.ts", "src/billing/invoice.ts", "src/ui/page.ts"];
    for (const [round, file] of works.entries()) {
      const session = looksAround(project.session(`The checkout rounds wrongly, case ${round}.`), round);
      session.reads(file).edits(file, "does not stand there", "at all", { failed: true });
      session.edits(file, "export", "export /* 1 */");
      session.runs("npm test", red(`AssertionError: expected ${round + 1} to be 3`, `${file}:2:10`));
      session.edits(file, "export /* 1 */", "export /* 2 */").runs("npm test", green);
      session.runs("npm test", red("Error: socket hang up", "src/api/server.ts:2:1")).runs("npm test", green);
      session.runs("npx tsc --noEmit", { text: "Found 0 errors. Watching for file changes." });
      await project.learn(wrapsUp(session, round));
    }

    expect(await project.allSayings()).toEqual([]);
  });
});

describe("two agents at the same time", () => {
  const file = "src/api/routes.ts";
  const stale =
    "File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.";

  const unread = "File has not been read yet. Read it first before writing to it.";

  /** The main agent hands out two pieces of work, and both begin. */
  function handsOut(project: ObservedProject): AgentSession {
    const session = looksAround(project.session("Add a page for orders and one for users."), 1);
    session.uses("TodoWrite", { todos: [] }, { text: "Todos have been modified successfully." });
    session.sub("orders").searches("routes", [file]).reads(file, project.shown(file)).back();
    return session.sub("users").runs("git status --short").reads(file, project.shown(file)).back();
  }

  it("[O1] in one file, where one pays for it: one session is enough", async () => {
    const project = observedProject();
    const session = handsOut(project);
    session.sub("orders").edits(file, "[checkout]", "[checkout, orders]").runs("npx tsc --noEmit", { text: "" }).back();
    session.sub("users").edits(file, "[checkout]", "[checkout, users]", { failed: true, text: stale });
    session.reads(file).edits(file, "[checkout, orders]", "[checkout, orders, users]").runs("npm test", green).back();
    session.sub("orders").reads("src/db/orders.ts").runs("npm test", green).back();

    await project.learn(wrapsUp(session, 1));
    const [found, ...others] = await project.recallAnew("May two agents work on the routes?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "gotcha",
      status: "active",
      content:
        `Two agents at the same time got in each other's way in \`${file}\`: the edit of one failed, because the other had ` +
        "changed the file since. Give that file to one agent only.",
      relatedFiles: [file],
      relatedModules: ["src/api"],
      data: { file, kind: "failed", error: "File has been modified since read" },
    });
    expect(found?.evidence).toMatchObject([{ signal: "parallel-conflict", subject: file, sessions: [{}] }]);
    expect(seenIn(found, 0)).toEqual([
      `read ${file}`,
      `edited ${file}`,
      `edited ${file}, which failed: File has been modified since read`,
    ]);
  });

  it("[O1] do not disturb each other, when both edits stay, or one comes after the other was done", async () => {
    const project = observedProject();
    const both = handsOut(project);
    both.sub("bills").runs("ls src/billing", { text: "invoice.ts\nledger.ts" }).back();
    both.sub("orders").edits(file, "[checkout]", "[checkout, orders]").back();
    both.sub("users").reads(file).edits(file, "orders ]", "orders, users]", { failed: true });
    both.edits(file, "orders]", "orders, users]").back();
    both.sub("bills").edits(file, "users]", "users, bills]", { failed: true, text: unread }).reads(file);
    both.edits(file, "users]", "users, bills]").reads("src/db/users.ts").back();
    both.sub("orders").edits("src/db/orders.ts", "select 1", "select 3").runs("npm test", green).back();
    const later = looksAround(project.session("Add a page for goods, then one for dates."), 3);
    later.sub("goods").reads(file).edits(file, "bills]", "bills, goods]").runs("npm test", green).back();
    later.sub("dates").edits(file, "bills]", "bills, dates]", { failed: true }).reads(file);
    later.edits(file, "goods]", "goods, dates]").back();

    await project.learn(wrapsUp(both, 1), wrapsUp(later, 3));

    expect(await project.allSayings()).toEqual([]);
  });
});
