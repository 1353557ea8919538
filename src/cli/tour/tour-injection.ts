import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testsPass, writeTranscript, type ToolUse } from "./tour-learning.js";
import type { Stage } from "./tour-stage.js";

// A hook tells nothing rather than keep its agent waiting for more than a tenth of a second, which a busy machine may take.
const maxTries = 5;

const error = "TypeError: Cannot read properties of undefined (reading 'toFixed')";

/** Two sessions run into an error and find the way out; the third is told before it runs into it. */
export async function agentIsTold(stage: Stage): Promise<void> {
  stage.say(
    "The circle closes. Two sessions change the cart, run into the same error, and mend it in the same file; nobody says remember.",
  );
  const till = openTill(stage);
  stage.enter(till);
  await stage.tacit(
    "replay",
    ...[5, 6].map((number) => writeTranscript(stage, till, number, runsIntoIt(till, number))),
  );
  stage.say(
    "The third session begins with reading the cart. The hook of Claude Code runs tacit hook claude-code, which answers with this, once in the session:",
  );
  const { sessionId, block } = await readsTheCart(stage, till);
  stage.show(`\n${block}`);
  stage.check("the third agent is told what the first two found out, as quoted data", isQuoted(block));
  stage.say("It mends the tax first, and its tests pass at once. What it was told, and what came of it, is counted.");
  const [, edit] = changes(till, "src/tax.ts", 7);
  for (const use of [edit, testsPass]) await stage.hook(hookOf(sessionId, till, use), "hook", "claude-code");
  await stage.hook({ session_id: sessionId, cwd: till, hook_event_name: "SessionEnd" }, "observe");
  const summary = await stage.tacit("sessions", sessionId.slice(-8));
  stage.check("one memory was told, and followed", /1 memory told[^]* 1 followed\)/.test(summary));
  stage.enter();
}

function runsIntoIt(till: string, number: number): ToolUse[] {
  const answer = `FAIL src/cart.test.ts\n${error}\n    at total (src/cart.ts:${number}:3)\n\nTests  1 failed | 11 passed (12)`;
  return [
    ...changes(till, "src/cart.ts", number),
    { tool: "Bash", input: { command: "npm test" }, answer, failed: true },
    ...changes(till, "src/tax.ts", number),
    testsPass,
  ];
}

function changes(till: string, file: string, number: number): [read: ToolUse, edit: ToolUse] {
  const path = join(till, file);
  const input = { file_path: path, old_string: "1.2", new_string: `1.2${number}` };
  return [
    { tool: "Read", input: { file_path: path }, answer: "     1\texport const tax = 1.2;" },
    { tool: "Edit", input, answer: `The file ${path} has been updated.` },
  ];
}

async function readsTheCart(stage: Stage, till: string): Promise<{ sessionId: string; block: string }> {
  const [read] = changes(till, "src/cart.ts", 7);
  let sessionId = "";
  for (let number = 1; number <= maxTries; number++) {
    sessionId = `5e551017-0000-4000-8000-00000000007${number}`;
    const output = await stage.hook(hookOf(sessionId, till, read), "hook", "claude-code");
    const answer = output === "" ? {} : JSON.parse(output);
    const { additionalContext = "" } = (answer as HookAnswer).hookSpecificOutput ?? {};
    if (additionalContext !== "") return { sessionId, block: additionalContext.trim() };
  }
  return { sessionId, block: "" };
}

interface HookAnswer {
  hookSpecificOutput?: { additionalContext?: string };
}

/** What Claude Code tells its hooks after a tool has answered. */
function hookOf(sessionId: string, till: string, { tool, input, answer }: ToolUse): Record<string, unknown> {
  return {
    session_id: sessionId,
    cwd: till,
    hook_event_name: "PostToolUse",
    tool_name: tool,
    tool_input: input,
    tool_response: answer,
  };
}

/** Between the first and the last line of the block, every line has the mark of a quotation. */
function isQuoted(block: string): boolean {
  const lines = block.split("\n");
  return block.includes("toFixed") && lines.slice(1, -1).every((line) => line.startsWith("|"));
}

/** A project of its own, so that what the other steps keep does not come into it. */
function openTill(stage: Stage): string {
  const till = stage.file("till");
  mkdirSync(join(till, "src"), { recursive: true });
  writeFileSync(join(till, "src", "tax.ts"), "export const tax = 1.2;\n");
  writeFileSync(join(till, "src", "cart.ts"), 'export { tax } from "./tax.js";\n');
  return till;
}
