import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Stage } from "./tour-stage.js";

const before = `# Kept by hand.
model = "gpt-5"   # the small one is enough

[mcp_servers.tickets]
command = "tickets-mcp"
`;

/** An agent's configuration gets its part and loses it again; the tour's own copy of Codex's, since nobody's is touched. */
export async function agentsAreConnected(stage: Stage): Promise<void> {
  stage.say(
    "Your agents are connected through their own configuration files: Claude Code, opencode, Codex, Cursor, VS Code, Windsurf, Gemini CLI. Here it is a file of the tour's own.",
  );
  const folder = stage.file("codex");
  const file = stage.file("codex/config.toml");
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, before);
  await stage.tacit("install", "codex", "--yes");
  const connected = readFileSync(file, "utf8");
  stage.check("everything else in the file stays as it was", connected !== before && connected.includes(before.trim()));
  await stage.tacit("uninstall", "codex");
  stage.check("uninstalling gives it back, byte for byte", readFileSync(file, "utf8") === before);
}
