import { Readable } from "node:stream";
import { expect, vi } from "vitest";
import { agentSession } from "../../bench/agent-session.mjs";
import { observeOnce } from "../../src/hook/observe-once.js";
import type { TacitMemory } from "../../src/index.js";
import { editFile, files, newText, oldText } from "./change-stage.js";
import { toldSession, type ToldSession } from "./told-session.js";
import type { WritingVerb } from "./writing-verb.js";

/** What the observer makes of `saying`. */
const lesson = "The limit of chargeCard in src/pay.ts depends on the country, not on the bank";
const saying = "I was wrong: the limit of chargeCard in src/pay.ts depends on the country, not on the bank.";
const at = Date.now() - 3_600_000;
const patience = { interval: 10, timeout: 10_000 };

/** An agent sees that it was wrong, which is learned from the first session that shows it. */
function corrected(session: ToldSession): ToldSession {
  return session.reads("src/pay.ts").says(saying);
}

const nearText = newText.replace("chargeCard", "a card");

const observe = (memory: TacitMemory, { events }: ToldSession) => events.forEach((event) => memory.observe(event));
/** The newest memory of a type, whatever its state. */
const newest = async (memory: TacitMemory, type: string) => (await memory.list({ type, status: "any" }))[0]?.id ?? "";

type But = NonNullable<WritingVerb["but"]>;

const unnamed: But["concepts"] = ["untouched", "an agent names no pattern by working"];
const noFiles = {
  links: ["untouched", "it names no files"],
  concepts: ["untouched", "it names no files"],
} satisfies But;
/** What was said is history. */
const talk = {
  ...noFiles,
  grounding: ["untouched", "what was said is history, true or not"],
  contradictions: ["untouched", "what was said is history, true or not"],
  "memory-file": ["untouched", "what was said stands in no file"],
} satisfies But;
const ofTheDay = {
  contradictions: ["noted", "nothing else is kept under its key"],
  "memory-file": ["counted", "what holds for a session stands in no file"],
} satisfies But;
const pending = (why: string) =>
  ({
    words: ["gone", why],
    contradictions: ["untouched", why],
    "memory-file": ["counted", why],
  }) satisfies But;

