import * as z from "zod";
import { quoteLines } from "./quoted.js";
import { files, quoted } from "./schemas.js";
import { seenFrom } from "./seen-from.js";
import { asks, defineTool } from "./tool.js";

export const sessionContextTool = defineTool({
  name: "session_context",
  title: "Session context",
  description:
    "What somebody who begins to work here should know: conventions, preferences, unfinished work, and what bears on the task. Ask once, at the start.",
  input: z.object({
    task: z.string().optional().describe("What is to be done"),
    files: files.describe("The files in play"),
  }),
  output: z.object({ memories: z.array(z.object({ id: z.string(), tokens: z.number() })), tokens: z.number(), quoted }),
  annotations: asks,
  call: async ({ task, files: named }, { memory, sessionId, directory }) => {
    const { text, tokens, memories, notes } = await (
      await memory()
    ).sessionContext({
      ...(sessionId !== undefined && { sessionId }),
      ...(task !== undefined && { task }),
      ...(named && { files: named.map((file) => seenFrom(directory, file)) }),
    });
    const told = memories.map((one) => ({ id: one.id, tokens: one.tokens }));
    if (text !== "") return { text, structured: { memories: told, tokens, quoted: text } };
    const said = notes.length > 0 ? `\n${await quoteLines(notes, "session_context")}` : "";
    return { text: `Nothing to tell yet.${said}`, structured: { memories: [], tokens: 0, quoted: "" } };
  },
});
