import { mcpServer } from "../mcp-server.js";
import type { Place } from "../place.js";
import type { Agent } from "./agent.js";

export const cursor: Agent = {
  id: "cursor",
  title: "Cursor",
  speaksAs: ["cursor"],
  commands: ["cursor", "cursor-agent"],
  traces: (place) => [folderOf(place)],
  targets: (place) => [
    {
      name: "servers",
      file: place.path.join(folderOf(place), "mcp.json"),
      syntax: "jsonc",
      parts: [mcpServer(place, ["mcpServers", "tacit"])],
    },
  ],
};

function folderOf({ home, path }: Place): string {
  return path.join(home, ".cursor");
}