/** What agents did and said, and what becomes of it. */
export const sessionVerbs: WritingVerb[] = [
  {
    name: "memory.finishSession",
    does: "states",
    makes: true,
    text: lesson,
    act: async (memory) => {
      observe(memory, corrected(toldSession("s", at).starts()).ends());
      return (await memory.finishSession("s"))?.learned[0]?.id;
    },
    but: { concepts: unnamed },
  },
  {
    name: "memory.finishSessions",
    does: "states",
    makes: true,
    text: lesson,
    act: async (memory, { root, db }) => {
      await observeOnce(corrected(toldSession("s", at).starts()).ends().events, { directory: root, db });
      return (await memory.finishSessions())[0]?.learned[0]?.id;
    },
    but: { concepts: unnamed },
  },
  {
    name: "memory.observe",
    of: "the end of a session",
    does: "states",
    makes: true,
    text: lesson,
    act: async (memory, stage) => {
      observe(memory, corrected(toldSession("s", at).starts()).ends());
      const find = async () => (await stage.rows("SELECT id FROM memories WHERE type = 'gotcha'"))[0]?.["id"];
      await vi.waitFor(async () => expect(await find()).toBeDefined(), patience);
      return String(await find());
    },
    but: { concepts: unnamed },
  },
  {
    name: "memory.recall",
    of: "takes in a session that is over",
    does: "states",
    makes: true,
    text: lesson,
    act: async (memory, { root, db }) => {
      await observeOnce(corrected(toldSession("s", at).starts()).ends().events, { directory: root, db });
      // Nobody waits for it longer than a moment: on a busy machine it is there the next time.
      return vi.waitFor(async () => {
        const found = await memory.recall(lesson, { mode: "words" });
        const learned = found.find((one) => one.memory.type === "gotcha")?.memory.id;
        expect(learned).toBeDefined();
        return learned;
      }, patience);
    },
    but: { concepts: unnamed },
  },
  {
    name: "memory.sessions.promote",
    does: "states",
    makes: true,
    text: lesson,
    act: async (memory) => {
      observe(memory, corrected(toldSession("s", at).starts({ subtasks: 7 })).unit("one", "succeeded"));
      await memory.sessions.promote("s");
      return newest(memory, "gotcha");
    },
    but: { concepts: unnamed, ...pending("it waits for the checks of the build") },
  },
  {
    name: "memory.finishSession",
    of: "what waited for the checks of a build",
    does: "changes",
    text: lesson,
    given: async (memory) => {
      observe(memory, corrected(toldSession("s", at).starts({ subtasks: 7 })).unit("one", "succeeded"));
      await memory.sessions.promote("s");
      return newest(memory, "gotcha");
    },
    act: async (memory) => {
      observe(
        memory,
        toldSession("s", at + 60_000)
          .qa(true)
          .ends(),
      );
      await memory.finishSession("s");
    },
    but: { contradictions: ["reached", "it is in force from now on"] },
  },
  {
    name: "memory.sessions.replay",
    does: "states",
    makes: true,
    text: lesson,
    act: async (memory, { root }) => {
      const session = agentSession({ id: "s", root, at, prompt: "Look." }).reads("src/pay.ts").says(saying);
      return (await memory.sessions.replay(session.stream())).sessions[0]?.learned[0]?.id;
    },
    but: { concepts: unnamed },
  },
  {
    name: "memory.sessions.synthesize",
    does: "states",
    makes: true,
    text: "change together",
    given: async (memory, { root, db }) => {
      for (let count = 1; count <= 6; count += 1) await observeOnce(farApart(count).events, { directory: root, db });
      // In haste nobody looks over many sessions.
      await memory.finishSessions({ isQuick: true });
    },
    act: async (memory) =>
      (await memory.sessions.synthesize()).waiting.find(({ content }) => content.includes("change together"))?.id,
    but: {
      concepts: unnamed,
      links: ["untouched", "it names files, and no symbol"],
      ...pending("it waits for a person"),
    },
  },
  {
    name: "conversation.append",
    does: "states",
    makes: true,
    act: async (memory) => (await memory.conversation("s").append({ role: "user", content: newText }))[0]?.ids[0],
    but: talk,
  },
  {
    name: "conversation.compact",
    does: "states",
    makes: true,
    given: said,
    act: async (memory) => (await memory.conversation("s").compact({ keepCount: 0, summary: newText }))?.archive.id,
    but: { ...talk, "memory-file": ["counted", "an archive stands in HISTORY.md"] },
  },
  {
    name: "conversation.consolidate",
    does: "states",
    makes: true,
    given: said,
    act: async (memory) => (await memory.conversation("s").consolidate()).learned[0]?.id,
    but: noFiles,
  },
  {
    name: "conversation.startNew",
    does: "states",
    makes: true,
    given: said,
    act: async (memory) => (await memory.conversation("s").startNew()).learned[0]?.id,
    but: noFiles,
  },
  {
    name: "memory.conversations.import",
    does: "states",
    makes: true,
    act: async (memory) => {
      const line = JSON.stringify({ role: "user", content: newText });
      await memory.conversations.import(Readable.from([Buffer.from(line)]), { sessionId: "s" });
      return newest(memory, "conversation");
    },
    but: talk,
  },
  {
    name: "memory.conversations.setContext",
    of: "for the first time",
    does: "states",
    makes: true,
    act: async (memory) => (await memory.conversations.setContext("task", newText)).id,
    but: { ...noFiles, ...ofTheDay },
  },
  {
    name: "memory.conversations.setContext",
    of: "once more",
    does: "states",
    given: async (memory) => (await memory.conversations.setContext("task", oldText)).id,
    act: async (memory) => (await memory.conversations.setContext("task", newText)).id,
    but: { ...noFiles, ...ofTheDay },
  },
  {
    name: "memory.conversations.rememberFact",
    does: "states",
    makes: true,
    act: async (memory) => (await memory.conversations.rememberFact(newText, { relatedFiles: files })).id,
  },
  {
    name: "memory.conversations.rememberTurn",
    does: "states",
    makes: true,
    act: async (memory) => (await memory.conversations.rememberTurn(newText, { relatedFiles: files })).id,
    but: { ...talk, links: ["reached", "it names a file"], concepts: ["reached", "it names a pattern"] },
  },
  {
    name: "memory.conversations.memoryFile",
    of: "a line that a person edited",
    does: "states",
    given: nearly,
    act: async (memory, { memoryFile }) => {
      editFile(memoryFile, nearText, newText);
      await memory.conversations.memoryFile();
    },
    but: { concepts: noFiles.concepts },
  },
  {
    name: "memory.conversations.memoryFile",
    of: "a line that a person added",
    does: "states",
    makes: true,
    act: async (memory, { memoryFile }) => {
      editFile(memoryFile, "- The limit", `- ${newText}\n- The limit`);
      await memory.conversations.memoryFile();
      return newest(memory, "decision");
    },
    but: noFiles,
  },
  {
    name: "memory.list",
    of: "takes in a line that a person edited",
    does: "states",
    given: nearly,
    act: async (memory, { memoryFile }) => {
      editFile(memoryFile, nearText, newText);
      await memory.list();
    },
    but: { concepts: noFiles.concepts },
  },
  {
    name: "memory.builds.saveWorkState",
    does: "states",
    makes: true,
    text: newText,
    act: async (memory) => (await memory.builds.saveWorkState({ state: { left: [newText] }, files }))?.id,
    but: {
      contradictions: ["untouched", "where work stands contradicts nothing"],
      "memory-file": ["counted", "where work stands is in no file"],
    },
  },
  {
    name: "memory.builds.closeWorkState",
    does: "changes",
    given: async (memory) =>
      (await memory.builds.saveWorkState({ state: { left: [newText] }, files: ["src/pay.ts"] }))?.id ?? "",
    act: async (memory) => void (await memory.builds.closeWorkState()),
    but: {
      words: ["gone", "what is over is not found"],
      "memory-file": ["counted", "where work stands is in no file"],
    },
  },
];

/** One line is known to be another by what both say. */
async function nearly(memory: TacitMemory): Promise<string> {
  return (await memory.remember({ type: "decision", content: nearText, relatedFiles: ["src/pay.ts"] })).id;
}

async function said(memory: TacitMemory): Promise<void> {
  await memory.conversation("s").append([
    { role: "user", content: `Remember that ${newText[0]?.toLowerCase()}${newText.slice(1)}.` },
    { role: "assistant", content: "Noted." },
  ]);
}

/** Two files that are always changed in the same session, but with so much in between that no signal sees it. */
function farApart(count: number): ToldSession {
  const session = toldSession(`far-${count}`, at - (10 - count) * 86_400_000)
    .starts()
    .prompts(`Task ${count}.`);
  session.edits("src/pay.ts", "1", String(count));
  for (const part of ["a", "b", "c"]) session.edits(`src/ui/${part}-${count}.ts`, "a", "b");
  return session.edits("src/cart.ts", "1", String(count)).runs("npm test", "Tests  41 passed (41)").ends();
}
