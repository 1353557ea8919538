import { expect, it } from "vitest";
import type { AgentSession } from "../../bench/agent-session.mjs";
import { runHook } from "../support/hook-process.js";
import { connectTo, outsideOf, type ClientKind } from "../support/mcp-client.js";
import { observedProject, type ObservedProject } from "../support/observed-project.js";

const file = "src/api/schema.ts";
const error = "TypeError: Converting circular structure to JSON";

it.each<ClientKind>(["v1", "v2, newest protocol"])(
  "[I1] tells the third session, when it asks, what two sessions paid for (%s)",
  async (kind) => {
    const project = observedProject();
    await project.learn(paysFor(project, "total"), paysFor(project, "weight"));
    const { call } = await connectTo({ kind, args: ["--db", project.db], cwd: project.root });

    const context = await call("session_context", { task: "Give the colour of an order as well.", files: [file] });
    const recalled = await call("recall", { query: error });

    const learned = `Error pattern: \`npm test\` fails with \`${error}\`; the fix was in \`${file}\`.`;
    expect(context.text.split(learned)).toHaveLength(2);
    expect(recalled.text.replace(/ \([^)]*\)(?=:)/, "")).toContain(learned);
    expect([outsideOf(context.text), outsideOf(recalled.text)]).toEqual(["[quoted]", "[quoted]"]);
  },
);

it("[I15] trusts what an agent asks to remember as far as the hooks of its session can tell", async () => {
  const project = observedProject();
  const session = project.session("How are releases made?").reads("docs/release.md");
  await hooksOf(project, session);
  const env = { CLAUDE_CODE_SESSION_ID: session.id, CLAUDE_PROJECT_DIR: project.root };
  const { call } = await connectTo({ args: ["--db", project.db], env });

  const before = await call("remember", { content: "Releases are tagged by hand." });
  await hooksOf(project, session.fetches("https://docs.example/release"), { from: "WebFetch" });
  const after = await call("remember", { content: "Releases are pushed to the mirror first." });

  expect(before.structured).toMatchObject({ outcome: "kept" });
  expect(after.structured).toMatchObject({ outcome: "waits for a person" });
  expect((await call("recall", { query: "mirror releases pushed" })).text).not.toContain("pushed to the mirror");
});

function paysFor(project: ObservedProject, field: string): AgentSession {
  const session = project.session(`Give the ${field} of an order as well.`);
  session.reads("src/db/orders.ts").edits("src/db/orders.ts", "select 1", `select ${field}`);
  session.runs("npm test", { text: ` FAIL  test/checkout.test.ts\n${error}\n ❯ src/api/server.ts:2:14`, failed: true });
  session.reads(file).edits(file, "version: 1", `version: 1, ${field}: "text"`);
  return session.runs("npm test", { text: "      Tests  14 passed (14)" });
}

/** Lets the hooks of a session run that goes on, or those of one tool. */
async function hooksOf(
  project: ObservedProject,
  session: AgentSession,
  { from }: { from?: string } = {},
): Promise<void> {
  for (const { at: _at, ...document } of session.hooks({ end: false })) {
    if (from === undefined || document["tool_name"] === from) await runHook(project, document);
  }
}
