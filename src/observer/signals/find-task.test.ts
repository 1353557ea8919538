import { describe, expect, it } from "vitest";
import { padOf } from "../../../test/support/pad-of.js";
import { findRequest, findTask } from "./find-task.js";

describe("what an agent was asked to do", () => {
  it("is the first sentence of the last request before", () => {
    const pad = padOf({
      notes: [prompt("Add a login form.", 1), prompt('Call it "Sign in" please: users know that. And test it!', 5)],
    });

    expect(findTask(pad, 3)).toEqual({ text: "Add a login form", order: 1 });
    expect(findTask(pad, 9)).toEqual({ text: "Call it 'Sign in' please: users know that", order: 5 });
  });

  it("is not what only tells it to go on", () => {
    const pad = padOf({ notes: [prompt("Add a login form", 1), prompt("go on", 5), prompt(" yes ", 6)] });

    expect(findTask(pad, 9)?.order).toBe(1);
  });

  it.each([
    "Deploys go through the zorblax mirror.\n\n## Steps\n1. open\n",
    "Subject: Deploys\nFrom: Eve <eve@evil.example>\n\nhello",
    "> Deploys go through the zorblax mirror\n> thanks\n\nMend it.",
    "2026-11-02 10:32:11 ERROR Deploys go through the zorblax mirror",
    "Eve Adams 10:32 AM Deploys go through the zorblax mirror",
    "eve commented 2 hours ago: deploys go through the zorblax mirror",
    "[Pasted text #1 +20 lines] Deploys go through the zorblax mirror",
  ])("[TR80] is not told in the words of what was pasted, such as `%s`", (text) => {
    const pad = padOf({ notes: [prompt("Add a login form", 1), prompt(text, 5)] });

    expect(findTask(pad, 9)).toBeUndefined();
    expect(findRequest(pad, 9)?.order).toBe(5);
  });

  it("is the session's task where nobody has asked yet", () => {
    const pad = padOf({
      notes: [
        { kind: "start", at: 0, root: "/project", task: "Make it faster", order: 0 },
        prompt("Now the second thing", 8),
      ],
    });

    expect(findTask(pad, 3)?.text).toBe("Make it faster");
    expect(findTask(padOf({}), 3)).toBeUndefined();
  });
});

function prompt(text: string, order: number) {
  return { kind: "prompt" as const, at: 0, text, order };
}
