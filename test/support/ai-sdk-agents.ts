import * as six from "ai";
import * as seven from "ai-7";
import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import { MockLanguageModelV4 } from "ai-7/test";
import * as z from "zod";
import type { MemoryMiddleware, SessionWithMemory } from "../../src/agents/ai-sdk/ai-sdk.js";

/** What the model of a test does in one step: it calls tools, or says something and is done. */
export type Doing = string | ToolCall | ToolCall[];

interface ToolCall {
  tool: string;
  input: Record<string, unknown>;
  answer?: string;
  failed?: boolean;
  /** What the provider, which runs the tool by itself, has it answer. */
  provided?: string;
}

export interface Task {
  /** What is asked, or a conversation that ends with it. */
  prompt: string | { role: "user" | "assistant"; content: string }[];
  doings: Doing[];
  instructions?: string;
  modelId?: string;
  /** After how many steps the program itself stops; undefined: the SDK's own default. */
  steps?: number | undefined;
  /** What happens before the model answers in a step, from 0. Without it, it answers before anything else can happen. */
  meanwhile?: (step: number) => Promise<void>;
  /** Tools that the program has besides. Of another copy of the SDK's types, as those of a provider may be. */
  more?: object;
}

/** What became of a task. */
export interface Ran {
  /** What the model was sent in each step. */
  sent: Sent[][];
  /** What the program's own `prepareStep` was given in each step, as JSON. */
  shown: string[];
  /** The tools of the last step. */
  tools: string[];
  text: string;
  temperatures: unknown[];
}

export interface Sent {
  role: string;
  text: string;
}

export type Way = "generateText" | "streamText" | "ToolLoopAgent";

/** A version of the AI SDK. Both are called as a program would, without casts: that is what `tsc` checks here. */
export interface Sdk {
  version: number;
  run: (way: Way, session: SessionWithMemory, task: Task) => Promise<Ran>;
  /** A loop without a session, whose model alone has memory. */
  runModel: (middleware: MemoryMiddleware, task: Task) => Promise<Ran>;
}

export const sdks: Sdk[] = [
  {
    version: 6,
    run: async (way, session, task) => {
      const played = play(task);
      const model = new MockLanguageModelV3({
        modelId: task.modelId ?? "mock",
        doGenerate: async (call) => ({ ...ending, ...(await played.next(call)), warnings: [] }),
        doStream: async (call) => ({ stream: streamed(await played.next(call)) }),
      });
      const { instructions: system, steps, prompt } = task;
      const own = {
        model,
        tools: { read: six.tool(played.tool), edit: six.tool(played.tool), bash: six.tool(played.tool), ...task.more },
        ...(steps !== undefined && { stopWhen: six.stepCountIs(steps) }),
      };
      if (way === "ToolLoopAgent") {
        const Agent = session.wrap(six.ToolLoopAgent);
        const agent = new Agent({
          ...own,
          ...(system !== undefined && { instructions: system }),
          prepareStep: ({ messages }) => ({ messages: played.show(messages), temperature: 0.5 }),
        });
        return played.ran((await agent.generate({ prompt })).text);
      }
      const call = { ...own, prompt, ...(system !== undefined && { system }) };
      if (way === "streamText") {
        return played.ran(await six.streamText(session.settings(call)).text);
      }
      const { text, toolResults } = await session.wrap(six.generateText)({
        ...call,
        prepareStep: ({ messages }) => ({ messages: played.show(messages), temperature: 0.5 }),
      });
      for (const result of toolResults) if (!result.dynamic) result.output satisfies string;
      return played.ran(text);
    },
    runModel: async (middleware, task) => {
      const played = play(task);
      const inner = new MockLanguageModelV3({
        doGenerate: async (call) => ({ ...ending, ...(await played.next(call)), warnings: [] }),
      });
      const model = six.wrapLanguageModel({ model: inner, middleware });
      const tools = { read: six.tool(played.tool) };
      const { text } = await six.generateText({ model, tools, prompt: task.prompt, stopWhen: six.stepCountIs(9) });
      return played.ran(text);
    },
  },
  {
    version: 7,
    run: async (way, session, task) => {
      const played = play(task);
      const model = new MockLanguageModelV4({
        modelId: task.modelId ?? "mock",
        doGenerate: async (call) => ({ ...ending, ...(await played.next(call)), warnings: [] }),
        doStream: async (call) => ({ stream: streamed(await played.next(call)) }),
      });
      const { steps, prompt } = task;
      const own = {
        model,
        tools: {
          read: seven.tool(played.tool),
          edit: seven.tool(played.tool),
          bash: seven.tool(played.tool),
          ...task.more,
        },
        ...(task.instructions !== undefined && { instructions: task.instructions }),
        ...(steps !== undefined && { stopWhen: seven.isStepCount(steps) }),
      };
      if (way === "ToolLoopAgent") {
        const Agent = session.wrap(seven.ToolLoopAgent);
        const agent = new Agent({
          ...own,
          prepareStep: ({ messages }) => ({ messages: played.show(messages), temperature: 0.5 }),
        });
        return played.ran((await agent.generate({ prompt })).text);
      }
      if (way === "streamText") {
        return played.ran(await seven.streamText(session.settings({ ...own, prompt })).text);
      }
      const { text, toolResults } = await session.wrap(seven.generateText)({
        ...own,
        prompt,
        prepareStep: ({ messages }) => ({ messages: played.show(messages), temperature: 0.5 }),
      });
      for (const result of toolResults) if (!result.dynamic) result.output satisfies string;
      return played.ran(text);
    },
    runModel: async (middleware, task) => {
      const played = play(task);
      const inner = new MockLanguageModelV4({
        doGenerate: async (call) => ({ ...ending, ...(await played.next(call)), warnings: [] }),
      });
      const model = seven.wrapLanguageModel({ model: inner, middleware });
      const tools = { read: seven.tool(played.tool) };
      const { text } = await seven.generateText({ model, tools, prompt: task.prompt, stopWhen: seven.isStepCount(9) });
      return played.ran(text);
    },
  },
];

