import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Stage } from "./tour-stage.js";

/** Three sessions of an agent that nobody told to remember anything. */
export async function agentTeachesIt(stage: Stage): Promise<void> {
  stage.say(
    "Nobody has to say remember. Tacit watches what agents do: live through their hooks, or afterwards from the transcripts that Claude Code keeps. Here are three short ones of a made-up agent, which had to change the same two files each time.",
  );
  const shop = openWorkshop(stage);
  stage.enter(shop);
  const files = [1, 2, 3].map((number) =>
    writeTranscript(stage, shop, number, [
      ...changes(shop, "src/rates.ts", number),
      ...changes(shop, "src/invoice.ts", number),
      testsPass,
    ]),
  );
  await stage.tacit("replay", ...files);
  stage.say("The next session asks before it changes one of them. --evidence shows what was seen, session by session.");
  const question = "what has to follow when src/rates.ts changes?";
  await stage.tacit("recall", question, "--words", "--limit", "1");
  const { results } = await stage.document("recall", question, "--words", "--limit", "1");
  const { id = "", relatedFiles = [] } = results[0]?.memory ?? {};
  await stage.tacit("show", id.slice(-8), "--evidence");
  const { evidence } = await stage.document("show", id, "--evidence");
  stage.check(
    "three sessions taught that the two files belong together",
    ["src/rates.ts", "src/invoice.ts"].every((file) => relatedFiles.includes(file)) &&
      evidence[0]?.sessions.length === 3,
  );
  stage.enter();
}

/** A session that read a page of the web: what it learned afterwards may come from there. */
export async function strangerSpeaks(stage: Stage): Promise<void> {
  stage.say(
    "This agent read a page of the web before it found something out. The page may have put it up to that, so what it learned waits for you, and is told to nobody until you accept it.",
  );
  const shop = openWorkshop(stage);
  stage.enter(shop);
  const file = writeTranscript(stage, shop, 4, [
    { tool: "WebFetch", input: { url: "https://rates.example/guide" }, answer: "A guide to rates." },
    { tool: "Read", input: { file_path: join(shop, "src/rates.ts") }, answer: "     1\texport const rate = 1.2;" },
    "Wait, I was wrong: `rate` is a factor, not a percentage.",
    ...changes(shop, "src/rates.ts", 4),
    testsPass,
  ]);
  await stage.tacit("replay", file);
  await stage.tacit("review");
  const question = "is rate a factor or a percentage?";
  const [waiting] = await stage.document("review");
  const before = await stage.document("recall", question, "--words");
  stage.check(
    "it waits, and recall does not tell it",
    waiting?.status === "waiting" && !namesIn(before).includes(waiting.id),
  );
  const id = waiting?.id?.slice(-8) ?? "";
  if (process.platform === "linux") await agentAsksForItself(stage, shop, id);
  await stage.tacit("review", "accept", id);
  const after = await stage.document("recall", question, "--words");
  stage.check("once accepted, it is told", namesIn(after).includes(waiting?.id));
  stage.enter();
}

/** A session that goes on: what its process starts speaks for the agent. */
async function agentAsksForItself(stage: Stage, shop: string, id: string): Promise<void> {
  stage.say(
    "An agent can't approve it for you. While its session goes on, every command that its process starts speaks for the agent, whatever the command is called.",
  );
  const told = { session_id: "5e551017-0000-4000-8000-000000000041", cwd: shop };
  for (const hook_event_name of ["SessionStart", "UserPromptSubmit"]) {
    await stage.hook({ ...told, hook_event_name, prompt: "Go on, please." }, "observe");
  }
  await stage.tacit("review", "accept", id);
  await stage.hook({ ...told, hook_event_name: "SessionEnd" }, "observe");
  const [waiting] = await stage.document("review");
  stage.check("the agent was refused, and it still waits", waiting?.id.endsWith(id) && waiting.status === "waiting");
  stage.say("In a terminal of your own, the same command is yours.");
}

function namesIn({ results }: { results: { memory: { id: string } }[] }): (string | undefined)[] {
  return results.map(({ memory }) => memory.id);
}

export interface ToolUse {
  tool: string;
  input: Record<string, unknown>;
  answer: string;
  failed?: boolean;
}

export const testsPass: ToolUse = { tool: "Bash", input: { command: "npm test" }, answer: "Tests  12 passed (12)" };

function changes(shop: string, file: string, number: number): ToolUse[] {
  const input = { file_path: join(shop, file), old_string: "1.2", new_string: `1.2${number}` };
  return [
    { tool: "Read", input: { file_path: input.file_path }, answer: "     1\texport const rate = 1.2;" },
    { tool: "Edit", input, answer: `The file ${input.file_path} has been updated.` },
  ];
}

/** What Claude Code would have written of a session: what was asked, each tool with its answer, what the agent said. */
export function writeTranscript(stage: Stage, shop: string, number: number, doings: (ToolUse | string)[]): string {
  const sessionId = `5e551017-0000-4000-8000-00000000000${number}`;
  const begin = Date.now() - (10 - number) * 86_400_000;
  const lines: Record<string, unknown>[] = [];
  const add = (role: "user" | "assistant", content: unknown) =>
    lines.push({
      type: role,
      sessionId,
      cwd: shop,
      uuid: `${sessionId}-${lines.length}`,
      timestamp: new Date(begin + lines.length * 1000).toISOString(),
      message: { role, content },
    });
  add("user", `Change it, please, for the time number ${number}.`);
  for (const [index, doing] of doings.entries()) {
    if (typeof doing === "string") {
      add("assistant", [{ type: "text", text: doing }]);
      continue;
    }
    const id = `tool-${number}-${index}`;
    add("assistant", [{ type: "tool_use", id, name: doing.tool, input: doing.input }]);
    const { answer: content, failed: is_error = false } = doing;
    add("user", [{ type: "tool_result", tool_use_id: id, content, is_error }]);
  }
  const file = stage.file(`session-${number}.jsonl`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

/** A project of its own, so that what the other steps keep does not come into it. */
function openWorkshop(stage: Stage): string {
  const shop = stage.file("workshop");
  mkdirSync(join(shop, "src"), { recursive: true });
  writeFileSync(join(shop, "src", "rates.ts"), "export const rate = 1.2;\n");
  writeFileSync(join(shop, "src", "invoice.ts"), 'export { rate } from "./rates.js";\n');
  return shop;
}
