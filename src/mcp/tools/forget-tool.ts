import * as z from "zod";
import { said } from "./schemas.js";
import { answer, defineTool } from "./tool.js";

export const forgetTool = defineTool({
  name: "forget",
  title: "Forget",
  description: "Take away one memory that is wrong or no longer wanted. It can be brought back for 30 days.",
  input: z.object({ id: z.string().describe("Its id, the last 8 characters of it, or its name") }),
  output: z.object({ id: z.string(), said }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  call: async ({ id: reference }, { memory }) => {
    const { id } = await (await memory()).forget(reference);
    const short = id.slice(-8);
    return answer({ id, said: `Forgot ${short}. A person can bring it back for 30 days: tacit restore ${short}` });
  },
});
