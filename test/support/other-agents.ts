import type { AgentEvent } from "../../src/index.js";
import { fromAiSdkStep } from "../../src/observer/adapters/ai-sdk.js";
import { fromOpencode, type OpencodeSeen } from "../../src/observer/adapters/opencode.js";

/** What a tool was given and what it answered. */
export interface ToolUse {
  tool: string;
  input: Record<string, unknown>;
  answer?: string;
  failed?: boolean;
}

/**
 * A session of opencode as its plugin is told of it, in events: of every tool the bus and the hook speak, and the session
 * ends when it is deleted.
 */
export function opencodeSession(
  { id, root, at, prompt }: { id: string; root: string; at: number; prompt: string },
  doings: readonly (ToolUse | string)[],
): AgentEvent[] {
  const seen: OpencodeSeen = { parents: new Map(), told: new Set() };
  const info = { id, directory: root, title: "New session", time: { created: at } };
  const parts = [{ type: "text", text: prompt }];
  const told: unknown[] = [
    { type: "session.created", properties: { info } },
    { hook: "chat.message", input: { sessionID: id }, output: { message: {}, parts } },
  ];
  for (const [index, doing] of doings.entries()) {
    const time = { start: at + 2000 * (index + 1), end: at + 2000 * (index + 1) + 1500 };
    const part = { id: `prt_${index}`, sessionID: id, time };
    const update = (fields: object) =>
      told.push({ type: "message.part.updated", properties: { part: { ...part, ...fields } } });
    if (typeof doing === "string") {
      update({ type: "text", text: doing });
      continue;
    }
    const { tool, input, answer = "", failed = false } = doing;
    const call = { tool, callID: `call_${index}`, sessionID: id };
    const metadata = tool === "bash" ? { exit: failed ? 1 : 0 } : {};
    told.push({ hook: "tool.execute.before", input: call, output: { args: input } });
    update({ type: "tool", ...call, state: { status: "running", input, time: { start: time.start } } });
    update({ type: "tool", ...call, state: { status: "completed", input, output: answer, metadata, time } });
    update({ id: `stp_${index}`, type: "step-finish", tokens: { input: 900, output: 80 } });
  }
  told.push({ type: "session.idle", properties: { sessionID: id } }, { type: "session.deleted", properties: { info } });
  return told.flatMap((event) => fromOpencode(event, seen));
}

/** Steps of a program that uses the AI SDK, one a tool, as `onStepFinish` is given them. */
export function aiSdkSteps(sessionId: string, doings: readonly (ToolUse & { says?: string })[]): AgentEvent[] {
  return doings.flatMap(({ tool, input, answer = "", failed = false, says }) => {
    const call = { toolCallId: `call_${crypto.randomUUID()}`, toolName: tool, input };
    const content = [
      ...(says === undefined ? [] : [{ type: "text", text: says }]),
      { type: "tool-call", ...call },
      failed
        ? { type: "tool-error", ...call, error: new Error(answer) }
        : { type: "tool-result", ...call, output: { stdout: answer, stderr: "", exitCode: 0 } },
    ];
    return fromAiSdkStep(
      { content, finishReason: "tool-calls", usage: { inputTokens: 1500, outputTokens: 90, totalTokens: 1590 } },
      { sessionId },
    );
  });
}