interface Call {
  prompt: readonly { role: string; content: unknown }[];
  temperature?: number | undefined;
  tools?: readonly { name: string }[] | undefined;
}

/** A model that does one thing after the other, and tools that answer as it was written. */
function play({ doings, meanwhile }: Task) {
  const sent: Sent[][] = [];
  const shown: string[] = [];
  let tools: string[] = [];
  let temperatures: unknown[] = [];
  const callsOf = (step: number): ToolCall[] =>
    [doings[step] ?? "Done."].flat().filter((doing) => typeof doing !== "string");
  const next = async (call: Call) => {
    await meanwhile?.(sent.length);
    const [calls, said = "Done."] = [callsOf(sent.length), doings[sent.length]];
    if (calls[0]?.tool === "broken") throw new Error("the model broke");
    sent.push(call.prompt.map(({ role, content }) => ({ role, text: textOf(content) })));
    tools = (call.tools ?? []).map(({ name }) => name);
    temperatures = [...temperatures, call.temperature];
    return typeof said === "string"
      ? { finishReason: stop, content: [{ type: "text" as const, text: said }] satisfies Part[] }
      : { finishReason: toolCalls, content: calls.flatMap((one, n) => partsOf(one, `call-${sent.length}-${n}`)) };
  };
  return {
    next,
    show: <M>(messages: M[]): M[] => {
      shown.push(JSON.stringify(messages));
      return messages;
    },
    tool: {
      inputSchema: z.looseObject({}),
      execute: async (): Promise<string> => {
        const [called] = callsOf(sent.length - 1);
        if (called === undefined) throw new Error("no tool was called");
        if (called.failed) throw new Error(called.answer);
        return called.answer ?? "";
      },
    },
    ran: (text: string): Ran => ({ sent, shown, tools, text, temperatures }),
  };
}

const usage = {
  inputTokens: { total: 900, noCache: 900, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 80, text: 80, reasoning: 0 },
};
const ending = { usage };

type Part = { type: "text"; text: string } | CallPart;
type CallPart =
  | { type: "tool-call"; toolCallId: string; toolName: string; input: string; providerExecuted?: boolean }
  | { type: "tool-result"; toolCallId: string; toolName: string; result: string };

const stop = { unified: "stop", raw: undefined } as const;
const toolCalls = { unified: "tool-calls", raw: undefined } as const;

function partsOf({ tool, input, provided }: ToolCall, toolCallId: string): CallPart[] {
  const called = { toolCallId, toolName: tool };
  const call = { type: "tool-call" as const, ...called, input: JSON.stringify(input) };
  if (provided === undefined) return [call];
  return [
    { ...call, providerExecuted: true },
    { type: "tool-result", ...called, result: provided },
  ];
}

function streamed({ finishReason, content }: { finishReason: typeof stop | typeof toolCalls; content: Part[] }) {
  const parts = content.flatMap((part): StreamPart[] =>
    part.type !== "text"
      ? [part]
      : [
          { type: "text-start", id: "0" },
          { type: "text-delta", id: "0", delta: part.text },
          { type: "text-end", id: "0" },
        ],
  );
  const finish = { type: "finish" as const, finishReason, usage };
  return convertArrayToReadableStream([{ type: "stream-start" as const, warnings: [] }, ...parts, finish]);
}

type StreamPart =
  | CallPart
  | { type: "text-start" | "text-end"; id: string }
  | { type: "text-delta"; id: string; delta: string };

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as Record<string, unknown>[])
    .map((part) => (typeof part["text"] === "string" ? part["text"] : JSON.stringify(part)))
    .join("\n");
}
