import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../observer.js";
import { openTranscriptReport, readTranscript } from "./claude-code-transcript.js";

const sample = join(import.meta.dirname, "../../../../shared/data/transcripts/claude-code-2.1.jsonl");

describe("a transcript of Claude Code", () => {
  it("of version 2.1 is read whole", async ({ skip }) => {
    skip(!existsSync(sample), "../shared/data/transcripts does not hold claude-code-2.1.jsonl");
    const report = openTranscriptReport();

    const events = await all(readTranscript(createReadStream(sample), report));

    expect(events.map(({ kind }) => kind)).toEqual([
      "start",
      "prompt",
      "call",
      "result",
      "step",
      "reasoning",
      "step",
      "end",
    ]);
    expect(events[0]).toMatchObject({ agent: "claude-code", directory: "/project", task: "fix auth" });
    expect(events[2]).toMatchObject({ tool: "Read", input: { file_path: "/project/auth.ts" }, callId: "toolu_0" });
    expect(events[3]).toMatchObject({ tool: "Read", callId: "toolu_0", at: Date.parse("2026-11-15T06:13:33.781Z") });
    expect(events[4]).toMatchObject({ inputTokens: 5, outputTokens: 3 });
    expect(report).toEqual({ lines: 17, events: 8, skipped: [], bytes: 9191 });
  });

  it("tells what the agent thought, said and did, in order, and a message's tokens once", async () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 90, cache_creation_input_tokens: 5, output_tokens: 1 };
    const { events } = await read(
      user("fix it"),
      assistant("m1", [{ type: "thinking", thinking: "Hm." }], { usage }),
      assistant("m1", [{ type: "text", text: "I look." }], { usage }),
      assistant("m1", [call("c1", "Read", { file_path: "a" })], { usage: { ...usage, output_tokens: 40 } }),
      user([answer("c1", "let a")]),
      assistant("m1", [call("c2", "Grep", { pattern: "a" })], { usage: { ...usage, output_tokens: 40 } }),
      user([
        answer("c2", [
          { type: "text", text: "a.ts:1" },
          { type: "image", source: {} },
        ]),
      ]),
      assistant("m2", [{ type: "text", text: "Done." }], { usage }),
    );

    expect(events.flatMap((event) => (event.kind === "reasoning" ? [event.thought === true] : []))).toEqual([
      true,
      false,
      false,
    ]);
    expect(brief(events)).toEqual([
      "start",
      "prompt fix it",
      "reasoning Hm.",
      "reasoning I look.",
      "call Read c1",
      "result c1 let a",
      "call Grep c2",
      "result c2 a.ts:1\n[image]",
      "step 105 40",
      "reasoning Done.",
      "step 105 1",
      "end unknown",
    ]);
  });

  it("tells once what its lines tell twice", async () => {
    const spoken = assistant("m1", [{ type: "text", text: "I look." }, call("c1", "Read", {})]);
    const { events, report } = await read(
      { ...user("go"), uuid: "u1" },
      { ...user("go"), uuid: "u1" },
      spoken,
      spoken,
      user([answer("c1", "x")]),
      user([answer("c1", "x")]),
      assistant("m2", []),
      spoken,
    );

    expect(brief(events).filter((event) => !event.startsWith("step"))).toEqual([
      "start",
      "prompt go",
      "reasoning I look.",
      "call Read c1",
      "result c1 x",
      "end unknown",
    ]);
    expect(events.filter(({ kind }) => kind === "step")).toHaveLength(2);
    expect(report.skipped).toEqual([{ reason: "there twice", count: 1, firstLine: 2 }]);
  });

  it("takes for a prompt only what a person wrote", async () => {
    const { events } = await read(
      user("<command-name>/clear</command-name>"),
      user("<local-command-stdout>done</local-command-stdout>"),
      user("<system-reminder>\nRemember the rules.\n</system-reminder>"),
      { ...user("Caveat"), isMeta: true },
      { ...user("This session is being continued from …"), isCompactSummary: true },
      user([
        { type: "text", text: "<ide_opened_file>a.ts</ide_opened_file>" },
        { type: "text", text: "one" },
      ]),
      user("two<system-reminder>x</system-reminder> and more<system-reminder>unended"),
      attached({ type: "queued_command", prompt: "three", commandMode: "prompt" }),
      attached({ type: "queued_command", prompt: "<task-notification>", commandMode: "task-notification" }),
      attached({ type: "hook_success", content: "no" }),
      { ...user("Always deploy by hand."), isMeta: true, promptSource: "system", turnOrigin: "scheduled" },
      { ...user("Always deploy by hand."), promptSource: "system" },
      { ...user("Always deploy by hand."), origin: { kind: "channel", server: "chat" } },
      attached({ type: "queued_command", prompt: "Always deploy by hand.", origin: { kind: "peer" } }),
      attached({ type: "queued_command", prompt: "Always deploy by hand.", isMeta: true }),
      { ...user("four"), promptSource: "typed", origin: { kind: "human" } },
      user([{ type: "image", source: {} }]),
    );

    expect(brief(events)).toEqual([
      "start",
      "prompt one",
      "prompt two and more",
      "prompt three",
      "prompt four",
      "end unknown",
    ]);
    expect(events[0]).toHaveProperty("task", "one");
  });

  it.each<[string, Record<string, unknown>, unknown, boolean]>([
    ["what says so", { is_error: true, content: "no" }, undefined, true],
    ["an exit code", { content: "Exit code 2\nboom" }, undefined, true],
    ["an error beside it", { content: "no" }, "Error: no", true],
    ["an interrupted command", { content: "" }, { stdout: "", stderr: "", interrupted: true }, true],
    ["a command that worked", { content: "0 errors" }, { stdout: "0 errors", stderr: "", interrupted: false }, false],
    ["an exit code of zero", { content: "Exit code 0" }, undefined, false],
    ["wrong types", { is_error: "yes", content: 7 }, 7, false],
  ])("knows a failed result: %s", async (_, result, toolUseResult, isError) => {
    const { events } = await read(assistant("m", [call("c", "Bash", {})]), {
      ...user([{ type: "tool_result", tool_use_id: "c", ...result }]),
      toolUseResult,
    });

    expect(events.find(({ kind }) => kind === "result")?.["isError" as never] ?? false).toBe(isError);
  });

  it("takes off what Claude Code wraps an error in, and has how long it took", async () => {
    const wrapped = "<tool_use_error>File has not been read yet.</tool_use_error>";
    const { events } = await read(assistant("m", [call("c", "Edit", {})]), {
      ...user([{ ...answer("c", wrapped), is_error: true }]),
      toolUseResult: { durationMs: 30 },
    });

    expect(events[2]).toMatchObject({ text: "File has not been read yet.", isError: true, durationMs: 30 });
  });

  it("has a commit where one was made, and none where it failed", async () => {
    const command = "git commit -m 'Use WAL'";
    const { events } = await read(
      assistant("m", [call("c1", "Bash", { command }), call("c2", "Bash", { command })]),
      user([answer("c1", "[main 1a2b3c4] Use WAL\n 1 file changed")]),
      user([{ ...answer("c2", "Exit code 1\n[main 2a2b3c4] Use WAL"), is_error: true }]),
    );

    expect(events.filter(({ kind }) => kind === "commit")).toEqual([
      { sessionId: "s1", at: moment, kind: "commit", sha: "1a2b3c4", message: "Use WAL" },
    ]);
  });

  it("is abandoned where an interruption is the last thing", async () => {
    const interruption = user([{ type: "text", text: "[Request interrupted by user for tool use]" }]);

    const left = await read(user("go"), interruption, attached({ type: "hook_success" }));
    const resumed = await read(user("go"), interruption, user("go on"));

    expect(brief(left.events)).toEqual(["start", "prompt go", "end abandoned"]);
    expect(brief(resumed.events)).toEqual(["start", "prompt go", "prompt go on", "end unknown"]);
  });

  it("leaves out what Claude Code wrote in the model's place", async () => {
    const { events } = await read(
      user("go"),
      { ...assistant("m1", [{ type: "text", text: "API Error: 529" }]), isApiErrorMessage: true },
      assistant("m2", [{ type: "text", text: "No response requested." }], { model: "<synthetic>" }),
    );

    expect(brief(events)).toEqual(["start", "prompt go", "end unknown"]);
  });

  it("keeps apart the sub-agents whose lines are among the others", async () => {
    const side = { isSidechain: true };
    const { events } = await read(
      user("go"),
      assistant("m1", [call("t1", "Task", { prompt: "explore" })]),
      { ...user("explore"), ...side, uuid: "a1", parentUuid: null },
      { ...user("explore too"), ...side, uuid: "b1", parentUuid: null },
      { ...attached({ type: "todo" }), ...side, uuid: "a2", parentUuid: "a1" },
      { ...assistant("m2", [call("c1", "Read", {})]), ...side, uuid: "a3", parentUuid: "a2" },
      { ...assistant("m3", [call("c2", "Read", {})]), ...side, agentId: "named" },
      { ...user([answer("t1", "found")]), toolUseResult: { agentId: "named", status: "completed" } },
    );

    expect(brief(events)).toEqual([
      "start",
      "prompt go",
      "call Task t1",
      "subagent started a1",
      "a1: prompt explore",
      "subagent started b1",
      "b1: prompt explore too",
      "a1: call Read c1",
      "subagent started named",
      "named: call Read c2",
      "result t1 found",
      "subagent ended named",
      "step",
      "a1: step",
      "named: step",
      "subagent ended a1",
      "subagent ended b1",
      "end unknown",
    ]);
  });

  it("knows sub-agents whose lines are elsewhere by what they answered", async () => {
    const { events } = await read(
      assistant("m1", [call("t1", "Agent", {}), call("t2", "Agent", {})]),
      { ...user([answer("t1", "found")]), toolUseResult: { agentId: "x", prompt: "explore", totalDurationMs: 9 } },
      { ...user([answer("t2", "sent off")]), toolUseResult: { agentId: "y", isAsync: true, status: "async_launched" } },
    );

    expect(brief(events).filter((event) => event.startsWith("subagent"))).toEqual([
      "subagent started x",
      "subagent ended x",
      "subagent started y",
      "subagent ended y",
    ]);
    expect(events.find(({ kind }) => kind === "subagent")).toHaveProperty("task", "explore");
  });

  it("of a sub-agent alone begins and ends only that agent", async () => {
    const { events } = await read({ ...user("explore"), isSidechain: true, agentId: "x" });

    expect(brief(events)).toEqual(["x: start", "x: prompt explore", "x: end unknown"]);
    expect(events[0]).toHaveProperty("task", "explore");
  });

  it("gives every session its own start and end", async () => {
    const { events } = await read(user("one"), { ...user("two"), sessionId: "s2", cwd: "/other" }, user("three"), {
      type: "user",
      message: { content: "four" },
    });

    expect(events.map(({ sessionId, kind }) => `${sessionId} ${kind}`)).toEqual([
      "s1 start",
      "s1 prompt",
      "s2 start",
      "s2 prompt",
      "s1 prompt",
      "s1 prompt",
      "s2 end",
      "s1 end",
    ]);
  });

  it("says with each call and result where the agent stands", async () => {
    const { events } = await read(
      assistant("m1", [call("c1", "Bash", { command: "cd api" })]),
      { ...user([answer("c1", "")]), cwd: "/project/api" },
      { ...assistant("m2", [call("c2", "Bash", { command: "ls" })]), cwd: "/project/api" },
    );

    expect(events.flatMap((event) => ("directory" in event ? `${event.kind} ${event.directory}` : []))).toEqual([
      "start /project",
      "call /project",
      "result /project/api",
      "call /project/api",
    ]);
  });

  it("of a session that branched off leaves out what was copied", async () => {
    const copied = { forkedFrom: { sessionId: "s0", messageUuid: "u" } };
    const { events, report } = await read(
      { ...user("one"), ...copied },
      { ...assistant("m1", [call("c1", "Read", {})]), ...copied },
      user("two"),
    );

    expect(brief(events)).toEqual(["start", "prompt two", "end unknown"]);
    expect(events[0]).toHaveProperty("task", "two");
    expect(report.skipped).toEqual([{ reason: "copied from another session", count: 2, firstLine: 1 }]);
  });

  it("has the tools that ran at the service, a server's by its name", async () => {
    const { events } = await read(
      assistant("m1", [
        { type: "server_tool_use", id: "w1", name: "web_search", input: { query: "x" } },
        { type: "web_search_tool_result", tool_use_id: "w1", content: [{ type: "web_search_result", title: "X" }] },
        { type: "mcp_tool_use", id: "w2", name: "get", server_name: "hub", input: {} },
        { type: "mcp_tool_result", tool_use_id: "w2", is_error: false, content: [{ type: "text", text: "got" }] },
      ]),
    );

    expect(brief(events).slice(1, 5)).toEqual([
      "call web_search w1",
      'result w1 [{"type":"web_search_result","title":"X"}]',
      "call mcp__hub__get w2",
      "result w2 got",
    ]);
  });

  it("passes over what it cannot read, and says so", async () => {
    const lines = [
      Buffer.from(JSON.stringify(user("go"))),
      Buffer.from('{"type":"user","message":'),
      Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
      Buffer.from('["no"]'),
      Buffer.from("\0\0\0\0"),
      Buffer.from(""),
      Buffer.from('{"type":"hologram","sessionId":"s1"}'),
      Buffer.from('{"type":"user","sessionId":"s1","message":7}'),
      Buffer.from('{"type":"assistant","sessionId":"s1","message":{"content":[7,null,{"type":"tool_use"}]}}'),
      Buffer.from('{"type":"summary","summary":"Auth"}\r'),
      Buffer.from(JSON.stringify(user("on"))),
      Buffer.from('{"type":"user","sessionId":"s1","message":{"content":"cut o'),
    ];
    const report = openTranscriptReport();

    const events = await all(readTranscript(chunks(Buffer.from(joinLines(lines))), report));

    expect(brief(events)).toEqual(["start", "prompt go", "step", "prompt on", "end unknown"]);
    expect(report.skipped).toEqual([
      { reason: "not JSON", count: 2, firstLine: 2 },
      { reason: "not UTF-8", count: 1, firstLine: 3 },
      { reason: "without a type", count: 1, firstLine: 4 },
      { reason: 'of the unknown type "hologram"', count: 1, firstLine: 7 },
      { reason: "without a message", count: 1, firstLine: 8 },
      { reason: "cut off", count: 1, firstLine: 12 },
    ]);
    expect(report).toMatchObject({ lines: 12, events: 5 });
  });

  it("passes over a line that is too long without holding it", async () => {
    const mb = Buffer.alloc(1_000_000, "x");
    const source = async function* source() {
      yield Buffer.from('{"type":"user","message":{"content":"');
      for (let count = 0; count < 9; count += 1) yield mb;
      yield Buffer.from(`"}}\n${JSON.stringify(user("go"))}\n`);
    };
    const report = openTranscriptReport();

    expect(brief(await all(readTranscript(source(), report)))).toEqual(["start", "prompt go", "end unknown"]);
    expect(report.skipped).toEqual([{ reason: "longer than 8 MB", count: 1, firstLine: 1 }]);
  });

  it("goes as far as its source goes, and throws only where that gives nothing", async () => {
    const broken = async function* broken(...pieces: string[]) {
      for (const piece of pieces) yield Buffer.from(piece);
      throw new Error("EIO");
    };
    const report = openTranscriptReport();

    expect(brief(await all(readTranscript(broken(`${JSON.stringify(user("go"))}\n`), report)))).toEqual([
      "start",
      "prompt go",
      "end unknown",
    ]);
    expect(report.skipped).toEqual([{ reason: "could not be read any further", count: 1, firstLine: 2 }]);
    await expect(all(readTranscript(broken(), openTranscriptReport()))).rejects.toThrow("EIO");
  });

  it("holds few sessions and few reasons, however many there are", async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ ...user("go"), sessionId: `s${index}` }));
    const odd = Array.from({ length: 60 }, (_, index) => ({ type: `odd-${index}` }));

    const { events, report } = await read(...many, ...odd);

    expect(events.filter(({ kind }) => kind === "end")).toHaveLength(60);
    expect(report.skipped).toHaveLength(31);
    expect(report.skipped.at(-1)).toEqual({ reason: "for other reasons", count: 30, firstLine: 91 });
  });

  it("is the same, however its bytes are cut", async () => {
    const lines = [user("ä\u{1F600}"), assistant("m", [{ type: "text", text: "é" }])];
    const bytes = Buffer.from(joinLines(lines.map((line) => Buffer.from(JSON.stringify(line)))));
    const whole = await all(readTranscript(chunks(bytes), openTranscriptReport()));

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: bytes.length }), async (size) => {
        expect(await all(readTranscript(chunks(bytes, size), openTranscriptReport()))).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });

  it("never throws, and begins and ends what it tells of", async () => {
    const block = fc.record({
      type: fc.constantFrom("text", "thinking", "tool_use", "tool_result", "server_tool_use", "x_tool_result"),
      text: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
      id: fc.oneof(fc.constantFrom("c1", "c2"), fc.jsonValue()),
      tool_use_id: fc.oneof(fc.constantFrom("c1", "c2"), fc.jsonValue()),
      input: fc.jsonValue(),
      content: fc.jsonValue(),
    });
    const line = fc.record(
      {
        type: fc.oneof(fc.constantFrom("user", "assistant", "attachment", "system"), fc.jsonValue()),
        sessionId: fc.oneof(fc.constantFrom("s1", "s2"), fc.jsonValue()),
        message: fc.oneof(
          fc.record({ id: fc.jsonValue(), content: fc.array(block), usage: fc.jsonValue() }),
          fc.jsonValue(),
        ),
        isSidechain: fc.oneof(fc.boolean(), fc.jsonValue()),
        agentId: fc.oneof(fc.constantFrom("a", undefined), fc.jsonValue()),
        uuid: fc.jsonValue(),
        parentUuid: fc.jsonValue(),
        timestamp: fc.jsonValue(),
        toolUseResult: fc.jsonValue(),
        attachment: fc.jsonValue(),
      },
      { requiredKeys: ["type"] },
    );

    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof({ arbitrary: line, weight: 9 }, fc.jsonValue())), async (lines) => {
        const { events, report } = await read(...lines);

        for (const sessionId of new Set(events.map((event) => event.sessionId))) {
          const own = events.filter((event) => event.sessionId === sessionId);
          expect(own.at(0)).toHaveProperty("kind", "start");
          expect(own.filter(({ kind }) => kind === "end")).toHaveLength(1);
          expect(own.at(-1)).toHaveProperty("kind", "end");
        }
        expect(report).toMatchObject({ lines: lines.length, events: events.length });
      }),
      { numRuns: 40 },
    );
  });
});

