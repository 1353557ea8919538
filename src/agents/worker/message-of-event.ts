import type { AgentEvent } from "../../index.js";
import { carriedText, type MemoryRequest } from "./memory-messages.js";

/** The message that tells of an event; undefined for what the main thread notes by itself. `steps`: how many are done. */
export function messageOf(event: AgentEvent, steps: number): MemoryRequest | undefined {
  const { at = Date.now() } = event;
  const inStep = { stepIndex: steps, at };
  switch (event.kind) {
    case "call": {
      const { callId, tool, input, does, own, directory } = event;
      const known = { ...(does && { does }), ...(own && { own }), ...(directory !== undefined && { directory }) };
      return { type: "memory:tool-call", ...inStep, callId, toolName: tool, args: input, ...known };
    }
    case "result": {
      const { callId, tool = "", text, isError, input, durationMs, own, directory } = event;
      const known = {
        ...(own && { own }),
        ...(isError !== undefined && { isError }),
        ...(input && { args: input }),
        ...(durationMs !== undefined && { durationMs }),
        ...(directory !== undefined && { directory }),
      };
      return { type: "memory:tool-result", ...inStep, callId, toolName: tool, result: carriedText(text), ...known };
    }
    case "reasoning":
      return {
        type: "memory:reasoning",
        ...inStep,
        text: carriedText(event.text),
        ...(event.thought && { thought: true }),
      };
    case "step": {
      const { inputTokens, outputTokens } = event;
      const tokens = {
        ...(inputTokens !== undefined && { inputTokens }),
        ...(outputTokens !== undefined && { outputTokens }),
      };
      return { type: "memory:step-complete", stepNumber: steps, at, ...tokens };
    }
    case "prompt":
      return { type: "memory:step-complete", stepNumber: steps, at, prompt: carriedText(event.text) };
    case "end": {
      const { outcome = "unknown", reason } = event;
      return {
        type: "memory:session-complete",
        outcome,
        stepsExecuted: steps,
        at,
        ...(reason !== undefined && { reason }),
      };
    }
    case "injected":
      return undefined;
    case "start":
    case "unit":
    case "subagent":
    case "qa":
    case "commit":
    case "remember":
    case "compacted": {
      const { sessionId: _session, agentId: _agent, ...happened } = event;
      return { type: "memory:step-complete", stepNumber: steps, at, happened: [happened] };
    }
    default:
      return undefined;
  }
}
