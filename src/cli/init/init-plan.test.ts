import { mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import type { RuleFile, TacitMemory } from "../../index.js";
import type { Asking } from "../terminal/ask.js";
import { askPlainly, choose } from "../terminal/ask-plainly.js";
import { decide, type Found, type InitFlags } from "./init-plan.js";
import { openPage } from "../terminal/page.js";
import { addInit } from "./init.js";
import { runLine } from "../../../test/support/run-line.js";

const found: Found = {
  isNew: true,
  brings: ["1 memory that came with this folder is pending."],
  rules: [
    rules("CLAUDE.md", {
      found: 5,
      fresh: 4,
      silent: 1,
      examples: ["Round up.", "Never\u001b[2J down.", "3", "4", "5"],
    }),
    rules(".cursor/rules", { found: 1, fresh: 1, examples: ["Names are verbs."] }),
    rules("AGENTS.md", { found: 7 }),
  ],
  transcripts: [{ file: "/a.jsonl", sessionId: "a", bytes: 1, modifiedMs: 1 }],
  agents: [
    { id: "claude-code", title: "Claude Code", isConnected: true, isWatched: true, files: [] },
    { id: "cursor", title: "Cursor", isConnected: false, isWatched: false, files: ["/home/f.json"] },
    { id: "codex", title: "Codex", isConnected: false, isWatched: false, files: ["/home/f.json"] },
  ],
};
const nothing: Found = { isNew: false, brings: [], rules: [], transcripts: [], agents: [] };
const flags: InitFlags = { rules: true, install: true };
const port = { show: async (ids: readonly string[]) => `the difference of ${ids.join()}` };

it("[C8] does everything with --yes, asks nobody, and takes no rule for seen", async () => {
  expect(await decide(found, { ...flags, yes: true }, undefined, port)).toEqual({
    invited: true,
    accepts: true,
    rules: true,
    trustRules: false,
    replay: true,
    connect: ["cursor", "codex"],
    leftOut: [],
  });
});

it("[C8] does only what is harmless where nobody can be asked, and names the rest", async () => {
  const harmless = { invited: false, accepts: false, rules: false, trustRules: false, replay: false, connect: [] };

  expect(await decide(found, flags, undefined, port)).toEqual({
    ...harmless,
    leftOut: [
      "the rules in CLAUDE.md and .cursor/rules",
      "1 transcript of sessions that Claude Code has kept",
      "connecting Cursor and Codex",
      "what this folder shares and sets",
    ],
  });
  const replaying = await decide(found, { ...flags, replay: true }, undefined, port);
  expect(replaying).toMatchObject({ replay: true, invited: false });
  expect(await decide(nothing, flags, undefined, port)).toEqual({ ...harmless, leftOut: [] });
});

it("[C8] asks on a terminal for what is there, shows what the answer means, and does what is answered", async () => {
  const { asking, asked } = answering(true, false, true, ["codex"]);

  expect(await decide(found, flags, asking, port)).toEqual({
    invited: true,
    accepts: true,
    rules: false,
    trustRules: false,
    replay: true,
    connect: ["codex"],
    leftOut: [],
  });
  expect(asked.map(({ question }) => question)).toEqual([
    "Is this your project? Tacit will use what it shares and its settings.",
    "Take in 6 rules of CLAUDE.md and .cursor/rules, and tell agents?",
    "Learn from 1 transcript of sessions that Claude Code has kept?",
    "Which agents should be connected?",
  ]);
  expect(asked.map(({ shows }) => shows)).toEqual([
    "1 memory that came with this folder is pending.",
    "CLAUDE.md: 5 rules that no agent is told yet\n  Round up.\n  Never<ESC>[2J down.\n  3\n  4\n  5\n" +
      ".cursor/rules: 1 rule that no agent is told yet\n  Names are verbs.",
    undefined,
    "the difference of cursor,codex",
  ]);
  // Enter alone lets nobody else speak, and writes into nobody else's file.
  expect(asked.map(({ byDefault = false }) => byDefault)).toEqual([false, false, true, false]);
  const quiet = answering(true, true, true, []);
  await decide({ ...found, brings: [] }, flags, quiet.asking, port);
  expect(quiet.asked[0]).toMatchObject({ byDefault: true });
  const told = await decide(found, flags, answering(false, true, false, []).asking, port);
  expect(told).toMatchObject({ accepts: false, rules: true, trustRules: true, replay: false, connect: [] });
  expect(await decide(nothing, flags, answering().asking, port)).toMatchObject({ invited: true, connect: [] });
});

it("takes numbers where a terminal has no menus, and nothing for nothing", () => {
  const choices = ["a", "b", "c"].map((id) => ({ id, title: id }));

  expect(["2, 3 3", "all", "Y", "", "none", "no", "4", "1 x"].map((answer) => choose(answer, choices))).toEqual([
    ["b", "c"],
    ["a", "b", "c"],
    ["a", "b", "c"],
    [],
    [],
    [],
    undefined,
    undefined,
  ]);
});

it("sends whoever names a folder there", async () => {
  mkdirSync("src");

  const line = runLine({} as TacitMemory, addInit, ["init", "src"]);

  await expect(line).rejects.toMatchObject({ code: "usage", hint: "Go there first: cd src && tacit init" });
});

it("says what was wrong with a plain answer, and asks again until it is one", async () => {
  const lines: string[] = [];
  const answers = ["what", "n", "7", ""];
  const asking = askPlainly(answering().asking.page, async (line) => answers[lines.push(line) - 1]);

  expect(await asking.yesNo("Really?", { byDefault: true })).toBe(false);
  expect(await asking.which("Which?", [{ id: "a", title: "A" }])).toEqual([]);
  expect(lines).toEqual([
    "Really? [Y/n] ",
    "'what' is neither yes nor no. Really? [Y/n] ",
    "Which?\n  1 A\nNumbers, all, or none [none] ",
    "'7' names none of them. Numbers from 1 to 1, all, or none [none] ",
  ]);
});

it("[C8] does nothing at all where a question is cancelled", async () => {
  for (const answers of [[undefined], [true, undefined], [true, true, undefined], [true, true, true, undefined]]) {
    const { asking, asked } = answering(...answers);

    expect(await decide(found, flags, asking, port)).toBeUndefined();
    expect(asked).toHaveLength(answers.length);
  }
});

function rules(file: string, of: Partial<RuleFile>): RuleFile {
  return { file, found: 0, more: 0, fresh: 0, silent: 0, examples: [], ...of };
}

interface Asked {
  question: string;
  shows?: string;
  byDefault?: boolean;
}

/** A person who gives these answers, one after the other. */
function answering(...answers: (boolean | string[] | undefined)[]): { asking: Asking; asked: Asked[] } {
  const asked: Asked[] = [];
  const answer = (question: string, options: Omit<Asked, "question"> = {}) =>
    answers[asked.push({ question, ...options }) - 1] as never;
  const clean = (text: string) => text.replaceAll("\u001b", "<ESC>");
  const asking: Asking = {
    page: openPage({ stream: {}, env: {}, clean, now: new Date() }),
    yesNo: async (question, options) => answer(question, options),
    which: async (question, _, options) => answer(question, options),
  };
  return { asking, asked };
}
