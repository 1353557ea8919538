import { mcpServer } from "../mcp-server.js";
import type { Place } from "../place.js";
import type { Agent } from "./agent.js";

/** Its command line, its window and its extension read the same file. */
export const codex: Agent = {
  id: "codex",
  title: "Codex",
  speaksAs: ["codex"],
  commands: ["codex"],
  traces: (place) => [folderOf(place)],
  targets: (place) => [
    {
      name: "config",
      file: place.path.join(folderOf(place), "config.toml"),
      syntax: "toml",
      parts: [mcpServer(place, ["mcp_servers", "tacit"])],
    },
  ],
};

function folderOf({ env, home, path }: Place): string {
  return env["CODEX_HOME"] || path.join(home, ".codex");
}
