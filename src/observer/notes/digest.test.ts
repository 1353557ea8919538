import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../observer.js";
import { openDigest } from "./digest.js";
import { memoryMark } from "./memory-mark.js";

const at = Date.parse("2026-11-02T09:00:00Z");
const session = { sessionId: "s", at };

describe("a digest", () => {
  it("takes relative paths from where the agent stands, before and after a command", () => {
    const { digest } = openDigest({ root: "/project" });
    const called = (command: string, directory?: string) =>
      digest({
        ...session,
        kind: "call",
        callId: command,
        tool: "Bash",
        input: { command },
        ...(directory && { directory }),
      })[0];
    const late = (command: string, directory: string) =>
      digest({ ...session, kind: "result", callId: "late", tool: "Bash", input: { command }, text: "", directory })[0];

    digest({ ...session, kind: "start", directory: "/project" });

    expect(called("cat a.ts", "/project/api")).toMatchObject({ files: ["api/a.ts"] });
    expect(called("cat b.ts")).toMatchObject({ files: ["b.ts"] });
    expect(called("cat c.ts", "api")).toMatchObject({ files: ["c.ts"] });
    expect(late("cat d.ts", "/project/api")).toMatchObject({ kind: "call", files: ["api/d.ts"] });
    expect(late("cd ./api/ && cat e.ts", "/project/api")).toMatchObject({ files: ["api/e.ts"] });
    expect(late("cd /project/web && cat f.ts", "/project/web")).toMatchObject({ files: ["web/f.ts"] });
    expect(late("cd api && cat g.ts", "/project")).toMatchObject({ files: ["api/g.ts"] });
  });

  it("makes a note of each kind of event", () => {
    const { digest } = openDigest({ root: "/project", commit: "abc1234" });
    const notes = (event: Told) => digest({ ...session, ...event } as AgentEvent);

    expect(notes({ kind: "start", agent: "claude-code", type: "build", task: "Fix it", plannedSteps: 3 })).toEqual([
      {
        kind: "start",
        at,
        root: "/project",
        agent: "claude-code",
        type: "build",
        commit: "abc1234",
        task: "Fix it",
        plannedSteps: 3,
      },
    ]);
    expect(notes({ kind: "prompt", text: " Fix\0 it \uD800" })).toEqual([
      { kind: "prompt", at, text: "Fix  it \uFFFD" },
    ]);
    expect(notes({ kind: "step", inputTokens: 12.5, outputTokens: -1 })).toEqual([
      { kind: "step", at, inputTokens: 12 },
    ]);
    expect(notes({ kind: "subagent", state: "started", childId: "c", task: "look" })).toEqual([
      { kind: "subagent", at, state: "started", child: "c", task: "look" },
    ]);
    expect(
      notes({ kind: "unit", unit: { methodology: "m", hierarchy: ["a"], label: "l" }, state: "failed", summary: "no" }),
    ).toEqual([
      { kind: "unit", at, unit: { methodology: "m", hierarchy: ["a"], label: "l" }, state: "failed", summary: "no" },
    ]);
    expect(notes({ kind: "qa", passed: false, issues: [{ title: "t", file: "/project/a.ts", fix: "f" }] })).toEqual([
      { kind: "qa", at, passed: false, issues: [{ title: "t", file: "a.ts", fix: "f" }] },
    ]);
    expect(notes({ kind: "commit", sha: "abc1234", message: "Fix", files: ["a.ts", "/project/b.ts"] })).toEqual([
      { kind: "commit", at, sha: "abc1234", message: "Fix", files: ["a.ts", "b.ts"] },
    ]);
    expect(notes({ kind: "remember", content: "a  b", memoryType: "note" })).toEqual([
      { kind: "remember", at, mark: memoryMark("a b"), memoryType: "note" },
    ]);
    expect(notes({ kind: "reasoning", text: "Let me try a different approach." })).toEqual([
      { kind: "said", at, sayings: [{ is: "abandonment", text: "Let me try a different approach." }] },
    ]);
    expect(notes({ kind: "reasoning", text: "Looks fine." })).toEqual([]);
    expect(notes({ kind: "end", outcome: "success" })).toEqual([{ kind: "end", at, outcome: "success" }]);
    expect(notes({ kind: "end", outcome: "great" })).toEqual([{ kind: "end", at, outcome: "unknown" }]);
    expect(notes({ kind: "prompt", text: "" })).toEqual([]);
    expect(notes({ kind: "dance" })).toEqual([]);
  });

  it("reads a result by its call", () => {
    const { digest } = openDigest({ root: "/project" });
    const call = (callId: string, tool: string, input: Record<string, unknown>) =>
      digest({ ...session, kind: "call", callId, tool, input });
    const result = (callId: string, text: string) => digest({ ...session, kind: "result", callId, text })[0];

    call("1", "Read", { file_path: "/project/a.ts" });
    call("2", "Bash", { command: "npm test | tail" });

    expect(result("1", 'import "b";\nthrow new TypeError("x")')).toMatchObject({ call: "1", imports: ["b"] });
    expect(result("1", "TypeError: x")).not.toHaveProperty("failed");
    expect(result("2", "TypeError: x\nTests: 1 failed, 1 total")).toMatchObject({
      failed: true,
      error: { kind: "TypeError", message: "TypeError: x" },
      tests: { passed: 0, failed: 1 },
    });
  });

  it("reads a result whose call it did not see by what the event says of it", () => {
    const { digest } = openDigest({ root: "/project" });
    const seen = { ...session, kind: "result" as const, callId: "1", tool: "Bash", text: "Tests: 1 failed, 1 total" };

    expect(digest({ ...seen, input: { command: "npm test | tail" } })).toMatchObject([
      { kind: "call", call: "1", late: true, command: { name: "npm test" } },
      { kind: "result", failed: true },
    ]);
    expect(digest({ ...seen, tool: "Read", text: "Exit code 1" })[0]).not.toHaveProperty("failed");
  });

  it("takes relative paths from where the agent works", () => {
    const { digest } = openDigest({ root: "/project" });
    digest({ ...session, kind: "start", directory: "/project/packages/core" });

    expect(
      digest({ ...session, kind: "call", callId: "1", tool: "Read", input: { file_path: "src/a.ts" } }),
    ).toMatchObject([{ files: ["packages/core/src/a.ts"] }]);
  });

  it("tells the time of events that do not", () => {
    const { digest } = openDigest({ root: "/project", now: () => at });

    expect(digest({ sessionId: "s", kind: "step" })).toEqual([{ kind: "step", at }]);
    expect(digest({ sessionId: "s", at: Number.NaN, kind: "step" })).toEqual([{ kind: "step", at }]);
  });

  it("keeps every list and text short", () => {
    const { digest } = openDigest({ root: "/project" });
    const long = "日本".repeat(50_000);
    const issue = { title: long, description: long, file: "a.ts", fix: long };
    const paths = Array.from({ length: 999 }, (_, i) => `src/${"日".repeat(60)}/file-${i}.ts`);
    const events: Told[] = [
      { kind: "start", task: long, agent: long, methodology: long },
      { kind: "prompt", text: long },
      {
        kind: "call",
        callId: long,
        tool: long,
        input: {
          paths,
          content: long,
          edits: Array.from({ length: 99 }, () => ({ old_string: long, new_string: "b" })),
        },
      },
      { kind: "call", callId: "1", tool: "Bash", input: { command: `cat ${paths.join(" ")}` } },
      { kind: "result", callId: "1", text: `Error: ${long}`, isError: true },
      { kind: "reasoning", text: `Actually, it is ${long}, not ${long}. `.repeat(20) },
      {
        kind: "reasoning",
        text: "Actually, the one is a 日本, not 日本日本日本日本日本日本日本日本日本日本日本日本日本日本日本. ".repeat(
          20,
        ),
      },
      {
        kind: "unit",
        unit: { methodology: long, hierarchy: [long, long], label: long },
        state: "started",
        summary: long,
      },
      { kind: "subagent", state: "started", childId: long, task: long },
      { kind: "qa", passed: false, issues: Array.from({ length: 50 }, () => issue) },
      { kind: "commit", sha: long, message: long, files: paths },
      { kind: "end", reason: long },
    ];
    for (const event of events) {
      for (const note of digest({ ...session, ...event } as AgentEvent)) {
        expect(Buffer.byteLength(JSON.stringify(note)), event.kind).toBeLessThan(8192);
      }
    }
  });

  it("never throws, and its notes are JSON of less than 8 KB, whatever an event holds", () => {
    const { digest } = openDigest({ root: "/project" });
    fc.assert(
      fc.property(anyEvent(), (event) => {
        const notes = digest(event as AgentEvent);
        const json = JSON.stringify(notes);

        expect(JSON.parse(json)).toEqual(notes);
        expect(Buffer.byteLength(json)).toBeLessThan(8192);
        expect(json).not.toMatch(/\\u0000|\\ud[89a-f]/);
      }),
      { numRuns: 500 },
    );
  });

  it("does not stumble over what is no event at all", () => {
    const { digest } = openDigest({ root: "/project" });
    const angry = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
      },
    );

    for (const event of [null, undefined, 3, "x", [], {}, angry]) expect(digest(event as never)).toEqual([]);
  });
});

