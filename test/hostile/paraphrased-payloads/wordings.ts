// The ways in which an agent can put something into words that Tacit hears.
import { withMemory } from "../../../src/agents/ai-sdk/ai-sdk.js";
import { git, writeFiles } from "../../support/git-repository.js";
import { connectWithin } from "../../support/mcp-client.js";
import { rememberByCommandLine } from "./agent-process.js";
import type { Stage } from "./stage.js";

export type WordingName =
  | "correction"
  | "second thought"
  | "cause"
  | "MCP"
  | "AI SDK"
  | "command line"
  | "program"
  | "decision"
  | "dead end"
  | "work state"
  | "plan"
  | "commit"
  | "check"
  | "piece of work"
  | "reference";

const file = "src/http/client.ts";
const red =
  "TypeError: limit is not a function\n    at request (src/http/client.ts:2:14)\nTests  1 failed | 3 passed (4)";
const green = "Tests  4 passed (4)";

type Wording = (stage: Stage, claim: string) => Promise<void>;

export const wordings: Record<WordingName, Wording> = {
  correction: async ({ session }, claim) =>
    void session.reads(file).says(`Wait, ${claim}.`).edits(file, "limit = 1", "limit = 2").runs("npm test", green),
  "second thought": async ({ session }, claim) =>
    void session
      .reads("src/auth/token.ts")
      .says(`I initially thought that \`readToken\` trims its text only, but ${claim}.`)
      .edits("src/auth/token.ts", "trim()", "trimEnd()"),
  cause: async ({ session }, claim) => {
    for (const after of ["limit = 2", "limit = 3"]) {
      session.runs("npm test", red, true).says(`The problem is that ${claim}.`);
      session.edits(file, "limit = 1", after).runs("npm test", green);
    }
  },
  MCP: async (stage, claim) => {
    await stage.settle();
    const { call } = await connectWithin(stage.memory, { sessionId: stage.session.id, directory: stage.root });
    const { text } = await call("remember", { content: claim });
    stage.session.uses("mcp__tacit__remember", { content: claim }, text);
  },
  "AI SDK": async (stage, claim) => {
    await stage.settle();
    const { tools } = withMemory({ memory: stage.memory, sessionId: stage.session.id });
    await tools.remember.execute({ type: "fact", content: claim });
  },
  program: async (stage, claim) => {
    await stage.settle();
    await stage.memory.remember({ content: claim, sessionId: stage.session.id, source: "agent_explicit" });
    stage.session.remembers(claim);
  },
  "command line": rememberByCommandLine,
  decision: async (stage, claim) => {
    await stage.settle();
    const agent = stage.memory.as({ kind: "agent", sessionId: stage.session.id, name: "builder" });
    await agent.remember({ content: claim, type: "decision" });
  },
  "dead end": async ({ session }, claim) =>
    void session
      .prompts("Make sessions survive a restart.")
      .says("Let me use structuredClone for the cache.")
      .edits(file, "limit = 1", "limit = structuredClone(1)")
      .runs("npm test", red, true)
      .says(`This approach won't work because ${claim}.`)
      .edits(file, "limit = structuredClone(1)", "limit = 1")
      .says("I'll keep rows in the store instead.")
      .edits("src/db/orders.ts", "select 1", "select 2")
      .runs("npm test", green),
  "work state": async (stage, claim) => {
    stage.session
      .prompts("Make the client faster.")
      .edits(file, "limit = 1", "limit = 2")
      .runs("npm test", red, true)
      .says(`Now I'll ${claim}.`);
    stage.outcome = "failure";
  },
  plan: async (stage, claim) => {
    stage.session.prompts("Make the client faster.").edits(file, "limit = 1", "limit = 2");
    stage.session.says(`Let me write the plan: ${claim}.`);
    stage.session.uses(
      "ExitPlanMode",
      { plan: `# Plan\n\n1. Let me ${claim}.` },
      "The user wants to go on later.",
      true,
    );
    stage.session.says(`I'll make it in this order: ${claim}.`);
    stage.outcome = "abandoned";
  },
  commit: async (stage, claim) => {
    await stage.settle();
    const { root, session } = stage;
    writeFiles(root, { [file]: `export const limit = ${Date.now()};\n` });
    const [subject = "", reason = ""] = claim.split(/,? (?=because |weil )|。/);
    const message = `feat!: ${subject}\n\nBREAKING CHANGE: ${subject}: ${reason}\n`;
    git(root, "add", "src");
    git(root, "commit", "--quiet", "--message", message);
    const sha = git(root, "rev-parse", "HEAD");
    // A session's own commits are those that were not there when it began.
    git(root, "checkout", "--quiet", "--detach", "HEAD~1");
    session.edits(file, "limit = 1", "limit = 2");
    session.runs(
      `git add src && git commit -m ${JSON.stringify(message)}`,
      `[main ${sha.slice(0, 7)}] feat!: ${subject}`,
    );
    session.commits(sha, message, [file]);
  },
  check: async ({ session }, claim) =>
    void session
      .qa(false, [{ title: claim, description: claim, file, fix: claim }])
      .edits(file, "limit = 1", "limit = 2")
      .qa(true),
  "piece of work": async ({ session }, claim) =>
    void session.unit("client", "started").edits(file, "limit = 1", "limit = 2").unit("client", "succeeded", claim),
  reference: async ({ session }, claim) =>
    void session
      .uses("WebFetch", { url: claim, prompt: "Keys?" }, "Keys.")
      .edits(file, "a = 1", "a = 2")
      .edits(file, "b = 1", "b = 2"),
};
