import { describe, expect, it } from "vitest";
import type { Note } from "../observer.js";
import { findAcute } from "./acute.js";
import { openScratchpad } from "./open-scratchpad.js";

describe("what a session shows while it goes on", () => {
  it("is a correction of the agent by itself, from the first one on", () => {
    const acute = acuteOf(read("src/a.ts"), said("I was wrong about the pool."));

    expect(acute).toEqual([
      {
        signal: "self-correction",
        priority: 0.9,
        subject: "I was wrong about the pool.",
        text: "Corrected itself: I was wrong about the pool.",
        files: ["src/a.ts"],
      },
    ]);
  });

  it("is the same search three times, and not two", () => {
    const searches = [find("openStore"), find("other"), find("openStore")];

    expect(acuteOf(...searches)).toEqual([]);
    expect(acuteOf(...searches, find(" openStore"), read("src/store.ts"))).toEqual([
      {
        signal: "repeated-search",
        priority: 0.8,
        subject: "openStore",
        text: "Searched 3 times for `openStore`.",
        files: ["src/store.ts"],
      },
    ]);
  });

  it("is not looking around", () => {
    expect(acuteOf(find("**/*"), find("**/*"), find("**/*"))).toEqual([]);
  });

  it("is two different errors, and not one twice", () => {
    expect(acuteOf(...fails("one"), ...fails("one"))).toEqual([]);
    expect(acuteOf(...fails("one"), ...fails("two"))).toEqual([
      {
        signal: "error-retry",
        priority: 0.75,
        subject: "two",
        text: "Ran into 2 different errors, the last of them: TypeError: two",
        files: [],
      },
    ]);
  });

  it("is configuration that changed along with two other files", () => {
    const some = [...edit("package.json"), ...edit("src/a.ts")];

    expect(acuteOf(...some)).toEqual([]);
    expect(acuteOf(...some, ...edit("src/b.ts"))).toEqual([
      {
        signal: "config-touch",
        priority: 0.7,
        subject: "package.json",
        text: "Changed `package.json` along with 2 other files.",
        files: ["package.json", "src/a.ts", "src/b.ts"],
      },
    ]);
  });

  it("comes with the most pressing first", () => {
    const all = [...fails("one"), ...fails("two"), find("abc"), find("abc"), find("abc"), said("So.")];

    expect(acuteOf(...all).map(({ priority }) => priority)).toEqual([0.9, 0.8, 0.75]);
  });
});

function acuteOf(...notes: Note[]): ReturnType<typeof findAcute> {
  const pad = openScratchpad(undefined);
  for (const note of notes) pad.add(note);
  return findAcute(pad);
}

let calls = 0;

function read(file: string): Note {
  return { kind: "call", at: 0, call: `${calls++}`, tool: "Read", does: "read", files: [file] };
}

function find(pattern: string): Note {
  const call = `${calls++}`;
  return { kind: "call", at: calls * 10_000, call, tool: "Grep", does: "search", search: { pattern, by: "text" } };
}

function edit(file: string): Note[] {
  const call = `${calls++}`;
  return [
    { kind: "call", at: 0, call, tool: "Edit", does: "edit", files: [file] },
    { kind: "result", at: 0, call, bytes: 0 },
  ];
}

function fails(fingerprint: string): Note[] {
  const call = `${calls++}`;
  return [
    { kind: "call", at: 0, call, tool: "Bash", does: "run" },
    {
      kind: "result",
      at: 0,
      call,
      bytes: 9,
      failed: true,
      error: { fingerprint, message: `TypeError: ${fingerprint}`, kind: "TypeError" },
    },
  ];
}

function said(text: string): Note {
  return { kind: "said", at: 0, sayings: [{ is: "correction", text }] };
}
