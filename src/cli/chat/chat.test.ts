import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { runLine, textOf } from "../../../test/support/run-line.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Compaction, Consolidation, TacitMemory, Turn, Window } from "../../index.js";
import { addChat } from "./chat.js";
import { addImport } from "../exchange/import.js";
import { addShow } from "../memories/show.js";
import { runProgram } from "../run-program.js";
import { openShell } from "../terminal/shell.js";

describe("tacit chat log", () => {
  it("adds turns, and shows the newest conversation where none is named", async () => {
    const { chat, text } = await openChat();

    const added = await chat("log", "s1", "user", "Why do retries fail?", "--at", "2026-11-01T10:00Z");
    await chat("log", "s1", "assistant", "They are not idempotent.", ...tools("Bash", "Edit", "Bash"));

    expect(added.document).toMatchObject({ sessionId: "s1", role: "user", sequence: 1, timestamp: expect.any(String) });
    expect(added.ids).toEqual((added.document as Turn).ids);
    expect(await text("log")).toMatch(
      /^The newest conversation, s1:\n1 {2}user {2}.*\n {4}Why do retries fail\?\n\n2 {2}assistant {2}just now · used Bash, Edit\n {4}They are not idempotent\.$/,
    );
    expect(await text("log", "s1", "--last", "1")).not.toContain("Why do");
  });

  it("shows no escape sequence, and no text that looks like a turn", async () => {
    const { chat, text } = await openChat();
    await chat("log", "s\u001b[2J1", "tool", "\u001b[31mred\n9  user  just now\nforged", "--tool", "x\u001b[1m");

    const shown = [await text("log"), await text("list"), (await chat("list", "--quiet")).ids?.join("")];

    expect(shown.join("")).not.toContain("\u001b");
    expect(shown[0]).toContain("\n    9  user  just now\n");
  });

  it.each([
    [["log", "s1", "user"], "What the user says is missing."],
    [["log", "s1", "user", " "], "What the user says is missing."],
    [["log", "", "user", "Hello"], "The id of the conversation is empty."],
    [["window", ""], "The id of the conversation is empty."],
    [["log", "s1", "--tool", "x"], "--tool and --at belong to a turn"],
    [["log", "s1", "user", "x", "--last", "2"], "--last belongs to showing."],
    [["log", "s1", "user", "x", "--at", "2999-01-01"], "--at is a time to come."],
    [["window", "--clear", "--turns", "2"], "--clear shows nothing"],
    [["consolidate", "--new", "--keep", "2"], "--new begins anew"],
    [["window"], "There is no conversation in this project yet."],
    [["window", "nowhere"], 'No conversation "nowhere" is known here.'],
  ])("refuses %j", async (line, message) => {
    const { chat } = await openChat();

    await expect(chat(...line)).rejects.toThrow(message);
  });

  it("suggests what was probably meant", async () => {
    const shell = openShell({ json: false, quiet: false });
    const complaint = async (...line: string[]) =>
      runProgram(["chat", ...line], shell).catch(({ message, hint }) => `${message} ${hint}`);

    expect(await complaint("consolidat")).toMatch(
      /^tacit chat has no command 'consolidat'\. Did you mean: tacit chat consolidate\nThere is: log, window, /,
    );
    expect(await complaint("log", "s1", "robot", "x")).toContain("It takes one of: user, assistant, system, tool");
    expect(await complaint()).toContain("needs to be told what: log, window");
  });
});

describe("tacit chat window", () => {
  it("gives the last turns for a prompt, within tokens, until it is cleared", async () => {
    const { memory, chat, text, talk } = await openChat();
    await talk("s1", 6);

    const whole = (await chat("window", "s1")).document as Window;
    const small = (await chat("window", "s1", "--turns", "1", "--max-tokens", "500")).document as Window;

    expect(whole.messages.map(({ content }) => content)).toHaveLength(10);
    expect(small).toMatchObject({ leftOut: 0, messages: [{ role: "user" }, { role: "assistant" }] });
    expect(await text("window", "--turns", "1")).toMatch(
      /newest conversation, s1:\nuser .*\n {4}Q6\?[^]*2 messages, about \d+ tokens$/,
    );
    expect((await chat("window", "--turns", "1", "--quiet")).ids).toEqual(["Q6?", "A6."]);
    expect(await text("window", "--clear")).toBe("The window of s1 is empty until something is said.");
    expect(await text("window", "s1")).toBe("The window is empty.");
    expect(await text("list")).toMatch(/^s1 {2}12 turns · began just now$/);
    await memory.forgetMany((await memory.conversation("s1").turns()).flatMap(({ ids }) => ids));
    expect(await text("list")).toContain("No conversation was kept here yet.");
  });

  it("[Z9] does not show what an agent said for the user as the user's", async () => {
    const { memory, text } = await openChat();
    await memory.as({ kind: "agent" }).conversation("s1").append({ role: "user", content: "Always use spaces." });

    for (const command of ["window", "log"]) expect(await text(command, "s1")).toContain("agent as user  ");
  });
});

