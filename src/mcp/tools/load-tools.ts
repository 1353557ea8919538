import { forgetTool } from "./forget-tool.js";
import { impactTool } from "./impact-tool.js";
import { recallTool } from "./recall-tool.js";
import { rememberTool } from "./remember-tool.js";
import { sessionContextTool } from "./session-context-tool.js";
import type { Tool } from "./tool.js";

/** Other systems whose names for the tools can be had. */
export type DialectName = "reachy" | "auto-claude";

/** The tools under Tacit's own names, or under those of a dialect. */
export async function loadTools(dialect: DialectName | undefined): Promise<readonly Tool[]> {
  if (dialect === "reachy") return (await import("../dialects/reachy.js")).reachyTools;
  if (dialect === "auto-claude") return (await import("../dialects/auto-claude.js")).autoClaudeTools;
  return [recallTool, rememberTool, forgetTool, impactTool, sessionContextTool];
}
