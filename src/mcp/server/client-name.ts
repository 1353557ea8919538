// By how the names begin that clients of MCP give themselves: "codex-mcp-client", "Visual Studio Code - Insiders".
const agents: readonly [beginning: string, agent: string][] = [
  ["claude-code", "claude-code"],
  ["opencode", "opencode"],
  ["codex", "codex"],
  ["cursor", "cursor"],
  ["visual-studio-code", "vscode"],
  ["vscode", "vscode"],
  ["windsurf", "windsurf"],
  ["gemini", "gemini"],
];

/** The agent that a client belongs to, by the name it gives itself; that name where it is no agent we know. */
export function agentOf(clientName: string): string {
  const name = `${clientName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-`;
  return agents.find(([beginning]) => name.startsWith(`${beginning}-`))?.[1] ?? clientName;
}

// Often enough to say when an agent last spoke, and no work for the disk.
const intervalMs = 60_000;
// Of clients that call themselves something else each time.
const maxNames = 100;

/** Hands on that an agent has spoken, at most once a minute for each. */
export function onceAMinute(note: (agent: string) => void, now: () => number = Date.now): (agent: string) => void {
  const last = new Map<string, number>();
  return (agent) => {
    const at = last.get(agent);
    if (at !== undefined && now() - at < intervalMs) return;
    if (last.size >= maxNames) last.clear();
    last.set(agent, now());
    note(agent);
  };
}