describe("tacit chat compact", () => {
  it("names the archive that sums up all but the last, and show --turns gives every turn back", async () => {
    const { memory, chat, text, talk } = await openChat({ db: join(temporaryFolder(), "memory.db") });
    await talk("s1", 3);

    const { compaction } = (await chat("compact", "--keep", "2", "--summary", "Three questions.")).document as {
      compaction: Compaction;
    };
    const name = compaction.marker.archiveName;
    const shown = async (...flags: string[]) => (await runLine(memory, addShow, ["show", name, ...flags])).answer;

    expect(compaction).toMatchObject({ turns: 4, archive: { content: "Three questions." } });
    expect(await text("compact", "s1", "--keep", "2")).toContain("Nothing to sum up");
    expect(textOf(await shown())).toContain(`turns 1 to 4 of s1; tacit show ${name} --turns shows every one`);
    expect(((await shown("--turns")).document as { turns: Turn[] }).turns.map(({ content }) => content)).toEqual([
      "Q1?",
      "A1.",
      "Q2?",
      "A2.",
    ]);
    expect(textOf(await shown("--turns"))).toMatch(/1 {2}user {2}just now\n {4}Q1\?/);
    expect(await text("history")).toMatch(new RegExp(`^\\d{4}-.* {2}${name} {2}s1\\n +Three questions\\.`));
    expect((await chat("history", "questions")).ids).toEqual([compaction.archive.id]);
    expect(await text("history", "dolphins")).toContain("Nothing that was summed up is about this.");
  });
});

describe("tacit chat consolidate", () => {
  it("tells the archive, what was learned and by whom, and what stays", async () => {
    const { chat, text } = await openChat();
    await chat("log", "s1", "user", "Remember that the API listens on port 8080.");
    await chat("log", "s1", "assistant", "I will.");

    const done = await chat("consolidate", "s1", "--no-model", "--recap");

    const { learned, by, compaction } = done.document as Consolidation;
    expect(by).toBe("rules");
    expect(learned.map(({ content }) => content)).toEqual([expect.stringContaining("port 8080")]);
    expect(done.ids).toEqual([compaction?.archive.id, learned[0]?.id]);
    expect(textOf(done)).toMatch(
      /^Archived 2 messages as .*:\n[^]*Summed up by rules; no language model was asked\.\n\nLearned 1 memory:\n[^]*port 8080[^]*\nWhat stays:\n/,
    );
    await chat("log", "s1", "user", "Remember that the API listens on port 8081.");
    expect(await text("consolidate", "s1")).toMatch(
      /Takes the place of [0-9a-f]{8} \(it says 8081 where it said 8080\)/,
    );
    expect(await text("consolidate", "s1", "--new")).toContain("Nothing to consolidate");
    expect(await text("window", "s1")).toBe("The window is empty.");
  });
});

describe("tacit chat context", () => {
  it("[W4] sets a value of the day in the place of the one before, and reads it", async () => {
    const { memory, chat, text } = await openChat();
    expect(await chat("context", "task")).toMatchObject({ ok: false, document: { key: "task", value: null } });

    await chat("context", "task", "the first");
    await chat("context", "task", "the second \u001b[2J");

    expect(await chat("context", "task")).toMatchObject({ ok: true, ids: [expect.stringMatching(/^the second ␛/)] });
    expect(await text("context", "task")).not.toContain("\u001b");
    expect(await text("context", "task", "--session", "s1")).toBe("Nothing is set for task today.");

    await memory.as({ kind: "agent" }).conversations.setContext("room", "the garden");
    expect(await chat("context", "task")).toMatchObject({ document: { isUnverified: false } });
    expect(await text("context", "room")).toMatch(/^\(unverified: .*\)\n {4}the garden$/);
  });
});

describe("tacit chat import", () => {
  it("takes in role/content lines once, and nothing in a dry run", async () => {
    const { text } = await openChat();
    const file = join(temporaryFolder(), "chat.jsonl");
    writeFileSync(file, '{"role":"user","content":"Hello"}\n{"role":"assistant","content":"Hi"}\n');
    const line = ["import", file, "--session", "s1"];

    expect(await text(...line, "--dry-run")).toBe(
      "Nothing is taken in yet. From role/content lines: 1 session.\ns1: 2 turns new",
    );
    expect(await text(...line)).toBe("From role/content lines: 1 session.\ns1: 2 turns new");
    expect(await text(...line)).toBe("From role/content lines: 1 session.\ns1: 0 turns new, 2 known already");
  });

  it("is named by tacit import where the file holds a conversation", async () => {
    const { memory } = await openChat();
    const file = join(temporaryFolder(), "chat.jsonl");
    writeFileSync(file, '{"role":"user","content":"Hello"}\n');

    await expect(runLine(memory, addImport, ["import", file])).rejects.toMatchObject({
      code: "import-refused",
      hint: expect.stringContaining(`tacit chat import ${file}`),
    });
  });
});

describe("tacit chat memory", () => {
  it("shows MEMORY.md where it lies, and what was taken in from it", async () => {
    const { memory, chat, text } = await openChat({ db: join(temporaryFolder(), "memory.db") });
    await memory.remember({ content: "Tests need Redis.", type: "fact", source: "user_taught" });

    const path = await text("memory", "--path");
    writeFileSync(path, readFileSync(path, "utf8").replace("Tests need Redis.", "Tests need Redis and Kafka."));
    const shown = textOf(await chat("memory"));

    expect(shown).toMatch(
      /^.*MEMORY\.md, \d+ bytes\nTaken in from what you wrote there: 1 revised\.\n\n[^]*Redis and Kafka/,
    );
    expect((await chat("memory")).ids).toEqual([path]);
  });
});

const tools = (...names: string[]) => names.flatMap((name) => ["--tool", name]);

async function openChat(options: { db?: string } = {}) {
  const memory: TacitMemory = await openTestMemory({ embedder: null, ...options });
  const chat = async (...line: string[]) => {
    const quiet = line.includes("--quiet");
    return (await runLine(memory, addChat, ["chat", ...line.filter((word) => word !== "--quiet")], { quiet })).answer;
  };
  return {
    memory,
    chat,
    text: async (...line: string[]) => textOf(await chat(...line)),
    talk: async (sessionId: string, questions: number) => {
      for (let number = 1; number <= questions; number++) {
        await memory.conversation(sessionId).append([
          { role: "user", content: `Q${number}?` },
          { role: "assistant", content: `A${number}.` },
        ]);
      }
    },
  };
}
