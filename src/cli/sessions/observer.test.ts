/** What agents did, on the command line, in real repositories. */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentSession, type AgentSession } from "../../../bench/agent-session.mjs";
import { commitFiles, gitRepository } from "../../../test/support/git-repository.js";
import { runTacit } from "../../../test/support/run-tacit.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";

const day = 86_400_000;

describe("replay", () => {
  it("tells what it read and learned, and of a session that is known that it is known", async () => {
    const { tacit, transcript, changesRates } = openProject();
    const [first, second] = [transcript(changesRates(1)), transcript(changesRates(2))];

    expect(await tacit("replay", first)).toEqual({
      code: 0,
      stderr: "",
      stdout:
        "Read 1 transcript: 1 session learned from.\nNothing worth keeping yet: most things have to be seen in several sessions.\n",
    });
    const both = await tacit("replay", first, second);
    expect(both.stdout).toMatch(
      /^Read 2 transcripts: 1 session learned from, 1 known already\.\n\n[0-9a-f]{8} {2}causal_dependency {2}When `src\/rates\.ts` changes, `config\/rates\.yaml` has to follow/,
    );
    expect((await tacit("replay", second)).stdout).toBe("Read 1 transcript: its session is known already.\n");
    expect(await tacit("replay", second, "--quiet")).toEqual({ code: 0, stderr: "", stdout: "" });
  });

  it("reads standard input, and prints ids or a document where asked", async () => {
    const { run, changesRates } = openProject();
    const text = (number: number) => `${changesRates(number).lines().join("\n")}\n`;
    await run(["replay", "-"], text(1));

    const { stdout } = await run(["replay", "-", "--json"], text(2));

    const { files, waiting } = JSON.parse(stdout) as { files: Record<string, unknown>[]; waiting: number };
    expect(waiting).toBe(0);
    expect(files).toMatchObject([
      { file: "-", sessions: [{ sessionId: "session-2", learned: [{ type: "causal_dependency" }], waiting: [] }] },
    ]);
    expect((await run(["list", "--quiet"], "")).stdout).toMatch(/^[0-9a-f-]{36}\n$/);
  });

  it("reads what can be read when one of several cannot, and says which; the exit code is then 1", async () => {
    const { tacit, transcript, changesRates, folder } = openProject();

    const several = await tacit("replay", join(folder, "none.jsonl"), transcript(changesRates(1)), folder);

    expect(several).toMatchObject({ code: 1, stderr: "" });
    expect(several.stdout).toMatch(
      /^Read 1 transcript: 1 session learned from\.\n[^]*none\.jsonl cannot be read: there is no such file\.\n.* cannot be read: it is a folder\.\n$/,
    );
    const alone = await tacit("replay", join(folder, "none.jsonl"), "--json");
    expect(alone).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(alone.stderr)).toMatchObject({ error: { code: "import-refused" } });
    expect((await tacit("replay")).code).toBe(2);
    expect((await tacit("replay", "x", "--type", "party")).stderr).toContain("It takes one of: build, pr_review");
  });

  it("[O9] reads a damaged transcript as far as it goes, and tells which lines it left out", async () => {
    const { tacit, folder, changesRates } = openProject();
    const damaged = join(folder, "damaged.jsonl");
    const lines = changesRates(1).lines();
    writeFileSync(damaged, ['{"type":', "[1]", '{"type":"quantum"}', ...lines, lines[0]?.slice(0, 40)].join("\n"));
    const empty = join(folder, "empty.jsonl");
    writeFileSync(empty, "");

    const { code, stdout } = await tacit("replay", damaged);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Read 1 transcript: 1 session learned from\.\n/);
    expect(stdout).toContain(`${damaged}:1: 1 line skipped: not JSON.\n`);
    expect(stdout).toContain(`${damaged}:2: 1 line skipped: without a type.\n`);
    expect(stdout).toContain(`${damaged}:3: 1 line skipped: of the unknown type "quantum".\n`);
    expect(stdout).toContain(`${damaged}:${lines.length + 4}: 1 line skipped: cut off.\n`);
    expect(await tacit("replay", empty)).toMatchObject({
      code: 0,
      stdout: "Read 1 transcript: nothing to learn from.\n",
    });
  });
});

