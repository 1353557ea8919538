import * as z from "zod";
import { defineTool } from "./tool.js";

export const forgetTool = defineTool({
  name: "forget",
  title: "Forget",
  description: "Take away one memory that is wrong or no longer wanted. It can be brought back for 30 days.",
  input: z.object({ id: z.string().describe("Its id, the last 8 characters of it, or its name") }),
  output: z.object({ id: z.string(), said: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  call: async ({ id: reference }, { memory }) => {
    const { id } = await (await memory()).forget(reference);
    const said = `Forgot ${id.slice(-8)}. A person can bring it back for 30 days: tacit restore ${id.slice(-8)}`;
    return { text: said, structured: { id, said } };
  },
});
