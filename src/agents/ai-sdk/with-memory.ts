import { MemoryError, type InjectOptions, type LearnedReport, type Outcome, type SessionType } from "../../index.js";
import type { AgentMemory } from "../agent-memory.js";
import { isMemoryTool } from "./anthropic-memory/memory-tool.js";
import { memoryTools, type SdkTool, type SdkToolName } from "./memory-tools.js";
import { openStepMessages, type StepOptions, type StepResult } from "./step-messages.js";
import { openPromptContext } from "./prompt-context.js";
import { checkMemory, reachMemory } from "./reach-memory.js";
import { openStepContext } from "./step-context.js";
import { shareConversations } from "./injected-conversations.js";
import { textOfMessage } from "./sdk-messages.js";
import { watchSession } from "./watch-session.js";

export interface SessionOptions extends InjectOptions {
  /** Open, or being opened; a worker's end will do. */
  memory: AgentMemory | PromiseLike<AgentMemory>;
  /**
   * Default: one of its own. A server may make the session anew with each request, by the same id; on the same open memory
   * it goes on as it was, elsewhere it is told again what it should know.
   */
  sessionId?: string;
  /** Which of several agents in the session this one is; absent: the main one. */
  agentId?: string;
  /**
   * Where the agent works: relative paths begin here. Default: the folder that the memory was opened with. A worker's end does
   * not know that: what such an agent does is seen from the folder that `serveWorkers` names, or from that of its memory, and
   * the files that it names itself from the working directory.
   */
  directory?: string;
  type?: SessionType;
  /** The files in play, where that is known beforehand. */
  files?: readonly string[];
  /** What is told is quoted in the user's messages; `system` puts it into the instructions instead. Default `user`. */
  injectAs?: "user" | "system";
  /** How many steps a call may take; up to twice as many where work on the files it touches has taken longer so far. */
  maxSteps?: number;
  /** Which tools the agent gets. Default: all three. */
  tools?: boolean | readonly SdkToolName[];
}

/** A function or class of the SDK that takes its settings first. */
export type Wrappable = ((settings: never) => unknown) | (new (settings: never) => unknown);

export interface SessionWithMemory {
  readonly sessionId: string;
  /** `generateText`, `streamText` or `ToolLoopAgent`, of the same type as before, with memory. */
  wrap: <F extends Wrappable>(given: F) => F;
  /**
   * The settings of a call or an agent, with memory. What the program has set itself runs first and counts. Callbacks that
   * are written in place need types of their own here; `wrap` knows them.
   */
  settings: <S extends object>(settings: S) => NoInfer<S>;
  /** The tools by themselves, for those who put them together, or want them in their types. */
  readonly tools: Record<SdkToolName, SdkTool>;
  /** Ends the session and learns from it; undefined where nothing was seen, or where it takes longer than 30 seconds. */
  end: (outcome?: Outcome) => Promise<LearnedReport | undefined>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * A session of an agent that is built with the AI SDK. It is told what it should know, as quoted data in messages of the
 * user: at the start and with a prompt for the whole call, between two steps for that step only. What it does is noted, and
 * learned from at its end. A memory that is slow, broken or closed changes nothing but that.
 *
 * The tools are added only where the agent can use their answers: not to a call that ends after one step.
 *
 * @example
 * const session = withMemory({ memory: openMemory() });
 * const { text } = await session.wrap(generateText)({ model, prompt, tools, stopWhen: stepCountIs(20) });
 * await session.end("success");
 */
export function withMemory(options: SessionOptions): SessionWithMemory {
  checkOptions(options);
  const { memory, injectAs = "user", maxSteps, tools: wanted = true, type, files = [], ...rest } = options;
  const { sessionId = crypto.randomUUID(), directory, agentId, ...how } = rest;
  const reached = reachMemory(memory);
  const session = { sessionId, agentId, directory };
  const watch = watchSession(reached, { ...session, type });
  const conversations = shareConversations(reached.given, JSON.stringify([sessionId, agentId]));
  const prompts = openPromptContext(reached, { sessionId, agentId, files, conversations, ...how });
  const between = openStepContext(reached, { ...session, ...how });
  const messages = openStepMessages(injectAs);
  const tools = memoryTools(reached, session);
  const offered = Object.entries(tools).filter(([name]) =>
    typeof wanted === "boolean" ? wanted : wanted.includes(name as SdkToolName),
  );

  const tellNow = async ({ steps, stepNumber, ...given }: StepOptions, ownTools: Set<string>): Promise<string> => {
    const { experimental_steeringMessages: steering = [] } = given;
    for (const step of steps) watch.step(step, ownTools);
    // A message of these that is replaced would not count as delivered.
    const written = given.messages.filter((message) => !steering.includes(message));
    if (stepNumber === 0) await prompts.hear(written, watch.prompt);
    for (const message of steering) watch.prompt(textOfMessage(message));
    return stepNumber === 0 ? "" : between.afterStep(watch.step(steps.at(-1)), watch.steps() + 1);
  };
  const prepareStep = async (own: Settings, given: StepOptions): Promise<StepResult | undefined> => {
    const clean = messages.clean(given);
    const result = await (own.prepareStep ?? own.experimental_prepareStep)?.(clean);
    const now = await tellNow(clean, namesOfOwn(own.tools)).catch((error: unknown) => {
      reached.complain(error);
      return "";
    });
    return messages.add(given, result, { ...prompts, now });
  };
  const isEnough = async ({ steps }: { steps: readonly unknown[] }): Promise<boolean> => {
    if (maxSteps === undefined || steps.length < maxSteps) return false;
    const query = { baseSteps: maxSteps, files: [...files, ...between.touched()] };
    const limit = await reached.ask(
      maxSteps,
      async (opened) => (await opened.builds?.stepLimit(query, how))?.steps ?? maxSteps,
    );
    return steps.length >= limit;
  };
  /** A tool that the provider runs is told of when it is called: the step tells it only after ours have written. */
  const heard = (toolName: string, tool: unknown): unknown => {
    if (!isRunByProvider(tool)) return tool;
    const onInputAvailable = async (call: { toolCallId: string; input: unknown }): Promise<void> => {
      safely(() => watch.called({ ...call, toolName }));
      await tool.onInputAvailable?.(call);
    };
    return { ...tool, onInputAvailable };
  };
  const safely = (work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      reached.complain(error);
    }
  };
  const settings = (program: object): object => {
    const own = program as Settings;
    const isLoop = (own.prompt ?? own.messages ?? undefined) === undefined || own.stopWhen || maxSteps !== undefined;
    const given = isLoop && offered.length > 0 ? { ...Object.fromEntries(offered), ...own.tools } : own.tools;
    const all = given && Object.fromEntries(Object.entries(given).map(([name, tool]) => [name, heard(name, tool)]));
    const whole: Settings = { ...own, ...(all && { tools: all }) };
    const onStepEnd = async (step: unknown): Promise<void> => {
      try {
        await (own.onStepEnd ?? own.onStepFinish)?.(step);
      } finally {
        safely(() => watch.step(step, namesOfOwn(all)));
      }
    };
    return {
      ...whole,
      prepareStep: (step: StepOptions) => prepareStep(whole, step),
      // Each version reads its own.
      onStepEnd,
      onStepFinish: onStepEnd,
      ...(maxSteps !== undefined && { stopWhen: [own.stopWhen ?? [], isEnough].flat() }),
    };
  };
  const ours = new Set<unknown>(Object.values(tools).map(({ execute }) => execute));
  /** By what they do: a tool of the program's own may have the same name, and Anthropic's memory tool any. */
  const namesOfOwn = (given: Record<string, unknown> = {}): Set<string> => {
    const isOwn = (tool: unknown) => ours.has((Object(tool) as { execute?: unknown }).execute) || isMemoryTool(tool);
    return new Set(Object.keys(given).filter((name) => isOwn(given[name])));
  };