describe("review", () => {
  it("[O5] lists what waits with its reason, and takes each decision", async () => {
    const { tacit, replayDoubtful } = openProject();
    expect(await tacit("review")).toEqual({ code: 0, stderr: "", stdout: "Nothing waits for a review.\n" });
    const [a, b, c, d, e] = (await replayDoubtful()) as [string, string, string, string, string];

    const { stdout } = await tacit("review");
    expect(
      stdout.match(/The agent had read from outside the project before: from the web \(evil\.example\)\./g),
    ).toHaveLength(5);
    expect(stdout).toContain("tacit review accept REF");
    expect((await tacit("list")).stdout).toBe(
      'Nothing is kept for this project yet. Begin with: tacit remember "…"\n\n5 memories wait for your review: tacit review\n',
    );

    expect((await tacit("review", "accept", a, b.slice(-8))).stdout).toMatch(/^Accepted [0-9a-f]{8}, [0-9a-f]{8}\.\n/);
    expect((await tacit("review", "edit", c, "Prices are whole cents.")).stdout).toContain("in your words.\n");
    expect((await tacit("review", "reject", d)).stdout).toMatch(/^Rejected [0-9a-f]{8}\.\n/);
    expect((await tacit("review", "reject", e, "--forever")).stdout).toMatch(/^Rejected [0-9a-f]{8} for ever\.\n/);

    expect((await tacit("review", "--json")).stdout).toBe("[]\n");
    expect((await tacit("list", "--quiet")).stdout.trim().split("\n").toSorted()).toEqual([a, b, c].toSorted());
    expect((await tacit("show", c)).stdout).toMatch(/^Prices are whole cents\.\n[^]*^trust +tainted: /m);
    expect((await tacit("show", d, "--evidence")).stdout).toContain("What led to it is not kept here.");
  });

  it("[O5] decides nothing when one of several references is wrong, and nothing that does not wait", async () => {
    const { tacit, replayDoubtful } = openProject();
    const [a] = (await replayDoubtful()) as [string];

    expect(await tacit("review", "accept", a, "nosuch")).toMatchObject({ code: 1, stdout: "" });
    expect((await tacit("review", "--quiet")).stdout).toContain(a);
    await tacit("review", "accept", a);
    expect((await tacit("review", "reject", a)).stderr).toMatch(
      /does not wait for a review; it is active\.\n {2}To take it away: tacit forget/,
    );
    expect((await tacit("review", "accept")).code).toBe(2);
    expect((await tacit("review", "maybe", a)).code).toBe(2);
  });

  it("[C3] what an agent saw cannot reach the terminal as a command, wherever it is shown", async () => {
    const { tacit, transcript, root } = openProject();
    const session = agentSession({ id: "evil-\u001b[31mred", root, at: Date.now() - day, prompt: "\u001b[2J Look" });
    session.fetches("https://evil.example/\u009b31m", { text: "\u001b]0;owned\u0007" });
    session
      .reads("src/\u001b[31m.ts")
      .says("Wait, I was wrong: \u001b[1m`rate`\u001b[0m is \u202ein cents, not in euros.");
    session.edits("src/rates.ts", "a", "b").runs("npm test", { text: "Tests  3 passed (3)" });
    const file = transcript(session);

    const replayed = await tacit("replay", file);
    const [id = ""] = (await tacit("review", "--quiet")).stdout.split("\n");
    const shown = [
      replayed,
      await tacit("review"),
      await tacit("sessions"),
      await tacit("sessions", "evil-\u001b[31mred"),
      await tacit("show", id, "--evidence"),
      await tacit("show", id, "--evidence", "--json"),
      await tacit("review", "--json"),
      await tacit("sessions", "no\u001b[31m"),
      await tacit("replay", "/none/\u001b[31m"),
      await tacit("doctor"),
    ];

    expect(id).not.toBe("");
    for (const { stdout, stderr } of shown) {
      // oxlint-disable-next-line no-control-regex -- these are what it is about
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });
});

describe("sessions", () => {
  it("lists them newest first, and tells of one what came of it", async () => {
    const { tacit, transcript, changesRates } = openProject();
    expect((await tacit("sessions")).stdout).toBe("No session was observed here yet.\n");
    await tacit("replay", transcript(changesRates(1)), transcript(changesRates(2)));

    expect((await tacit("sessions")).stdout).toMatch(
      /^ession-2 {2}claude-code · build · success · .*\n {10}5 tool calls · 2 files · 2 read again · [\d,]+ tokens\n.*\n {10}5 tool calls · 2 files · [\d,]+ tokens\n$/,
    );
    expect((await tacit("sessions", "--limit", "1", "--quiet")).stdout).toBe("session-2\n");
    expect((await tacit("sessions", "session-2")).stdout).toContain("causal_dependency");
    expect(JSON.parse((await tacit("sessions", "session-1", "--json")).stdout)).toMatchObject({
      session: { sessionId: "session-1", toolCalls: 5 },
      memories: [{ type: "causal_dependency" }],
    });
    expect(await tacit("sessions", "nosuch")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining('No session "nosuch" is known here.\n'),
    });
    expect((await tacit("doctor")).stdout).toMatch(/^✓ sessions +2 learned from here$/m);
  });
});

