import { joined, withMore, type SdkMessage } from "./sdk-messages.js";

/** What the SDK asks with before each step, as far as both versions have it. */
export interface StepOptions {
  steps: readonly unknown[];
  stepNumber: number;
  messages: SdkMessage[];
  model?: unknown;
  /** Only version 7 has it. */
  initialMessages?: unknown;
  instructions?: unknown;
  /** What a person said while the agent worked. */
  experimental_steeringMessages?: readonly SdkMessage[];
}

/** What a step is to be sent with instead. */
export interface StepResult {
  messages?: SdkMessage[] | undefined;
  model?: unknown;
  instructions?: unknown;
  system?: unknown;
}

/** Puts what is told into what a step is sent with, and takes it out again before the next one. */
export interface StepMessages {
  /** The options without anything that was told: version 7 hands on what the step before was sent with. */
  clean: (options: StepOptions) => StepOptions;
  /** The result of the program's own `prepareStep` with what is told; as it is where nothing is told or has to be taken out. */
  add: (options: StepOptions, own: StepResult | undefined, telling: StepInjection) => StepResult | undefined;
}

export interface StepInjection {
  /** What belongs to the prompts. */
  place: (messages: SdkMessage[], changed: (told: SdkMessage, original: SdkMessage) => void) => SdkMessage[];
  /** The same in one text. */
  text: (messages: readonly SdkMessage[]) => string;
  /** For this step only. */
  now: string;
}

export function openStepMessages(injectAs: "user" | "system"): StepMessages {
  // Every message that something was added to, and what it was before; nothing, where all of it was told.
  const originals = new WeakMap<SdkMessage, SdkMessage | "told">();
  // Of each call, which has one list of steps: the instructions that something was added to, and what they were before.
  const instructed = new WeakMap<readonly unknown[], { told: unknown; before: unknown }>();

  const cleaned = (messages: SdkMessage[]): SdkMessage[] =>
    messages.some((message) => originals.has(message))
      ? messages.flatMap((message) => {
          const before = originals.get(message) ?? message;
          return before === "told" ? [] : [before];
        })
      : messages;
  const original = ({ steps, instructions }: StepOptions): unknown => {
    const last = instructed.get(steps);
    return last && last.told === instructions ? last.before : instructions;
  };
  const asUser = (messages: SdkMessage[], model: unknown, { place, now }: StepInjection): SdkMessage[] => {
    const placed = place(messages, (told, before) => originals.set(told, before));
    if (now === "") return placed;
    const last = placed.findLastIndex(({ role }) => role === "user");
    const before = placed[last];
    if (before === undefined || !mustAlternate(model)) {
      const told = { role: "user", content: now };
      originals.set(told, "told");
      return [...placed, told];
    }
    const told = withMore(before, now);
    originals.set(told, originals.get(before) ?? before);
    return placed.with(last, told);
  };

  return {
    clean: (options) => {
      const messages = cleaned(options.messages);
      const instructions = original(options);
      if (messages === options.messages && instructions === options.instructions) return options;
      return { ...options, messages, ...("instructions" in options && { instructions }) };
    },
    add: (options, own, telling) => {
      const messages = own?.messages ?? cleaned(options.messages);
      if (injectAs === "user") {
        const placed = asUser(messages, own?.model ?? options.model, telling);
        return placed === options.messages ? own : { ...own, messages: placed };
      }
      const text = joined(telling.text(messages), telling.now);
      // Version 6 does not tell what the instructions are, and takes a message; 7 takes none, and tells.
      if (options.initialMessages === undefined) {
        return text === "" ? own : { ...own, messages: [{ role: "system", content: text }, ...messages] };
      }
      const before = own?.instructions ?? own?.system ?? original(options);
      const instructions = withInstruction(before, text);
      if (instructions === options.instructions) return own;
      if (text !== "") instructed.set(options.steps, { told: instructions, before });
      // Without any, those of the step before would be handed on.
      return { ...own, instructions: instructions ?? [] };
    },
  };
}

/**
 * Whether a model refuses a user message after the result of a tool, as those of Mistral do, wherever they run: "Unexpected
 * role 'user' after role 'tool'". What is told goes into the last user message then.
 */
function mustAlternate(model: unknown): boolean {
  const { provider, modelId } = (typeof model === "string" ? { modelId: model } : (model ?? {})) as Record<
    string,
    unknown
  >;
  return /[sx]tral/i.test(`${String(provider)} ${String(modelId)}`);
}

function withInstruction(before: unknown, text: string): unknown {
  if (text === "") return before;
  if (before === undefined || before === null) return text;
  if (typeof before === "string") return joined(before, text);
  return [...(Array.isArray(before) ? (before as unknown[]) : [before]), { role: "system", content: text }];
}
