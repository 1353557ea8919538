import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/index.js";
import { git, writeFiles } from "../support/git-repository.js";
import { observedProject, type ObservedProject } from "../support/observed-project.js";
import { aiSdkSteps, type ToolUse } from "../support/other-agents.js";

/** A program's own builder: its agent runs on the AI SDK, and the program itself tells of units, checks and the end. */
function builds(project: ObservedProject, sessionId: string, task: string, ...parts: (AgentEvent | AgentEvent[])[]) {
  const start: AgentEvent = {
    sessionId,
    kind: "start",
    agent: "builder",
    type: "build",
    directory: project.root,
    task,
  };
  return project.learnEvents([start, ...parts.flat()]);
}

const tests: ToolUse = { tool: "runCommand", input: { command: "npm test" }, answer: "Tests  14 passed (14)" };

function reads(path: string): ToolUse {
  return { tool: "readFile", input: { path }, answer: "export {};" };
}

function writes(path: string, oldText: string, newText: string): ToolUse {
  return { tool: "editFile", input: { path, old_string: oldText, new_string: newText }, answer: "ok" };
}

describe("a check that fails", () => {
  const sessionId = "build-1";
  const issue = {
    title: "Checkout must refuse an empty basket",
    description: "An order without items was accepted and billed with 0.",
    file: "src/api/checkout.ts",
  };
  const begins = aiSdkSteps(sessionId, [
    reads("src/api/checkout.ts"),
    { tool: "searchFiles", input: { pattern: "basket" }, answer: "No matches found" },
    writes("src/api/checkout.ts", "priceOf(id)", "priceOf(id) || 0"),
    tests,
  ]);

  it("[O1] and passes later: what it found is kept, and where it was put right", async () => {
    const project = observedProject();

    await builds(
      project,
      sessionId,
      "Bill every order.",
      begins,
      { sessionId, kind: "qa", passed: false, issues: [issue] },
      aiSdkSteps(sessionId, [
        { ...reads("src/api/routes.ts"), says: "I'll look at who calls it." },
        writes("src/api/checkout.ts", "priceOf(id) || 0", "items.length > 0 && priceOf(id)"),
        tests,
      ]),
      { sessionId, kind: "qa", passed: true },
      { sessionId, kind: "end", outcome: "success" },
    );
    const [found, ...others] = await project.recallAnew("What happens with an empty basket?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "requirement",
      status: "active",
      source: "qa_auto",
      content:
        "A check found in `src/api/checkout.ts`: Checkout must refuse an empty basket. " +
        "An order without items was accepted and billed with 0. It was put right in `src/api/checkout.ts`.",
      relatedFiles: ["src/api/checkout.ts"],
      data: { issue: issue.title, file: issue.file, fixedIn: [issue.file] },
    });
    expect(found?.evidence).toMatchObject([{ signal: "qa", sessions: [{ sessionId }] }]);
    expect(found?.evidence[0]?.sessions[0]?.seen.map(({ did }) => did)).toEqual([
      "failed a check: Checkout must refuse an empty basket",
      "edited src/api/checkout.ts",
      "passed the check",
    ]);
  });

  it("[O1] leaves nothing, when it names nothing; and neither do the remarks of one that passes", async () => {
    const project = observedProject();

    await builds(
      project,
      sessionId,
      "Bill every order.",
      begins,
      { sessionId, kind: "qa", passed: false, issues: [{ title: "Bad" }] },
      { sessionId, kind: "qa", passed: false },
      aiSdkSteps(sessionId, [writes("src/api/checkout.ts", "priceOf(id) || 0", "priceOf(id) ?? 0"), tests]),
      { sessionId, kind: "qa", passed: true, issues: [{ ...issue, title: "Checkout could log an empty basket" }] },
      { sessionId, kind: "end", outcome: "success" },
    );

    expect(await project.allSayings()).toEqual([]);
  });
});