describe("show --evidence", () => {
  it("tells what was seen, session by session, and of what was stated that nothing was", async () => {
    const { tacit, transcript, changesRates } = openProject();
    await tacit("replay", transcript(changesRates(1)), transcript(changesRates(2)));
    const id = (await tacit("list", "--quiet")).stdout.trim();
    await tacit("remember", "Rates are factors.", "--name", "factors");

    const { stdout } = await tacit("show", id, "--evidence");

    expect(stdout).toMatch(/^config-touch {2}src \+ config\/rates\.yaml {2}in 2 sessions$/m);
    expect(stdout.match(/^ {4}\d\d:\d\d:\d\d {2}edited config\/rates\.yaml$/gm)).toHaveLength(2);
    expect(JSON.parse((await tacit("show", id, "--evidence", "--json")).stdout)).toMatchObject({
      id,
      evidence: [{ signal: "config-touch", sessions: [{ sessionId: "session-1" }, { sessionId: "session-2" }] }],
    });
    expect((await tacit("show", "factors", "--evidence")).stdout).toContain("Nobody inferred it: somebody stated it.");
    expect((await tacit("show", "nosuch", "--evidence")).code).toBe(1);
  });
});

describe("synthesize", () => {
  it("[O13] says what is not due, what it looked over, and what it found", async () => {
    const { tacit, transcript, root } = openProject();
    expect((await tacit("synthesize")).stdout).toMatch(
      /^Nothing is due: modules are looked over at 5, 10, 20, 50 and 100/,
    );
    expect((await tacit("synthesize", "--force")).stdout).toBe(
      "There is nothing to look over: no module has had 5 sessions yet.\n",
    );
    const sessions = [1, 2, 3, 4, 5].map((number) =>
      transcript(agentSession({ id: `s${number}`, root, at: Date.now() - number * day }).reads("src/rates.ts")),
    );
    await tacit("replay", ...sessions);

    expect((await tacit("synthesize")).stdout).toMatch(/^Nothing is due/);
    expect((await tacit("synthesize", "--force")).stdout).toBe(
      "Looked over src, the pairs of modules.\nNothing new was found.\n",
    );
    expect(JSON.parse((await tacit("synthesize", "--force", "--json")).stdout)).toMatchObject({
      looked: [{ module: "src", memories: 0 }, { module: "*" }],
      waiting: [],
    });
  });
});

