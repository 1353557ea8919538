import * as z from "zod";
import { quoteLines } from "./quote.js";
import { files, quoted, said } from "./schemas.js";
import { countOf } from "../../base/count-of.js";
import { resolveNamedFile } from "../../base/files/files.js";
import { answer, asks, defineTool } from "./tool.js";

export const sessionContextTool = defineTool({
  name: "session_context",
  title: "Session context",
  description:
    "What somebody who begins to work here should know: conventions, preferences, unfinished work, and what bears on the task. Ask once, at the start.",
  input: z.object({
    task: z.string().optional().describe("What is to be done"),
    files: files.describe("The files in play"),
  }),
  output: z.object({
    said,
    memories: z.array(z.object({ id: z.string(), tokens: z.number() })),
    tokens: z.number(),
    quoted,
  }),
  annotations: asks,
  call: async ({ task, files: named }, { memory, sessionId, directory }) => {
    const { text, tokens, memories, notes } = await (
      await memory()
    ).sessions.context({
      ...(sessionId !== undefined && { sessionId }),
      ...(task !== undefined && { task }),
      ...(named && { files: named.map((file) => resolveNamedFile(file, directory)) }),
    });
    const told = memories.map((one) => ({ id: one.id, tokens: one.tokens }));
    const found = `${countOf(told.length, "memory")}.`;
    const nothing = told.length === 0 ? "Nothing to tell yet." : "";
    return answer(
      {
        said: nothing === "" ? found : nothing,
        memories: told,
        tokens,
        quoted: text === "" ? await quoteLines(notes, "session_context") : text,
      },
      nothing,
    );
  },
});
