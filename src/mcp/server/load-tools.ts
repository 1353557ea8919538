import { forgetTool } from "../tools/forget-tool.js";
import { impactTool } from "../tools/impact-tool.js";
import { recallTool } from "../tools/recall-tool.js";
import { rememberTool } from "../tools/remember-tool.js";
import { sessionContextTool } from "../tools/session-context-tool.js";
import type { Tool } from "../tools/tool.js";

/** Other systems whose names for the tools can be had. */
export type DialectName = "reachy" | "auto-claude";

/** The tools under Tacit's own names, or under those of a dialect. */
export async function loadTools(dialect: DialectName | undefined): Promise<readonly Tool[]> {
  if (dialect === "reachy") return (await import("../dialects/reachy-tools.js")).reachyTools;
  if (dialect === "auto-claude") return (await import("../dialects/auto-claude-tools.js")).autoClaudeTools;
  return [recallTool, rememberTool, forgetTool, impactTool, sessionContextTool];
}
