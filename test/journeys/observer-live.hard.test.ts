import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openMemory, type AgentEvent, type TacitMemory } from "../../src/index.js";
import { built } from "../support/child-process.js";
import { agentProcess } from "../support/stand-in-agent.js";
import { observedProject, type ObservedProject } from "../support/observed-project.js";

const main = fileURLToPath(built("cli/main.js"));

describe("a session that goes on", () => {
  it.each<[string, (tell: Teller) => void, string, RegExp]>([
    [
      "one correction of the agent by itself",
      ({ says }) => says("Wait, I was wrong: the tokens live for hours, not for days."),
      "self-correction",
      /^Corrected itself: .*hours/,
    ],
    [
      "the third time of the same search",
      ({ searches }) => [1, 2, 3].forEach(() => searches("readToken")),
      "repeated-search",
      /^Searched 3 times for `readToken`\.$/,
    ],
    [
      "a second, different error",
      ({ runs }) => {
        runs("npm test", "TypeError: rate is not a function");
        runs("npm run build", "src/a.ts(3,1): error TS2345: Argument of type 'A' is not assignable");
      },
      "error-retry",
      /^Ran into 2 different errors, the last of them: .*TS2345/,
    ],
    [
      "configuration that is changed along with two files",
      ({ edits }) => ["tsconfig.json", "src/auth/login.ts", "src/auth/token.ts"].forEach((file) => edits(file)),
      "config-touch",
      /^Changed `tsconfig\.json` along with 2 other files\.$/,
    ],
  ])("[O12] %s is visible, here and from another process", async (_what, act, signal, text) => {
    const project = observedProject();
    const memory = await openMemory({ db: project.db, directory: project.root, embedder: null });
    memory.observe({ sessionId: "live", kind: "start", directory: project.root });

    expect(await memory.sessions.acute("live")).toEqual([]);
    act(teller(memory, project));

    const striking = await memory.sessions.acute("live");
    expect(striking).toMatchObject([{ signal, text: expect.stringMatching(text) }]);
    const elsewhere = await until(
      () => fromOutside(project, "live"),
      (found) => found.striking.length > 0,
    );
    expect(elsewhere).toEqual({ striking });
    expect(await memory.list({ status: "any" })).toEqual([]);
    await memory.close();
  });

  it("[O12] two searches, one error, one edit beside the configuration are not", async () => {
    const project = observedProject();
    const memory = await openMemory({ db: project.db, directory: project.root, embedder: null });
    const { says, searches, runs, edits } = teller(memory, project);

    searches("readToken");
    searches("readToken");
    runs("npm test", "TypeError: rate is not a function");
    runs("npm test", "TypeError: rate is not a function");
    edits("tsconfig.json");
    edits("src/auth/login.ts");
    says("Everything passes with 0 errors. Actually, that was quick.");

    expect(await memory.sessions.acute("live")).toEqual([]);
    await memory.close();
  });

  it("[O12] what hooks tell, each from its own process, is visible before the end", async () => {
    const project = observedProject();
    const session = project.session("Where is the token read?");
    for (let n = 0; n < 3; n += 1) session.searches("readToken", ["src/auth/login.ts"]);
    const agent = agentProcess(project.root);
    for (const { at: _at, ...input } of session.hooks({ end: false })) {
      const args = [main, "observe", "--db", project.db];
      await agent.start({ command: process.execPath, args, input: JSON.stringify(input) });
    }

    const printed = run(project, ["sessions", session.id]);

    expect(printed).toBe("1 thing is striking so far:\n0.80  Searched 3 times for `readToken`.\n");
    expect(run(project, ["sessions"])).toBe("No session was observed here yet.\n");
    expect(run(project, ["doctor"])).toContain("0 learned from here; 1 going on");
  });
});

interface Teller {
  says: (text: string) => void;
  searches: (pattern: string) => void;
  runs: (command: string, error: string) => void;
  edits: (file: string) => void;
}

function teller(memory: TacitMemory, { root }: ObservedProject): Teller {
  let calls = 0;
  const uses = (tool: string, input: Record<string, unknown>, text: string, isError = false) => {
    const callId = `call-${(calls += 1)}`;
    memory.observe({ sessionId: "live", kind: "call", callId, tool, input } satisfies AgentEvent);
    memory.observe({ sessionId: "live", kind: "result", callId, text, isError } satisfies AgentEvent);
  };
  return {
    says: (text) => memory.observe({ sessionId: "live", kind: "reasoning", text }),
    searches: (pattern) => uses("Grep", { pattern }, "Found 1 file\nsrc/auth/login.ts"),
    runs: (command, error) => uses("Bash", { command }, `Exit code 1\n${error}`, true),
    edits: (file) => uses("Edit", { file_path: `${root}/${file}`, old_string: "a", new_string: "b" }, "Updated."),
  };
}

function fromOutside(project: ObservedProject, sessionId: string): { striking: unknown[] } {
  return JSON.parse(run(project, ["sessions", sessionId, "--json"])) as { striking: unknown[] };
}

function run({ root, db }: ObservedProject, args: string[], input = ""): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args, "--db", db], {
    cwd: root,
    input,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`tacit ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Notes are on disk 50 ms after the event; asking for the answer takes longer, but nobody promises that. */
async function until<T>(ask: () => T, isThere: (answer: T) => boolean): Promise<T> {
  for (let asked = 1; asked < 10; asked += 1) {
    const answer = ask();
    if (isThere(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return ask();
}