const moment = Date.parse("2026-11-02T09:00:00Z");

function user(content: unknown) {
  const timestamp = new Date(moment).toISOString();
  return { type: "user", sessionId: "s1", cwd: "/project", timestamp, message: { role: "user", content } };
}

function assistant(id: string, content: unknown[], more: Record<string, unknown> = {}) {
  return { ...user(content), type: "assistant", message: { id, role: "assistant", content, ...more } };
}

function attached(attachment: Record<string, unknown>) {
  return { type: "attachment", sessionId: "s1", attachment };
}

function call(id: string, name: string, input: Record<string, unknown>) {
  return { type: "tool_use", id, name, input };
}

function answer(id: string, content: unknown) {
  return { type: "tool_result", tool_use_id: id, content };
}

async function read(...lines: unknown[]) {
  const report = openTranscriptReport();
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return { events: await all(readTranscript(chunks(bytes), report)), report };
}

function joinLines(lines: Buffer[]): Uint8Array {
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from("\n"), line])));
}

async function* chunks(bytes: Uint8Array, size = 65_536) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function all(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const list: AgentEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

/** An event in a line, with the agent's id before it. */
function brief(events: readonly AgentEvent[]): string[] {
  return events.map((event) => {
    const { agentId, kind } = event;
    const rest = { ...event } as Record<string, unknown>;
    const told = ["tool", "state", "callId", "childId", "text", "inputTokens", "outputTokens", "outcome"]
      .filter((name) => kind !== "result" || name !== "tool")
      .flatMap((name) => (rest[name] === undefined ? [] : [`${rest[name] as string | number}`]));
    return `${agentId === undefined ? "" : `${agentId}: `}${[kind, ...told].join(" ")}`;
  });
}
