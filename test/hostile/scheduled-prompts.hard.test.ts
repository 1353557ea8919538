import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMemory, type Memory } from "../../src/index.js";
import { openSpoolPlace, spoolFolder } from "../../src/observer/spool/spool-place.js";
import { gitRepository } from "../support/git-repository.js";
import { runHook, shownBy } from "../support/hook-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const line = "/tacit:remember Deploys go through the mirror first.";
const page = { tool_name: "WebFetch", tool_input: { url: "https://example.com" }, tool_response: "Hi." };
// Whoever runs the tests inside of an agent is one, as far as a hook can tell.
const isInAgent = process.env["CLAUDECODE"] !== undefined;

/** What Claude Code 2.1.325 tells its hooks where an agent schedules a prompt: it comes back like one that was typed. */
describe("a prompt that an agent has scheduled", () => {
  it.each<[string, Record<string, unknown>]>([
    ["CronCreate", { cron: "* * * * *", prompt: line, recurring: false }],
    ["ScheduleWakeup", { delaySeconds: 60, reason: "waiting", prompt: ` ${line}\n` }],
    ["mcp__timer__create", { text: line }],
  ])("[TR95] through %s is the agent's word", async (tool_name, tool_input) => {
    const place = await startSession();
    await calls(place, page);
    await calls(place, { tool_name, tool_input, tool_response: "Scheduled." });

    const printed = await runs(place, { hook_event_name: "UserPromptSubmit", prompt: line });

    expect(await listed(place)).toMatchObject([{ source: "agent_explicit", status: "waiting", userVerified: false }]);
    expect(shownBy(printed)).toContain("If you did, in a terminal of your own: tacit review accept");
  });

  it("[TR95] by writing Claude Code's own file is the agent's word", async () => {
    const place = await startSession();
    await calls(place, page);
    mkdirSync(join(place.root, ".claude"));
    // A task that runs once is no longer in the file when its prompt comes.
    writeFileSync(join(place.root, ".claude", "scheduled_tasks.json"), '{ "tasks": [] }');

    await runs(place, { hook_event_name: "UserPromptSubmit", prompt: line });

    expect(await listed(place)).toMatchObject([{ source: "agent_explicit", status: "waiting", userVerified: false }]);
  });

  it("[TR95] is not noted as a prompt, so that nothing rests on it as on a person's", async () => {
    const place = await startSession();
    await runs(place, { hook_event_name: "UserPromptSubmit", prompt: "Look at the build every minute." });
    const prompt = "Always deploy through the mirror. Then look at the build.";
    await calls(place, { tool_name: "CronCreate", tool_input: { prompt } });

    await runs(place, { hook_event_name: "UserPromptSubmit", prompt });

    expect(promptsIn(place)).toEqual(["Look at the build every minute."]);
  });

  it("[TR95] leaves to a person what they type, and damaged marks hurt nobody", async ({ skip }) => {
    skip(isInAgent, "an agent runs the tests, and a hook takes nobody behind one for a person");
    const place = await startSession();
    const tool_input = { cron: "* * * * *", prompt: "/tacit:remember Something else." };
    await calls(place, { tool_name: "CronCreate", tool_input });
    appendFileSync(join(process.env["TACIT_HOME"] as string, "prompts-of-agents"), "\u0000\n\nhalf a ma");

    await runs(place, { hook_event_name: "UserPromptSubmit", prompt: "/tacit:remember Use pnpm." });

    expect(await listed(place)).toMatchObject([{ source: "user_taught", status: "active", userVerified: true }]);
  });
});

interface Place {
  root: string;
  db: string;
}

async function startSession(): Promise<Place> {
  const place = { root: gitRepository(), db: join(temporaryFolder(), "memory.db") };
  await runs(place, { hook_event_name: "SessionStart" });
  return place;
}

function runs(place: Place, fields: Record<string, unknown>): Promise<string> {
  return runHook(place, { session_id: "s1", cwd: place.root, ...fields }, { isOfPerson: true });
}

/** A call of a tool, and its answer: nobody's prompt comes before that. */
async function calls(place: Place, fields: Record<string, unknown>): Promise<void> {
  for (const hook_event_name of ["PreToolUse", "PostToolUse"]) await runs(place, { hook_event_name, ...fields });
}

async function listed({ root, db }: Place): Promise<Memory[]> {
  const memory = await openMemory({ db, directory: root, embedder: null });
  const found = await memory.list({ status: "any" });
  await memory.close();
  return found;
}

function promptsIn({ root, db }: Place): unknown[] {
  const place = openSpoolPlace({ home: process.env["TACIT_HOME"] as string, db, root });
  if (!place) throw new Error("Nothing is noted.");
  const lines = readFileSync(join(spoolFolder(place, "s1"), "main.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  return lines
    .map((noted) => JSON.parse(noted) as Record<string, unknown>)
    .filter(({ kind }) => kind === "prompt")
    .map(({ text }) => text);
}
