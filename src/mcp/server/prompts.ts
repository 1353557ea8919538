import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import { quote } from "../tools/quote.js";
import type { CallContext } from "../tools/tool.js";

/** A prompt that a person picks in a client, with one argument. */
interface TacitPrompt {
  listed: Prompt;
  argument: string;
  /** Undefined for what is too long. */
  write: (said: string, context: CallContext) => Promise<string | undefined>;
}

const asked = 8;
const longestQuestion = 2000;
// What a memory may hold, and more than that takes of a model.
const longestKept = 65_536;
const longestTold = 60_000;

export const prompts: readonly TacitPrompt[] = [
  {
    listed: {
      name: "recall",
      title: "Recall",
      description: "What is remembered about a question",
      arguments: [{ name: "question", description: "A question or some words", required: true }],
    },
    argument: "question",
    write: async (question, { memory }) => {
      const results = await (await memory()).recall(question, { limit: asked });
      const lines = [
        `The question: ${cut(question)}`,
        ...(results.length === 0 ? ["Nothing is remembered about it."] : []),
      ];
      const { text: block } = await quote(results, { point: "recall", notes: lines });
      return `Answer the question that is quoted here from what is remembered, and say where that does not answer it.\n${block}`;
    },
  },
  {
    listed: {
      name: "remember",
      title: "Remember",
      description: "Keep something for later sessions",
      arguments: [{ name: "text", description: "What to remember", required: true }],
    },
    argument: "text",
    write: async (text) => {
      const said = text.split(/\r\n?|\n/);
      const { text: block, lines } = await quote([], { point: "remember", lines: said, budgetTokens: longestTold });
      if (lines < said.length || text.length > longestKept) return undefined;
      return `Keep what is quoted here in Tacit's memory: in full sentences, one fact at a time, with the type that fits and the files it is about.\n${block}`;
    },
  },
];

/** What a prompt says to the model; undefined where the argument is too long for it. */
export async function writePrompt(
  prompt: TacitPrompt,
  said: string,
  context: CallContext,
): Promise<GetPromptResult | undefined> {
  const text = await prompt.write(said, context);
  if (text === undefined) return undefined;
  return {
    description: prompt.listed.description,
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}

function cut(question: string): string {
  return question.length > longestQuestion ? `${Array.from(question).slice(0, longestQuestion).join("")}…` : question;
}