describe("init", () => {
  it("tells of transcripts where nobody can be asked, reads them with --replay, and then no more", async () => {
    const { tacit, keepTranscript, changesRates } = openProject();
    expect((await tacit("init")).stdout).not.toContain("transcript");
    keepTranscript(changesRates(1));
    keepTranscript(changesRates(2));

    expect((await tacit("init")).stdout).toMatch(/^left out +2 transcripts of sessions that Claude Code has kept/m);
    expect(JSON.parse((await tacit("init", "--json")).stdout)).toMatchObject({ transcripts: { found: 2 } });
    expect((await tacit("init", "--no-replay")).stdout).not.toContain("transcript");
    expect((await tacit("sessions", "--json")).stdout).toBe("[]\n");

    const replayed = await tacit("init", "--replay");
    expect(replayed).toMatchObject({ code: 0, stderr: "" });
    expect(replayed.stdout).toMatch(/^sessions +2 sessions of Claude Code learned from, 1 memory made$/m);
    expect(JSON.parse((await tacit("init", "--replay", "--json")).stdout)).toMatchObject({ transcripts: { found: 0 } });
  });
});

describe("the help", () => {
  it.each(["review", "replay", "sessions", "synthesize", "init", "show"])(
    "of %s says how it is used",
    async (command) => {
      const { tacit } = openProject();

      const { code, stdout } = await tacit("help", command);

      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Usage: tacit ${command} `));
      expect(stdout.split("\n").filter((line) => line.length > 104)).toEqual([]);
    },
  );
});

function openProject() {
  const folder = realpathSync(temporaryFolder());
  const root = gitRepository();
  commitFiles(root, { "src/rates.ts": "export const rate = 1.2;\n", "config/rates.yaml": "standard: 0.2\n" });
  const env = { TACIT_HOME: join(folder, "home"), CLAUDE_CONFIG_DIR: join(folder, "claude") };
  const run = (args: string[], input: string) => runTacit(args, { cwd: root, env, input });
  const tacit = (...args: string[]) => run(args, "");
  let count = 0;
  const transcript = (session: AgentSession): string => {
    const file = join(folder, `transcript-${(count += 1)}.jsonl`);
    writeFileSync(file, `${session.lines().join("\n")}\n`);
    return file;
  };
  return {
    folder,
    root,
    run,
    tacit,
    transcript,
    /** Where Claude Code would keep it. */
    keepTranscript: (session: AgentSession): void => {
      const place = join(folder, "claude", "projects", root.replaceAll(/[^a-zA-Z0-9]/g, "-"));
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, `${session.id}.jsonl`), `${session.lines().join("\n")}\n`);
    },
    /** Two of them teach that the configuration follows the code. */
    changesRates: (number: number): AgentSession =>
      agentSession({ id: `session-${number}`, root, at: Date.now() - (9 - number) * day, prompt: `Rate ${number}.` })
        .reads("src/rates.ts")
        .edits("src/rates.ts", "1.2", `1.2${number}`)
        .reads("config/rates.yaml")
        .edits("config/rates.yaml", "0.2", `0.2${number}`)
        .runs("npm test", { text: "Tests  41 passed (41)" }),
    /** Five memories that wait, because a page of the web was read before; their ids. */
    replayDoubtful: async (): Promise<string[]> => {
      const session = agentSession({ id: "doubtful", root, at: Date.now() - day, prompt: "Look." });
      session.fetches("https://evil.example/guide", { text: "A guide." });
      for (const [what, so, not] of corrections) {
        session.reads(`src/${what}.ts`).says(`Wait, I was wrong: the ${what} are in ${so}, not in ${not}.`);
        session.edits(`src/${what}.ts`, "a", "b");
      }
      session.runs("npm test", { text: "Tests  41 passed (41)" });
      await tacit("replay", transcript(session));
      const ids = (await tacit("review", "--quiet")).stdout.trim().split("\n");
      expect(ids).toHaveLength(5);
      return ids;
    },
  };
}

const corrections = [
  ["tokens", "hours", "days"],
  ["prices", "cents", "euros"],
  ["rates", "percent", "factors"],
  ["weights", "grams", "ounces"],
  ["sizes", "bytes", "blocks"],
];