  return {
    sessionId,
    tools,
    settings: (given) => settings(given) as typeof given,
    wrap: (given) =>
      new Proxy(given, {
        apply: (target, self, [first, ...others]: object[]) =>
          Reflect.apply(target as CallableFunction, self, [settings(first ?? {}), ...others]),
        construct: (target, [first, ...others]: object[], made) =>
          Reflect.construct(target as NewableFunction, [settings(first ?? {}), ...others], made) as object,
      }),
    end: watch.end,
    [Symbol.asyncDispose]: async () => void (await watch.end()),
  };
}

interface ProviderTool {
  onInputAvailable?: (call: { toolCallId: string; input: unknown }) => unknown;
}

/** One that the program leaves to the model's provider, as a search of the web. */
function isRunByProvider(tool: unknown): tool is ProviderTool {
  const { type, execute } = Object(tool) as { type?: unknown; execute?: unknown };
  return typeof type === "string" && type.startsWith("provider") && typeof execute !== "function";
}

type PrepareStep = (options: StepOptions) => PromiseLike<StepResult | undefined> | StepResult | undefined;

/** What a program may have set itself. */
interface Settings {
  prompt?: unknown;
  messages?: unknown;
  prepareStep?: PrepareStep;
  experimental_prepareStep?: PrepareStep;
  onStepEnd?: (step: unknown) => unknown;
  onStepFinish?: (step: unknown) => unknown;
  stopWhen?: unknown;
  tools?: Record<string, unknown>;
}

function checkOptions(options: SessionOptions): void {
  const { memory, injectAs, maxSteps } = Object(options) as SessionOptions;
  checkMemory(memory);
  if (injectAs !== undefined && injectAs !== "user" && injectAs !== "system") {
    throw invalid('injectAs must be "user" or "system"');
  }
  if (maxSteps !== undefined && !(Number.isInteger(maxSteps) && maxSteps >= 1)) {
    throw invalid("maxSteps must be a whole number from 1");
  }
}

function invalid(message: string): MemoryError {
  return new MemoryError("invalid-input", `${message}.`, "withMemory({ memory: openMemory(), maxSteps: 20 })");
}
