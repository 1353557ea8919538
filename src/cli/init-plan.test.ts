import { expect, it } from "vitest";
import type { Asking } from "./ask.js";
import { decide, type Found, type InitFlags } from "./init-plan.js";

const found: Found = {
  rules: [{ file: "CLAUDE.md" }, { file: ".cursor/rules" }],
  transcripts: [{ file: "/a.jsonl", sessionId: "a", bytes: 1, modifiedMs: 1 }],
  agents: [
    { id: "claude-code", title: "Claude Code", isConnected: true, files: [] },
    { id: "cursor", title: "Cursor", isConnected: false, files: ["/home/f.json"] },
    { id: "codex", title: "Codex", isConnected: false, files: ["/home/f.json"] },
  ],
};
const nothing: Found = { rules: [], transcripts: [], agents: [] };
const flags: InitFlags = { rules: true, install: true };

it("[C8] does everything with --yes, and asks nobody", async () => {
  expect(await decide(found, { ...flags, yes: true }, undefined)).toEqual({
    invited: true,
    rules: true,
    replay: true,
    connect: ["cursor", "codex"],
    leftOut: [],
  });
});

it("[C8] does only what is harmless where nobody can be asked, and names the rest", async () => {
  const harmless = { invited: false, rules: false, replay: false, connect: [] };

  expect(await decide(found, flags, undefined)).toEqual({
    ...harmless,
    leftOut: [
      "the rules in CLAUDE.md and .cursor/rules",
      "1 transcript of sessions that Claude Code has kept",
      "connecting Cursor and Codex",
    ],
  });
  expect(await decide(found, { ...flags, replay: true }, undefined)).toMatchObject({ replay: true, invited: false });
  expect(await decide(nothing, flags, undefined)).toEqual({ ...harmless, leftOut: [] });
});

it("[C8] asks on a terminal for what is there, and does what is answered", async () => {
  const { asking, asked } = answering(false, true, ["codex"]);

  expect(await decide(found, flags, asking)).toEqual({
    invited: true,
    rules: false,
    replay: true,
    connect: ["codex"],
    leftOut: [],
  });
  expect(asked).toEqual([
    "Take in the rules in CLAUDE.md and .cursor/rules, so that every agent knows them?",
    "Learn from 1 transcript of sessions that Claude Code has kept?",
    "Which agents should be connected?",
  ]);
  expect(await decide(nothing, flags, answering().asking)).toMatchObject({ invited: true, connect: [] });
});

it("[C8] does nothing at all where a question is cancelled", async () => {
  for (const answers of [[undefined], [true, undefined], [true, true, undefined]]) {
    const { asking, asked } = answering(...answers);

    expect(await decide(found, flags, asking)).toBeUndefined();
    expect(asked).toHaveLength(answers.length);
  }
});

/** A person who gives these answers, one after the other. */
function answering(...answers: (boolean | string[] | undefined)[]): { asking: Asking; asked: string[] } {
  const asked: string[] = [];
  const answer = async (question: string) => answers[asked.push(question) - 1] as never;
  return { asking: { yesNo: answer, which: answer }, asked };
}
