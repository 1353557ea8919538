import { existsSync } from "node:fs";
import { isOnPath, type Machine } from "./machine.js";
import type { Agent } from "./agent.js";
import { claudeCode } from "./claude-code.js";
import { codex } from "./codex.js";
import { cursor } from "./cursor.js";
import { gemini } from "./gemini.js";
import { opencode } from "./opencode.js";
import { vscode } from "./vscode.js";
import { windsurf } from "./windsurf.js";

/** Every agent that Tacit can be connected to, in the order in which they are told. */
export const agents: readonly Agent[] = [claudeCode, opencode, codex, cursor, vscode, windsurf, gemini];

/** True where the agent seems to be installed: it has left something behind, or its command is on the PATH. */
export function isFound(agent: Agent, place: Machine): boolean {
  return (
    agent.traces(place).some((path) => existsSync(path)) || agent.commands.some((command) => isOnPath(command, place))
  );
}
