import { mcpServer } from "../mcp-server.js";
import type { Place } from "../place.js";
import type { Agent } from "./agent.js";

export const windsurf: Agent = {
  id: "windsurf",
  title: "Windsurf",
  speaksAs: ["windsurf"],
  commands: ["windsurf"],
  traces: (place) => [folderOf(place)],
  targets: (place) => [
    {
      name: "servers",
      file: place.path.join(folderOf(place), "mcp_config.json"),
      syntax: "jsonc",
      parts: [mcpServer(place, ["mcpServers", "tacit"])],
    },
  ],
};

function folderOf({ home, path }: Place): string {
  return path.join(home, ".codeium", "windsurf");
}