type Told = { kind: string } & Record<string, unknown>;

function anyEvent(): fc.Arbitrary<unknown> {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.constantFrom(
      "Error: x",
      "npm test",
      "/project/a.ts",
      "Wait, it is not so.",
      "cat a > b",
      "\uD800",
      "*** Update File: x",
    ),
  );
  const anything = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.constant(undefined), fc.double());
  const input = fc.dictionary(
    fc.constantFrom(
      "file_path",
      "path",
      "command",
      "pattern",
      "old_string",
      "new_string",
      "content",
      "edits",
      "url",
      "patch",
      "paths",
    ),
    anything,
  );
  const kinds = [
    "start",
    "prompt",
    "call",
    "result",
    "reasoning",
    "step",
    "unit",
    "subagent",
    "qa",
    "commit",
    "remember",
    "end",
  ];
  const well = fc.record(
    {
      kind: fc.constantFrom(...kinds),
      callId: fc.oneof(fc.constantFrom("1", "2"), anything),
      tool: fc.oneof(fc.constantFrom("Bash", "Read", "Edit", "Grep", "WebFetch", "apply_patch", "remember"), anything),
      input: fc.oneof(input, anything),
      text: fc.oneof(text, anything),
      isError: fc.oneof(fc.boolean(), anything),
      unit: anything,
      issues: fc.oneof(fc.array(fc.dictionary(fc.constantFrom("title", "file", "fix"), anything)), anything),
      files: fc.oneof(fc.array(anything), anything),
      message: anything,
      content: anything,
      at: fc.oneof(fc.double(), anything),
    },
    { requiredKeys: ["kind"] },
  );
  return fc.oneof(well, anything);
}
