import * as z from "zod";
import { answerAbout, impactOutput, impactTool, maxDepth, target } from "../tools/impact-tool.js";
import { recallTool } from "../tools/recall-tool.js";
import { rememberTool } from "../tools/remember-tool.js";
import { sessionContextTool } from "../tools/session-context-tool.js";
import { asks, defineTool, type Tool } from "../tools/tool.js";

/** The names of the first design, for agents that were written against it. */
export const autoClaudeTools: readonly Tool[] = [
  { ...recallTool, name: "search_memory", title: "Search memory" },
  { ...rememberTool, name: "record_memory", title: "Record memory" },
  { ...sessionContextTool, name: "get_session_context", title: "Get session context" },
  defineTool({
    name: "analyzeImpact",
    title: "Analyze impact",
    description: impactTool.description,
    input: z.object({ target, maxDepth }),
    output: impactOutput,
    annotations: asks,
    call: async (asked, context) => answerAbout(context, "impact", withMark(asked)),
  }),
  defineTool({
    name: "getDependencies",
    title: "Get dependencies",
    description: "What a file, folder or symbol needs, nearest first, and what is remembered about it.",
    input: z.object({ target, maxDepth: maxDepth.describe("How many steps to follow; default 1") }),
    output: impactOutput,
    annotations: asks,
    call: async (asked, context) => answerAbout(context, "dependencies", withMark(asked)),
  }),
];

/** There a symbol follows its file after a colon: `auth/tokens.ts:verifyJwt`. */
function withMark<T extends { target: string }>(asked: T): T {
  return { ...asked, target: asked.target.replace(/^([^#:]+\.\w+):(?=[\p{L}_$])/u, "$1#") };
}