describe("a piece of work that ends", () => {
  const sessionId = "build-2";
  const unit = { methodology: "native", hierarchy: ["invoices", "export"], label: "Export invoices as CSV" };
  const works = aiSdkSteps(sessionId, [
    reads("src/billing/invoice.ts"),
    writes("src/billing/invoice.ts", "({ id,", "({ csv: true, id,"),
    reads("src/shared/format.ts"),
    writes("src/shared/format.ts", "toFixed(2)", "toFixed(3)"),
    tests,
  ]);

  it("[O1] is told with what came of it, in which files and in how many steps", async () => {
    const project = observedProject();

    await builds(
      project,
      sessionId,
      "Let people take their invoices with them.",
      aiSdkSteps(sessionId, [reads("README.md")]),
      { sessionId, kind: "unit", unit, state: "started", plannedSteps: 3 },
      works,
      {
        sessionId,
        kind: "unit",
        unit,
        state: "succeeded",
        summary: "Amounts have three digits, as the tax office asks",
      },
      { sessionId, kind: "end", outcome: "success" },
    );
    const [found, ...others] = await project.recallAnew("What came of the export of invoices?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "work_unit_outcome",
      status: "active",
      content:
        "“Export invoices as CSV” is done: Amounts have three digits, as the tax office asks. It changed " +
        "`src/billing/invoice.ts` and `src/shared/format.ts`, in 5 steps where 3 were planned.",
      relatedFiles: ["src/billing/invoice.ts", "src/shared/format.ts"],
      workUnit: unit,
      data: { outcome: "success", stepsDone: 5, stepsPlanned: 3 },
    });
    expect(found?.evidence).toMatchObject([{ signal: "work-unit", sessions: [{ sessionId }] }]);
    expect(found?.evidence[0]?.sessions[0]?.seen.map(({ did }) => did)).toEqual([
      "began Export invoices as CSV",
      "edited src/billing/invoice.ts",
      "edited src/shared/format.ts",
      "finished it",
    ]);
  });

  it("[O1] and one that changed nothing and says nothing is not told; of one that is only begun, where it stands", async () => {
    const project = observedProject();
    const other = { methodology: "native", hierarchy: ["invoices", "look"], label: "Look at the invoices" };

    await builds(
      project,
      sessionId,
      "Let people take their invoices with them.",
      { sessionId, kind: "unit", unit: other, state: "started", plannedSteps: 1 },
      aiSdkSteps(sessionId, [reads("README.md"), reads("src/ui/page.ts")]),
      { sessionId, kind: "unit", unit: other, state: "succeeded" },
      { sessionId, kind: "unit", unit, state: "started", plannedSteps: 3 },
      works,
      { sessionId, kind: "end", outcome: "success" },
    );

    const [state, ...others] = await project.allSayings();
    expect(state).toContain(`active work_state: Work on “${unit.label}” was left unfinished on branch \`main\`.`);
    expect(others).toEqual([]);
  });
});

describe("a commit", () => {
  const file = "src/auth/session.ts";

  /** Changes a file and commits it for real; gives the command as an agent writes it, and what git says. */
  function commits(project: ObservedProject, message: string): { command: string; said: string; sha: string } {
    writeFiles(project.root, { [file]: `export const lifeMinutes = ${message.length};\n` });
    const said = git(project.root, "commit", "--all", "--message", message);
    const command = `git add -A && git commit -m "$(cat <<'EOF'\n${message}\nEOF\n)"`;
    return { command, said, sha: git(project.root, "rev-parse", "--short", "HEAD") };
  }

  it("[O1] that only says what changed is none", async () => {
    const project = observedProject();
    const session = project.session("Small things.").reads(file);
    for (const message of [
      "fix typo",
      "wip: because it is late today",
      "chore(deps): bump a from 1 to 2",
      "feat: longer sessions",
    ]) {
      const { command, said } = commits(project, message);
      session.edits(file, "30", `${message.length}`).runs(command, { text: said });
    }

    await project.learn(session);

    expect(await project.allSayings()).toEqual([]);
  });
});
