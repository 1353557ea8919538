import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AgentSession } from "../../bench/agent-session.mjs";
import { learned, runHook, shownBy } from "../support/hook-process.js";
import { connectTo } from "../support/mcp-client.js";
import { observedProject, type ObservedProject } from "../support/observed-project.js";
import { toldSession } from "../support/told-session.js";
import { temporaryFolder } from "../support/temporary-folder.js";

// A hook tells nothing more after 900 ms. A machine that has other work may take that long to start one.
const busy = { retry: 2 };

it(
  "[I17] [O18] a session of five turns that calls remember once was asked to remember one memory, by every count",
  busy,
  async () => {
    const project = observedProject();
    const session = project
      .session("Please have a look at the driver.")
      .says("I look at it.")
      .reads("src/db/orders.ts");
    session.says("It is pinned.").prompts("Remember that we deploy on Fridays.").says("All right.");
    await play(project, session, { remembering: ["The driver needs libfoo 2 installed."] });

    const shown = await play(project, project.session("Next."));
    const summary = await project.tacit("sessions", session.id);

    expect(shown).toEqual(["Tacit: the last session here was asked to remember 1 memory; it taught 1 memory."]);
    expect(summary).toContain("It leaves behind: 1 memory stated, 1 memory learned.\n");
    expect(summary).toContain("The driver needs libfoo 2 installed.");
    expect(summary).toContain("We deploy on Fridays.");
    expect(summary).not.toContain("It is pinned.");
  },
);

it(
  "[I17] what a session was asked to remember after it had read from outside is among what it left to look at",
  busy,
  async () => {
    const project = observedProject();
    const session = project.session("Where is the mirror?").fetches("https://docs.example/mirror");
    await play(project, session, { remembering: ["The mirror listens on port 99."] });

    const shown = await play(project, project.session("Next."));

    expect(shown).toEqual([
      "Tacit: the last session here was asked to remember 1 memory; it left 1 for you to look at (tacit review).",
    ]);
  },
);

it("[I18] a memory that two sessions were told three times is one memory, and files that came along are named", async () => {
  const project = observedProject();
  await project.tacit("remember", "Pin the driver.");
  const [{ id } = { id: "" }] = await project.allMemories();
  const told = (session: string, minutesAgo: number) =>
    toldSession(session, Date.now() - minutesAgo * 60_000)
      .starts()
      .reads("src/db/orders.ts");
  const first = told("first", 90).isTold([id]).isTold([id], { point: "step" });
  const second = told("second", 60).isTold([id], { point: "prompt", files: ["src/a.ts", "src/b.ts"], tokens: 5000 });
  await project.learnEvents(first.says(`I pin it, as [Memory #${id.slice(-8)}: Pin the driver.] says.`).ends().events);
  await project.learnEvents(second.says(`[Memory #${id.slice(-8)}: Pin the driver.]`).ends().events);

  const stats = await project.tacit("stats");
  const doctor = await project.tacit("doctor");
  const [shown] = await play(project, project.session("Next."));

  expect(stats).toMatch(/^first .* 120 tokens {2}1 memory, 1 used · 1 hour ago$/m);
  expect(stats).toContain(
    "ever    1 memory told 3 times in 2 sessions, with 2 files, 5,120 tokens; used 2 times (2 cited, 0 followed)\n",
  );
  expect(doctor).toContain(
    "1 memory told 3 times in 2 sessions of 30 days, with 2 files, 5,120 tokens; used 2 times\n",
  );
  expect(await project.tacit("sessions", "second")).toContain(
    "1 memory told, with 2 files, 5,000 tokens; 1 used (1 cited, 0 followed).\n",
  );
  expect(shown).toBe(
    "Tacit: the last session here was told 1 memory and 2 files (5,000 tokens) and used 1. tacit sessions second has the rest.",
  );
});

/** Lets a session take place by its hooks, with a transcript, and its agent call `remember`; what the person was shown. */
async function play(
  project: ObservedProject,
  session: AgentSession,
  { remembering = [] }: { remembering?: string[] } = {},
): Promise<string[]> {
  const folder = join(temporaryFolder(), "projects");
  mkdirSync(folder);
  const transcript = join(folder, `${session.id}.jsonl`);
  writeFileSync(transcript, `${session.lines().join("\n")}\n`);
  const shown: string[] = [];
  const documents = session.hooks();
  for (const { at: _at, ...document } of documents) {
    if (document["hook_event_name"] === "SessionEnd") await remember(project, session.id, remembering);
    const printed = await runHook(project, { ...document, transcript_path: transcript }, { isOfPerson: true });
    if (shownBy(printed) !== "") shown.push(shownBy(printed));
  }
  await learned(project, session.id);
  return shown;
}

async function remember(project: ObservedProject, sessionId: string, contents: readonly string[]): Promise<void> {
  if (contents.length === 0) return;
  const env = { CLAUDE_CODE_SESSION_ID: sessionId, CLAUDE_PROJECT_DIR: project.root };
  const { call, client } = await connectTo({ args: ["--db", project.db], env });
  for (const content of contents) await call("remember", { content });
  await client.close();
}
